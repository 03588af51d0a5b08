#pragma once
/// \file
/// L2P and P2P at one leaf: functions that both kinds of leaf passes use.

#include <electret/field/closest.hpp>
#include <electret/field/fmm/passes/sums.hpp>
#include <electret/field/fmm/passes/workspace.hpp>

namespace electret::fmm {

/// Fills `arrays` with zeros for `count` points.
template <class T>
LeafSums<T> cleared_sums(int count, bool potential, bool products, LeafArrays<T>& arrays);

/// The sums from element `at`.
template <class T>
LeafSums<T> sums_from(LeafArrays<T>& arrays, std::size_t at, bool potential, bool products);

/// Whether the first `count` elements of all requested sums are finite. If one is not, the leaf has a pair at
/// distance 0 or beyond the range of the arithmetic, and the exact loop sums the leaf again.
template <class T>
[[nodiscard]] bool all_finite(const LeafSums<T>& sums, int count);

/// The smallest ρ² at which plain differences are accurate. The coordinates are relative to the leaf's
/// centre, with points up to `reach` from it. A small softening does not hide pairs that are too close.
/// Infinity: never.
[[nodiscard]] double least_for_plain(const SumSettings& settings, double reach);

/// L2P: adds the leaf's local expansions of every kind at its points.
template <class T>
void add_locals(const Targets<T>& targets, Index leaf, AllSeries<T>& series, const LeafSums<T>& sums);

/// Copies element i of every requested sum, and leaves the others as they are.
template <class T>
void put_sums(const LeafSums<T>& sums, std::size_t i, PointSums& to) {
  for (int axis = 0; axis < 3; ++axis) {
    to.field[axis] = static_cast<double>(sums.field[axis][i]);
    if (sums.charge_product) to.product[axis] = static_cast<double>(sums.product[axis][i]);
  }
  if (sums.potential) to.potential = static_cast<double>(sums.potential[i]);
  if (sums.charge_product) to.charge_product = static_cast<double>(sums.charge_product[i]);
}

/// The leaf's points as numbers in the caller's order.
[[nodiscard]] inline Store::Numbers numbers_of(const Tree& tree, const Cell& leaf) {
  return Store::Numbers(tree.order())
      .subspan(static_cast<std::size_t>(leaf.begin), static_cast<std::size_t>(leaf.count()));
}

/// The distance from the leaf's centre to the farthest point of the leaf and its near sources.
template <class T>
double reach_of(const NearList& list, const Tree& targets, const Workspace<T>& work);

/// Moves the ranges with enough distance for plain differences to the front. Returns the number of the first
/// other range.
template <class T>
std::size_t put_apart_first(const NearList& list, double reach, const SumSettings& settings,
                            Workspace<T>& work);

}  // namespace electret::fmm
