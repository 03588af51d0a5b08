#pragma once
/// \file
/// Axis-aligned bounding boxes.

#include <electret/core/parallel.hpp>
#include <electret/core/types.hpp>

namespace electret::fmm {

struct Box {
  Vec3 low, high;
};

/// The smallest box that holds both.
Box united(const Box& a, const Box& b);
/// The bounding box of points, of which there is at least one.
Box box_of(VectorView points);
/// The bounding box, found by several threads. For no points, it is a point at the origin.
Box bounds(VectorView points, Threads& threads);

}  // namespace electret::fmm
