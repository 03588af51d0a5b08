#pragma once
/// \file
/// The pairs of parts of surfaces that may touch within a step.

#include <array>
#include <memory>
#include <span>
#include <vector>

#include <electret/contact/body_pairs.hpp>
#include <electret/contact/contact_surface.hpp>
#include <electret/contact/surface_pair.hpp>
#include <electret/core/parallel.hpp>
#include <electret/geometry/measure.hpp>

namespace electret {

/// Finds candidate pairs by trees of boxes. A vertex' box holds its places in the motion and a margin around
/// them. Pairs of two bodies are found from the vertices' own motions. Pairs of a body with itself are found
/// from motions relative to the body's mean motion, so that a body that flies does not have more of them.
class SurfacePairs {
 public:
  /// `surface` and `threads` must outlive the pairs. Bodies touch below the distance `thickness` (m).
  SurfacePairs(const ContactSurface& surface, BodyPairs bodies, double thickness, Threads& threads);
  ~SurfacePairs();
  SurfacePairs(const SurfacePairs&) = delete;
  SurfacePairs& operator=(const SurfacePairs&) = delete;

  [[nodiscard]] const ContactSurface& surface() const { return surface_; }
  [[nodiscard]] const BodyPairs& bodies() const { return bodies_; }
  [[nodiscard]] double thickness() const { return thickness_; }

  /// Finds the candidates of a motion from `from` to `to` (n×3 of all vertices, m): all pairs of bodies that
  /// may touch which share no vertex, have a free one, and come nearer than the thickness at a place that
  /// `covers` accepts. Their order and number do not depend on the number of threads. Allocates only while
  /// the number of candidates grows.
  void find(VectorView from, VectorView to);
  /// The candidates of the last `find`, ascending.
  [[nodiscard]] std::span<const SurfacePair> pairs() const { return pairs_; }
  /// Whether the candidates are complete at `place` (n×3, m), and on straight ways between such places: every
  /// vertex is in its box less half the thickness.
  [[nodiscard]] bool covers(VectorView place) const;

 private:
  struct Trees;
  /// A candidate, by the numbers of its two parts.
  struct Couple {
    Index first, second;
  };
  using Found = std::vector<std::vector<Couple>>;

  template <class Make>
  void add_sorted(const Found& found, std::size_t firsts, const Make& make);

  const ContactSurface& surface_;
  BodyPairs bodies_;
  double thickness_;
  Threads& threads_;
  std::unique_ptr<Trees> trees_;
  std::vector<SurfacePair> pairs_;
};

}  // namespace electret
