#pragma once
/// \file
/// The passes over Taylor series, by which softened cells that are close interact: as FarPasses.

#include <electret/field/gpu/fmm/interactions.hpp>
#include <electret/field/gpu/fmm/taylor_tables.hpp>

namespace electret::gpu {

/// Series are cell-major, with `room` numbers a cell.
class TaylorPasses {
 public:
  /// The pairs of Taylor order p are list harmonic_orders + p.
  TaylorPasses(Device& device, int harmonic_orders, int order);

  /// Makes room for everything that these trees and lists need. Call once they are placed.
  void make_room(const DeviceTree& sources, const DeviceTree& targets, const DeviceLists& lists);
  /// Moments of the sources' cells, from their charges: P2M and M2M.
  void find_moments(const DeviceTree& sources);
  /// Locals of the targets' cells: M2L, and L2L from the root down. `softening` is in the frame.
  void find_locals(const DeviceTree& sources, const DeviceTree& targets, const DeviceLists& lists,
                   double softening);
  /// L2P: adds {field, potential} of the locals to `near`, in tree order.
  void add_fields(const DeviceTree& targets, const Array<Float4>& near);

  /// The same for derivative products, as FarPasses has them. The sources are the targets.
  void find_dipole_moments(const DeviceTree& sources, const Array<Float4>& vectors);
  void find_dipole_locals(const DeviceTree& sources, const DeviceLists& lists, double softening);
  void add_products(const DeviceTree& sources, const Array<Float4>& vectors, const Array<Float4>& near,
                    const Array<Float4>& near_products);

  [[nodiscard]] const Array<float>& moments() const { return charges_.moments; }
  [[nodiscard]] const Array<float>& locals() const { return charges_.locals; }
  [[nodiscard]] int room() const { return room_; }

 private:
  struct Expansions {
    explicit Expansions(Device& device) : moments(device), locals(device) {}
    Array<float> moments, locals;
  };
  void gather_moments(const DeviceCells& cells, Expansions& of);
  void sum_pairs(const DeviceTree& sources, const DeviceTree& targets, const DeviceLists& lists,
                 std::size_t batch, float softening, Expansions& of);
  void find_locals(const DeviceTree& sources, const DeviceTree& targets, const DeviceLists& lists,
                   double softening, Expansions& of);
  Count set_first_rows(const FarBatch& batch, std::size_t at);
  [[nodiscard]] std::size_t list_of(int order) const {
    return static_cast<std::size_t>(harmonic_orders_ + order);
  }

  Device& device_;
  int harmonic_orders_, order_, room_;
  DeviceTaylorTables tables_;
  std::shared_ptr<const Program> program_;
  std::unique_ptr<Kernel> moments_of_leaves_, dipoles_of_leaves_, moments_up_, m2l_, collect_rows_,
      locals_down_, field_of_leaves_, products_of_leaves_;
  Expansions charges_, dipoles_;
  Array<float> rows_;
  std::vector<std::int64_t> first_rows_;  ///< As FarPasses::first_rows_, by batch and Taylor order.
  Array<std::int64_t> device_first_rows_;
};

}  // namespace electret::gpu
