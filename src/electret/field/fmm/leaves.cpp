#include <algorithm>
#include <cmath>

#include <electret/field/fmm/leaves.hpp>

namespace electret::fmm {
namespace {

/// ρ² (points within 1 of the frame's centre) under which compensated float32 differences may be off by more
/// than 1e-6: coordinates rounded by 2⁻⁵⁰ put K off by 4√3 2⁻⁵⁰/ρ at most.
constexpr float closest_for_compensated = 3.6e-17F;

}  // namespace

template <class T>
bool all_finite(const LeafSums<T>& sums, int count) {
  bool finite = true;
  for (int i = 0; i < count; ++i) {
    for (int axis = 0; axis < 3; ++axis) {
      if (sums.field[0]) finite &= std::isfinite(sums.field[axis][i]);
      if (sums.product[0]) finite &= std::isfinite(sums.product[axis][i]);
    }
    if (sums.potential) finite &= std::isfinite(sums.potential[i]);
    if (sums.charge_product) finite &= std::isfinite(sums.charge_product[i]);
  }
  return finite;
}

template <class T>
LeafSums<T> LeafPass<T>::cleared_sums(int count, LeafArrays<T>& arrays) const {
  LeafSums<T> sums;
  const auto n = static_cast<std::size_t>(count);
  const auto cleared = [&](PaddedArray<T>& array) {
    array.resize(n);
    std::fill_n(array.data(), n + max_lanes, T{0});
    return array.data();
  };
  for (int axis = 0; axis < 3; ++axis) sums.field[axis] = cleared(arrays.field[axis]);
  if (targets_.potential) sums.potential = cleared(arrays.potential);
  if (!targets_.z) return sums;
  for (int axis = 0; axis < 3; ++axis) sums.product[axis] = cleared(arrays.product[axis]);
  sums.charge_product = cleared(arrays.charge_product);
  return sums;
}

/// False where some pair was too close for plain differences; then nothing is summed.
template <class T>
bool LeafPass<T>::sum_all_plain(const NearList& list, double reach, Workspace<T>& work,
                                NearTask<T>& task) const {
  const double closest_plain = settings_.closest_plain * reach;
  // Padding stands at a distance of about 4: the leaf must be small next to that.
  if (!(closest_plain < 1.0 && closest_plain > 0.0)) return false;
  near_.gather(list.leaf, {list.first, list.last, own(), true}, work, task);
  const T closest = kernels_.near_plain[targets_.potential ? 1 : 0](task);
  if (closest >= static_cast<T>(closest_plain * closest_plain) && all_finite(task.sums, task.count))
    return true;
  task.sums = cleared_sums(task.count, work.sums);
  return false;
}

/// Sums the ranges that are far enough for plain differences. Returns the first of the others, which come
/// last.
template <class T>
std::size_t LeafPass<T>::sum_apart_plain(const NearList& list, double reach, Workspace<T>& work,
                                         NearTask<T>& task) const {
  const auto least = static_cast<float>(settings_.apart_plain * reach);
  const auto first = work.ranges.begin() + static_cast<std::ptrdiff_t>(list.first);
  const auto last = work.ranges.begin() + static_cast<std::ptrdiff_t>(list.last);
  const auto close =
      std::partition(first, last, [least](const NearRange& range) { return range.gap >= least; });
  const auto at = static_cast<std::size_t>(close - work.ranges.begin());
  if (at > list.first) {
    near_.gather(list.leaf, {list.first, at, false, true}, work, task);
    kernels_.near_plain[targets_.potential ? 1 : 0](task);
  }
  return at;
}

/// Sums the near sources by the cheapest arithmetic that is accurate for this leaf. False where none of the
/// kernels is.
template <class T>
bool LeafPass<T>::sum_near(const NearList& list, Workspace<T>& work, NearTask<T>& task) const {
  std::size_t first = list.first;
  if constexpr (sizeof(T) == sizeof(float)) {
    double reach = targets_.points->tree().cell(list.leaf).radius;
    for (std::size_t r = list.first; r < list.last; ++r)
      reach = std::max(reach, static_cast<double>(work.ranges[r].reach));
    if (!targets_.z) {
      if (sum_all_plain(list, reach, work, task)) return true;
      first = sum_apart_plain(list, reach, work, task);
    }
  }
  near_.gather(list.leaf, {first, list.last, own(), false}, work, task);
  const T closest = kernels_.near[(targets_.potential ? 1 : 0) + (targets_.z ? 2 : 0)](task);
  if (sizeof(T) == sizeof(float) && !(closest >= static_cast<T>(closest_for_compensated))) return false;
  return all_finite(task.sums, task.count);
}

/// One target and a range of sources in float64; pairs at distance 0 contribute nothing and are counted.
template <class T>
Count LeafPass<T>::sum_pairs_exactly(const NearRange& range, std::size_t i, PointSums& sums) const {
  const Vec3 x = targets_.points->tree().points()[i];
  const bool counts = !targets_.charges || (*targets_.charges)[i] != T{0};
  const double softening_squared = settings_.softening * settings_.softening;
  Vec3 z;
  if (targets_.z)
    z = {static_cast<double>((*targets_.z)[0][i]), static_cast<double>((*targets_.z)[1][i]),
         static_cast<double>((*targets_.z)[2][i])};
  Count coincident = 0;
  for (auto j = static_cast<std::size_t>(range.begin); j < static_cast<std::size_t>(range.end); ++j) {
    const auto q = static_cast<double>((*sources_.charges)[j]);
    const Vec3 r = x - sources_.points->tree().points()[j];
    const double rho2 = squared_norm(r) + softening_squared;
    if (own() && i == j) continue;
    if (rho2 == 0.0) {
      if (counts && q != 0.0) ++coincident;
      continue;
    }
    const double k = q / (rho2 * std::sqrt(rho2));
    sums.field += k * r;
    sums.potential += k * rho2;
    if (!targets_.z) continue;
    Vec3 w = z;
    if (sources_.vectors)
      w -=
          Vec3{static_cast<double>((*sources_.vectors)[0][j]), static_cast<double>((*sources_.vectors)[1][j]),
               static_cast<double>((*sources_.vectors)[2][j])};
    const double rw = dot(r, w);
    sums.product += k * (w - (3.0 * rw / rho2) * r);
    sums.charge_product += k * rw;
  }
  return coincident;
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
    if (own()) coincident += sum_pairs_exactly({leaf.begin, leaf.end}, target, sums);
    for (std::size_t r = list.first; r < list.last; ++r)
      coincident += sum_pairs_exactly(work.ranges[r], target, sums);
    for (int axis = 0; axis < 3; ++axis)
      exact.field[axis][i] = sums.field[axis], exact.product[axis][i] = sums.product[axis];
    exact.potential[i] = sums.potential, exact.charge_product[i] = sums.charge_product;
  }
  return coincident;
}

