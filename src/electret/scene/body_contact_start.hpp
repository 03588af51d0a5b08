#pragma once
/// \file
/// How near bodies that may touch are to each other, and to themselves.

#include <array>
#include <optional>
#include <vector>

#include <electret/contact/surface_intersections.hpp>
#include <electret/contact/surface_pair.hpp>
#include <electret/scene/body_contact.hpp>

namespace electret {

/// The nearest pair of parts of two bodies, or of a body with itself.
struct NearestPair {
  std::array<std::size_t, 2> bodies{};  ///< The smaller number first.
  SurfacePair pair;
  double distance = 0.0;  ///< m.
};

/// Two bodies, or a body and itself, that go through each other.
struct BodyIntersection {
  std::array<std::size_t, 2> bodies{};
  SurfaceIntersection first;
  std::size_t count = 0;  ///< Of edges and triangles that meet.
};

/// The surfaces of a scene's bodies, and what may touch what.
class BodySurfaces {
 public:
  explicit BodySurfaces(const Assembly& assembly);

  [[nodiscard]] const ContactSurface& surface() const { return surface_; }
  [[nodiscard]] const BodyPairs& pairs() const { return pairs_; }
  /// Whether the body may touch another one or itself.
  [[nodiscard]] bool may_touch(std::size_t body) const;
  /// Of those of `which` that are nearer than `below` (m) at `place` (n×3, m), one per two bodies, in their
  /// order.
  [[nodiscard]] std::vector<NearestPair> nearest(const BodyPairs& which, VectorView place, double below);
  [[nodiscard]] std::vector<BodyIntersection> intersections(VectorView place);
  /// The bodies with themselves, among those that may touch.
  [[nodiscard]] BodyPairs selves() const;

 private:
  Threads threads_{1};
  ContactSurface surface_;
  BodyPairs pairs_;
};

}  // namespace electret
