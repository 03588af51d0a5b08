#pragma once
/// \file
/// The direct solver itself. direct.cpp sums fields, products.cpp derivative products.

#include <electret/field/gpu/direct/direct.hpp>
#include <electret/field/gpu/direct/sums.hpp>

namespace electret::gpu {

/// Positions are kept by the host, too: it sums the pairs that are too close for float32 in float64. Where
/// more pairs are too close than a device can list (some thousand charges at one place), the CPU's solver
/// computes.
template <class T>
class DirectDeviceSolver final : public FieldSolver {
 public:
  DirectDeviceSolver(const FieldOptions& options, Threads& threads, std::unique_ptr<Device> device);

  [[nodiscard]] std::string_view name() const override { return "direct"; }
  void prepare(VectorView sources) override;
  void prepare(VectorView sources, VectorView targets) override;
  void field(ScalarView charges, VectorSpan field, ScalarSpan potential) override;
  void transposed_jacobian_product(ScalarView charges, VectorView z, VectorSpan out) override;
  void charge_gradient(ScalarView charges, VectorView z, ScalarSpan out) override;
  void products(ScalarView charges, VectorView z, VectorSpan product, ScalarSpan charge_gradient) override;
  void field_and_products(ScalarView charges, VectorView z, VectorSpan field, ScalarSpan potential,
                          VectorSpan product, ScalarSpan charge_gradient) override;
  void target_adjoint(ScalarView charges, VectorView w, VectorSpan target_gradient,
                      VectorSpan source_gradient, ScalarSpan charge_gradient) override;
  [[nodiscard]] Count coincident_pairs() const override { return coincident_; }

 private:
  /// What the last pass summed, as the host sees it: for the pairs that were left to it.
  struct HostTask {
    VectorView targets, sources;
    ScalarView charges;                         ///< The sources'. Empty: 1.
    VectorView target_vectors, source_vectors;  ///< Empty: zeros.
    double charge_scale = 1.0, vector_scale = 1.0;
  };

  void place(VectorView sources, VectorView targets);
  [[nodiscard]] VectorView targets() const { return own_targets_ ? sources_ : targets_; }
  DirectSums<T>& variant(bool compensated, bool products);
  /// Sums `task` into result_, in the cheapest arithmetic that serves the closest pair. False: too many pairs
  /// are too close for it.
  bool sum(const DirectTask<T>& task, bool products);
  /// Calls put(i, ExactSums) for every target of the last pass, without the factor k_c. `pair` is called for
  /// every pair that the host adds.
  template <class Put, class Pair>
  void give_out(const HostTask& task, Put put, Pair pair);
  template <class Put>
  bool sum_own_products(ScalarView charges, VectorView z, Put put);
  void count_coincident(ScalarView charges, const Int2& pair);
  FieldSolver& twin();

  FieldOptions options_;
  Threads& threads_;
  std::unique_ptr<Device> device_;
  bool plain_allowed_;
  bool plain_ = true,
       plain_products_ = true;  ///< Whether plain differences serve at these positions, as far as known.
  bool placed_ = false;         ///< The last prepare came to its end.
  bool own_targets_ = true;
  VectorArray sources_, targets_, zeros_;
  direct::Frame frame_;
  Vec3 origin_;  ///< Of the rows: float64 takes the caller's own coordinates, whose differences are exact.
  Rows<T> source_rows_, target_rows_, vector_rows_, other_vector_rows_;
  Scalars<T> charges_;
  ClosePairs close_;
  DirectBuffers<T> buffers_;
  std::unique_ptr<DirectSums<T>> variants_[2][2];
  DirectResult<T> result_;
  Count coincident_ = 0;
  std::unique_ptr<FieldSolver> twin_;
  bool twin_is_placed_ = false;
};

}  // namespace electret::gpu
