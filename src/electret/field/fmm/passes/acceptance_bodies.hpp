#pragma once
/// \file
/// The acceptance criterion, written once for any arch A of float64. Each translation unit of kernels
/// includes this once.

#include <electret/field/fmm/expansions/lanes.hpp>
#include <electret/field/fmm/kernels.hpp>

namespace electret::fmm {
namespace {

constexpr double infinite = __builtin_huge_val();

/// With `Softened`, pairs closer than the task's bound have u = (r_A + r_B)/√(R² + ε²), because their series
/// converges for u < 1. Such cells must not overlap either, even by rounding, because a charge does not act
/// on itself.
template <class A, bool Softened>
void accept(const AcceptanceTask& task) {
  using V = typename A::Vector;
  static_assert(ball_lanes % A::width == 0);
  const CellBall& t = task.target;
  const BallBlock& s = *task.sources;
  // A leaf is never cut. As a target it counts as smaller than any source. As a source it lets the target be
  // cut, whatever the sizes.
  const double own_radius = t.leaf_points < infinite ? -1.0 : t.radius;
  double bin[ball_lanes], pairs[ball_lanes], otherwise[ball_lanes];
  for (int l = 0; l < ball_lanes; l += A::width) {
    const V x = t.x - A::load(s.x + l), y = t.y - A::load(s.y + l), z = t.z - A::load(s.z + l);
    const V radius = A::load(s.radius + l), points = A::load(s.leaf_points + l);
    const V distance_squared = x * x + y * y + z * z, reach = t.radius + radius;
    const V reach_squared = reach * reach;
    V square = distance_squared, first_bin{};
    auto apart = distance_squared > task.closest_squared;
    if constexpr (Softened) {
      const auto soft = distance_squared < task.softened_squared;
      square = soft ? distance_squared + task.softening_squared : distance_squared;
      first_bin = soft ? A::broadcast(AcceptanceTables::bins + 2) : first_bin;
      apart = apart & (reach_squared < farthest_reach * farthest_reach * distance_squared);
    }
    apart = apart & (reach_squared < square * task.tables.largest);
    const V none = A::broadcast(AcceptanceTables::bins + 1);
    store<A>(bin + l, apart ? reach_squared / square * AcceptanceTables::bins + first_bin : none);
    store<A>(pairs + l, t.leaf_points * points);
    const V larger = radius > own_radius    ? A::broadcast(Verdict::cut_source)
                     : radius == own_radius ? A::broadcast(Verdict::cut_either)
                                            : A::broadcast(Verdict::near_or_cut_target);
    store<A>(otherwise + l, points < infinite ? A::broadcast(Verdict::near_or_cut_target) : larger);
  }
  for (int l = 0; l < ball_lanes; ++l) {
    // Uses arithmetic instead of a branch, because the branch would be taken about as often as not.
    const unsigned verdict = task.tables.verdicts[static_cast<int>(bin[l])];
    const unsigned none = pairs[l] < task.tables.worth[verdict] || verdict == 0 ? ~0U : 0U;
    task.verdicts[l] = static_cast<unsigned char>(
        (verdict & ~none) | (static_cast<unsigned>(static_cast<int>(otherwise[l])) & none));
  }
}

}  // namespace
}  // namespace electret::fmm
