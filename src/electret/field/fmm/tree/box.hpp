#pragma once
/// \file
/// Boxes along the axes.

#include <electret/core/parallel.hpp>
#include <electret/core/types.hpp>

namespace electret::fmm {

struct Box {
  Vec3 low, high;
};

/// The box of both.
Box united(const Box& a, const Box& b);
/// The box of points; there are some.
Box box_of(VectorView points);
/// The same by several threads; of none: one point at the origin.
Box bounds(VectorView points, Threads& threads);

}  // namespace electret::fmm
