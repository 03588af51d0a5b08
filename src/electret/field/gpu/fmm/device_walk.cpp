#include <algorithm>
#include <string>

#include <electret/core/errors.hpp>
#include <electret/field/gpu/fmm/device_walk.hpp>

namespace electret::gpu {
namespace {

/// As in walk.cl.
constexpr std::size_t closest_at = 0, largest_at = 1, softened_at = 2, softening_at = 3, edges_at = 4,
                      worth_at = 24, taylor_edges_at = 56, settings_size = 72;
constexpr std::size_t flags_at = 1, near_at = 2, far_at = 3, begins_at = 4,
                      state_size = begins_at + most_lists + 1;

constexpr std::int32_t flag_overflow = 1, flag_long_leaf = 2;
constexpr std::int32_t list_near = 2, list_far = 4;

/// The same for softened pairs. Their last bins have no order.
void add_taylor_series(const TreeSettings& asked, const fmm::AcceptanceTables& tables,
                       std::vector<float>& settings) {
  const unsigned char* softened = tables.verdicts + fmm::AcceptanceTables::bins + 2;
  for (int b = 0; b <= fmm::AcceptanceTables::bins && softened[b] != 0; ++b)
    for (int p = softened[b] - fmm::before_taylor; p <= asked.taylor_orders; ++p)
      settings[taylor_edges_at + static_cast<std::size_t>(p)] = static_cast<float>(b + 1);
  for (int p = 1; p <= asked.taylor_orders; ++p)
    settings[worth_at + static_cast<std::size_t>(asked.plan.order + p)] = static_cast<float>(
        asked.taylor_pairs_worth.empty() ? tables.worth[fmm::taylor_verdict(p)]
                                         : asked.taylor_pairs_worth[static_cast<std::size_t>(p)]);
}

/// The criterion's tables for the kernel. Bins of u² ascend in order, so an order's bins end at one edge.
std::vector<float> settings_of(const TreeSettings& asked) {
  const fmm::Plan& plan = asked.plan;
  const fmm::Acceptance acceptance(plan);
  const fmm::AcceptanceTables tables = acceptance.tables();
  std::vector<float> settings(settings_size, 0.0F);
  settings[largest_at] = static_cast<float>(tables.largest);
  for (int b = 0; b <= fmm::AcceptanceTables::bins; ++b) {
    const int order = tables.verdicts[b];
    if (b > 0 && order < tables.verdicts[b - 1]) throw InternalError("orders do not ascend with reach");
    for (int p = order; p <= plan.order; ++p)
      settings[edges_at + static_cast<std::size_t>(p)] = static_cast<float>(b + 1);
  }
  for (int p = 1; p <= plan.order; ++p)
    settings[worth_at + static_cast<std::size_t>(p)] = static_cast<float>(
        asked.pairs_worth.empty() ? tables.worth[p] : asked.pairs_worth[static_cast<std::size_t>(p)]);
  add_taylor_series(asked, tables, settings);
  return settings;
}

}  // namespace

DeviceWalk::DeviceWalk(Device& device, const TreeSettings& settings)
    : device_(device),
      asked_(settings),
      orders_(settings.plan.order),
      scan_(device),
      settings_(settings_of(settings)),
      device_settings_(device, settings_size),
      sum_of_radii_(device, 1),
      passed_(device),
      state_(device, state_size),
      passed_at_(device),
      device_costs_(device),
      ends_(device),
      device_windows_(device),
      bases_(device),
      found_(state_size) {
  const auto program = tree_program(device);
  start_ = program->kernel("walk_start");
  level_ = program->kernel("walk_level");
  totals_ = program->kernel("walk_totals");
  costs_ = program->kernel("walk_costs");
  windows_ = program->kernel("walk_windows");
  lists_ = program->kernel("walk_lists");
  radii_ = program->kernel("walk_radii");
}

void DeviceWalk::run(const DeviceCells& targets, const Array<std::int32_t>& leaf_of,
                     const DeviceCells& sources, double scale, DeviceLists& lists) {
  present_ = {&targets, &sources, &leaf_of, &lists};
  set_distances(scale);
  try {
    find();
  } catch (const OutOfDeviceMemory& error) {
    capacity_ = 0;  // other points may need less
    throw OutOfDeviceMemory(
        std::string("the lists of pairs of cells of the fast multipole method are too long: ") +
        error.what() +
        "; take fewer charges, a device with more memory, solver = \"direct\", or device = \"cpu\"");
  }
}

/// As on the CPU: Taylor series cost less than P2P if softened pairs reach beyond a leaf's neighbours.
bool DeviceWalk::taylor_series_pay(double closest_harmonic) {
  if (asked_.taylor_orders == 0 || closest_harmonic == 0.0) return false;
  const DeviceCells& sources = *present_.sources;
  const auto leaves = static_cast<std::int32_t>(sources.leaf_count);
  device_.launch(*radii_, 1, sources.leaves, leaves, sources.centre_low, sum_of_radii_);
  const double radii = sum_of_radii_.downloaded()[0];
  return closest_harmonic * leaves > 4.0 * radii;
}

/// The distances at which the criterion changes, in the frame.
void DeviceWalk::set_distances(double scale) {
  const auto squared = [](double value) { return static_cast<float>(value * value); };
  const double closest_harmonic = scale * asked_.closest_harmonic;
  const bool softened = taylor_series_pay(closest_harmonic);
  taylor_ = softened ? asked_.taylor_orders : 0;
  present_.lists->taylor_orders = taylor_;
  settings_[closest_at] = squared(softened ? closest_far : std::max(closest_far, closest_harmonic));
  settings_[softened_at] = softened ? squared(closest_harmonic) : 0.0F;
  settings_[softening_at] = squared(scale * asked_.softening);
  device_settings_.upload(settings_);
}

void DeviceWalk::find() {
  const DeviceCells& targets = *present_.targets;
  DeviceLists& lists = *present_.lists;
  capacity_ = std::max(capacity_, 48 * targets.count + 4096);
  while (!count(targets, *present_.leaf_of, *present_.sources, lists)) {
    capacity_ *= 2;
    check_length(static_cast<Count>(capacity_));
  }
  check_length(found_[near_at]);
  check_length(found_[far_at]);
  const auto count_of_lists = static_cast<std::size_t>(list_count());
  for (std::size_t p = 0; p < lists.far_begin.size(); ++p)
    lists.far_begin[p] = found_[begins_at + std::min(p, count_of_lists + 1)];
  lists.near.resize(static_cast<std::size_t>(found_[near_at]));
  make_batches();
  const bool several = lists.batches.size() > 1;
  write({0, static_cast<std::int32_t>(targets.count)}, several ? list_near : list_near | list_far, 0);
}

/// The device counts in int32: a total that is not below the limit may be any larger number.
void DeviceWalk::check_length(Count length) const {
  if (length >= asked_.longest_list)
    throw OutOfDeviceMemory("there are " + std::to_string(asked_.longest_list) + " pairs or more");
}

/// The memory of all far pairs and of the rows of their sums.
Count DeviceWalk::memory_of_all() const {
  Count numbers = 0;
  for (int p = 1; p <= list_count(); ++p) {
    const auto k = static_cast<std::size_t>(p);
    const Count pairs = present_.lists->far_begin[k + 1] - present_.lists->far_begin[k];
    const Count of_sum = p <= orders_ ? fmm::coefficients(p) : fmm::powers(p - orders_);
    numbers += 2 * pairs + (pairs / far_block + static_cast<Count>(present_.targets->count)) * of_sum;
  }
  return numbers * static_cast<Count>(sizeof(float));
}

void DeviceWalk::make_batches() {
  DeviceLists& lists = *present_.lists;
  const auto cells = static_cast<std::int32_t>(present_.targets->count);
  const std::vector<std::int32_t> none(most_lists, 0);
  lists.write_batch = {};
  if (memory_of_all() <= static_cast<Count>(asked_.batch_bytes)) {
    lists.set_one_batch(present_.targets->count);
    lists.far.resize(static_cast<std::size_t>(found_[far_at]));
    if (bases_.size() != none.size()) bases_.assign(none);
    return;
  }
  device_costs_.resize(present_.targets->count);
  device_.launch(*costs_, groups_for(cells, costs_->lanes()), lists.far_start, orders_, taylor_, cells,
                 device_costs_);
  cut_into_batches(device_costs_.downloaded());
  find_windows();
  lists.write_batch = [this](std::size_t k) { write(present_.lists->batches[k], list_far, k); };
}

/// Each batch takes cells as long as there is room, and at least one.
void DeviceWalk::cut_into_batches(const std::vector<std::int32_t>& costs) {
  std::vector<FarBatch>& batches = present_.lists->batches;
  batches.assign(1, {});
  Count bytes = 0;
  for (std::size_t c = 0; c < costs.size(); ++c) {
    const auto cost = static_cast<Count>(sizeof(float)) * costs[c];
    const auto cell = static_cast<std::int32_t>(c);
    if (bytes > 0 && bytes + cost > static_cast<Count>(asked_.batch_bytes)) {
      batches.push_back({cell, cell});
      bytes = 0;
    }
    bytes += cost;
    batches.back().end_cell = cell + 1;
  }
}

/// Where the pairs of each batch and list are among all, and where they go in the batch's own list.
void DeviceWalk::find_windows() {
  DeviceLists& lists = *present_.lists;
  const auto row = static_cast<std::size_t>(list_count()) + 1;
  std::vector<std::int32_t> ends{0}, bases;
  for (const FarBatch& batch : lists.batches) ends.push_back(batch.end_cell);
  ends_.assign(ends);
  device_windows_.resize(ends.size() * row);
  device_.launch(*windows_, static_cast<Count>(ends.size()), lists.far_start, list_count(),
                 static_cast<std::int32_t>(present_.targets->count), ends_, device_windows_);
  const std::vector<std::int32_t> found = device_windows_.downloaded();
  std::int32_t most = 0;
  for (std::size_t k = 0; k < lists.batches.size(); ++k) {
    std::int32_t length = 0;
    for (std::size_t p = 0; p < most_lists; ++p) {
      FarBatch::Window& window = lists.batches[k].windows[p];
      const bool any = p < row && found[k * row + p] < found[(k + 1) * row + p];
      const std::int32_t first = any ? found[k * row + p] : lists.far_begin[p],
                         end = any ? found[(k + 1) * row + p] : first;
      window.skip = (first - lists.far_begin[p]) % far_block;
      window.first_block = (first - lists.far_begin[p]) / far_block;
      window.begin = length;
      window.end = length + window.skip + end - first;
      bases.push_back(first - window.skip - length);
      length = window.end;
    }
    most = std::max(most, length);
  }
  bases_.assign(bases);
  lists.far.resize(static_cast<std::size_t>(most));
}

void DeviceWalk::write(const FarBatch& cells, std::int32_t mode, std::size_t bases_at) {
  const DeviceCells &targets = *present_.targets, &sources = *present_.sources;
  DeviceLists& lists = *present_.lists;
  device_.launch(*lists_, cells.end_cell - cells.first_cell, cells.first_cell, mode, bases_,
                 static_cast<std::int32_t>(bases_at * most_lists), targets.points, targets.family,
                 targets.centre, targets.centre_low, sources.points, sources.family, sources.centre,
                 sources.centre_low, *present_.leaf_of, device_settings_, orders_, taylor_,
                 static_cast<std::int32_t>(targets.count), passed_, passed_at_, lists.far_start,
                 lists.near_begin, lists.far, lists.near);
}

/// Counts the pairs of all cells, level by level, and adds the counts up. Returns false if there was no room
/// for what cells pass on to their children.
bool DeviceWalk::count(const DeviceCells& targets, const Array<std::int32_t>& leaf_of,
                       const DeviceCells& sources, DeviceLists& lists) {
  const auto cells = static_cast<std::int32_t>(targets.count);
  const std::size_t rows = (static_cast<std::size_t>(list_count()) + 1) * targets.count;
  passed_.resize(capacity_);
  passed_at_.resize(targets.count);
  lists.far_start.resize(rows + 1);
  lists.near_begin.resize(targets.leaf_count + 1);
  device_.launch(*start_, 1, passed_, lists.far_start, static_cast<std::int32_t>(rows), lists.near_begin,
                 static_cast<std::int32_t>(targets.leaf_count), state_);
  for (std::size_t l = 0; l + 1 < targets.levels.size(); ++l)
    device_.launch(*level_, targets.levels[l + 1] - targets.levels[l], targets.levels[l], targets.points,
                   targets.family, targets.centre, targets.centre_low, sources.points, sources.family,
                   sources.centre, sources.centre_low, leaf_of, device_settings_, orders_, taylor_, cells,
                   passed_, static_cast<std::int32_t>(capacity_), passed_at_, lists.far_start,
                   lists.near_begin, longest_leaf, state_);
  scan_.run(lists.far_start, rows + 1, state_, static_cast<std::int32_t>(far_at));
  scan_.run(lists.near_begin, targets.leaf_count + 1, state_, static_cast<std::int32_t>(near_at));
  device_.launch(*totals_, 1, lists.far_start, list_count(), cells, state_);
  state_.download(found_);
  lists.has_long_leaf = (found_[flags_at] & flag_long_leaf) != 0;
  return (found_[flags_at] & flag_overflow) == 0;
}

}  // namespace electret::gpu
