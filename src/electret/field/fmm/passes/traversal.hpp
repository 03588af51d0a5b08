#pragma once
/// \file
/// The traversal, which finds the interaction lists: the cells that act on a cell by M2L, and the leaves that
/// act on a leaf by P2P. It descends the targets' tree. Each cell gets the candidates that its parent has not
/// decided.

#include <electret/field/fmm/passes/acceptance.hpp>
#include <electret/field/fmm/passes/sums.hpp>
#include <electret/field/fmm/passes/workspace.hpp>

namespace electret::fmm {

/// If two cells are too near for expansions, the larger is cut (of two equal ones the earlier), whichever is
/// the target. A pair of cells therefore interacts in both directions or in none. Far pairs of the visited
/// cell that fill a register are summed at once; the rest share registers with pairs of other cells of the
/// same order. Near leaves are noted in the workspace; with `mutual` only those that come after the leaf.
template <class T>
class Traversal {
 public:
  Traversal(const PlacedPoints<T>& targets, const PlacedPoints<T>& sources, const Acceptance& acceptance,
            const ExpansionKernels<T>& kernels, const SumSettings& settings, AllSeries<T>& series,
            bool mutual)
      : targets_(targets),
        sources_(sources),
        acceptance_(acceptance),
        kernels_(kernels),
        settings_(settings),
        series_(series),
        mutual_(mutual) {}

  /// Finds the candidates that interact with `cell`. Puts those that remain for its children into
  /// passed_on[depth].
  void visit(Index cell, const Candidates& candidates, std::size_t depth, Workspace<T>& work);
  /// Visits `cell` and all cells below it.
  void descend(Index cell, const Candidates& candidates, std::size_t depth, Workspace<T>& work);
  /// Sums the pairs that wait in registers that are not full.
  void flush(Workspace<T>& work);
  /// Prepares a workspace for these expansions.
  void start(Workspace<T>& work);

 private:
  /// Applies the acceptance criterion to `count` sources, sorts them by verdict, and computes M2L for full
  /// registers. `number(l)` is the number of the cell in lane l.
  template <class Number>
  void classify(Index cell, const BallBlock& sources, int count, Workspace<T>& work, Number number);
  /// Keeps the sources that remain close: as near sources of a leaf, or as candidates for the children of
  /// another cell.
  void keep_close(Index cell, Candidates& passed_on, Workspace<T>& work);
  void add_pair(Index target, Index source, Series<T>& series, FarBatch<T>& batch);
  /// Puts pairs into a batch that pairs of other targets share.
  void queue_m2l(Index target, SortedCells& cells, Series<T>& series, FarBatch<T>& batch);
  /// M2L of one register of the target's pairs of this order.
  void m2l_of_target(Index target, int order, Workspace<T>& work);
  /// Sums the visited cell's remaining pairs, or leaves them to the shared batches.
  void finish_target(Index target, Workspace<T>& work);

  const PlacedPoints<T>&targets_, &sources_;
  const Acceptance& acceptance_;
  const ExpansionKernels<T>& kernels_;
  const SumSettings& settings_;
  AllSeries<T>& series_;
  bool mutual_;
};

extern template class Traversal<float>;
extern template class Traversal<double>;

}  // namespace electret::fmm
