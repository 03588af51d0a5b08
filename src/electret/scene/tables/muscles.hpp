#pragma once
/// \file
/// `[[body.muscle]]`.

#include <optional>
#include <string>
#include <vector>

#include <electret/scene/keyframes.hpp>
#include <electret/scene/numbers.hpp>
#include <electret/scene/per_item.hpp>
#include <electret/scene/tables/element_groups.hpp>

namespace electret {

struct SceneTable;

/// `[[body.muscle]]`: elements that pull towards a target stretch along a fibre. Exactly one of activation,
/// activations, keys.
struct Muscle {
  std::string group{};                 ///< An element group; empty: all elements.
  Vec3 fibre{};                        ///< At rest, world axes; any length but 0.
  double stiffness = 0.0;              ///< Pa, > 0.
  std::optional<double> activation{};  ///< Target stretch: 1 at rest.
  PerItem<double> activations{};       ///< One per element, in the group's order.
  KeyFrames<double> keys{};            ///< The same for all elements, over time.
};

/// One `[[body.muscle]]`. Stiffnesses and activations are listed for its tetrahedra first, then for its
/// hexahedra.
struct MuscleTrack {
  std::size_t body = 0;  ///< The body's number.
  ElementSet elements;
  Vec3 fibre;                       ///< At rest; a unit vector.
  std::vector<double> stiffness;    ///< Pa, one per element.
  std::vector<double> activations;  ///< One per element; empty if key-framed.
  KeyFrames<double> keys;           ///< The same for all elements; empty: constant.
  std::string name;                 ///< "body.NAME.muscle.I".
};

/// Its kinds of numbers.
namespace number {
extern const NumberKind muscle_stiffness, activations, activation_keys;
}

/// The table itself.
SceneTable muscle_table();

}  // namespace electret
