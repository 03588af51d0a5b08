#pragma once
/// \file
/// The last pass: near sources and local expansions at a leaf's points.

#include <electret/field/fmm/near_sources.hpp>
#include <electret/field/fmm/workspace.hpp>

namespace electret::fmm {

/// Whether the first `count` of every sum that is there are finite: where one is not, a pair at distance 0 or
/// beyond the arithmetic's range is among the leaf's, and it is summed again by the exact loop.
template <class T>
[[nodiscard]] bool all_finite(const LeafSums<T>& sums, int count);

/// Sums at the points of one leaf and hands them to `store`. Returns the coincident pairs left out.
template <class T>
class LeafPass {
 public:
  LeafPass(const Sources<T>& sources, const Targets<T>& targets, const SumSettings& settings,
           const ExpansionKernels<T>& kernels, Expansions<T>& locals)
      : sources_(sources),
        targets_(targets),
        settings_(settings),
        kernels_(kernels),
        locals_(locals),
        near_(sources, targets, kernels) {}

  Count sum(const NearList& list, Workspace<T>& work, const Store& store) const;

 private:
  [[nodiscard]] bool own() const { return targets_.points == sources_.points; }
  bool sum_all_plain(const NearList& list, double reach, Workspace<T>& work, NearTask<T>& task) const;
  std::size_t sum_apart_plain(const NearList& list, double reach, Workspace<T>& work,
                              NearTask<T>& task) const;
  bool sum_near(const NearList& list, Workspace<T>& work, NearTask<T>& task) const;
  [[nodiscard]] Store::Numbers numbers(const Cell& leaf) const;
  void hand_over(const Cell& leaf, const LeafSums<T>& sums, const LeafArrays<double>* exact,
                 Workspace<T>& work, const Store& store) const;
  LeafSums<T> cleared_sums(int count, LeafArrays<T>& arrays) const;
  Count sum_exactly(const NearList& list, Workspace<T>& work) const;
  Count sum_pairs_exactly(const NearRange& range, std::size_t i, PointSums& sums) const;

  const Sources<T>& sources_;
  const Targets<T>& targets_;
  const SumSettings& settings_;
  const ExpansionKernels<T>& kernels_;
  Expansions<T>& locals_;
  NearSources<T> near_;
};

extern template class LeafPass<float>;
extern template class LeafPass<double>;

}  // namespace electret::fmm
