#include <algorithm>
#include <cmath>

#include <electret/field/fmm/leaves.hpp>

namespace electret::fmm {

/// False where some pair was too close for plain differences; then nothing is summed.
template <class T>
bool LeafPass<T>::sum_all_plain(const NearList& list, double least, Workspace<T>& work,
                                NearTask<T>& task) const {
  near_.gather(list.leaf, {list.first, list.last, own(), true}, work, task);
  const T closest = kernels_.near_plain[targets_.potential ? 1 : 0](task);
  if (closest >= static_cast<T>(least) && all_finite(task.sums, task.count)) return true;
  task.sums = cleared_sums(task.count, targets_.potential, targets_.z != nullptr, work.sums);
  return false;
}

/// Sums the near sources by the cheapest arithmetic that is accurate for this leaf. False where none of the
/// kernels is.
template <class T>
bool LeafPass<T>::sum_near(const NearList& list, Workspace<T>& work, NearTask<T>& task) const {
  std::size_t first = list.first;
  if (sizeof(T) == sizeof(float) && !targets_.z) {
    const double reach = reach_of(list, targets_.points->tree(), work);
    const double least = least_for_plain(settings_, reach);
    if (std::isfinite(least) && sum_all_plain(list, least, work, task)) return true;
    first = put_apart_first(list, reach, settings_, work);
    if (first > list.first) {
      near_.gather(list.leaf, {list.first, first, false, true}, work, task);
      kernels_.near_plain[targets_.potential ? 1 : 0](task);
    }
  }
  near_.gather(list.leaf, {first, list.last, own(), false}, work, task);
  const T closest = kernels_.near[targets_.z ? 2 : targets_.potential ? 1 : 0](task);
  if (sizeof(T) == sizeof(float) && !(closest >= static_cast<T>(closest_for_compensated))) return false;
  return all_finite(task.sums, task.count);
}

template <class T>
Count LeafPass<T>::sum_exactly(const NearList& list, Workspace<T>& work) const {
  const Cell& leaf = targets_.points->tree().cell(list.leaf);
  work.exact.assign(static_cast<std::size_t>(leaf.count()), {});
  Count coincident = 0;
  auto target = static_cast<std::size_t>(leaf.begin);
  for (PointSums& sums : work.exact) {
    if (own()) coincident += exact_pairs_.add(leaf.begin, leaf.end, target, sums);
    for (std::size_t r = list.first; r < list.last; ++r)
      coincident += exact_pairs_.add(work.ranges[r].begin, work.ranges[r].end, target, sums);
    ++target;
  }
  return coincident;
}

/// The sums of a leaf's points, and what was summed exactly, to whom they belong. All are written before any
/// is read: a wide load right after the narrow stores of its parts would wait for them.
template <class T>
void LeafPass<T>::hand_over(const Cell& leaf, const LeafSums<T>& sums, bool exact, Workspace<T>& work,
                            const Store& store) const {
  const auto count = static_cast<std::size_t>(leaf.count());
  work.point_sums.assign(count, {});
  for (std::size_t i = 0; i < count; ++i) put_sums(sums, i, work.point_sums[i]);
  for (std::size_t i = 0; exact && i < count; ++i) work.point_sums[i] += work.exact[i];
  store.put(store.context, numbers_of(targets_.points->tree(), leaf), work.point_sums.data());
}

template <class T>
Count LeafPass<T>::sum(const NearList& list, Workspace<T>& work, const Store& store) const {
  const PlacedPoints<T>& points = *targets_.points;
  const Cell& leaf = points.tree().cell(list.leaf);
  const int count = leaf.count();
  store.announce(store.context, numbers_of(targets_.points->tree(), leaf));
  NearTask<T> task;
  task.count = count;
  if (targets_.z) task.z = view(*targets_.z, static_cast<std::size_t>(leaf.begin));
  task.softening_squared = static_cast<T>(settings_.softening * settings_.softening);
  task.sums = cleared_sums(count, targets_.potential, targets_.z != nullptr, work.sums);
  Count coincident = 0;
  const bool exact = !sum_near(list, work, task);
  if (exact) {
    coincident = sum_exactly(list, work);
    task.sums = cleared_sums(count, targets_.potential, targets_.z != nullptr, work.sums);
  }
  add_locals(targets_, list.leaf, kernels_, locals_, task.sums);
  hand_over(leaf, task.sums, exact, work, store);
  return coincident;
}

template class LeafPass<float>;
template class LeafPass<double>;

}  // namespace electret::fmm
