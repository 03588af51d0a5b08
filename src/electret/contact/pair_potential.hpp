#pragma once
/// \file
/// The energy by which surfaces repel each other, over all pairs that may touch: E_c = Σ κ m b(d).

#include <functional>
#include <span>
#include <utility>
#include <vector>

#include <electret/contact/pair_distance.hpp>
#include <electret/contact/pair_law.hpp>
#include <electret/core/parallel.hpp>
#include <electret/linear/stencil_matrix.hpp>

namespace electret {

/// A pair with all that does not change during a run.
struct PairConstants {
  SurfacePair pair;
  double stiffness = 0.0;         ///< κ, N/m.
  double threshold = 0.0;         ///< c₀ of two edges, m⁴; 0 for other pairs.
  double friction = 0.0;          ///< μ.
  bool has_friction = false;      ///< μ > 0, or derivatives by a μ of 0 are wanted.
  std::size_t friction_kind = 0;  ///< Which of the scene's frictions that is.
};

/// The exact second derivative of the potential, or one that is clamped to be positive semi-definite.
enum class PairHessian { exact, clamped };

/// The places of the pair's vertices.
inline PairPlaces places_of(const SurfacePair& pair, VectorView x) {
  const auto at = [&](std::size_t i) { return x[static_cast<std::size_t>(pair.vertices[i])]; };
  return {at(0), at(1), at(2), at(3)};
}

/// A pair nearer than the thickness.
struct TouchingPair {
  PairConstants constants;
  PairDistance at;
  EdgeMollifier mollifier;
  PairRepulsion repulsion;
};

/// `pair` at `x`; the derivatives of the mollifier are for potentials.
TouchingPair touching_pair(const PairConstants& pair, const PairPlaces& x, double thickness);

/// Value and derivatives of E_c at one place after the other. Allocates only for more pairs than ever before.
/// The results have the same bits at any number of threads.
///
/// Millions of pairs may touch on a long way, and few of them do. The constants are therefore those of the
/// pairs that touch alone.
class PairPotential {
 public:
  using Constants = std::function<PairConstants(const SurfacePair&)>;

  /// `thickness` D, m. `threads` must outlive this. Several threads call `constants` at a time.
  PairPotential(double thickness, Threads& threads, Constants constants)
      : thickness_(thickness), threads_(threads), constants_(std::move(constants)) {}

  [[nodiscard]] double thickness() const { return thickness_; }
  /// The pairs that may touch, which must outlive the evaluations. All count, whatever their distance.
  void set_pairs(std::span<const SurfacePair> pairs) { pairs_ = pairs; }
  /// E_c at `x` (n×3, m), J; infinite where parts meet.
  double evaluate(VectorView x);
  /// The pairs that touched at the last evaluated place, in the order of the pairs that may.
  [[nodiscard]] std::span<const TouchingPair> touching() const { return touching_; }
  /// out += factor ∇E_c at the last evaluated place.
  void add_gradient(double factor, VectorSpan out) const;
  /// Appends factor ∇²E_c at the last evaluated place, a stencil for each pair that touches.
  void append_hessian(PairHessian kind, double factor, std::vector<StencilVertices>& vertices,
                      std::vector<StencilBlocks>& blocks) const;

 private:
  void find_touching();

  double thickness_;
  Threads& threads_;
  Constants constants_;
  std::span<const SurfacePair> pairs_;
  VectorView x_;  ///< Of the last evaluation, while that goes on.
  std::vector<PairPlaces> places_;
  std::vector<char> is_near_;
  std::vector<TouchingPair> touching_;
  std::vector<StencilVertices> vertices_;
  std::vector<StencilVectors> gradients_;
  StencilRows rows_;
};

}  // namespace electret
