#include <algorithm>
#include <cmath>

#include <electret/field/fmm/passes/leaves.hpp>

namespace electret::fmm {

/// Sums all near sources with plain differences. Returns false, with cleared sums, if a pair is too close for
/// that.
template <class T>
bool LeafPass<T>::sum_all_plain(const NearList& list, double least, Workspace<T>& work,
                                NearTask<T>& task) const {
  in_.near.gather(list.leaf, {list.first, list.last, own(), true}, work, task);
  const T closest = in_.kernels.near_plain[in_.targets.potential ? 1 : 0](task);
  if (closest >= static_cast<T>(least) && all_finite(task.sums, task.count)) return true;
  task.sums = in_.cleared(task.count, work.sums);
  return false;
}

/// Sums the near sources by the cheapest arithmetic that is accurate for this leaf. Returns false if no
/// kernel is.
template <class T>
bool LeafPass<T>::sum_near(const NearList& list, Workspace<T>& work, NearTask<T>& task) const {
  std::size_t first = list.first;
  if (sizeof(T) == sizeof(float) && !in_.targets.z) {
    const double reach = reach_of(list, in_.tree(), work);
    const double least = least_for_plain(in_.settings, reach);
    if (std::isfinite(least) && sum_all_plain(list, least, work, task)) return true;
    first = put_apart_first(list, reach, in_.settings, work);
    if (first > list.first) {
      in_.near.gather(list.leaf, {list.first, first, false, true}, work, task);
      in_.kernels.near_plain[in_.targets.potential ? 1 : 0](task);
    }
  }
  in_.near.gather(list.leaf, {first, list.last, own(), false}, work, task);
  const T closest = in_.kernels.near[in_.targets.z ? 2 : in_.targets.potential ? 1 : 0](task);
  if (sizeof(T) == sizeof(float) && !(closest >= static_cast<T>(closest_for_compensated))) return false;
  return all_finite(task.sums, task.count);
}

template <class T>
Count LeafPass<T>::sum_exactly(const NearList& list, Workspace<T>& work) const {
  const Cell& leaf = in_.tree().cell(list.leaf);
  work.exact.assign(static_cast<std::size_t>(leaf.count()), {});
  Count coincident = 0;
  auto target = static_cast<std::size_t>(leaf.begin);
  for (PointSums& sums : work.exact) {
    if (own()) coincident += in_.exact_pairs.add(leaf.begin, leaf.end, target, sums);
    for (std::size_t r = list.first; r < list.last; ++r)
      coincident += in_.exact_pairs.add(work.ranges[r].begin, work.ranges[r].end, target, sums);
    ++target;
  }
  return coincident;
}

/// Stores the sums of a leaf's points, including those that were summed exactly. Writes all of them before it
/// reads any, because a wide load right after the narrow stores of its parts would have to wait for them.
template <class T>
void LeafPass<T>::hand_over(const Cell& leaf, const LeafSums<T>& sums, bool exact, Workspace<T>& work,
                            const Store& store) const {
  const auto count = static_cast<std::size_t>(leaf.count());
  work.point_sums.assign(count, {});
  for (std::size_t i = 0; i < count; ++i) put_sums(sums, i, work.point_sums[i]);
  for (std::size_t i = 0; exact && i < count; ++i) work.point_sums[i] += work.exact[i];
  store.put(store.context, numbers_of(in_.tree(), leaf), work.point_sums.data());
}

template <class T>
Count LeafPass<T>::sum(const NearList& list, Workspace<T>& work, const Store& store) const {
  const Cell& leaf = in_.tree().cell(list.leaf);
  store.announce(store.context, numbers_of(in_.tree(), leaf));
  NearTask<T> task = in_.near_task(list.leaf, work);
  Count coincident = 0;
  const bool exact = !sum_near(list, work, task);
  if (exact) {
    coincident = sum_exactly(list, work);
    task.sums = in_.cleared(task.count, work.sums);
  }
  add_locals(in_.targets, list.leaf, in_.series, task.sums);
  hand_over(leaf, task.sums, exact, work, store);
  return coincident;
}

template class LeafPass<float>;
template class LeafPass<double>;

}  // namespace electret::fmm
