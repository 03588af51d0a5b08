#pragma once
/// \file
/// The sources of a leaf's P2P, copied side by side for the near kernels.

#include <electret/field/fmm/passes/sums.hpp>
#include <electret/field/fmm/passes/workspace.hpp>

namespace electret::fmm {

template <class T>
class NearSources {
 public:
  NearSources(const Sources<T>& sources, const Targets<T>& targets, const ExpansionKernels<T>& kernels)
      : sources_(sources), targets_(targets), kernels_(kernels) {}

  /// Copies part of what is near `leaf` into the workspace, the leaf itself first, and has the task read it
  /// and the leaf's points. Gaps up to whole registers hold no charge.
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
