#pragma once
/// \file
/// Whether a body has gone through another one within a step.

#include <optional>
#include <vector>

#include <electret/contact/surface_pairs.hpp>

namespace electret {

/// Two parts of surfaces that would have met on the straight ways of a step.
struct BodyPassage {
  SurfacePair pair;
  double depth = 0.0;   ///< How far the parts go on after they meet, along the normal, m.
  double way = 0.0;     ///< How far the parts move against each other in the step, m.
  double extent = 0.0;  ///< How thick the thinner one of the two bodies is along the normal, m.
};

/// Looks for passages of bodies through each other. Allocates only where more parts meet than ever before.
class BodyPassages {
 public:
  /// The deepest passage of one body through another on the straight ways from `from` to `to` (n×3 of all
  /// vertices, m), places at which no parts meet. A passage is deeper than four thicknesses, and than the
  /// thinner one of the two bodies is along the normal. A corner that slides off an edge is none: its
  /// straight way cuts the edge, but not the whole body. A body's passage through itself is not looked for.
  /// Finds the candidates anew if they are incomplete.
  std::optional<BodyPassage> find(SurfacePairs& pairs, VectorView from, VectorView to, Threads& threads);

 private:
  struct Meeting {
    BodyPassage passage;
    Vec3 normal;
  };
  /// Where the parts meet on their way, if they do.
  [[nodiscard]] static std::optional<Meeting> meeting_of(const SurfacePair& pair, VectorView from,
                                                         VectorView way, double thickness);

  VectorArray way_;
  std::vector<std::vector<Meeting>> met_;  ///< By chunks of candidates.
};

}  // namespace electret
