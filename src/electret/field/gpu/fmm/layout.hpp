#pragma once
/// \file
/// What the passes of the fast multipole method share on a device: points, cells and lists. The tree's passes
/// write them (from the host's tree, or on the device); the sums' passes read them.

#include <array>
#include <cstdint>
#include <functional>
#include <vector>

#include <electret/field/fmm/expansions/taylor.hpp>
#include <electret/field/fmm/kernels.hpp>
#include <electret/field/gpu/device.hpp>

namespace electret::gpu {

/// The unit of DevicePoints::fixed is 2^-fixed_bits of the frame, in which coordinates are below 1.
inline constexpr int fixed_bits = 61;

/// Points in tree order, in the frame: (x - centre)·scale, as float32 and what that rounding lost.
struct DevicePoints {
  explicit DevicePoints(Device& device)
      : high(device), low(device), order(device), fixed(device), rows(device) {}
  std::size_t count = 0;
  Array<Float4> high;         ///< {x, y, z, charge}. The sums' passes write the charge.
  Array<Float4> low;          ///< {x, y, z, spare}.
  Array<std::int32_t> order;  ///< Each point's number in the caller's order.
  /// {x, y, z} of each point in the caller's order, in integers. Their differences are exact, so pairs that
  /// are too close for `high` and `low` read them.
  Array<std::int64_t> fixed;
  /// The bits of the caller's own float64 coordinates, {x, y, z} of each point in the caller's order. They
  /// say whether two points are at one place.
  Array<std::uint64_t> rows;
};

/// Cells, level by level from the root (cell 0); within a level in tree order. Children are neighbours.
struct DeviceCells {
  explicit DeviceCells(Device& device)
      : points(device), family(device), centre(device), centre_low(device), leaves(device) {}
  std::size_t count = 0;
  Array<Int2> points;    ///< [x, y): the cell's points in tree order.
  Array<Int4> family;    ///< {first child, number of children, parent, level}. A leaf has no child.
  Array<Float4> centre;  ///< {x, y, z, σ}: the ball's centre, high part; σ a power of two near its radius.
  Array<Float4> centre_low;  ///< {x, y, z, radius}: the low part of the centre.
  std::size_t leaf_count = 0;
  Array<std::int32_t> leaves;        ///< The numbers of the leaves, ascending in their first point.
  std::vector<std::int32_t> levels;  ///< On the host: level l is [levels[l], levels[l + 1]).
};

/// Far pairs are in lists by their order: 1 to the plan's order of harmonic expansions, then the orders of
/// Taylor series from 1. List 0 is empty.
inline constexpr std::size_t most_lists = std::size_t{1} + fmm::max_order + fmm::max_taylor_order;

/// The far pairs of some target cells, [first_cell, end_cell). Of each list they are neighbours among all
/// pairs. Sums of pairs are by blocks of that list, so that batches change no bit.
struct FarBatch {
  /// What DeviceLists::far holds of a list: [begin + skip, end). `begin` is the first pair of a block,
  /// number first_block of the list.
  struct Window {
    std::int32_t begin = 0, skip = 0, end = 0, first_block = 0;
  };
  std::int32_t first_cell = 0, end_cell = 0;
  std::array<Window, most_lists> windows{};
};

/// The most points that a leaf should have. Only points that all are at one place, to the frame's resolution,
/// make larger leaves than the plan's.
inline constexpr std::int32_t longest_leaf = 1 << 14;

/// The number of pairs in a block.
inline constexpr int far_block = 32;

/// The interaction lists. Far pairs come in batches of target cells, so that their memory is bounded.
struct DeviceLists {
  explicit DeviceLists(Device& device) : far(device), far_start(device), near_begin(device), near(device) {}
  /// Pairs {target, source} that interact by M2L, by (list, target, …); a target's pairs of one list are
  /// neighbours. The order of sources is fixed, too. If there are several batches, those of one batch.
  Array<Int2> far;
  std::vector<FarBatch> batches;  ///< On the host. There is at least one.
  /// Puts the pairs of a batch into `far`. Called only if there are several.
  std::function<void(std::size_t)> write_batch{};
  /// On the host: of all pairs, those of list p are [far_begin[p], far_begin[p + 1]).
  std::array<std::int32_t, most_lists + 1> far_begin{};
  /// On the host: the largest order of Taylor series in the lists; 0 if there are none.
  int taylor_orders = 0;
  /// On the host: some target leaf has more than longest_leaf points. One group of lanes would sum its pairs,
  /// so that a launch could take seconds.
  bool has_long_leaf = false;
  /// By list from 0 and target: the first of all pairs, [list·cells + target]. The next number is where its
  /// pairs end. There is one number more than lists, up to the largest order's, times cells.
  Array<std::int32_t> far_start;
  /// By leaf (DeviceCells::leaves): its near leaves' cell numbers are near[near_begin[k]] up to
  /// near[near_begin[k + 1]], its own number among them.
  Array<std::int32_t> near_begin, near;

  /// Makes one batch of all pairs.
  void set_one_batch(std::size_t cells) {
    batches.assign(1, {0, static_cast<std::int32_t>(cells)});
    for (std::size_t p = 0; p < most_lists; ++p)
      batches[0].windows[p] = {far_begin[p], 0, far_begin[p + 1], 0};
  }
};

/// Points and their cells.
struct DeviceTree {
  explicit DeviceTree(Device& device) : points(device), cells(device) {}
  DevicePoints points;
  DeviceCells cells;
};

}  // namespace electret::gpu
