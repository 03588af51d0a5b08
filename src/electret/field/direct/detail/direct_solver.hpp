#pragma once
/// \file
/// The direct solver itself: direct.cpp sums fields, products.cpp derivative products.

#include <algorithm>
#include <atomic>
#include <vector>

#include <electret/field/detail/checks.hpp>
#include <electret/field/direct/arrays.hpp>
#include <electret/field/direct/direct.hpp>

namespace electret::direct {

/// Pairs a parallel task sums at least: some ten microseconds' work, well above the cost of handing it out.
inline constexpr Count pairs_per_task = Count{1} << 17;

inline Count padded(Count n) {
  return (n + group_size - 1) / group_size * group_size;
}

/// Float64 differences are taken between the caller's own coordinates (scaled exactly, not centred: centring
/// would round them). Where a fast kernel meets a pair at distance 0, or one too close for its range, the
/// sums come out non-finite and that group of targets is summed again by the masked kernel.
///
/// Where the targets are the sources, each pair is summed once for both its charges: forces, which divided by
/// the charges are the field. Charges that are 0, or next to the largest as good as 0, forbid the division:
/// then, as at other targets, every target sums all sources.
class DirectFieldSolver final : public FieldSolver {
 public:
  DirectFieldSolver(const FieldOptions& options, Threads& threads, InstructionSet set, Arithmetic arithmetic)
      : constant_(options.constant),
        softening_(options.softening),
        threads_(threads),
        kernels_(kernels(set)),
        arithmetic_(arithmetic),
        sufficient_(arithmetic),
        sufficient_for_products_(arithmetic) {
    check_field_options(options);
  }

  [[nodiscard]] std::string_view name() const override { return "direct"; }

  void prepare(VectorView sources) override {
    own_targets_ = true;
    place(sources, sources);
  }

  void prepare(VectorView sources, VectorView targets) override {
    own_targets_ = false;
    place(sources, targets);
  }

  void field(ScalarView charges, VectorSpan field, ScalarSpan potential) override;
  void transposed_jacobian_product(ScalarView charges, VectorView z, VectorSpan out) override;
  void charge_gradient(ScalarView charges, VectorView z, ScalarSpan out) override;
  void products(ScalarView charges, VectorView z, VectorSpan product, ScalarSpan charge_gradient) override;
  void field_and_products(ScalarView charges, VectorView z, VectorSpan field, ScalarSpan potential,
                          VectorSpan product, ScalarSpan charge_gradient) override;
  void target_adjoint(ScalarView charges, VectorView w, VectorSpan target_gradient,
                      VectorSpan source_gradient, ScalarSpan charge_gradient) override;
  [[nodiscard]] Count coincident_pairs() const override { return coincident_total_; }

 private:
  /// How many targets and sources are summed.
  struct Extent {
    Count targets, sources;
  };

  /// Of the sums at the charges' own targets.
  struct OwnUnits {
    double potential, field, charge_gradient, product;
  };

  void place(VectorView sources, VectorView targets);
  void set_charges(ScalarView charges);
  [[nodiscard]] FieldTask<double> float64_task() const;
  [[nodiscard]] FieldTask<float> float32_task() const;
  template <class Body>
  void for_groups(Count targets, Count sources, Body body);
  template <class T, class Kernel, class Task, class Masked, class Exact, class Store>
  bool sum_groups(Kernel kernel, const Task& task, Masked masked, const Exact& exact, const Extent& extent,
                  T closest_allowed, Store store);
  template <class T, class Store>
  bool sum_pairs(PairKernel<T> kernel, const FieldTask<T>& task, T closest_allowed, bool potential,
                 Store store);
  template <class Body>
  void for_matches(Body body);
  void set_own_vectors(VectorView z);
  void set_target_vectors(VectorView w);
  template <class Store>
  void sum_products(const DerivativeTask<double>& task, const DerivativeTask<float>& task32,
                    Count target_count, bool with_field, Store store);
  template <class Put>
  void sum_own_products(ScalarView charges, VectorView z, bool with_field, Put put);

  double constant_, softening_;
  Threads& threads_;
  const Kernels& kernels_;
  Arithmetic arithmetic_;

  bool own_targets_ = true;
  Count source_count_ = 0, target_count_ = 0;
  Frame frame_;
  double charge_scale_ = 1.0;
  bool paired_ = false;    ///< All charges can be divided by.
  Arithmetic sufficient_;  ///< What these positions, as far as their field was summed, need.
  Arithmetic sufficient_for_products_;
  CoordinateArrays<double> sources_, targets_;
  CoordinateArrays<float> sources32_, targets32_;
  std::vector<double> charges_, ones_;
  std::vector<float> charges32_, ones32_;
  double vector_scale_ = 1.0;
  CoordinateArrays<double> source_vectors_, target_vectors_;
  CoordinateArrays<float> source_vectors32_, target_vectors32_;
  std::vector<double> pair_sums_[4];  ///< x, y, z of forces; charges times potentials.
  std::vector<Count> coincident_;     ///< A target's count.
  Count coincident_total_ = 0;
};

/// body(first, count) for every group of targets, several groups a task.
template <class Body>
void DirectFieldSolver::for_groups(Count targets, Count sources, Body body) {
  const Count groups_per_task =
      std::max<Count>(1, pairs_per_task / (group_size * std::max<Count>(1, sources)));
  threads_.for_chunks(targets, groups_per_task * group_size, [&](Count begin, Count end) {
    for (Count first = begin; first < end; first += group_size)
      body(first, static_cast<int>(std::min<Count>(group_size, end - first)));
  });
}

/// Sums all groups and stores them: store(first, count, sums). Groups whose sums are not finite are summed by
/// the kernel `masked` of the task `exact`. Returns false, with what is stored incomplete, where a pair is
/// closer than ρ² = `closest_allowed`: one arithmetic serves all targets, so that forces stay pairwise
/// opposite.
template <class T, class Kernel, class Task, class Masked, class Exact, class Store>
bool DirectFieldSolver::sum_groups(Kernel kernel, const Task& task, Masked masked, const Exact& exact,
                                   const Extent& extent, T closest_allowed, Store store) {
  std::atomic<bool> too_close{false};
  for_groups(extent.targets, extent.sources, [&](Count first, int count) {
    if (too_close.load(std::memory_order_relaxed)) return;
    GroupSums sums;
    if (kernel(task, first, count, sums) < closest_allowed) {
      too_close.store(true, std::memory_order_relaxed);
      return;
    }
    if (!all_finite(sums, count)) masked(exact, first, count, sums);
    store(first, count, sums);
  });
  return !too_close.load();
}

}  // namespace electret::direct
