#pragma once
/// \file
/// What a thread works in while it evaluates tasks. It grows and never shrinks.

#include <array>
#include <atomic>
#include <deque>
#include <vector>

#include <electret/field/fmm/expansions/expansions.hpp>
#include <electret/field/fmm/passes/candidates.hpp>
#include <electret/field/fmm/passes/point_sums.hpp>

namespace electret::fmm {

/// Points [begin, end) of the sources' tree.
struct NearRange {
  Index begin = 0, end = 0;
  Index leaf = 0;
  float reach = 0.0F;  ///< No point of them is farther from the target cell's centre.
  float gap = 0.0F;    ///< Nor nearer than this to any of the cell's points.
};

/// A leaf and the ranges [first, last) of its near sources.
struct NearList {
  Index leaf = 0;
  std::size_t first = 0, last = 0;
};

/// Some of a leaf's near sources, by the ranges [first, last) and with the leaf itself or without.
struct NearPart {
  std::size_t first = 0, last = 0;
  bool own = false;
  bool plain = false;  ///< Coordinates relative to the leaf's centre, rounded once, the targets' too.
};

/// Cells of one verdict: of far ones of an order less than a register, and those being sorted out.
struct SortedCells {
  Index cell[max_lanes + ball_lanes] = {};
  int count = 0;
};

/// The sources near one leaf, side by side.
template <class T>
struct GatheredSources {
  PaddedVectors<T> high, low, vectors;
  PaddedVectors<T> targets;  ///< Relative to their leaf's centre, with plain differences.
  PaddedArray<T> charges;
};

/// What is summed at one leaf.
template <class T>
struct LeafArrays {
  PaddedVectors<T> field, product;
  PaddedArray<T> potential, charge_product;
};

/// Where a task keeps its sums for a leaf of a later task. Valid for the task with that stamp only.
struct LaterPlace {
  std::uint64_t stamp = 0;
  std::size_t number = 0;
};

template <class T>
struct Workspace {
  /// Each lane's M2L sums of the visited cell, which are added up after it: zeros between visits.
  alignas(64) std::array<T, std::size_t{2} * lane_sums_stride * max_lanes> lane_sums{};
  std::array<FarBatch<T>, max_order + 1> far;  ///< By order: pairs of any targets.
  FarBatch<T> far_of_target;                   ///< Pairs of the cell being visited.
  std::array<FarBatch<T>, max_taylor_order + 1> far_taylor;
  std::array<SortedCells, verdict_count>
      sorted;                        ///< By verdict: sources that are still to be summed or noted.
  std::vector<Index> cut_sources;    ///< Cells whose children the cell being visited meets.
  std::deque<Candidates> passed_on;  ///< By depth: candidates for a cell's children.
  int highest_in_lanes = 0;          ///< Highest order of what lane_sums hold.
  std::atomic_flag taken;
  std::vector<NearRange> ranges;
  std::vector<NearList> near;
  GatheredSources<T> gathered;
  LeafArrays<T> sums, columns;
  LeafArrays<double> column_totals;          ///< Of a large leaf.
  std::vector<LaterPlace> later_places;      ///< By cell.
  std::uint64_t stamp = 0;                   ///< Of the present task.
  std::vector<PointSums> point_sums, exact;  ///< A leaf's.
};

}  // namespace electret::fmm
