#pragma once
/// \file
/// Coulomb's friction between surfaces, by a stored elastic slip per pair and a return map.

#include <functional>
#include <span>
#include <utility>
#include <vector>

#include <electret/contact/contact_surface.hpp>
#include <electret/contact/friction_frame.hpp>
#include <electret/contact/pair_potential.hpp>

namespace electret {

/// Two numbers along the directions of a FrictionFrame.
using InFrame = std::array<double, 2>;

/// What a pair remembers from step to step: its elastic slip a (m) in the frame of that edge of its closest
/// feature as it was at the start of the step.
struct PairAnchor {
  SurfacePair pair;
  PairFeature feature = PairFeature::inner;
  unsigned char edge = 0;
  InFrame slip{};
};

/// φ: the friction per pair, N. With k|s| ≤ ℓ it sticks: φ = k s. Else it slips: φ = ℓ s/|s|.
struct ReturnMap {
  bool slips = false;
  InFrame force{};         ///< φ, N.
  double potential = 0.0;  ///< ½ k|s|², or ℓ|s| - ℓ²/(2k), J.
};
ReturnMap return_map(const InFrame& slip, double stiffness, double limit);
/// φ' = ∂φ/∂s: k I, or (ℓ/|s|)(I - ŝŝᵀ).
std::array<InFrame, 2> return_map_slope(const InFrame& slip, double stiffness, double limit);

/// Whether a term of a vertex is one that has friction.
inline bool has_friction(const TouchingPair& term) {
  return term.constants.has_friction && term.rubs && term.normal_push() > 0.0;
}

/// The pushes of a vertex' terms with one body, N.
struct VertexPushes {
  double all = 0.0, rubbing = 0.0;
};
VertexPushes vertex_pushes(std::span<const TouchingPair> terms);

/// A pair that touched at the start of a step. All but slip and force is as it was there.
struct FrictionPair {
  static constexpr std::size_t none = static_cast<std::size_t>(-1);

  PairConstants constants;
  PairDistance at;
  unsigned char edge = 0;
  FrictionFrame frame;        ///< Q.
  double push = 0.0;          ///< m p(d), m.
  double normal = 0.0;        ///< λ: the push times the stiffness of the pair's term and the spread, N.
  double limit = 0.0;         ///< ℓ = μ λ, N.
  InFrame anchor{};           ///< a.
  std::size_t source = none;  ///< Which of the anchors a comes from.
  double share = 1.0;         ///< Of the source's slip (anchor_share).
  std::array<InFrame, 2> transport{};  ///< a = share transport · (the source's slip).
  InFrame slip{};                      ///< s = a + Qᵀ Σ w_i (x_i - x_t,i), m, at the last evaluated place.
  ReturnMap map;
  std::size_t first_part = 0;  ///< Of those of the term's stiffness; none: κ alone.
  std::size_t parts = 0;
  /// Of the pushes of all terms of the vertex with this body, as a part of those of the pairs that rub: where
  /// stiffnesses differ between triangles, terms at their edges push, too, or pull.
  double spread = 1.0;
  std::size_t first_term = 0;  ///< Of those terms; none: the pair's alone.
  std::size_t terms = 0;
};

/// Which part of a slip each of `count` pairs of stiffness `to` takes over from one of stiffness `from`
/// (N/m): √(from/to)/count. Its force stays where stiffnesses are alike, and the energies ½ κ|a|² of all are
/// 1/count of what it was. This has a derivative at from = to, too, which min(1, from/to) has not, and pairs
/// of regular meshes are exactly alike.
double anchor_share(double from, double to, std::size_t count);

/// Whether `from` is known in the pair's own frame, so that it stays as it is.
bool keeps_frame(const FrictionPair& pair, const PairAnchor& from);

/// The friction of a step: a potential of the vertices' displacements since the step's start, with the normal
/// forces that pairs had there. Pairs that did not touch there have none.
class PairFriction {
 public:
  /// κ of any pair, N/m.
  using Stiffness = std::function<double(const SurfacePair&)>;

  /// `surface` and `threads` must outlive this.
  PairFriction(const ContactSurface& surface, Threads& threads, Stiffness stiffness)
      : surface_(surface), threads_(threads), stiffness_(std::move(stiffness)) {}

  /// Begins a step at `start` (n×3, m), where `touching` touch, with the parts of their stiffnesses; they
  /// need not outlive the call. `anchors` are those that the last step has left, ascending by pair. An anchor
  /// stays with its pair, turned into the frame of the pair's new closest feature. A vertex that leaves a
  /// triangle for others of the same body takes its anchor along, and they share it. While it touches the
  /// first one, too, they begin without: a slip that was there twice would push twice, and bring energy.
  void begin_step(VectorView start, std::span<const TouchingPair> touching,
                  std::span<const PairAnchor> anchors, std::span<const StiffnessPart> parts = {});
  /// The potential after displacements of `moved` (n×3, m) since the start, J.
  double evaluate(VectorView moved);
  [[nodiscard]] std::span<const FrictionPair> pairs() const { return friction_; }
  /// The terms of vertices that have several with one body.
  [[nodiscard]] std::span<const TouchingPair> terms() const { return terms_; }
  /// The parts of the stiffnesses of what touched.
  [[nodiscard]] std::span<const StiffnessPart> parts() const { return parts_; }
  /// out += factor times the potential's gradient at the last evaluated place.
  void add_gradient(double factor, VectorSpan out) const;
  /// Appends factor times its second derivative, which is positive semi-definite: w_i w_j Q φ' Qᵀ.
  void append_hessian(double factor, std::vector<StencilVertices>& vertices,
                      std::vector<StencilBlocks>& blocks) const;
  /// The anchors that the step leaves, a' = φ/k, in place of what `anchors` holds.
  void keep(std::vector<PairAnchor>& anchors) const;

 private:
  void find_pairs(std::span<const TouchingPair> touching);
  void spread(std::span<const TouchingPair> terms, std::size_t first_pair);
  void take_anchor(FrictionPair& pair, const PairPlaces& places, VectorView start,
                   std::span<const PairAnchor> anchors) const;
  [[nodiscard]] bool touches(const SurfacePair& pair) const;
  /// The first anchor of the same vertex on a triangle of the same body that it has left; the end if there is
  /// none.
  [[nodiscard]] std::span<const PairAnchor>::iterator anchor_left(const SurfacePair& pair,
                                                                  std::span<const PairAnchor> anchors) const;
  /// How many pairs of this vertex with this body have no anchor of their own.
  [[nodiscard]] std::size_t newcomers(const SurfacePair& pair, std::span<const PairAnchor> anchors) const;

  const ContactSurface& surface_;
  Threads& threads_;
  Stiffness stiffness_;
  std::vector<FrictionPair> friction_;
  std::vector<TouchingPair> terms_;
  std::vector<StiffnessPart> parts_;
  std::vector<StencilVertices> vertices_;
  std::vector<StencilVectors> gradients_;
  StencilRows rows_;
};

}  // namespace electret
