#include <algorithm>
#include <bit>
#include <cmath>

#include <electret/field/fmm/passes/charges.hpp>
#include <electret/field/fmm/tree/box.hpp>
#include <electret/field/gpu/fmm/host_lists.hpp>
#include <electret/field/gpu/fmm/host_tree.hpp>

namespace electret::gpu {
namespace {

/// value·2^bits, rounded to an integer, modulo 2⁶⁴.
std::uint64_t integer(double value, int bits) {
  int exponent = 0;
  constexpr int digits = 53;
  const double mantissa = std::frexp(value, &exponent);
  const auto whole = static_cast<std::int64_t>(std::ldexp(mantissa, digits));
  const int shift = exponent - digits + bits;
  if (shift >= 64) return 0;
  if (shift >= 0) return static_cast<std::uint64_t>(whole) << shift;
  if (shift < -digits - 1) return 0;
  // Rounds to the nearest; a tie away from 0.
  const std::int64_t size = whole < 0 ? -whole : whole;
  const std::int64_t rounded = (size + (std::int64_t{1} << (-shift - 1))) >> -shift;
  return static_cast<std::uint64_t>(whole < 0 ? -rounded : rounded);
}

struct Parts {
  float high[3], low[3];
};
/// A point of the frame as float32 and what that rounding lost.
Parts parts_of(const std::int64_t fixed[3]) {
  Parts parts;
  for (int axis = 0; axis < 3; ++axis) {
    // The conversion to float32 would otherwise round twice.
    const float high = std::ldexp(static_cast<float>(fixed[axis]), -fixed_bits);
    const auto whole = static_cast<std::int64_t>(std::ldexp(static_cast<double>(high), fixed_bits));
    parts.high[axis] = high;
    parts.low[axis] = std::ldexp(static_cast<float>(fixed[axis] - whole), -fixed_bits);
  }
  return parts;
}

/// A tree on the host, and what is uploaded of it.
struct HostTree {
  fmm::Tree tree;
  fmm::PlacedPoints<float> placed;
  LevelOrder order;
  std::vector<Float4> high, low;
  std::vector<std::int64_t> fixed;
  std::vector<std::uint64_t> rows;

  void place(VectorView points, const direct::Frame& frame, const fmm::Box& box, Index leaf_size,
             Threads& threads) {
    tree.build(points, frame.scale, box, leaf_size, threads);
    placed.assign(tree, frame.scale * frame.centre, threads);
    order.assign(tree);
    fixed.resize(3 * points.size());
    rows.resize(3 * points.size());
    for (std::size_t i = 0; i < points.size(); ++i)
      for (std::size_t axis = 0; axis < 3; ++axis) {
        const double value = points[i][static_cast<int>(axis)];
        fixed[3 * i + axis] = fixed_point(value, frame.centre[static_cast<int>(axis)], frame.scale);
        rows[3 * i + axis] = std::bit_cast<std::uint64_t>(value);
      }
  }
  void upload(DevicePoints& to);
  void upload(DeviceCells& to);
};

void HostTree::upload(DevicePoints& to) {
  const std::vector<Index>& order_of_points = tree.order();
  high.resize(order_of_points.size());
  low.resize(order_of_points.size());
  for (std::size_t i = 0; i < high.size(); ++i) {
    const Parts p = parts_of(&fixed[3 * static_cast<std::size_t>(order_of_points[i])]);
    high[i] = {p.high[0], p.high[1], p.high[2], 0.0F};
    low[i] = {p.low[0], p.low[1], p.low[2], 0.0F};
  }
  to.count = high.size();
  to.high.assign(high);
  to.low.assign(low);
  to.order.assign(order_of_points);
  to.fixed.assign(fixed);
  to.rows.assign(rows);
}

void HostTree::upload(DeviceCells& to) {
  const std::size_t n = order.cells.size();
  std::vector<Int2> points(n);
  std::vector<Int4> family(n);
  high.resize(n), low.resize(n);
  std::int32_t level = 0;
  for (std::size_t k = 0; k < n; ++k) {
    if (static_cast<std::int32_t>(k) == order.levels[static_cast<std::size_t>(level) + 1]) ++level;
    const fmm::Cell& cell = tree.cell(order.cells[k]);
    const fmm::CellFrame<float>& frame = placed.frame(order.cells[k]);
    const auto place = [&](Index c) { return c < 0 ? c : order.places[static_cast<std::size_t>(c)]; };
    points[k] = {cell.begin, cell.end};
    family[k] = {cell.is_leaf() ? 0 : place(cell.first_child), cell.child_count, place(cell.parent), level};
    high[k] = {frame.centre[0], frame.centre[1], frame.centre[2], frame.scale};
    low[k] = {frame.centre_low[0], frame.centre_low[1], frame.centre_low[2], static_cast<float>(cell.radius)};
  }
  to.count = n;
  to.points.assign(points);
  to.family.assign(family);
  to.centre.assign(high);
  to.centre_low.assign(low);
  to.leaf_count = order.leaves.size();
  to.leaves.assign(order.leaves);
  to.levels = order.levels;
}

class HostInteractions final : public Interactions {
 public:
  HostInteractions(Device& device, const TreeSettings& settings, Threads& threads)
      : settings_(settings),
        threads_(threads),
        maker_(settings.plan, settings.pairs_worth),
        device_sources_(device),
        device_targets_(device),
        lists_(device) {}

