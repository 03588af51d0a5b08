#pragma once
/// \file
/// Motions that a system's matrix hardly resists, such as those of a stiff body as a whole.

#include <electret/core/types.hpp>

namespace electret {

/// The displacements `rows` of the vertices from `first` on, before any constraint. Those of other vertices
/// are 0. The matrix couples no motions of different groups, whose vertices must not lie among each other.
struct SlowMotion {
  Index first = 0;
  VectorArray rows;
  Index group = 0;
};

}  // namespace electret
