#pragma once
/// \file
/// The data that both kinds of leaf passes (L2P and P2P) read.

#include <electret/field/fmm/near/exact_pairs.hpp>
#include <electret/field/fmm/near/near_sources.hpp>
#include <electret/field/fmm/passes/leaf_sums.hpp>

namespace electret::fmm {

template <class T>
struct LeafInput {
  const Sources<T>& sources;
  const Targets<T>& targets;
  const SumSettings& settings;
  const ExpansionKernels<T>& kernels;
  AllSeries<T>& series;
  NearSources<T> near{sources, targets, kernels};
  ExactPairs<T> exact_pairs{sources, targets, settings};

  [[nodiscard]] const Tree& tree() const { return targets.points->tree(); }
  [[nodiscard]] bool products() const { return targets.z != nullptr; }
  /// Zeros in `arrays` for every requested sum at `count` points.
  LeafSums<T> cleared(int count, LeafArrays<T>& arrays) const {
    return cleared_sums(count, targets.potential, products(), arrays);
  }
  /// The leaf's task before its near sources are gathered. Clears the sums in the workspace.
  NearTask<T> near_task(Index leaf, Workspace<T>& work) const {
    const Cell& cell = tree().cell(leaf);
    NearTask<T> task;
    task.count = cell.count();
    if (products()) task.z = view(*targets.z, static_cast<std::size_t>(cell.begin));
    task.softening_squared = static_cast<T>(settings.softening * settings.softening);
    task.sums = cleared(task.count, work.sums);
    return task;
  }
};

}  // namespace electret::fmm
