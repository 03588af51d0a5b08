#pragma once
/// \file
/// Small balls about points.

#include <electret/core/types.hpp>

namespace electret::fmm {

/// In the points' unit.
struct Ball {
  Vec3 centre;
  double radius = 0.0;
};

/// A ball that holds the points (one at least), about as small as can be (radius mostly within 3 % of the
/// least), and never larger than that about `start`.
///
/// A centre pulled towards the farthest point in ever smaller steps (Bădoiu and Clarkson 2003), from a start
/// that is near already: the middle of the points' box. Only points that stand out from there are looked at
/// on the way.
Ball small_ball(VectorView points, const Vec3& start);

}  // namespace electret::fmm
