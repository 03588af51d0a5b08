#include <algorithm>
#include <cmath>

#include <electret/field/fmm/mutual_pass.hpp>

namespace electret::fmm {

/// Where a near leaf's, or several neighbouring own leaves', sums lie.
template <class T>
LeafSums<T> MutualPass<T>::sums_of(const NearRange& range, Workspace<T>& work, TaskSums<T>& sums) const {
  if (sums.owns(range.begin)) return sums.of_own(range.begin);
  LaterPlace& place = work.later_places[static_cast<std::size_t>(range.leaf)];
  if (place.stamp != work.stamp) place = {work.stamp, sums.add_later(range.leaf, range.end - range.begin)};
  return sums.of_later(place.at, range.end - range.begin);
}

/// Adds the columns from `at` on, those of the part's ranges one after the other, to whom they belong.
template <class T>
void MutualPass<T>::spread_columns(const NearPart& part, std::size_t at, Workspace<T>& work,
                                   TaskSums<T>& sums) const {
  for (std::size_t r = part.first; r < part.last;) {
    const NearRange& range = work.ranges[r];
    Index end = range.end;
    // Siblings mostly stand side by side.
    while (++r < part.last && work.ranges[r].begin == end && sums.owns(end)) end = work.ranges[r].end;
    const Index count = end - range.begin;
    kernels_.mutual.add_columns(sums_from(work.columns, at, targets_.potential, products()), count,
                                sums_of(range, work, sums));
    at += static_cast<std::size_t>(count);
  }
}

template <class T>
bool MutualPass<T>::add_part(Index leaf, const NearPart& part, Kernel kernel, double least,
                             Workspace<T>& work, NearTask<T>& task, TaskSums<T>& sums) const {
  near_.gather(leaf, part, work, task);
  task.columns = cleared_sums(task.source_count, targets_.potential, products(), work.columns);
  const T closest = kernel(task);
  bool accurate = least == 0.0 || (closest >= static_cast<T>(least) && all_finite(task.sums, task.count));
  // In float32 `least` keeps charges times ρ⁻³ in range.
  if (sizeof(T) == sizeof(double))
    accurate &= all_finite(
        sums_from(work.columns, static_cast<std::size_t>(task.own), targets_.potential, products()),
        task.source_count - task.own);
  if (!accurate) {
    task.sums = cleared_sums(task.count, targets_.potential, products(), work.sums);
    return false;
  }
  spread_columns(part, static_cast<std::size_t>(task.own), work, sums);
  return true;
}

/// Both directions of every pair one by one.
template <class T>
Count MutualPass<T>::add_exactly(Index leaf, const NearPart& part, Workspace<T>& work,
                                 TaskSums<T>& sums) const {
  const Cell& cell = targets_.points->tree().cell(leaf);
  Count coincident = 0;
  for (Index i = cell.begin; i < cell.end; ++i) {
    PointSums at;
    coincident += exact_pairs_.add(cell.begin, cell.end, static_cast<std::size_t>(i), at);
    for (std::size_t r = part.first; r < part.last; ++r)
      coincident +=
          exact_pairs_.add(work.ranges[r].begin, work.ranges[r].end, static_cast<std::size_t>(i), at);
    sums.add_exactly(i, at);
  }
  for (std::size_t r = part.first; r < part.last; ++r)
    for (Index j = work.ranges[r].begin; j < work.ranges[r].end; ++j) {
      PointSums at;
      coincident += exact_pairs_.add(cell.begin, cell.end, static_cast<std::size_t>(j), at);
      sums.add_exactly(j, at);
    }
  return coincident;
}

/// The cheapest arithmetic that is accurate for this leaf.
template <class T>
Count MutualPass<T>::add_near(const NearList& list, Workspace<T>& work, NearTask<T>& task,
                              TaskSums<T>& sums) const {
  const int with_potential = targets_.potential ? 1 : 0;
  const MutualKernels<T>& kernels = kernels_.mutual;
  NearPart rest{list.first, list.last, true, false};
  if (sizeof(T) == sizeof(float) && !products()) {
    const Kernel plain = (settings_.estimate ? kernels.estimated : kernels.plain)[with_potential];
    const double reach = reach_of(list, targets_.points->tree(), work);
    const double least = least_for_plain(settings_, reach);
    if (std::isfinite(least) &&
        add_part(list.leaf, {list.first, list.last, true, true}, plain, least, work, task, sums))
      return 0;
    rest.first = put_apart_first(list, reach, settings_, work);
  }
  Count coincident = 0;
  // Before the others: where it is found too close, the leaf's sums are cleared.
  const double least = sizeof(T) == sizeof(float) ? double{closest_for_compensated} : 0.5;
  const Kernel near = (products() ? kernels.products : kernels.near)[with_potential];
  if (!add_part(list.leaf, rest, near, least, work, task, sums))
    coincident = add_exactly(list.leaf, rest, work, sums);
  if (rest.first > list.first)
    add_part(list.leaf, {list.first, rest.first, false, true}, kernels.plain[with_potential], 0.0, work, task,
             sums);
  return coincident;
}

template <class T>
Count MutualPass<T>::sum(const NearList& list, Workspace<T>& work, TaskSums<T>& sums) const {
  const Cell& leaf = targets_.points->tree().cell(list.leaf);
  NearTask<T> task;
  task.count = leaf.count();
  task.target_charges = sources_.charges->data() + leaf.begin;
  if (products()) task.z = view(*targets_.z, static_cast<std::size_t>(leaf.begin));
  task.softening_squared = static_cast<T>(settings_.softening * settings_.softening);
  task.sums = cleared_sums(task.count, targets_.potential, products(), work.sums);
  const Count coincident = add_near(list, work, task, sums);
  add_locals(targets_, list.leaf, kernels_, locals_, task.sums);
  kernels_.mutual.add(task.sums, task.count, sums.of_own(leaf.begin));
  return coincident;
}

template class MutualPass<float>;
template class MutualPass<double>;

}  // namespace electret::fmm
