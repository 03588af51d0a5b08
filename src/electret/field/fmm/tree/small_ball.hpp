#pragma once
/// \file
/// Small bounding balls of a cell's points.

#include <electret/core/types.hpp>

namespace electret::fmm {

/// In the unit of the points.
struct Ball {
  Vec3 centre;
  double radius = 0.0;
};

/// A ball that holds the points, of which there is at least one. Its radius is mostly within 3 % of the
/// smallest possible, and never larger than that of the ball around `start`.
///
/// The centre moves towards the farthest point in decreasing steps [Bădoiu and Clarkson 2003]. The start is
/// already near the best centre: it is the middle of the points' box. Only points that are far from the start
/// are examined at each step.
Ball small_ball(VectorView points, const Vec3& start);

}  // namespace electret::fmm
