#pragma once
/// \file
/// `[damping]`.

#include <electret/scene/numbers.hpp>

namespace electret {

struct SceneTable;

struct DampingOptions {
  double drag = 0.0;    ///< 1/s; the force is -drag·m·v.
  double spring = 0.0;  ///< N s/m; acts on the relative velocity along each spring.
};

/// Its kinds of numbers.
namespace number {
extern const NumberKind drag, spring_damping;
}

/// The table itself.
SceneTable damping_table();

}  // namespace electret
