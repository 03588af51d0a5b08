#include <algorithm>

#include <electret/field/fmm/expansions/taylor.hpp>
#include <electret/field/gpu/fmm/taylor_passes.hpp>

namespace electret::gpu {
namespace {

constexpr std::size_t orders_of_rows = fmm::max_taylor_order + 1;

Count count_of(std::size_t n) {
  return static_cast<Count>(n);
}

}  // namespace

TaylorPasses::TaylorPasses(Device& device, int harmonic_orders, int order)
    : device_(device),
      harmonic_orders_(harmonic_orders),
      order_(order),
      room_((fmm::powers(order) + 15) / 16 * 16),
      tables_(device, order),
      program_(device.program(
          {{"geometry.cl", "taylor.cl", "taylor_leaves.cl", "taylor_shift.cl", "taylor_m2l.cl"},
           {{"TAYLOR", std::to_string(order)}}})),
      moments_of_leaves_(program_->kernel("taylor_moments_of_leaves")),
      dipoles_of_leaves_(program_->kernel("taylor_dipoles_of_leaves")),
      moments_up_(program_->kernel("taylor_moments_up")),
      m2l_(program_->kernel("taylor_m2l")),
      collect_rows_(program_->kernel("taylor_collect_rows")),
      locals_down_(program_->kernel("taylor_locals_down")),
      field_of_leaves_(program_->kernel("taylor_field_of_leaves")),
      products_of_leaves_(program_->kernel("taylor_products_of_leaves")),
      charges_(device),
      dipoles_(device),
      rows_(device),
      device_first_rows_(device) {}

void TaylorPasses::make_room(const DeviceTree& sources, const DeviceTree& targets, const DeviceLists& lists) {
  first_rows_.assign(lists.batches.size() * orders_of_rows, 0);
  Count most = 0;
  for (std::size_t k = 0; k < lists.batches.size(); ++k)
    most = std::max(most, set_first_rows(lists.batches[k], k * orders_of_rows));
  rows_.resize(static_cast<std::size_t>(most));
  device_first_rows_.assign(first_rows_);
  charges_.moments.resize(sources.cells.count * static_cast<std::size_t>(room_));
  charges_.locals.resize(targets.cells.count * static_cast<std::size_t>(room_));
}

/// Returns the numbers in the batch's rows.
Count TaylorPasses::set_first_rows(const FarBatch& batch, std::size_t at) {
  Count all = 0;
  for (int p = 1; p <= order_; ++p) {
    const FarBatch::Window& window = batch.windows[list_of(p)];
    const Count pairs = window.end - window.begin, numbers = fmm::powers(p);
    const Count rows = pairs > 0 ? groups_for(pairs, far_block) + batch.end_cell - batch.first_cell : 0;
    first_rows_[at + static_cast<std::size_t>(p)] =
        all - (Count{window.first_block} + batch.first_cell) * numbers;
    all += rows * numbers;
  }
  return all;
}

/// M2M, from the leaves' moments.
void TaylorPasses::gather_moments(const DeviceCells& cells, Expansions& of) {
  // The lowest level has leaves alone.
  for (std::size_t l = cells.levels.size() - 2; l-- > 0;)
    device_.launch(*moments_up_, cells.levels[l + 1] - cells.levels[l], cells.levels[l], cells.family,
                   cells.centre, cells.centre_low, tables_.powers, tables_.row, of.moments);
}

void TaylorPasses::find_moments(const DeviceTree& sources) {
  const DeviceCells& cells = sources.cells;
  device_.launch(*moments_of_leaves_, count_of(cells.leaf_count), cells.leaves, cells.points, cells.centre,
                 cells.centre_low, sources.points.high, sources.points.low, tables_.powers, tables_.row,
                 charges_.moments);
  gather_moments(cells, charges_);
}

void TaylorPasses::find_dipole_moments(const DeviceTree& sources, const Array<Float4>& vectors) {
  const DeviceCells& cells = sources.cells;
  dipoles_.moments.resize(charges_.moments.size());
  dipoles_.locals.resize(charges_.locals.size());
  device_.launch(*dipoles_of_leaves_, count_of(cells.leaf_count), cells.leaves, cells.points, cells.centre,
                 cells.centre_low, sources.points.high, sources.points.low, vectors, tables_.powers,
                 tables_.row, dipoles_.moments);
  gather_moments(cells, dipoles_);
}

void TaylorPasses::sum_pairs(const DeviceTree& sources, const DeviceTree& targets, const DeviceLists& lists,
                             std::size_t batch, float softening, Expansions& of) {
  for (int p = 1; p <= order_; ++p) {
    const auto [begin, skip, end, first_block] = lists.batches[batch].windows[list_of(p)];
    const std::int64_t first_row = first_rows_[batch * orders_of_rows + static_cast<std::size_t>(p)] +
                                   std::int64_t{first_block} * fmm::powers(p);
    device_.launch(*m2l_, groups_for(end - begin, far_block), p, softening, begin, skip, end, lists.far,
                   targets.cells.centre, targets.cells.centre_low, sources.cells.centre,
                   sources.cells.centre_low, tables_.powers, tables_.row, tables_.one_less, tables_.two_less,
                   tables_.factorial, of.moments, first_row, rows_);
  }
}

void TaylorPasses::find_locals(const DeviceTree& sources, const DeviceTree& targets, const DeviceLists& lists,
                               double softening, Expansions& of) {
  const DeviceCells& cells = targets.cells;
  for (std::size_t k = 0; k < lists.batches.size(); ++k) {
    if (lists.batches.size() > 1) lists.write_batch(k);
    sum_pairs(sources, targets, lists, k, static_cast<float>(softening * softening), of);
    const FarBatch& batch = lists.batches[k];
    device_.launch(*collect_rows_, batch.end_cell - batch.first_cell, batch.first_cell,
                   static_cast<std::int32_t>(cells.count), harmonic_orders_, lists.far_start,
                   static_cast<std::int32_t>(k * orders_of_rows), device_first_rows_, rows_, of.locals);
  }
  for (std::size_t l = 0; l + 2 < cells.levels.size(); ++l)
    device_.launch(*locals_down_, cells.levels[l + 1] - cells.levels[l], cells.levels[l], cells.family,
                   cells.centre, cells.centre_low, tables_.powers, tables_.row, of.locals);
}

void TaylorPasses::find_locals(const DeviceTree& sources, const DeviceTree& targets, const DeviceLists& lists,
                               double softening) {
  find_locals(sources, targets, lists, softening, charges_);
}

void TaylorPasses::find_dipole_locals(const DeviceTree& sources, const DeviceLists& lists, double softening) {
  find_locals(sources, sources, lists, softening, dipoles_);
}

void TaylorPasses::add_fields(const DeviceTree& targets, const Array<Float4>& near) {
  const DeviceCells& cells = targets.cells;
  device_.launch(*field_of_leaves_, count_of(cells.leaf_count), cells.leaves, cells.points, cells.centre,
                 cells.centre_low, targets.points.high, targets.points.low, tables_.powers, tables_.row,
                 charges_.locals, near);
}

void TaylorPasses::add_products(const DeviceTree& sources, const Array<Float4>& vectors,
                                const Array<Float4>& near, const Array<Float4>& near_products) {
  const DeviceCells& cells = sources.cells;
  device_.launch(*products_of_leaves_, count_of(cells.leaf_count), cells.leaves, cells.points, cells.centre,
                 cells.centre_low, sources.points.high, sources.points.low, vectors, tables_.powers,
                 tables_.row, charges_.locals, dipoles_.locals, near, near_products);
}

}  // namespace electret::gpu
