#pragma once
/// \file
/// What the multipole method's sums need of positions: trees and lists on a device.

#include <limits>
#include <memory>
#include <vector>

#include <electret/core/parallel.hpp>
#include <electret/field/direct/arrays.hpp>
#include <electret/field/fmm/passes/acceptance.hpp>
#include <electret/field/gpu/fmm/layout.hpp>

namespace electret::gpu {

/// The settings of trees and lists. Lengths in m.
struct TreeSettings {
  fmm::Plan plan;
  double softening = 0.0;
  double closest_harmonic = 0.0;  ///< Cells closer than this do not interact by harmonic expansions.
  /// Far pairs and their sums are made in batches of at most so much memory, unless one cell needs more. (The
  /// host makes one batch.)
  std::size_t batch_bytes = std::size_t{256} << 20;
  /// By order: leaves with fewer pairs of points than this meet point by point. Empty: those of the CPU.
  std::vector<double> pairs_worth{}, taylor_pairs_worth{};
  /// A device's lists have fewer pairs of cells than this, which int32 counts.
  Count longest_list = std::numeric_limits<std::int32_t>::max();
  /// The largest order of Taylor series, by which closer cells interact where the softening makes this worth
  /// it. 0: they meet point by point. (The host's lists have no Taylor series.)
  int taylor_orders = 0;
};

/// Cells closer than this (the frame has size 1) do not interact by expansions, because 1/R² must stay within
/// float32's range.
inline constexpr double closest_far = 0x1p-36;

/// The pairs of points that cost a GPU as much as one M2L, by order from 0 to fmm::max_order. Both are
/// counted in instructions of one lane.
[[nodiscard]] std::vector<double> gpu_pairs_worth();
/// The same for Taylor series, to fmm::max_taylor_order.
[[nodiscard]] std::vector<double> gpu_taylor_pairs_worth();

/// Makes trees and lists. What it makes stays until the next `place`.
class Interactions {
 public:
  virtual ~Interactions() = default;

  /// The points (n×3, m) are sources and targets. There is at least one. Throws OutOfDeviceMemory, also if
  /// the lists are too long to be counted.
  virtual void place(VectorView points) = 0;
  /// The same with separate targets, of which there is at least one.
  virtual void place(VectorView sources, VectorView targets) = 0;

  /// The frame of all coordinates on the device.
  [[nodiscard]] virtual const direct::Frame& frame() const = 0;
  [[nodiscard]] virtual DeviceTree& sources() = 0;
  /// The same object as `sources` if there are no separate targets.
  [[nodiscard]] virtual DeviceTree& targets() = 0;
  [[nodiscard]] virtual const DeviceLists& lists() const = 0;
};

}  // namespace electret::gpu