/// The numbers of a leaf's points in the caller's order.
template <class T>
Store::Numbers LeafPass<T>::numbers(const Cell& leaf) const {
  return Store::Numbers(targets_.points->tree().order())
      .subspan(static_cast<std::size_t>(leaf.begin), static_cast<std::size_t>(leaf.count()));
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
  store.put(store.context, numbers(leaf), work.point_sums.data());
}

template <class T>
Count LeafPass<T>::sum(const NearList& list, Workspace<T>& work, const Store& store) const {
  const PlacedPoints<T>& points = *targets_.points;
  const Cell& leaf = points.tree().cell(list.leaf);
  const int count = leaf.count();
  store.announce(store.context, numbers(leaf));
  NearTask<T> task;
  task.count = count;
  if (targets_.z) task.z = view(*targets_.z, static_cast<std::size_t>(leaf.begin));
  task.softening_squared = static_cast<T>(settings_.softening * settings_.softening);
  task.sums = cleared_sums(count, work.sums);
  Count coincident = 0;
  const bool exact = !sum_near(list, work, task);
  if (exact) {
    coincident = sum_exactly(list, work);
    task.sums = cleared_sums(count, work.sums);
  }
  LocalTask<T> local;
  local.leaf = points.leaf(list.leaf);
  local.order = locals_.order();
  local.locals = locals_.of(list.leaf);
  local.dipole_locals = targets_.z ? locals_.of(list.leaf, 1) : nullptr;
  local.z = task.z;
  local.sums = task.sums;
  kernels_.evaluate(local);
  hand_over(leaf, task.sums, exact ? &work.exact : nullptr, work, store);
  return coincident;
}

template bool all_finite(const LeafSums<float>&, int);
template bool all_finite(const LeafSums<double>&, int);
template class LeafPass<float>;
template class LeafPass<double>;

}  // namespace electret::fmm
