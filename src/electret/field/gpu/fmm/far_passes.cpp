#include <algorithm>

#include <electret/field/gpu/fmm/far_passes.hpp>
#include <electret/field/gpu/fmm/m2l_text.hpp>

namespace electret::gpu {
namespace {

constexpr std::size_t orders_of_rows = fmm::max_order + 1;

std::int32_t number(std::size_t n) {
  return static_cast<std::int32_t>(n);
}
Count count_of(std::size_t n) {
  return static_cast<Count>(n);
}

}  // namespace

int generated_orders(const Facts& facts) {
  return facts.kind == Kind::processor ? 8 : 16;
}

FarPasses::FarPasses(Device& device, int order, int generated, Threads& threads)
    : device_(device),
      order_(order),
      room_((fmm::coefficients(order) + 15) / 16 * 16),
      tables_(device, order),
      program_(device.program({{"geometry.cl", "series.cl", "leaves.cl", "shift.cl", "m2l_any.cl"},
                               {{"ORDER", std::to_string(order)}}})),
      moments_of_leaves_(program_->kernel("moments_of_leaves")),
      moments_up_(program_->kernel("moments_up")),
      m2l_any_(program_->kernel("m2l_any")),
      collect_rows_(program_->kernel("collect_rows")),
      locals_down_(program_->kernel("locals_down")),
      field_of_leaves_(program_->kernel("field_of_leaves")),
      charges_(device),
      dipoles_(device),
      rows_(device),
      device_first_rows_(device) {
  // Compiling them takes seconds each.
  const int texts = std::min(order, generated);
  m2l_programs_.resize(static_cast<std::size_t>(texts));
  threads.for_chunks(texts, 1, [&](Count k, Count) {
    const auto p = static_cast<int>(texts - k);  // the longest first
    m2l_programs_[static_cast<std::size_t>(p - 1)] =
        device.program({{"geometry.cl", "m2l.cl"}, {{"ORDER", std::to_string(p)}}, m2l_text(p)});
  });
  for (const auto& program : m2l_programs_) m2l_.push_back(program->kernel("m2l"));
}

void FarPasses::make_room(const DeviceTree& sources, const DeviceTree& targets, const DeviceLists& lists) {
  first_rows_.resize(lists.batches.size() * orders_of_rows);
  Count most = 0;
  for (std::size_t k = 0; k < lists.batches.size(); ++k)
    most = std::max(most, set_first_rows(lists.batches[k], k * orders_of_rows));
  rows_.resize(static_cast<std::size_t>(most));
  device_first_rows_.assign(first_rows_);
  charges_.moments.resize(sources.cells.count * static_cast<std::size_t>(room_));
  charges_.locals.resize(targets.cells.count * static_cast<std::size_t>(room_));
}

FarPasses::ProductKernels& FarPasses::product_kernels() {
  ProductKernels& made = product_kernels_;
  if (!made.program) {
    made.program = device_.program({{"geometry.cl", "series.cl", "leaves.cl", "product_leaves.cl"},
                                    {{"ORDER", std::to_string(order_)}}});
    made.dipoles_of_leaves = made.program->kernel("dipoles_of_leaves");
    made.products_of_leaves = made.program->kernel("products_of_leaves");
  }
  return made;
}

/// M2M, from the leaves' moments.
void FarPasses::gather_moments(const DeviceCells& cells, Expansions& of) {
  // The lowest level has leaves alone.
  for (std::size_t l = cells.levels.size() - 2; l-- > 0;)
    device_.launch(*moments_up_, cells.levels[l + 1] - cells.levels[l], cells.levels[l], cells.family,
                   cells.centre, cells.centre_low, tables_.places, tables_.swaps, tables_.swap,
                   tables_.shift_factors, of.moments);
}

/// Returns the numbers in the batch's rows.
Count FarPasses::set_first_rows(const FarBatch& batch, std::size_t at) {
  Count all = 0;
  for (int p = 1; p <= order_; ++p) {
    const auto k = static_cast<std::size_t>(p);
    const FarBatch::Window& window = batch.windows[k];
    const Count pairs = window.end - window.begin, numbers = fmm::coefficients(p);
    const Count rows = pairs > 0 ? groups_for(pairs, far_block) + batch.end_cell - batch.first_cell : 0;
    first_rows_[at + k] = all - (Count{window.first_block} + batch.first_cell) * numbers;
    all += rows * numbers;
  }
  return all;
}

void FarPasses::find_moments(const DeviceTree& sources) {
  const DeviceCells& cells = sources.cells;
  device_.launch(*moments_of_leaves_, count_of(cells.leaf_count), cells.leaves, cells.points, cells.centre,
                 cells.centre_low, sources.points.high, sources.points.low, tables_.steps, tables_.numbers,
                 charges_.moments);
  gather_moments(cells, charges_);
}

void FarPasses::find_dipole_moments(const DeviceTree& sources, const Array<Float4>& vectors) {
  const DeviceCells& cells = sources.cells;
  dipoles_.moments.resize(charges_.moments.size());
  dipoles_.locals.resize(charges_.locals.size());
  device_.launch(*product_kernels().dipoles_of_leaves, count_of(cells.leaf_count), cells.leaves, cells.points,
                 cells.centre, cells.centre_low, sources.points.high, sources.points.low, vectors,
                 tables_.steps, tables_.numbers, tables_.derivative_at, tables_.derivative, dipoles_.moments);
  gather_moments(cells, dipoles_);
}

void FarPasses::sum_pairs(const DeviceTree& sources, const DeviceTree& targets, const DeviceLists& lists,
                          std::size_t batch, Expansions& of) {
  for (int p = 1; p <= order_; ++p) {
    const auto k = static_cast<std::size_t>(p);
    const auto [begin, skip, end, first_block] = lists.batches[batch].windows[k];
    const std::int64_t first_row =
        first_rows_[batch * orders_of_rows + k] + std::int64_t{first_block} * fmm::coefficients(p);
    if (k <= m2l_.size())
      device_.launch(*m2l_[k - 1], groups_for(end - begin, m2l_[k - 1]->lanes()), room_, begin, skip, end,
                     lists.far, targets.cells.centre, targets.cells.centre_low, sources.cells.centre,
                     sources.cells.centre_low, of.moments, first_row, rows_);
    else
      device_.launch(*m2l_any_, groups_for(end - begin, far_block), p, begin, skip, end, lists.far,
                     targets.cells.centre, targets.cells.centre_low, sources.cells.centre,
                     sources.cells.centre_low, tables_.places, tables_.swaps, tables_.swap,
                     tables_.far_factors, of.moments, first_row, rows_);
  }
}

void FarPasses::find_locals(const DeviceTree& sources, const DeviceTree& targets, const DeviceLists& lists,
                            Expansions& of) {
  const DeviceCells& cells = targets.cells;
  for (std::size_t k = 0; k < lists.batches.size(); ++k) {
    if (lists.batches.size() > 1) lists.write_batch(k);
    sum_pairs(sources, targets, lists, k, of);
    const FarBatch& batch = lists.batches[k];
    device_.launch(*collect_rows_, batch.end_cell - batch.first_cell, batch.first_cell, number(cells.count),
                   lists.far_start, static_cast<std::int32_t>(k * orders_of_rows), device_first_rows_, rows_,
                   of.locals);
  }
  for (std::size_t l = 0; l + 2 < cells.levels.size(); ++l)
    device_.launch(*locals_down_, cells.levels[l + 1] - cells.levels[l], cells.levels[l], cells.family,
                   cells.centre, cells.centre_low, tables_.places, tables_.swaps, tables_.swap,
                   tables_.shift_factors, of.locals);
}

void FarPasses::find_locals(const DeviceTree& sources, const DeviceTree& targets, const DeviceLists& lists) {
  find_locals(sources, targets, lists, charges_);
}

void FarPasses::find_dipole_locals(const DeviceTree& sources, const DeviceLists& lists) {
  find_locals(sources, sources, lists, dipoles_);
}

void FarPasses::evaluate(const DeviceTree& targets, const Array<Float4>& near, const Array<Float4>& sums) {
  const DeviceCells& cells = targets.cells;
  device_.launch(*field_of_leaves_, count_of(cells.leaf_count), cells.leaves, cells.points, cells.centre,
                 cells.centre_low, targets.points.high, targets.points.low, targets.points.order,
                 tables_.steps, tables_.numbers, tables_.gradient_at, tables_.gradient, charges_.locals, near,
                 sums);
}

void FarPasses::evaluate_products(const DeviceTree& sources, const Array<Float4>& vectors,
                                  const Array<Float4>& near, const Array<Float4>& near_products,
                                  const Array<Float4>& sums, const Array<Float4>& products) {
  const DeviceCells& cells = sources.cells;
  device_.launch(*product_kernels().products_of_leaves, count_of(cells.leaf_count), cells.leaves,
                 cells.points, cells.centre, cells.centre_low, sources.points.high, sources.points.low,
                 vectors, sources.points.order, tables_.steps, tables_.numbers, tables_.gradient_at,
                 tables_.gradient, charges_.locals, dipoles_.locals, near, near_products, sums, products);
}

}  // namespace electret::gpu
