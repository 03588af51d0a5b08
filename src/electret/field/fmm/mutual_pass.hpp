#pragma once
/// \file
/// The leaves' pass where the targets are the charges, and z with products what the charges move along: each
/// near pair once, for both.

#include <electret/field/fmm/exact_pairs.hpp>
#include <electret/field/fmm/mutual_sums.hpp>
#include <electret/field/fmm/near_sources.hpp>

namespace electret::fmm {

template <class T>
class MutualPass {
 public:
  MutualPass(const Sources<T>& sources, const Targets<T>& targets, const SumSettings& settings,
             const ExpansionKernels<T>& kernels, Expansions<T>& locals)
      : sources_(sources),
        targets_(targets),
        settings_(settings),
        kernels_(kernels),
        locals_(locals),
        near_(sources, targets, kernels),
        exact_pairs_(sources, targets, settings) {}

  /// Adds to the task's sums the leaf's locals and its pairs with itself and with its near leaves, which come
  /// after it. Returns the coincident pairs left out.
  Count sum(const NearList& list, Workspace<T>& work, TaskSums<T>& sums) const;

 private:
  using Kernel = T (*)(const NearTask<T>&);
  [[nodiscard]] bool products() const { return targets_.z != nullptr; }
  /// One part of what is near by one kernel; with `least` ρ² found closer, nothing is summed.
  bool add_part(Index leaf, const NearPart& part, Kernel kernel, double least, Workspace<T>& work,
                NearTask<T>& task, TaskSums<T>& sums) const;
  Count add_near(const NearList& list, Workspace<T>& work, NearTask<T>& task, TaskSums<T>& sums) const;
  void spread_columns(const NearPart& part, std::size_t at, Workspace<T>& work, TaskSums<T>& sums) const;
  T sum_blocks(const NearTask<T>& task, Kernel kernel, Workspace<T>& work) const;
  static std::size_t later_number(const NearRange& range, Workspace<T>& work, TaskSums<T>& sums);
  Count add_exactly(Index leaf, const NearPart& part, Workspace<T>& work, TaskSums<T>& sums) const;

  const Sources<T>& sources_;
  const Targets<T>& targets_;
  const SumSettings& settings_;
  const ExpansionKernels<T>& kernels_;
  Expansions<T>& locals_;
  NearSources<T> near_;
  ExactPairs<T> exact_pairs_;
};

extern template class MutualPass<float>;
extern template class MutualPass<double>;

}  // namespace electret::fmm
