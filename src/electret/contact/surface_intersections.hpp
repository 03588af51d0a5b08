#pragma once
/// \file
/// Where surfaces go through each other.

#include <span>
#include <vector>

#include <electret/contact/body_pairs.hpp>
#include <electret/contact/contact_surface.hpp>
#include <electret/core/parallel.hpp>

namespace electret {

struct SurfaceIntersection {
  Edge edge{};
  Triangle triangle{};
  Vec3 place;  ///< A point of both, rounded, m.
};

/// Every edge and triangle at `place` (n×3 of all vertices, m) that have a point in common, by edge, then
/// triangle. The two share no vertex, one has a free vertex, and their bodies may touch. The test is exact
/// (geometry/orientation.hpp).
std::vector<SurfaceIntersection> surface_intersections(const ContactSurface& surface, const BodyPairs& bodies,
                                                       VectorView place, Threads& threads);

}  // namespace electret
