#pragma once
/// \file
/// P2P: copies a leaf's near sources side by side for the kernels.

#include <electret/field/fmm/passes/sums.hpp>
#include <electret/field/fmm/passes/workspace.hpp>

namespace electret::fmm {

template <class T>
class NearSources {
 public:
  NearSources(const Sources<T>& sources, const Targets<T>& targets, const ExpansionKernels<T>& kernels)
      : sources_(sources), targets_(targets), kernels_(kernels) {}

  /// Copies part of the leaf's near sources into the workspace, the leaf's own points first. Points the task
  /// to this copy and to the leaf's points. Padding up to whole registers has no charge.
  void gather(Index leaf, const NearPart& part, Workspace<T>& work, NearTask<T>& task) const;

 private:
  struct Copy;

  const Sources<T>& sources_;
  const Targets<T>& targets_;
  const ExpansionKernels<T>& kernels_;
};

extern template class NearSources<float>;
extern template class NearSources<double>;

}  // namespace electret::fmm
