#include <algorithm>
#include <array>
#include <bit>
#include <cmath>

#include <electret/core/errors.hpp>
#include <electret/field/fmm/tree/morton.hpp>
#include <electret/field/gpu/fmm/device_tree.hpp>

namespace electret::gpu {
namespace {

/// As in the kernels.
constexpr int box_lanes = 128, cut_cells = 32, state_levels = 4;
constexpr Index largest_leaf = 512;
/// Each cut uses up to three bits of the keys' 30.
constexpr std::int32_t levels_of_generation = fmm::key_bits / 3;
/// Each generation of keys divides a box into 2¹⁰ along its longest side, and coordinates have 2⁶² places.
constexpr std::int32_t most_generations = 8;
/// Levels that one group cuts, and the most cells of the level below them.
constexpr std::int32_t top_levels = 2, most_below_top = 64;
/// Enough groups to fill any device. Each takes several blocks, because the host does not know their number.
constexpr Count most_groups = 512;

/// The float64 number of ordered bits (place.cl).
double number_of(std::uint64_t ordered) {
  constexpr std::uint64_t sign = std::uint64_t{1} << 63;
  return std::bit_cast<double>(ordered & sign ? ordered & ~sign : ~ordered);
}

int exponent_of(double power_of_two) {
  int exponent = 0;
  std::frexp(power_of_two, &exponent);
  return exponent - 1;
}

/// value·2^bits, rounded to an integer (a tie away from 0), modulo 2⁶⁴: as place.cl's fixed_point.
std::int64_t fixed_point(double value, int bits) {
  int exponent = 0;
  const auto whole = static_cast<std::uint64_t>(std::ldexp(std::frexp(std::abs(value), &exponent), 53));
  const int left = exponent - 53 + bits;
  std::uint64_t size = 0;
  if (left >= 0 && left < 64)
    size = whole << left;
  else if (left < 0 && left >= -54)
    size = (whole + (std::uint64_t{1} << (-left - 1))) >> -left;
  return static_cast<std::int64_t>(std::signbit(value) ? 0 - size : size);
}

}  // namespace

TreeMaker::TreeMaker(Device& device, Index leaf_size)
    : device_(device),
      leaf_size_(leaf_size),
      scan_(device),
      sort_(device),
      crowds_(device),
      box_parts_of_groups_(device, std::size_t{6} * most_groups),
      box_(device, 6),
      keys_(device),
      state_(device),
      part_sums_(device),
      marks_(device),
      leaf_of_(device),
      totals_(device, 1),
      parts_(device),
      boxes_(device) {
  if (leaf_size < 1 || leaf_size > largest_leaf)
    throw InternalError("a device's tree has leaves of 1 to 512 points");
  const auto program = tree_program(device);
  const auto take = [&](std::unique_ptr<Kernel>& kernel, const char* name) {
    kernel = program->kernel(name);
  };
  take(box_parts_, "box_parts");
  take(box_whole_, "box_whole");
  take(place_keys_, "place_keys");
  take(place_points_, "place_points");
  take(cut_top_, "cut_top");
  take(cut_find_, "cut_find");
  take(cut_number_, "cut_number");
  take(cut_write_, "cut_write");
  take(mark_leaves_, "mark_leaves");
  take(list_leaves_, "list_leaves");
  take(balls_of_points_, "balls_of_points");
  take(balls_of_children_, "balls_of_children");
}

fmm::Box TreeMaker::upload(VectorView positions, DevicePoints& points) {
  points.count = positions.size();
  points.rows.resize(3 * points.count);
  device_.upload(points.rows.memory(), 0, positions.data(), positions.size_bytes());
  const auto n = static_cast<std::int32_t>(points.count);
  const Count groups = std::min(groups_for(n, box_lanes), most_groups);
  device_.launch(*box_parts_, groups, points.rows, n, box_parts_of_groups_);
  device_.launch(*box_whole_, 1, box_parts_of_groups_, static_cast<std::int32_t>(groups), box_);
  std::array<std::uint64_t, 6> found{};
  box_.download(found);
  return {{number_of(found[0]), number_of(found[1]), number_of(found[2])},
          {number_of(~found[3]), number_of(~found[4]), number_of(~found[5])}};
}

void TreeMaker::make(const direct::Frame& frame, const fmm::Box& box, DeviceTree& tree) {
  const std::size_t count = tree.points.count;
  place_keys(frame, box, tree.points);
  sort_.run(keys_, tree.points.order, count, fmm::key_bits);
  make_cells(tree);
  tree.points.high.resize(count);
  tree.points.low.resize(count);
  device_.launch(*place_points_, groups_for(static_cast<Count>(count), place_points_->lanes()),
                 tree.points.fixed, tree.points.order, static_cast<std::int32_t>(count), tree.points.high,
                 tree.points.low);
  find_balls(tree.points, tree.cells);
}

void TreeMaker::place_keys(const direct::Frame& frame, const fmm::Box& box, DevicePoints& points) {
  const std::size_t count = points.count;
  points.fixed.resize(3 * count);
  points.order.resize(count);
  keys_.resize(count);
  const int bits = fixed_bits + exponent_of(frame.scale);
  const auto fixed = [&](double value) { return fixed_point(value, bits); };
  // Keys are floor(offset·inverse size). In units of the integers, inverse size = mantissa·2^exponent.
  const fmm::MortonFrame keys = fmm::morton_frame(box.low, box.high);
  std::int64_t mantissa = 0;
  int exponent = 0;
  if (std::isfinite(keys.inverse_size)) {
    mantissa = static_cast<std::int64_t>(std::ldexp(std::frexp(keys.inverse_size, &exponent), 53));
    exponent -= 53 + bits;
  }
  device_.launch(*place_keys_, groups_for(static_cast<Count>(count), place_keys_->lanes()), points.rows,
                 static_cast<std::int32_t>(count), static_cast<std::int32_t>(bits), fixed(frame.centre.x),
                 fixed(frame.centre.y), fixed(frame.centre.z), fixed(box.low.x), fixed(box.low.y),
                 fixed(box.low.z), mantissa, static_cast<std::int32_t>(exponent), points.fixed, keys_,
                 points.order);
}

/// Cuts the cells until there is room for all of them, and no crowd is left.
void TreeMaker::make_cells(DeviceTree& tree) {
  const std::size_t count = tree.points.count;
  generations_ = 1;
  DeviceCells& cells = tree.cells;
  capacity_ = std::max(capacity_, std::min(2 * count, count / 8 + 4096));
  for (;;) {
    const Cut found = cut(count, cells);
    if (found.overflow) {
      capacity_ *= 2;
      continue;
    }
    cells.levels = found.levels;
    cells.count = static_cast<std::size_t>(found.levels.back());
    cells.leaf_count = static_cast<std::size_t>(found.leaves);
    find_leaves(count, cells);
    if (found.crowds == 0) return;
    crowds_.give_keys(tree.points, cells, leaf_size_, generations_, keys_);
    if (++generations_ > most_generations) throw DeviceError("a device's keys do not divide its points");
  }
}

/// Cuts as many levels as the last time, and then more as long as the lowest level was not empty. The host
/// does not know the number of a level's cells until then.
TreeMaker::Cut TreeMaker::cut(std::size_t count, DeviceCells& cells) {
  const std::int32_t levels = levels_of_generation * generations_;
  const auto n = static_cast<std::int32_t>(count), capacity = static_cast<std::int32_t>(capacity_);
  cells.points.resize(capacity_);
  cells.family.resize(capacity_);
  parts_.resize(4 * (capacity_ + cut_cells));
  part_sums_.resize(capacity_ / cut_cells + 1);
  std::vector<std::int32_t> state(static_cast<std::size_t>(state_levels + levels + 2));
  state_.resize(state.size());
  device_.launch(*cut_top_, 1, keys_, n, generations_, leaf_size_, top_levels,
                 static_cast<std::int32_t>(state.size()), cells.points, cells.family, state_);
  Count most = most_below_top;  // cells of the level
  const auto generation = static_cast<std::size_t>(generations_ - 1);
  if (likely_levels_.size() <= generation) likely_levels_.resize(generation + 1);
  std::int32_t level = top_levels, next = std::clamp(likely_levels_[generation], top_levels, levels);
  for (;;) {
    for (; level < next; ++level, most = std::min<Count>(8 * most, capacity))
      cut_level(n, level, most, cells);
    state_.download(state);
    const auto end_of = [&](std::int32_t l) { return state[static_cast<std::size_t>(state_levels + l + 1)]; };
    if (level == levels || end_of(level) == end_of(level - 1)) break;
    next = std::min(level + 2, levels);
  }
  Cut found{{0}, state[0], 0, state[1] != 0};
  for (std::int32_t l = 0; l <= level; ++l) {
    const std::int32_t end = state[static_cast<std::size_t>(state_levels + l + 1)];
    if (end > found.levels.back()) found.levels.push_back(end);
  }
  found.leaves = found.levels.back() - state[2];
  likely_levels_[generation] = static_cast<std::int32_t>(found.levels.size()) - 1;
  return found;
}

void TreeMaker::cut_level(std::int32_t n, std::int32_t level, Count most, DeviceCells& cells) {
  const Count groups = std::min(groups_for(most, cut_cells), most_groups);
  device_.launch(*cut_find_, groups, keys_, n, generations_, leaf_size_, cells.points, state_, level, parts_,
                 part_sums_);
  device_.launch(*cut_number_, 1, part_sums_, state_, level, static_cast<std::int32_t>(capacity_));
  device_.launch(*cut_write_, groups, parts_, part_sums_, state_, level, cells.points, cells.family);
}

void TreeMaker::find_leaves(std::size_t count, DeviceCells& cells) {
  cells.leaves.resize(cells.leaf_count);
  leaf_of_.resize(cells.count);
  marks_.resize(count);
  marks_.fill(0);
  const auto n = static_cast<std::int32_t>(cells.count);
  const Count groups = groups_for(n, mark_leaves_->lanes());
  device_.launch(*mark_leaves_, groups, cells.points, cells.family, n, marks_);
  scan_.run(marks_, count, totals_, 0);
  device_.launch(*list_leaves_, groups, cells.points, cells.family, n, marks_, cells.leaves, leaf_of_);
}

void TreeMaker::find_balls(const DevicePoints& points, DeviceCells& cells) {
  cells.centre.resize(cells.count);
  cells.centre_low.resize(cells.count);
  boxes_.resize(6 * cells.count);
  device_.launch(*balls_of_points_, static_cast<Count>(cells.count), cells.points, cells.family, points.high,
                 points.low, boxes_, cells.centre, cells.centre_low);
  for (std::size_t l = cells.levels.size() - 1; l-- > 0;) {
    const std::int32_t begin = cells.levels[l], end = cells.levels[l + 1];
    device_.launch(*balls_of_children_, groups_for(end - begin, balls_of_children_->lanes()), cells.points,
                   cells.family, begin, end, boxes_, cells.centre, cells.centre_low);
  }
}

}  // namespace electret::gpu
