#pragma once
/// \file
/// The buffers in which a thread evaluates tasks. They grow and never shrink.

#include <array>
#include <atomic>
#include <deque>
#include <vector>

#include <electret/field/fmm/expansions/expansions.hpp>
#include <electret/field/fmm/passes/candidates.hpp>
#include <electret/field/fmm/passes/point_sums.hpp>

namespace electret::fmm {

/// Near sources: points [begin, end) of the sources' tree.
struct NearRange {
  Index begin = 0, end = 0;
  Index leaf = 0;
  float reach = 0.0F;  ///< No point of the range is farther than this from the target leaf's centre.
  float gap = 0.0F;    ///< No point of the range is closer than this to any of the leaf's points.
};

/// A leaf and the ranges [first, last) of its near sources.
struct NearList {
  Index leaf = 0;
  std::size_t first = 0, last = 0;
};

/// A part of a leaf's near sources: the ranges [first, last), with or without the leaf itself.
struct NearPart {
  std::size_t first = 0, last = 0;
  bool own = false;
  bool plain =
      false;  ///< Coordinates of sources and targets are relative to the leaf's centre, rounded once.
};

/// The cells with one verdict, until they fill a register or have been processed.
struct SortedCells {
  Index cell[max_lanes + ball_lanes] = {};
  int count = 0;
};

/// Copies of the sources near one leaf, side by side.
template <class T>
struct GatheredSources {
  PaddedVectors<T> high, low, vectors;
  PaddedVectors<T> targets;  ///< Relative to their leaf's centre, for plain differences.
  PaddedArray<T> charges;
};

/// The sums at one leaf's points.
template <class T>
struct LeafArrays {
  PaddedVectors<T> field, product;
  PaddedArray<T> potential, charge_product;
};

/// The number under which a task keeps its sums for a leaf of a later task. Valid only for the task with this
/// stamp.
struct LaterPlace {
  std::uint64_t stamp = 0;
  std::size_t number = 0;
};

template <class T>
struct Workspace {
  /// The visited cell's M2L sums in each lane. They are added up after the visit, and are 0 between visits.
  alignas(64) std::array<T, std::size_t{2} * lane_sums_stride * max_lanes> lane_sums{};
  std::array<FarBatch<T>, max_order + 1> far;  ///< By order: pairs of any targets.
  FarBatch<T> far_of_target;                   ///< Pairs of the visited cell.
  std::array<FarBatch<T>, max_taylor_order + 1> far_taylor;
  std::array<SortedCells, verdict_count> sorted;  ///< By verdict: sources that are not processed yet.
  std::vector<Index> cut_sources;    ///< Sources that are cut: the visited cell meets their children next.
  std::deque<Candidates> passed_on;  ///< By depth: candidates for a cell's children.
  int highest_in_lanes = 0;          ///< The highest order in lane_sums.
  std::atomic_flag taken;
  std::vector<NearRange> ranges;
  std::vector<NearList> near;
  GatheredSources<T> gathered;
  LeafArrays<T> sums, columns;
  LeafArrays<double> column_totals;          ///< Of a leaf with many points.
  std::vector<LaterPlace> later_places;      ///< Per cell.
  std::uint64_t stamp = 0;                   ///< The stamp of the present task.
  std::vector<PointSums> point_sums, exact;  ///< Of one leaf.
};

}  // namespace electret::fmm
