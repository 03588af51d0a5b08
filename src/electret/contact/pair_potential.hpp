#pragma once
/// \file
/// The energy by which surfaces repel each other, over all pairs that may touch: E_c = Σ κ m b(d), less what
/// several triangles near to a vertex, or edges at a joint, have in common (vertex_terms.hpp,
/// edge_joints.hpp), and with what lines have at their ends (line_ends.hpp).

#include <functional>
#include <span>
#include <utility>
#include <vector>

#include <electret/contact/edge_joints.hpp>
#include <electret/contact/vertex_terms.hpp>
#include <electret/core/parallel.hpp>
#include <electret/linear/stencil_matrix.hpp>

namespace electret {

/// The exact second derivative of the potential, or one that is clamped to be positive semi-definite.
enum class PairHessian { exact, clamped };

/// `pair` at `x`; the derivatives of the mollifier are for potentials.
TouchingPair touching_pair(const PairConstants& pair, const PairPlaces& x);

/// Value and derivatives of E_c at one place after the other. Allocates only for more pairs than ever before.
/// The results have the same bits at any number of threads.
///
/// Millions of pairs may touch on a long way, and few of them do. The constants are therefore those of the
/// pairs that touch alone.
class PairPotential {
 public:
  using Reach = std::function<double(const SurfacePair&)>;
  using Constants = std::function<PairConstants(const SurfacePair&)>;

  /// No pair's reach is beyond `thickness` (m). `threads` must outlive this. Several threads call `reach`,
  /// which two edges are asked for alone, and `constants` at a time.
  PairPotential(double thickness, Threads& threads, Reach reach, Constants constants)
      : thickness_(thickness),
        threads_(threads),
        reach_(std::move(reach)),
        constants_(std::move(constants)) {}

  [[nodiscard]] double thickness() const { return thickness_; }
  /// The pairs that may touch, which must outlive the evaluations. All count, whatever their distance.
  void set_pairs(std::span<const SurfacePair> pairs) { pairs_ = pairs; }
  /// E_c at `x` (n×3, m), J; infinite where parts meet.
  double evaluate(VectorView x);
  /// The terms at the last evaluated place, in the order of the pairs that may touch. A pair may have
  /// several; the first is at its closest feature.
  [[nodiscard]] std::span<const TouchingPair> touching() const { return touching_; }
  /// The parts of their stiffnesses.
  [[nodiscard]] std::span<const StiffnessPart> parts() const { return parts_; }
  /// out += factor ∇E_c at the last evaluated place.
  void add_gradient(double factor, VectorSpan out) const;
  /// Appends factor ∇²E_c at the last evaluated place, a stencil for each pair that touches.
  void append_hessian(PairHessian kind, double factor, std::vector<StencilVertices>& vertices,
                      std::vector<StencilBlocks>& blocks) const;

 private:
  /// What a chunk of near pairs has found.
  struct Found {
    std::vector<TouchingPair> near, terms;
    std::vector<StiffnessPart> parts;
    VertexTerms of_vertex;
  };

  [[nodiscard]] bool is_near(const SurfacePair& pair) const;
  void find_near();
  void append_edges(const TouchingPair& pair, Found& found) const;
  void find_terms(std::size_t begin, std::size_t end, Found& found) const;
  void find_touching();
  [[nodiscard]] bool is_one_vertex(std::size_t a, std::size_t b) const;

  double thickness_;
  Threads& threads_;
  Reach reach_;
  Constants constants_;
  std::span<const SurfacePair> pairs_;
  VectorView x_;  ///< Of the last evaluation, while that goes on.
  std::vector<PairPlaces> places_;
  std::vector<char> is_near_;
  std::vector<SurfacePair> near_;  ///< The pairs nearer than their reach.
  EdgeJoints joints_;              ///< Of those of edges.
  std::vector<Found> found_;       ///< One per chunk of those.
  std::vector<TouchingPair> touching_;
  std::vector<StiffnessPart> parts_;
  std::vector<StencilVertices> vertices_;
  std::vector<StencilVectors> gradients_;
  StencilRows rows_;
};

}  // namespace electret
