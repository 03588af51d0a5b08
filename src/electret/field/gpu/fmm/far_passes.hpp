#pragma once
/// \file
/// The passes over expansions: moments of all cells, M2L, and locals of all cells.

#include <electret/field/gpu/fmm/interactions.hpp>
#include <electret/field/gpu/fmm/series_tables.hpp>

namespace electret::gpu {

/// The orders up to which M2L has a text of its own: those that fit a GPU's registers, nearly. A processor
/// compiles the longer ones for too long.
[[nodiscard]] int generated_orders(const Facts& facts);

/// Expansions are cell-major, with `room` numbers a cell.
class FarPasses {
 public:
  /// M2L of orders up to `generated` has a text of its own; a general kernel sums the others, with the same
  /// results but for rounding.
  FarPasses(Device& device, int order, int generated, Threads& threads);

  /// Makes room for everything that these trees and lists need. Call once they are placed.
  void make_room(const DeviceTree& sources, const DeviceTree& targets, const DeviceLists& lists);
  /// Moments of the sources' cells, from their charges: P2M and M2M.
  void find_moments(const DeviceTree& sources);
  /// Locals of the targets' cells: M2L, and L2L from the root down.
  void find_locals(const DeviceTree& sources, const DeviceTree& targets, const DeviceLists& lists);
  /// L2P: adds the locals to `near` (tree order) and writes `sums` in the caller's order.
  void evaluate(const DeviceTree& targets, const Array<Float4>& near, const Array<Float4>& sums);

  /// The same for derivative products: also moments and locals of the dipoles q u. `vectors` are u, in tree
  /// order. The sources are the targets.
  void find_dipole_moments(const DeviceTree& sources, const Array<Float4>& vectors);
  void find_dipole_locals(const DeviceTree& sources, const DeviceLists& lists);
  /// Adds to `near` and `near_products`, and writes `sums` and `products` {Σ q K'(u_i - u), Σ q K·(u_i - u)}.
  void evaluate_products(const DeviceTree& sources, const Array<Float4>& vectors, const Array<Float4>& near,
                         const Array<Float4>& near_products, const Array<Float4>& sums,
                         const Array<Float4>& products);

  [[nodiscard]] const Array<float>& moments() const { return charges_.moments; }
  [[nodiscard]] const Array<float>& locals() const { return charges_.locals; }
  [[nodiscard]] const Array<float>& dipole_moments() const { return dipoles_.moments; }
  [[nodiscard]] const Array<float>& dipole_locals() const { return dipoles_.locals; }
  [[nodiscard]] int room() const { return room_; }

 private:
  struct Expansions {
    explicit Expansions(Device& device) : moments(device), locals(device) {}
    Array<float> moments, locals;
  };
  struct ProductKernels {
    std::shared_ptr<const Program> program;
    std::unique_ptr<Kernel> dipoles_of_leaves, products_of_leaves;
  };
  ProductKernels& product_kernels();
  void gather_moments(const DeviceCells& cells, Expansions& of);
  void sum_pairs(const DeviceTree& sources, const DeviceTree& targets, const DeviceLists& lists,
                 std::size_t batch, Expansions& of);
  void find_locals(const DeviceTree& sources, const DeviceTree& targets, const DeviceLists& lists,
                   Expansions& of);
  Count set_first_rows(const FarBatch& batch, std::size_t at);

  Device& device_;
  int order_, room_;
  DeviceTables tables_;
  std::shared_ptr<const Program> program_;
  std::unique_ptr<Kernel> moments_of_leaves_, moments_up_, m2l_any_, collect_rows_, locals_down_,
      field_of_leaves_;
  std::vector<std::unique_ptr<Kernel>> m2l_;  ///< By order from 1.
  std::vector<std::shared_ptr<const Program>> m2l_programs_;
  ProductKernels product_kernels_;  ///< Compiled when they are first needed.
  Expansions charges_, dipoles_;
  Array<float> rows_;
  /// By batch and order: where row 0 would begin. Row (block + target) is the sum of a target's pairs in a
  /// block of pairs; no two rows meet.
  std::vector<std::int64_t> first_rows_;
  Array<std::int64_t> device_first_rows_;
};

}  // namespace electret::gpu
