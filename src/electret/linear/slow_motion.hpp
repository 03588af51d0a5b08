#pragma once
/// \file
/// Motions that a system's matrix hardly resists, such as those of a stiff body as a whole.

#include <vector>

#include <electret/core/types.hpp>

namespace electret {

/// The displacements `rows` of the vertices from `first` on, before any constraint. Those of other vertices
/// are 0.
struct SlowMotion {
  Index first = 0;
  VectorArray rows;
  std::size_t group = 0;
};

/// The vertices first … end-1.
struct RowRange {
  Index first = 0, end = 0;
};

/// Slow motions in groups. The matrix couples a motion to no vertex beyond its group's range, and no two
/// ranges overlap.
struct SlowMotions {
  std::vector<SlowMotion> motions;
  std::vector<RowRange> groups;
};

}  // namespace electret
