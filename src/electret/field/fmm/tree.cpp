#include <algorithm>
#include <cmath>
#include <utility>

#include <electret/field/fmm/small_ball.hpp>
#include <electret/field/fmm/tree.hpp>

namespace electret::fmm {
namespace {

constexpr Count chunk_size = Count{1} << 14;
/// How many points early memory is asked for a point in the caller's order.
constexpr std::size_t ahead = 24;
/// Points a task may hold: larger tasks have less to do with each other, in time and in memory, but all
/// threads are to have some, and equally much.
Index most_of_task(Index points) {
  constexpr Index least = 256, enough = 4096, tasks_wanted = 16, tasks_enough = 64;
  return std::clamp(points / tasks_wanted, least, std::max(enough, points / tasks_enough));
}

/// Points of a cell up to which all of them are looked at for its ball: leaves and most of their parents.
/// More gains nothing.
constexpr Index most_for_small_ball = 512;

Box box_of(VectorView points) {
  Box box{points[0], points[0]};
  for (const Vec3& p : points) box = united(box, {p, p});
  return box;
}

}  // namespace

Box bounds(VectorView points, Threads& threads) {
  if (points.empty()) return {};
  Box boxes[64];
  const auto n = static_cast<Count>(points.size());
  const Count chunk = std::max(chunk_size, (n + 63) / 64);
  threads.for_chunks(n, chunk, [&](Count begin, Count end) {
    boxes[begin / chunk] =
        box_of(points.subspan(static_cast<std::size_t>(begin), static_cast<std::size_t>(end - begin)));
  });
  Box all = boxes[0];
  for (Count k = 1; k * chunk < n; ++k) all = united(all, boxes[k]);
  return all;
}

Box united(const Box& a, const Box& b) {
  return {{std::min(a.low.x, b.low.x), std::min(a.low.y, b.low.y), std::min(a.low.z, b.low.z)},
          {std::max(a.high.x, b.high.x), std::max(a.high.y, b.high.y), std::max(a.high.z, b.high.z)}};
}

void Tree::build(VectorView points, double scale, const Box& box, Index leaf_size, Threads& threads) {
  const std::size_t n = points.size();
  points_.resize(n);
  order_.resize(n);
  keys_.resize(n);
  cells_.clear();
  bits_.clear();
  families_.clear();
  if (n > 0) {
    const MortonFrame frame = morton_frame(box.low, box.high);
    const bool apart = std::isfinite(frame.inverse_size);
    const auto& entries = morton_.sort(points, apart ? frame : MortonFrame{box.low, 0.0}, threads);
    threads.for_chunks(static_cast<Count>(n), chunk_size, [&](Count begin, Count end) {
      for (auto i = static_cast<std::size_t>(begin); i < static_cast<std::size_t>(end); ++i) {
        if (i + ahead < n) __builtin_prefetch(&points[entries[i + ahead] & 0xFFFFFFFFU]);
        order_[i] = static_cast<Index>(entries[i] & 0xFFFFFFFFU);
        keys_[i] = static_cast<std::uint32_t>(entries[i] >> 32);
        points_[i] = scale * points[static_cast<std::size_t>(order_[i])];
      }
    });
    Cell root;
    root.end = static_cast<Index>(n);
    cells_.push_back(root);
    bits_.push_back(apart ? key_bits : 0);
    for (Index c = 0; c < static_cast<Index>(cells_.size()); ++c) split(c, leaf_size);
  }
  find_tasks();
  find_balls(threads);
}

void Tree::move_points(VectorView points, double scale) {
  for (std::size_t i = 0; i < points_.size(); ++i)
    points_[i] = scale * points[static_cast<std::size_t>(order_[i])];
}

void Tree::split(Index c, Index leaf_size) {
  const Cell cell = cells_[static_cast<std::size_t>(c)];
  if (cell.count() <= leaf_size) return;
  int bits = bits_[static_cast<std::size_t>(c)];
  // A crowd in one cell of the keys: all bits of its keys that are left agree.
  const auto key = [&](Index i) { return keys_[static_cast<std::size_t>(i)]; };
  if (bits == 0 || key(cell.begin) == key(cell.end - 1)) {
    if (!give_own_keys(cell.begin, cell.end)) return;
    bits = key_bits;
  }
  const auto first = static_cast<Index>(cells_.size());
  cut(cell.begin, cell.end, bits, 0, leaf_size, c);
  cells_[static_cast<std::size_t>(c)].first_child = first;
  cells_[static_cast<std::size_t>(c)].child_count = static_cast<Index>(cells_.size()) - first;
  cells_[static_cast<std::size_t>(c)].family = static_cast<Index>(families_.size());
  families_.emplace_back();
}

/// Appends what [begin, end) is cut into. Bits that cut nothing are passed over.
void Tree::cut(Index begin, Index end, int bits, int depth, Index leaf_size, Index parent) {
  const auto at = [&](Index i) { return keys_.begin() + i; };
  while (depth < 3 && bits > 0 && (depth == 0 || end - begin > leaf_size)) {
    const std::uint32_t bit = 1U << (bits - 1);
    --bits;
    const auto middle = static_cast<Index>(
        std::partition_point(at(begin), at(end), [bit](std::uint32_t k) { return (k & bit) == 0; }) -
        keys_.begin());
    if (middle == begin || middle == end) continue;
    cut(begin, middle, bits, depth + 1, leaf_size, parent);
    return cut(middle, end, bits, depth + 1, leaf_size, parent);
  }
  Cell child;
  child.begin = begin, child.end = end, child.parent = parent;
  cells_.push_back(child);
  bits_.push_back(bits);
}

/// Sorts the points by keys in their own box. False where they are all at one place.
bool Tree::give_own_keys(Index begin, Index end) {
  const auto b = static_cast<std::size_t>(begin), n = static_cast<std::size_t>(end - begin);
  const Box box = box_of(VectorView(points_).subspan(b, n));
  const MortonFrame frame = morton_frame(box.low, box.high);
  if (!std::isfinite(frame.inverse_size)) return false;
  auto& entries = crowd_;
  entries.resize(n);
  for (std::size_t i = 0; i < n; ++i) {
    const auto number = static_cast<std::uint64_t>(order_[b + i]);
    entries[i] = {std::uint64_t{frame.key(points_[b + i])} << 32 | number, points_[b + i]};
  }
  std::sort(entries.begin(), entries.end(), [](const auto& l, const auto& r) { return l.first < r.first; });
  for (std::size_t i = 0; i < n; ++i) {
    order_[b + i] = static_cast<Index>(entries[i].first & 0xFFFFFFFFU);
    keys_[b + i] = static_cast<std::uint32_t>(entries[i].first >> 32);
    points_[b + i] = entries[i].second;
  }
  return keys_[b] != keys_[b + n - 1];
}

/// A cell's tight box and ball; its children have theirs. A small ball where the points are not too many;
/// for larger cells, about the middle of the box, the smaller of what holds the children's and the box.
void Tree::find_ball(Index c) {
  Cell& cell = cells_[static_cast<std::size_t>(c)];
  Box& box = boxes_[static_cast<std::size_t>(c)];
  const auto first = static_cast<std::size_t>(cell.first_child);
  const std::size_t last = first + static_cast<std::size_t>(cell.child_count);
  box = cell.is_leaf() ? box_of(points_of(cell)) : boxes_[first];
  for (std::size_t k = first; k < last; ++k) {
    box = united(box, boxes_[k]);
    put_ball(cells_[k], static_cast<int>(k - first), families_[static_cast<std::size_t>(cell.family)]);
  }
  const Vec3 middle = box.low + 0.5 * (box.high - box.low);
  if (cell.is_leaf() || cell.count() <= most_for_small_ball) {
    const Ball ball = small_ball(points_of(cell), middle);
    cell.centre = ball.centre, cell.radius = ball.radius;
    // No child may seem larger, or the walk would cut another one of the two seen from the other side.
    for (std::size_t k = first; k < last; ++k) cell.radius = std::max(cell.radius, cells_[k].radius);
    return;
  }
  double reach = 0.0;
  for (std::size_t k = first; k < last; ++k)
    reach = std::max(reach, norm(cells_[k].centre - middle) + cells_[k].radius);
  cell.centre = middle;
  cell.radius = std::min(reach, 0.5 * norm(box.high - box.low));
}

/// From the leaves up, a task's cells while their points are at hand.
void Tree::find_balls(Threads& threads) {
  boxes_.resize(cells_.size());
  threads.for_chunks(static_cast<Count>(task_count_), 1, [&](Count t, Count) {
    const auto& levels = subtrees_[static_cast<std::size_t>(t)].levels;
    for (auto level = levels.rbegin(); level != levels.rend(); ++level)
      for (Index c = level->first; c < level->second; ++c) find_ball(c);
  });
  for (auto upper = upper_.rbegin(); upper != upper_.rend(); ++upper) find_ball(upper->cell);
}

void Tree::find_tasks() {
  upper_.clear();
  task_count_ = 0;
  if (cells_.empty()) return;
  const Cell& root = cells_[0];
  const Index most = most_of_task(root.count());
  if (root.is_leaf() || root.count() <= most)
    add_task(0, 1, -1);
  else
    upper_.push_back({});
  for (std::size_t k = 0; k < upper_.size(); ++k) share_out(static_cast<Index>(k), most);
}

/// Makes tasks of up to `most` points of a cell's children; larger ones come above tasks of their own.
void Tree::share_out(Index upper, Index most) {
  const Cell& cell = cells_[static_cast<std::size_t>(upper_[static_cast<std::size_t>(upper)].cell)];
  const Index last = cell.first_child + cell.child_count;
  Index first = cell.first_child, points = 0;
  for (Index c = first; c < last; ++c) {
    const Cell& child = cells_[static_cast<std::size_t>(c)];
    const bool apart = !child.is_leaf() && child.count() > most;
    if (first < c && (apart || points + child.count() > most)) {
      add_task(first, c, upper);
      first = c, points = 0;
    }
    points += child.count();
    if (!apart) continue;
    upper_.push_back({c, upper});
    first = c + 1, points = 0;
  }
  if (first < last) add_task(first, last, upper);
}

void Tree::add_task(Index first, Index last, Index above) {
  if (subtrees_.size() == task_count_) subtrees_.emplace_back();
  Subtree& task = subtrees_[task_count_++];
  task.begin = cells_[static_cast<std::size_t>(first)].begin;
  task.end = cells_[static_cast<std::size_t>(last - 1)].end;
  task.above = above;
  task.levels.assign(1, {first, last});
  for (;;) {
    const auto [begin, end] = task.levels.back();
    first = last = 0;
    for (Index c = begin; c < end; ++c) {
      const Cell& cell = cells_[static_cast<std::size_t>(c)];
      if (cell.is_leaf()) continue;
      if (last == 0) first = cell.first_child;
      last = cell.first_child + cell.child_count;
    }
    if (last == 0) return;
    task.levels.emplace_back(first, last);
  }
}

}  // namespace electret::fmm
