#pragma once
/// \file
/// Coulomb's friction between surfaces, by a stored elastic slip per pair and a return map.

#include <span>
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

/// A pair that touched at the start of a step. All but slip and force is as it was there.
struct FrictionPair {
  static constexpr std::size_t none = static_cast<std::size_t>(-1);

  PairConstants constants;
  PairDistance at;
  unsigned char edge = 0;
  FrictionFrame frame;                 ///< Q.
  double normal = 0.0;                 ///< λ = κ m p(d), N.
  double limit = 0.0;                  ///< ℓ = μ λ, N.
  InFrame anchor{};                    ///< a.
  std::size_t source = none;           ///< Which of the anchors a comes from.
  std::array<InFrame, 2> transport{};  ///< a = transport · (the source's slip).
  InFrame slip{};                      ///< s = a + Qᵀ Σ w_i (x_i - x_t,i), m, at the last evaluated place.
  ReturnMap map;
};

/// Whether `from` is known in the pair's own frame, so that it stays as it is.
bool keeps_frame(const FrictionPair& pair, const PairAnchor& from);

/// The friction of a step: a potential of the vertices' displacements since the step's start, with the normal
/// forces that pairs had there. Pairs that did not touch there have none.
class PairFriction {
 public:
  /// `surface` and `threads` must outlive this.
  PairFriction(const ContactSurface& surface, Threads& threads) : surface_(surface), threads_(threads) {}

  /// Begins a step at `start` (n×3, m), where `touching` of `pairs` touch; they need not outlive the call.
  /// `anchors` are those that the last step has left, ascending by pair. An anchor stays with its pair,
  /// turned into the frame of the pair's new closest feature. A vertex that comes to another triangle of the
  /// same body takes its anchor along.
  void begin_step(VectorView start, std::span<const PairConstants> pairs,
                  std::span<const TouchingPair> touching, std::span<const PairAnchor> anchors);
  /// The potential after displacements of `moved` (n×3, m) since the start, J.
  double evaluate(VectorView moved);
  [[nodiscard]] std::span<const FrictionPair> pairs() const { return friction_; }
  /// out += factor times the potential's gradient at the last evaluated place.
  void add_gradient(double factor, VectorSpan out) const;
  /// Appends factor times its second derivative, which is positive semi-definite: w_i w_j Q φ' Qᵀ.
  void append_hessian(double factor, std::vector<StencilVertices>& vertices,
                      std::vector<StencilBlocks>& blocks) const;
  /// The anchors that the step leaves, a' = φ/k, in place of what `anchors` holds.
  void keep(std::vector<PairAnchor>& anchors) const;

 private:
  void take_anchor(FrictionPair& pair, const PairPlaces& places, VectorView start,
                   std::span<const PairAnchor> anchors) const;

  const ContactSurface& surface_;
  Threads& threads_;
  std::vector<FrictionPair> friction_;
  std::vector<StencilVertices> vertices_;
  std::vector<StencilVectors> gradients_;
  StencilRows rows_;
};

}  // namespace electret
