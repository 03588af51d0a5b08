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
  const T closest = kernels_.near[(targets_.potential ? 1 : 0) + (targets_.z ? 2 : 0)](task);
  if (sizeof(T) == sizeof(float) && !(closest >= static_cast<T>(closest_for_compensated))) return false;
  return all_finite(task.sums, task.count);
}

template <class T>
Count LeafPass<T>::sum_exactly(const NearList& list, Workspace<T>& work) const {
  const Cell& leaf = targets_.points->tree().cell(list.leaf);
  LeafArrays<double>& exact = work.exact;
  const auto n = static_cast<std::size_t>(leaf.count());
  for (int axis = 0; axis < 3; ++axis) exact.field[axis].resize(n), exact.product[axis].resize(n);
  exact.potential.resize(n), exact.charge_product.resize(n);
  Count coincident = 0;
  for (std::size_t i = 0; i < n; ++i) {
    const std::size_t target = static_cast<std::size_t>(leaf.begin) + i;
    PointSums sums;
    if (own()) coincident += exact_pairs_.add(leaf.begin, leaf.end, target, sums);
    for (std::size_t r = list.first; r < list.last; ++r)
      coincident += exact_pairs_.add(work.ranges[r].begin, work.ranges[r].end, target, sums);
    for (int axis = 0; axis < 3; ++axis)
      exact.field[axis][i] = sums.field[axis], exact.product[axis][i] = sums.product[axis];
    exact.potential[i] = sums.potential, exact.charge_product[i] = sums.charge_product;
  }
  return coincident;
}

/// The sums of a leaf's points, with `exact` the near ones added, to whom they belong. All are written before
/// any is read: a wide load right after the narrow stores of its parts would wait for them.
template <class T>
void LeafPass<T>::hand_over(const Cell& leaf, const LeafSums<T>& s, const LeafArrays<double>* exact,
                            Workspace<T>& work, const Store& store) const {
  const auto count = static_cast<std::size_t>(leaf.count());
  if (work.point_sums.size() < count) work.point_sums.resize(count);
  for (std::size_t i = 0; i < count; ++i) {
    PointSums& sums = work.point_sums[i] = {};
    for (int axis = 0; axis < 3; ++axis) {
      sums.field[axis] = static_cast<double>(s.field[axis][i]) + (exact ? exact->field[axis][i] : 0.0);
      if (targets_.z)
        sums.product[axis] =
            static_cast<double>(s.product[axis][i]) + (exact ? exact->product[axis][i] : 0.0);
    }
    if (s.potential)
      sums.potential = static_cast<double>(s.potential[i]) + (exact ? exact->potential[i] : 0.0);
    if (targets_.z)
      sums.charge_product =
          static_cast<double>(s.charge_product[i]) + (exact ? exact->charge_product[i] : 0.0);
  }
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
  hand_over(leaf, task.sums, exact ? &work.exact : nullptr, work, store);
  return coincident;
}

template class LeafPass<float>;
template class LeafPass<double>;

}  // namespace electret::fmm
