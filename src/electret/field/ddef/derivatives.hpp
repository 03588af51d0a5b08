#pragma once
/// \file
/// Derivative products of the discretised field. The box, the tessellation, each point's tetrahedron and the
/// near sets are held fixed.
///
/// With weights w_i at the targets and L = Σ_i w_i·E_i, the transposed interpolation gives
///   W_v = Σ_i ψ_v(x_i) w_i,   M_v = c Σ_i ψ_v(x_i) sym(w_i (x_i - u_v)ᵀ)   (c = 0 without half-Taylor).
/// The far field's part of L is Σ_v Σ_k q_k [K(u_v - x_k)·W_v + K'(u_v - x_k):M_v]. For the charges k in s,
/// the sums W and M leave out the targets in tetrahedra t with s ∈ S(t). docs/ddef.md has the rest.

#include <electret/field/ddef/near_field.hpp>

namespace electret::ddef {

/// W_v and M_v of one grid vertex.
struct VertexWeights {
  Vec3 weight;
  double moment[symmetric_size] = {};
};

/// All sums are float64. Each call uses `far`, the float64 far field of the same task.
class Products {
 public:
  /// (Jᵀz)_i = ∂(Σ_j q_j z_j·E_j)/∂x_i, and the gradient of the same sum by q_i. Either may be empty. The
  /// targets are the sources.
  void own(const SumTask& task, const std::vector<VertexSums>& far, VectorView z, double constant,
           VectorSpan product, ScalarSpan charge_gradient, Threads& threads);

  /// The gradients of Σ_a w_a·E_a by targets, sources and charges. If the targets are the sources, the two
  /// gradients of a charge's position are those of its two roles.
  void adjoint(const SumTask& task, const std::vector<VertexSums>& far, VectorView w, double constant,
               VectorSpan target_gradient, VectorSpan source_gradient, ScalarSpan charge_gradient,
               Threads& threads);

 private:
  struct Workspace {
    NearWorkspace near;
    Arrays<double> vectors;  ///< Of the sources near a tetrahedron.
    Gather gather;           ///< Of the targets that are near one way only.
    Arrays<double> points, point_vectors;
    std::vector<double> factors;
    std::vector<Index> tetrahedra, touched, vertices;
    std::vector<Count> stamp_of, near_stamp_of;
    Count stamp = 0;
    std::vector<VertexWeights> local;  ///< By vertex: W and M for one tetrahedron's charges.
    Arrays<double> grid, weights;
    std::vector<double> ones, moments[symmetric_size];
  };

  void set_weights(const SumTask& task, VectorView weights);
  void clear_sums(const SumTask& task);
  void gather_at_targets(const SumTask& task, Index t, const std::vector<VertexSums>& far, Workspace& w);
  void mask_one_sided(const SumTask& task, Index t, Workspace& w) const;
  void spread(const SumTask& task, Index t, const Interpolation& interpolation);
  void total_weights(const SumTask& task, Threads& threads);
  void gather_at_sources(const SumTask& task, const Chunk& chunk, Workspace& w);
  void local_weights(const SumTask& task, Index s, Workspace& w) const;
  void add_grid(const SumTask& task, Count begin, Count end, const std::vector<VertexWeights>& weights,
                Workspace& w);
  void add_one_sided(const SumTask& task, Index s, Workspace& w);
  void add_group(const direct::GroupSums& sums, Count place, int lanes);
  void sum(const SumTask& task, const std::vector<VertexSums>& far, Threads& threads);

  Workspaces<Workspace> workspaces_;
  bool joint_ = false;                 ///< Each near pair is summed once for both its roles.
  Arrays<double> weights_;             ///< z or w in the targets' sorted order.
  std::vector<double> factors_;        ///< The weights' factors: the charges, or 1.
  std::vector<VertexWeights> spread_;  ///< Four per tetrahedron: the part of its targets.
  std::vector<VertexWeights> total_;   ///< By vertex.
  Arrays<double> target_sums_;         ///< Sorted; not if joint.
  Arrays<double> source_sums_;         ///< Sorted.
  std::vector<double> source_scalars_;
};

}  // namespace electret::ddef