  void place(VectorView points) override {
    own_ = true;
    place_all(points, points);
  }
  void place(VectorView sources, VectorView targets) override {
    own_ = false;
    place_all(sources, targets);
  }
  [[nodiscard]] const direct::Frame& frame() const override { return frame_; }
  [[nodiscard]] DeviceTree& sources() override { return device_sources_; }
  [[nodiscard]] DeviceTree& targets() override { return own_ ? device_sources_ : device_targets_; }
  [[nodiscard]] const DeviceLists& lists() const override { return lists_; }

 private:
  void place_all(VectorView sources, VectorView targets);
  void place_one(HostTree& tree, DeviceTree& to, VectorView points, const fmm::Box& box);
  void make_lists();

  TreeSettings settings_;
  Threads& threads_;
  ListMaker maker_;
  direct::Frame frame_;
  bool own_ = true;
  HostTree sources_, targets_;
  HostLists found_;
  DeviceTree device_sources_, device_targets_;
  DeviceLists lists_;
};

void HostInteractions::place_all(VectorView sources, VectorView targets) {
  const fmm::Box own = fmm::bounds(sources, threads_);
  const fmm::Box others = own_ ? own : fmm::bounds(targets, threads_);
  const fmm::Box all = fmm::united(own, others);
  frame_ = direct::frame_of(all.low, all.high, settings_.softening);
  place_one(sources_, device_sources_, sources, own);
  if (!own_) place_one(targets_, device_targets_, targets, others);
  make_lists();
}

void HostInteractions::place_one(HostTree& tree, DeviceTree& to, VectorView points, const fmm::Box& box) {
  tree.place(points, frame_, box, settings_.plan.leaf_size, threads_);
  tree.upload(to.points);
  tree.upload(to.cells);
}

void HostInteractions::make_lists() {
  const HostTree& at = own_ ? sources_ : targets_;
  const double closest = std::max(closest_far, frame_.scale * settings_.closest_harmonic);
  maker_.make(at.tree, at.order, sources_.tree, sources_.order, closest, found_);
  std::vector<Int2> far;
  lists_.far_begin.fill(0);
  for (std::size_t p = 0; p <= fmm::max_order; ++p) {
    far.insert(far.end(), found_.far[p].begin(), found_.far[p].end());
    lists_.far_begin[p + 1] = static_cast<std::int32_t>(far.size());
  }
  std::fill(lists_.far_begin.begin() + fmm::max_order + 1, lists_.far_begin.end(),
            static_cast<std::int32_t>(far.size()));
  lists_.far.assign(far);
  lists_.set_one_batch(at.order.cells.size());
  lists_.far_start.assign(found_.far_start);
  lists_.near_begin.assign(found_.near_begin);
  lists_.near.assign(found_.near);
}

}  // namespace

std::int64_t fixed_point(double value, double centre, double scale) {
  int exponent = 0;
  std::frexp(scale, &exponent);
  const int bits = fixed_bits + exponent - 1;
  return static_cast<std::int64_t>(integer(value, bits) - integer(centre, bits));
}

std::unique_ptr<Interactions> make_host_interactions(Device& device, const TreeSettings& settings,
                                                     Threads& threads) {
  return std::make_unique<HostInteractions>(device, settings, threads);
}

}  // namespace electret::gpu
