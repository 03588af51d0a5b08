#pragma once
/// \file
/// The test of acceptance, written once over an arch A of float64. Included once by each translation unit of
/// kernels.

#include <electret/field/fmm/kernels.hpp>
#include <electret/field/fmm/lanes.hpp>

namespace electret::fmm {
namespace {

constexpr double infinite = __builtin_huge_val();

template <class A>
void accept(const AcceptanceTask& task) {
  using V = typename A::Vector;
  static_assert(ball_lanes % A::width == 0);
  const CellBall& t = task.target;
  const BallBlock& s = *task.sources;
  // A leaf is never cut: as a target it counts as smaller than any source; as a source it leaves the target
  // to be cut, whatever the sizes.
  const double own_radius = t.leaf_points < infinite ? -1.0 : t.radius;
  double bin[ball_lanes], pairs[ball_lanes], otherwise[ball_lanes];
  for (int l = 0; l < ball_lanes; l += A::width) {
    const V x = t.x - A::load(s.x + l), y = t.y - A::load(s.y + l), z = t.z - A::load(s.z + l);
    const V radius = A::load(s.radius + l), points = A::load(s.leaf_points + l);
    const V distance_squared = x * x + y * y + z * z, reach = t.radius + radius;
    const V reach_squared = reach * reach;
    const auto apart =
        (distance_squared > task.closest_squared) & (reach_squared < distance_squared * task.tables.largest);
    const V none = A::broadcast(AcceptanceTables::bins + 1);
    store<A>(bin + l, apart ? reach_squared / distance_squared * AcceptanceTables::bins : none);
    store<A>(pairs + l, t.leaf_points * points);
    const V larger = radius > own_radius    ? A::broadcast(Verdict::cut_source)
                     : radius == own_radius ? A::broadcast(Verdict::cut_either)
                                            : A::broadcast(Verdict::near_or_cut_target);
    store<A>(otherwise + l, points < infinite ? A::broadcast(Verdict::near_or_cut_target) : larger);
  }
  for (int l = 0; l < ball_lanes; ++l) {
    // Arithmetic, not a branch, which would be taken as often as not.
    const unsigned order = task.tables.orders[static_cast<int>(bin[l])];
    const unsigned none = pairs[l] < task.tables.worth[order] || order == 0 ? ~0U : 0U;
    task.verdicts[l] = static_cast<unsigned char>(
        (order & ~none) | (static_cast<unsigned>(static_cast<int>(otherwise[l])) & none));
  }
}

}  // namespace
}  // namespace electret::fmm
