#pragma once
/// \file
/// The last pass where targets and charges, or their vectors, differ: near sources and local expansions at a
/// leaf's points.

#include <electret/field/fmm/exact_pairs.hpp>
#include <electret/field/fmm/leaf_sums.hpp>
#include <electret/field/fmm/near_sources.hpp>

namespace electret::fmm {

/// Sums at the points of one leaf and hands them to `store`, products without the potential. Returns the
/// coincident pairs left out.
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
        near_(sources, targets, kernels),
        exact_pairs_(sources, targets, settings) {}

  Count sum(const NearList& list, Workspace<T>& work, const Store& store) const;

 private:
  [[nodiscard]] bool own() const { return targets_.points == sources_.points; }
  bool sum_all_plain(const NearList& list, double least, Workspace<T>& work, NearTask<T>& task) const;
  bool sum_near(const NearList& list, Workspace<T>& work, NearTask<T>& task) const;
  void hand_over(const Cell& leaf, const LeafSums<T>& sums, bool exact, Workspace<T>& work,
                 const Store& store) const;
  Count sum_exactly(const NearList& list, Workspace<T>& work) const;

  const Sources<T>& sources_;
  const Targets<T>& targets_;
  const SumSettings& settings_;
  const ExpansionKernels<T>& kernels_;
  Expansions<T>& locals_;
  NearSources<T> near_;
  ExactPairs<T> exact_pairs_;
};

extern template class LeafPass<float>;
extern template class LeafPass<double>;

}  // namespace electret::fmm
