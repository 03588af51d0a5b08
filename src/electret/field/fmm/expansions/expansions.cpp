#include <algorithm>

#include <electret/field/fmm/expansions/expansions.hpp>
#include <electret/field/fmm/expansions/taylor.hpp>
#include <electret/field/fmm/passes/moved.hpp>

namespace electret::fmm {
namespace {

/// P2M adds the terms of at most this many points one after another. Ordinary leaves have fewer. More of them
/// are all at one place, so that their terms may be equal, and the errors of adding them up are not
/// independent.
constexpr int points_at_once = 128;
/// Room for the numbers of one expansion, with padding.
constexpr int most_numbers = std::max(coefficients(max_order), powers(max_taylor_order)) + max_lanes;

/// P2M of a leaf of many points, in blocks.
template <class T>
void find_moments_in_blocks(const MomentTask<T>& task, const SeriesKernels<T>& kernels,
                            std::int64_t numbers) {
  double totals[2][most_numbers] = {};
  T* const moments[2] = {task.moments, task.dipole_moments};
  MomentTask<T> block = task;
  for (int first = 0; first < task.leaf.count; first += points_at_once) {
    block.leaf.count = std::min(points_at_once, task.leaf.count - first);
    block.leaf.points = moved(task.leaf.points, first);
    block.charges = task.charges + first;
    block.dipoles = moved(task.dipoles, first);
    kernels.p2m(block);
    for (int set = 0; set < 2 && moments[set]; ++set)
      for (std::int64_t k = 0; k < numbers; ++k) totals[set][k] += static_cast<double>(moments[set][k]);
  }
  for (int set = 0; set < 2 && moments[set]; ++set)
    for (std::int64_t k = 0; k < numbers; ++k) moments[set][k] = static_cast<T>(totals[set][k]);
}

template <class T>
void find_leaf_moments(const Sources<T>& sources, const SeriesKernels<T>& kernels, Index c,
                       Expansions<T>& moments) {
  const auto begin = static_cast<std::size_t>(sources.points->tree().cell(c).begin);
  MomentTask<T> task;
  task.leaf = sources.points->leaf(c);
  task.order = moments.order();
  task.charges = sources.charges->data() + begin;
  if (sources.dipoles) task.dipoles = view(*sources.dipoles, begin);
  task.moments = moments.of(c);
  task.dipole_moments = sources.dipoles ? moments.of(c, 1) : nullptr;
  if (task.leaf.count <= points_at_once)
    kernels.p2m(task);
  else
    find_moments_in_blocks(task, kernels, moments.stride());
}

/// M2M: adds the moments of a cell's children to the cell.
template <class T>
void gather_children(const PlacedPoints<T>& points, Index c, Expansions<T>& moments, ShiftQueue<T>& queue) {
  const Cell& cell = points.tree().cell(c);
  for (Index k = cell.first_child; k < cell.first_child + cell.child_count; ++k)
    queue.add(moments.of(k), moments.of(c), points.frame(k), points.frame(c));
}

}  // namespace

template <class T>
void find_moments(const Sources<T>& sources, const SeriesKernels<T>& kernels, int width, Threads& threads,
                  Expansions<T>& moments) {
  const PlacedPoints<T>& points = *sources.points;
  const Tree& tree = points.tree();
  const auto tasks = static_cast<Count>(tree.subtrees().size());
  threads.for_chunks(tasks, 1, [&](Count t, Count) {
    const Subtree& subtree = tree.subtrees()[static_cast<std::size_t>(t)];
    ShiftQueue<T> queue(kernels.m2m, width, moments);
    for (auto level = subtree.levels.rbegin(); level != subtree.levels.rend(); ++level) {
      for (Index c = level->first; c < level->second; ++c) {
        if (tree.cell(c).is_leaf()) {
          find_leaf_moments(sources, kernels, c, moments);
        } else {
          moments.clear(c);
          gather_children(points, c, moments, queue);
        }
      }
      queue.flush();
    }
  });
  ShiftQueue<T> queue(kernels.m2m, width, moments);
  for (auto u = tree.upper().rbegin(); u != tree.upper().rend(); ++u) {
    moments.clear(u->cell);
    gather_children(points, u->cell, moments, queue);
    queue.flush();
  }
}

template void find_moments(const Sources<float>&, const SeriesKernels<float>&, int, Threads&,
                           Expansions<float>&);
template void find_moments(const Sources<double>&, const SeriesKernels<double>&, int, Threads&,
                           Expansions<double>&);

}  // namespace electret::fmm
