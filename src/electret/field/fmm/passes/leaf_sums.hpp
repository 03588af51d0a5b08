#pragma once
/// \file
/// What the passes over the leaves have in common: L2P and P2P sums at one leaf's points.

#include <electret/field/fmm/passes/sums.hpp>
#include <electret/field/fmm/passes/workspace.hpp>

namespace electret::fmm {

/// ρ² (points within 1 of the frame's centre) under which compensated float32 differences may be off by more
/// than 1e-6: coordinates rounded by 2⁻⁵⁰ put K off by 4√3 2⁻⁵⁰/ρ at most.
inline constexpr float closest_for_compensated = 3.6e-17F;

/// Zeros in `arrays` for `count` points.
template <class T>
LeafSums<T> cleared_sums(int count, bool potential, bool products, LeafArrays<T>& arrays);

/// The sums from number `at` on.
template <class T>
LeafSums<T> sums_from(LeafArrays<T>& arrays, std::size_t at, bool potential, bool products);

/// Whether the first `count` of every sum that is there are finite: where one is not, a pair at distance 0 or
/// beyond the arithmetic's range is among the leaf's, and it is summed again by the exact loop.
template <class T>
[[nodiscard]] bool all_finite(const LeafSums<T>& sums, int count);

/// The least ρ² of pairs whose plain differences of coordinates, relative to the leaf and within `reach`, are
/// accurate; infinity: never.
[[nodiscard]] double least_for_plain(const SumSettings& settings, double reach);

/// Adds the leaf's local expansions, of every kind, at its points.
template <class T>
void add_locals(const Targets<T>& targets, Index leaf, AllSeries<T>& series, const LeafSums<T>& sums);

/// Number i of every sum that is there; the others are left alone.
template <class T>
void put_sums(const LeafSums<T>& sums, std::size_t i, PointSums& to) {
  for (int axis = 0; axis < 3; ++axis) {
    to.field[axis] = static_cast<double>(sums.field[axis][i]);
    if (sums.charge_product) to.product[axis] = static_cast<double>(sums.product[axis][i]);
  }
  if (sums.potential) to.potential = static_cast<double>(sums.potential[i]);
  if (sums.charge_product) to.charge_product = static_cast<double>(sums.charge_product[i]);
}

/// The numbers of a leaf's points in the caller's order.
[[nodiscard]] inline Store::Numbers numbers_of(const Tree& tree, const Cell& leaf) {
  return Store::Numbers(tree.order())
      .subspan(static_cast<std::size_t>(leaf.begin), static_cast<std::size_t>(leaf.count()));
}

/// How far the farthest point of a leaf and its near sources is from the leaf's centre.
template <class T>
double reach_of(const NearList& list, const Tree& targets, const Workspace<T>& work);

/// Moves the ranges that are far enough for plain differences, whatever the others are, to the front. Returns
/// the first of the others.
template <class T>
std::size_t put_apart_first(const NearList& list, double reach, const SumSettings& settings,
                            Workspace<T>& work);

}  // namespace electret::fmm
