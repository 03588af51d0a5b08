#pragma once
/// \file
/// The direct solver itself. direct.cpp sums fields, products.cpp derivative products.

#include <algorithm>
#include <atomic>
#include <vector>

#include <electret/field/detail/checks.hpp>
#include <electret/field/direct/arrays.hpp>
#include <electret/field/direct/direct.hpp>

namespace electret::direct {

/// The smallest number of pairs that a parallel task sums. It takes some ten microseconds, well above the
/// cost of starting a task.
inline constexpr Count pairs_per_task = Count{1} << 17;

inline Count padded(Count n) {
  return (n + group_size - 1) / group_size * group_size;
}

/// Float64 differences are taken between the caller's own coordinates, scaled exactly but not centred,
/// because centring would round them. If a fast kernel meets a pair at distance 0, or one too close for its
/// range, the sums of that group of targets are not finite, and the masked kernel sums the group again.
///
/// If the targets are the sources, each pair is summed once for both its charges. The sums are forces;
/// divided by the charges they are the field. Charges that are 0, or tiny compared with the largest, forbid
/// the division. Every target then sums all sources, as it does at separate targets.
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
  /// The numbers of targets and sources that are summed.
  struct Extent {
    Count targets, sources;
  };

  /// The units of the sums at the charges' own positions.
  struct OwnUnits {
    double potential, field, charge_gradient, product;
  };

  void place(VectorView sources, VectorView targets);
  void set_charges(ScalarView charges);
  [[nodiscard]] FieldTask<double> float64_task() const;
  [[nodiscard]] FieldTask<float> float32_task() const;
  /// The ρ² that shows a pair closer than |r|² = `closest` in the scaled frame.
  [[nodiscard]] float softened(float closest) const {
    return closest_with_softening(closest, float32_task().softening_squared);
  }
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
  bool paired_ = false;    ///< Each pair is summed once: no charge is too small to divide by.
  Arithmetic sufficient_;  ///< What the field at these positions needs, as far as known.
  Arithmetic sufficient_for_products_;
  CoordinateArrays<double> sources_, targets_;
  CoordinateArrays<float> sources32_, targets32_;
  std::vector<double> charges_, ones_;
  std::vector<float> charges32_, ones32_;
  double vector_scale_ = 1.0;
  CoordinateArrays<double> source_vectors_, target_vectors_;
  CoordinateArrays<float> source_vectors32_, target_vectors32_;
  std::vector<double> pair_sums_[4];  ///< Forces x, y, z; then charges times potentials.
  std::vector<Count> coincident_;     ///< Per group of targets.
  Count coincident_total_ = 0;
};

/// Calls body(first, count) for every group of targets; a parallel task has several groups.
template <class Body>
void DirectFieldSolver::for_groups(Count targets, Count sources, Body body) {
  const Count groups_per_task =
      std::max<Count>(1, pairs_per_task / (group_size * std::max<Count>(1, sources)));
  threads_.for_chunks(targets, groups_per_task * group_size, [&](Count begin, Count end) {
    for (Count first = begin; first < end; first += group_size)
      body(first, static_cast<int>(std::min<Count>(group_size, end - first)));
  });
}

/// Sums all groups and passes them to store(first, count, sums). Groups whose sums are not finite are summed
/// again by the kernel `masked` of the task `exact`. Returns false, with incomplete results, if a pair is
/// closer than ρ² = `closest_allowed`: all targets use the same arithmetic, so that forces stay pairwise
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
