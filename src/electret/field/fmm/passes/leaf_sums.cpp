#include <algorithm>
#include <cmath>

#include <electret/field/direct/arrays.hpp>
#include <electret/field/fmm/passes/leaf_sums.hpp>

namespace electret::fmm {
namespace {

/// From this ρ on, sums of charges up to 1 times ρ⁻³ stay well within float32's range.
constexpr double least_in_range = 3e-12;
/// With a softening of this part of the reach, or a larger one, rounded coordinates change the field of a
/// close charge by at most 1.4e-5 of what an equal charge at the reach adds.
constexpr double soft_part_of_reach = 0.2;
/// The smallest distance that compensated differences can have.
constexpr double closest_apart = 6e-9;

}  // namespace

template <class T>
LeafSums<T> cleared_sums(int count, bool potential, bool products, LeafArrays<T>& arrays) {
  LeafSums<T> sums;
  const auto n = static_cast<std::size_t>(count);
  const auto cleared = [&](PaddedArray<T>& array) {
    array.resize(n);
    std::fill_n(array.data(), n + max_lanes, T{0});
    return array.data();
  };
  for (int axis = 0; axis < 3; ++axis) sums.field[axis] = cleared(arrays.field[axis]);
  if (potential) sums.potential = cleared(arrays.potential);
  if (!products) return sums;
  for (int axis = 0; axis < 3; ++axis) sums.product[axis] = cleared(arrays.product[axis]);
  sums.charge_product = cleared(arrays.charge_product);
  return sums;
}

template <class T>
LeafSums<T> sums_from(LeafArrays<T>& arrays, std::size_t at, bool potential, bool products) {
  LeafSums<T> sums;
  for (int axis = 0; axis < 3; ++axis) sums.field[axis] = arrays.field[axis].data() + at;
  if (potential) sums.potential = arrays.potential.data() + at;
  if (!products) return sums;
  for (int axis = 0; axis < 3; ++axis) sums.product[axis] = arrays.product[axis].data() + at;
  sums.charge_product = arrays.charge_product.data() + at;
  return sums;
}

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

double least_for_plain(const SumSettings& settings, double reach) {
  // All coordinates were first rounded by 2⁻⁵⁰ (the frame has size 1), and then by 2⁻²⁵ relative to the leaf.
  const double closest = settings.closest_plain * std::max(reach, 0x1p-25);
  // Padding is at a distance of about 4, so the leaf must be small compared with that.
  if (!(closest < 1.0 && closest > 0.0)) return std::numeric_limits<double>::infinity();
  const double least = std::max(closest * closest, least_in_range * least_in_range);
  if (settings.softening >= soft_part_of_reach * reach) return least;
  return static_cast<double>(direct::closest_with_softening(
      static_cast<float>(least), static_cast<float>(settings.softening * settings.softening)));
}

template <class T>
void add_locals(const Targets<T>& targets, Index leaf, AllSeries<T>& series, const LeafSums<T>& sums) {
  LocalTask<T> task;
  task.leaf = targets.points->leaf(leaf);
  if (targets.z) task.z = view(*targets.z, static_cast<std::size_t>(targets.points->tree().cell(leaf).begin));
  task.sums = sums;
  series.each_used([&](Series<T>& kind) {
    task.order = kind.locals.order();
    task.locals = kind.locals.of(leaf);
    task.dipole_locals = targets.z ? kind.locals.of(leaf, 1) : nullptr;
    kind.kernels.l2p(task);
  });
}

template <class T>
double reach_of(const NearList& list, const Tree& targets, const Workspace<T>& work) {
  double reach = targets.cell(list.leaf).radius;
  for (std::size_t r = list.first; r < list.last; ++r)
    reach = std::max(reach, static_cast<double>(work.ranges[r].reach));
  return reach;
}

template <class T>
std::size_t put_apart_first(const NearList& list, double reach, const SumSettings& settings,
                            Workspace<T>& work) {
  const auto least = static_cast<float>(std::max(settings.apart_plain * reach, closest_apart));
  const auto first = work.ranges.begin() + static_cast<std::ptrdiff_t>(list.first);
  const auto last = work.ranges.begin() + static_cast<std::ptrdiff_t>(list.last);
  const auto close =
      std::partition(first, last, [least](const NearRange& range) { return range.gap >= least; });
  return static_cast<std::size_t>(close - work.ranges.begin());
}

template LeafSums<float> cleared_sums(int, bool, bool, LeafArrays<float>&);
template LeafSums<float> sums_from(LeafArrays<float>&, std::size_t, bool, bool);
template bool all_finite(const LeafSums<float>&, int);
template void add_locals(const Targets<float>&, Index, AllSeries<float>&, const LeafSums<float>&);
template double reach_of(const NearList&, const Tree&, const Workspace<float>&);
template std::size_t put_apart_first(const NearList&, double, const SumSettings&, Workspace<float>&);
template LeafSums<double> cleared_sums(int, bool, bool, LeafArrays<double>&);
template LeafSums<double> sums_from(LeafArrays<double>&, std::size_t, bool, bool);
template bool all_finite(const LeafSums<double>&, int);
template void add_locals(const Targets<double>&, Index, AllSeries<double>&, const LeafSums<double>&);
template double reach_of(const NearList&, const Tree&, const Workspace<double>&);
template std::size_t put_apart_first(const NearList&, double, const SumSettings&, Workspace<double>&);

}  // namespace electret::fmm
