#pragma once
/// \file
/// Finds the interaction lists on a device.

#include <electret/field/gpu/fmm/device_tree.hpp>
#include <electret/field/gpu/fmm/interactions.hpp>

namespace electret::gpu {

/// The walk: the lists by the rule of fmm::Acceptance, in float32. Of two equally large cells, the one with
/// the lower number is cut. A pair of cells is far in both directions or in none.
class DeviceWalk {
 public:
  DeviceWalk(Device& device, const TreeSettings& settings);

  /// Finds all lists. Far pairs are written at once if there is one batch. `leaf_of` is that of the targets'
  /// maker. `scale` is the frame's. All arguments must stay until the next run. Throws OutOfDeviceMemory,
  /// which says what to do, if there is no room for the lists.
  void run(const DeviceCells& targets, const Array<std::int32_t>& leaf_of, const DeviceCells& sources,
           double scale, DeviceLists& lists);

 private:
  /// The arguments of the last run.
  struct Present {
    const DeviceCells *targets = nullptr, *sources = nullptr;
    const Array<std::int32_t>* leaf_of = nullptr;
    DeviceLists* lists = nullptr;
  };
  [[nodiscard]] bool taylor_series_pay(double closest_harmonic);
  void set_distances(double scale);
  void find();
  [[nodiscard]] std::int32_t list_count() const { return orders_ + taylor_; }
  void check_length(Count length) const;
  [[nodiscard]] Count memory_of_all() const;
  void make_batches();
  void cut_into_batches(const std::vector<std::int32_t>& costs);
  void find_windows();
  void write(const FarBatch& cells, std::int32_t mode, std::size_t bases_at);
  bool count(const DeviceCells& targets, const Array<std::int32_t>& leaf_of, const DeviceCells& sources,
             DeviceLists& lists);

  Device& device_;
  TreeSettings asked_;
  std::int32_t orders_;
  std::int32_t taylor_ = 0;  ///< The orders of Taylor series in the present lists.
  Present present_;
  DeviceScan scan_;
  std::unique_ptr<Kernel> start_, level_, totals_, costs_, windows_, lists_, radii_;
  std::vector<float> settings_;
  Array<float> device_settings_, sum_of_radii_;
  std::size_t capacity_ = 0;
  Array<std::int32_t> passed_, state_;
  Array<Int2> passed_at_;
  Array<std::int32_t> device_costs_, ends_, device_windows_, bases_;
  std::vector<std::int32_t> found_;  ///< The state on the host.
};

}  // namespace electret::gpu
