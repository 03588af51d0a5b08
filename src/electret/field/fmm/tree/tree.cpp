#include <algorithm>
#include <cmath>
#include <utility>

#include <electret/core/vertex_loops.hpp>
#include <electret/field/fmm/tree/small_ball.hpp>
#include <electret/field/fmm/tree/tree.hpp>

namespace electret::fmm {
namespace {

constexpr Count chunk_size = Count{1} << 14;
/// The memory of a point in the caller's order is prefetched this many points ahead.
constexpr std::size_t ahead = 24;
/// The largest number of points per task. Larger tasks share less time and memory with one another. However,
/// all threads must get tasks, and of about equal size.
Index most_of_task(Index points) {
  constexpr Index least = 256, enough = 4096, tasks_wanted = 16, tasks_enough = 64;
  return std::clamp(points / tasks_wanted, least, std::max(enough, points / tasks_enough));
}

/// The largest number of points for which a cell's ball is computed from all points. This includes leaves and
/// most of their parents. A larger limit gains nothing.
constexpr Index most_for_small_ball = 512;

}  // namespace

void Tree::build(VectorView points, double scale, const Box& box, Index leaf_size, Threads& threads) {
  cells_.clear();
  families_.clear();
  upper_.clear();
  task_count_ = 0;
  const MortonFrame frame = morton_frame(box.low, box.high);
  const bool apart = std::isfinite(frame.inverse_size);
  sort(points, scale, apart ? frame : MortonFrame{box.low, 0.0}, threads);
  if (points.empty()) return;
  cut(apart ? key_bits : 0, leaf_size, threads);
  find_balls(threads);
}

void Tree::sort(VectorView points, double scale, const MortonFrame& frame, Threads& threads) {
  const std::size_t n = points.size();
  points_.resize(n);
  order_.resize(n);
  keys_.resize(n);
  if (n == 0) return;
  const auto& entries = morton_.sort(points, frame, threads);
  const auto take = [&](std::size_t i) {
    if (i + ahead < n) __builtin_prefetch(&points[entries[i + ahead] & 0xFFFFFFFFU]);
    order_[i] = static_cast<Index>(entries[i] & 0xFFFFFFFFU);
    keys_[i] = static_cast<std::uint32_t>(entries[i] >> 32);
    points_[i] = scale * points[static_cast<std::size_t>(order_[i])];
  };
  for_vertices(threads, n, take, chunk_size);
}

/// Cuts cells until each part is small enough for a task. The tasks then cut their own cells at the same
/// time. The resulting cells do not depend on this division.
void Tree::cut(int bits, Index leaf_size, Threads& threads) {
  const CellCutter cutter(points_, order_, keys_, leaf_size);
  Cell root;
  root.end = static_cast<Index>(points_.size());
  const Index most = most_of_task(root.count());
  top_.clear();
  top_.add(root, bits);
  for (Index c = 0; c < static_cast<Index>(top_.cells.size()); ++c)
    if (top_.cells[static_cast<std::size_t>(c)].count() > most) cutter.split(c, top_);
  cells_ = top_.cells;
  find_tasks(most);
  if (pieces_.size() < task_count_) pieces_.resize(task_count_);
  const auto tasks = static_cast<Count>(task_count_);
  threads.for_chunks(tasks, 1, [&](Count t, Count) {
    const auto k = static_cast<std::size_t>(t);
    cut_below(subtrees_[k], top_, cutter, pieces_[k]);
  });
  Index count = static_cast<Index>(cells_.size()), families = top_.families;
  for (std::size_t t = 0; t < task_count_; ++t) {
    Piece& piece = pieces_[t];
    piece.first = count, piece.family = families;
    count += static_cast<Index>(piece.list.cells.size()) - piece.level_ends[0];
    families += piece.list.families;
  }
  cells_.resize(static_cast<std::size_t>(count));
  families_.resize(static_cast<std::size_t>(families));
  threads.for_chunks(tasks, 1, [&](Count t, Count) {
    const auto k = static_cast<std::size_t>(t);
    place(subtrees_[k], pieces_[k]);
  });
}

void Tree::cut_below(const Subtree& task, const CellList& top, const CellCutter& cutter, Piece& piece) {
  CellList& list = piece.list;
  list.clear();
  const auto [first, last] = task.levels[0];
  for (auto c = static_cast<std::size_t>(first); c < static_cast<std::size_t>(last); ++c)
    list.add(top.cells[c], top.bits[c]);
  piece.level_ends.assign(1, last - first);
  for (Index c = 0; c < static_cast<Index>(list.cells.size()); ++c) {
    if (c == piece.level_ends.back()) piece.level_ends.push_back(static_cast<Index>(list.cells.size()));
    cutter.split(c, list);
  }
}

/// Copies a task's cells into the tree.
void Tree::place(Subtree& task, const Piece& piece) {
  const Index roots = piece.level_ends[0], first_root = task.levels[0].first;
  const auto number = [&](Index c) { return c < roots ? first_root + c : piece.first + c - roots; };
  const auto count = static_cast<Index>(piece.list.cells.size());
  for (Index c = 0; c < count; ++c) {
    Cell cell = piece.list.cells[static_cast<std::size_t>(c)];
    if (!cell.is_leaf()) cell.first_child = number(cell.first_child), cell.family += piece.family;
    if (c >= roots) cell.parent = number(cell.parent);
    cells_[static_cast<std::size_t>(number(c))] = cell;
  }
  for (std::size_t l = 1; l < piece.level_ends.size(); ++l)
    task.levels.emplace_back(number(piece.level_ends[l - 1]), number(piece.level_ends[l] - 1) + 1);
}

void Tree::move_points(VectorView points, double scale) {
  for (std::size_t i = 0; i < points_.size(); ++i)
    points_[i] = scale * points[static_cast<std::size_t>(order_[i])];
}

/// Finds a cell's bounding box and its ball, after those of its children. If the cell has few points, the
/// ball is nearly the smallest possible. Otherwise the ball's centre is the middle of the box, and its radius
/// is the smaller of two: one that covers the children's balls, and one that covers the box.
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
    // No child may have a larger radius than its parent. Otherwise the traversal could cut different cells of
    // a pair in its two directions.
    for (std::size_t k = first; k < last; ++k) cell.radius = std::max(cell.radius, cells_[k].radius);
    return;
  }
  double reach = 0.0;
  for (std::size_t k = first; k < last; ++k)
    reach = std::max(reach, norm(cells_[k].centre - middle) + cells_[k].radius);
  cell.centre = middle;
  cell.radius = std::min(reach, 0.5 * norm(box.high - box.low));
}

/// Works from the leaves up. Each task finds its own cells' balls while their points are in the cache.
void Tree::find_balls(Threads& threads) {
  boxes_.resize(cells_.size());
  threads.for_chunks(static_cast<Count>(task_count_), 1, [&](Count t, Count) {
    const auto& levels = subtrees_[static_cast<std::size_t>(t)].levels;
    for (auto level = levels.rbegin(); level != levels.rend(); ++level)
      for (Index c = level->first; c < level->second; ++c) find_ball(c);
  });
  for (auto upper = upper_.rbegin(); upper != upper_.rend(); ++upper) find_ball(upper->cell);
}

/// Divides the cells above all tasks. None of them is a leaf, except where many points are at one place.
void Tree::find_tasks(Index most) {
  const Cell& root = cells_[0];
  if (root.is_leaf())
    add_task(0, 1, -1);
  else
    upper_.push_back({});
  for (std::size_t k = 0; k < upper_.size(); ++k) share_out(static_cast<Index>(k), most);
}

/// Groups a cell's children into tasks of at most `most` points. A larger child that is no leaf is divided
/// further.
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
}

}  // namespace electret::fmm
