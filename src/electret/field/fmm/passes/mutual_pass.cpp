#include <algorithm>
#include <cmath>
#include <utility>

#include <electret/field/fmm/passes/moved.hpp>
#include <electret/field/fmm/passes/mutual_pass.hpp>

namespace electret::fmm {
namespace {

/// Ordinary leaves have at most this many points. Their terms differ, and the errors of adding them up are
/// independent.
constexpr int most_rows = 128;
/// The number of points of a larger leaf whose terms a column adds one after another. The points are all at
/// one place, so that their terms may be equal, and the errors of adding n of them are about 8e-9 n of the
/// sum.
constexpr int rows_at_once = 32;

/// Calls what(a's, b's) for every requested sum.
template <class T, class What>
void each_sum(const LeafSums<T>& a, const LeafSums<double>& b, What what) {
  for (int axis = 0; axis < 3; ++axis) {
    what(a.field[axis], b.field[axis]);
    if (a.product[axis]) what(a.product[axis], b.product[axis]);
  }
  if (a.potential) what(a.potential, b.potential);
  if (a.charge_product) what(a.charge_product, b.charge_product);
}

}  // namespace

/// The leaf's number among the task's later leaves.
template <class T>
std::size_t MutualPass<T>::later_number(const NearRange& range, Workspace<T>& work, TaskSums<T>& sums) {
  LaterPlace& place = work.later_places[static_cast<std::size_t>(range.leaf)];
  if (place.stamp != work.stamp) place = {work.stamp, sums.add_later(range.leaf, range.end - range.begin)};
  return place.number;
}

/// Adds the columns from `at` to the sums of their leaves. They belong to the part's ranges, one after
/// another.
template <class T>
void MutualPass<T>::spread_columns(const NearPart& part, std::size_t at, Workspace<T>& work,
                                   TaskSums<T>& sums) const {
  for (std::size_t r = part.first; r < part.last;) {
    const NearRange& range = work.ranges[r];
    const bool own = sums.owns(range.begin);
    Index end = range.end;
    // Siblings are mostly neighbours in memory.
    while (++r < part.last && work.ranges[r].begin == end && sums.owns(end)) end = work.ranges[r].end;
    const Index count = end - range.begin;
    in_.kernels.mutual.add_columns(
        sums_from(work.columns, at, in_.targets.potential, in_.products()), count,
        own ? sums.of_own(range.begin) : sums.of_later(later_number(range, work, sums)));
    at += static_cast<std::size_t>(count);
  }
}

/// Sums a leaf of many points, which are all at one place, in blocks. A column would otherwise add many terms
/// one after another, and each addition to a large sum rounds. Returns the smallest ρ².
template <class T>
T MutualPass<T>::sum_blocks(const NearTask<T>& task, Kernel kernel, Workspace<T>& work) const {
  NearTask<T> own = task;
  own.source_count = task.own;
  T closest = kernel(own);
  const int sources = task.source_count - task.own;
  const LeafSums<double> totals =
      cleared_sums(sources, in_.targets.potential, in_.products(), work.column_totals);
  NearTask<T> block = task;
  block.own = 0, block.source_count = sources;
  block.sources = moved(task.sources, task.own), block.u = moved(task.u, task.own);
  block.charges += task.own;
  block.columns =
      sums_from(work.columns, static_cast<std::size_t>(task.own), in_.targets.potential, in_.products());
  for (int first = 0; first < task.count; first += rows_at_once) {
    block.count = std::min(rows_at_once, task.count - first);
    block.targets = moved(task.targets, first), block.z = moved(task.z, first);
    block.target_charges = task.target_charges + first;
    block.sums = sums_from(work.sums, static_cast<std::size_t>(first), in_.targets.potential, in_.products());
    closest = std::min(closest, kernel(block));
    each_sum(block.columns, totals, [&](T* column, double* total) {
      for (int k = 0; k < sources; ++k) total[k] += static_cast<double>(std::exchange(column[k], T{0}));
    });
  }
  each_sum(block.columns, totals, [&](T* column, const double* total) {
    for (int k = 0; k < sources; ++k) column[k] = static_cast<T>(total[k]);
  });
  return closest;
}

template <class T>
bool MutualPass<T>::add_part(Index leaf, const NearPart& part, Kernel kernel, double least,
                             Workspace<T>& work, NearTask<T>& task, TaskSums<T>& sums) const {
  in_.near.gather(leaf, part, work, task);
  task.columns = in_.cleared(task.source_count, work.columns);
  const T closest = task.count <= most_rows ? kernel(task) : sum_blocks(task, kernel, work);
  // If the rows are finite and no pair is too close (float32) or at distance 0 (float64), the columns are
  // finite too.
  if (least > 0.0 && !(closest >= static_cast<T>(least) && all_finite(task.sums, task.count))) {
    task.sums = in_.cleared(task.count, work.sums);
    return false;
  }
  spread_columns(part, static_cast<std::size_t>(task.own), work, sums);
  return true;
}

/// Sums every pair in both directions, one by one.
template <class T>
Count MutualPass<T>::add_exactly(Index leaf, const NearPart& part, Workspace<T>& work,
                                 TaskSums<T>& sums) const {
  const Cell& cell = in_.tree().cell(leaf);
  Count coincident = 0;
  const auto add = [&](Index begin, Index end, Index first, Index last, PointSums* at) {
    for (Index i = first; i < last; ++i)
      coincident += in_.exact_pairs.add(begin, end, static_cast<std::size_t>(i), *at++);
  };
  add(cell.begin, cell.end, cell.begin, cell.end, sums.exact_of_own(cell.begin));
  for (std::size_t r = part.first; r < part.last; ++r) {
    const NearRange& range = work.ranges[r];
    add(range.begin, range.end, cell.begin, cell.end, sums.exact_of_own(cell.begin));
    add(cell.begin, cell.end, range.begin, range.end,
        sums.owns(range.begin) ? sums.exact_of_own(range.begin)
                               : sums.exact_of_later(later_number(range, work, sums)));
  }
  return coincident;
}

/// Sums the near sources by the cheapest arithmetic that is accurate for this leaf.
template <class T>
Count MutualPass<T>::add_near(const NearList& list, Workspace<T>& work, NearTask<T>& task,
                              TaskSums<T>& sums) const {
  const int with_potential = in_.targets.potential ? 1 : 0;
  const MutualKernels<T>& kernels = in_.kernels.mutual;
  NearPart rest{list.first, list.last, true, false};
  if (sizeof(T) == sizeof(float) && !in_.products()) {
    const Kernel plain = (in_.settings.estimate ? kernels.estimated : kernels.plain)[with_potential];
    const double reach = reach_of(list, in_.tree(), work);
    const double least = least_for_plain(in_.settings, reach);
    if (std::isfinite(least) &&
        add_part(list.leaf, {list.first, list.last, true, true}, plain, least, work, task, sums))
      return 0;
    rest.first = put_apart_first(list, reach, in_.settings, work);
  }
  Count coincident = 0;
  // Comes before the other part: if a pair is too close, it clears the leaf's sums.
  const double least = sizeof(T) == sizeof(float) ? double{closest_for_compensated} : 0.5;
  const Kernel near = (in_.products() ? kernels.products : kernels.near)[with_potential];
  if (!add_part(list.leaf, rest, near, least, work, task, sums))
    coincident = add_exactly(list.leaf, rest, work, sums);
  if (rest.first > list.first)
    add_part(list.leaf, {list.first, rest.first, false, true}, kernels.plain[with_potential], 0.0, work, task,
             sums);
  return coincident;
}

template <class T>
Count MutualPass<T>::sum(const NearList& list, Workspace<T>& work, TaskSums<T>& sums) const {
  const Cell& leaf = in_.tree().cell(list.leaf);
  NearTask<T> task = in_.near_task(list.leaf, work);
  task.target_charges = in_.sources.charges->data() + leaf.begin;
  const Count coincident = add_near(list, work, task, sums);
  add_locals(in_.targets, list.leaf, in_.series, task.sums);
  in_.kernels.mutual.add(task.sums, task.count, sums.of_own(leaf.begin));
  return coincident;
}

template class MutualPass<float>;
template class MutualPass<double>;

}  // namespace electret::fmm
