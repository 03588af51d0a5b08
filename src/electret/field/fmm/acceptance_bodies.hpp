#pragma once
/// \file
/// The test of acceptance, written once over an arch A of float64. Included once by each translation unit of
/// kernels.

#include <electret/field/fmm/kernels.hpp>
#include <electret/field/fmm/lanes.hpp>

namespace electret::fmm {
namespace {

template <class A>
void accept(const AcceptanceTask& task) {
  using V = typename A::Vector;
  static_assert(ball_lanes % A::width == 0);
  const BallRows &t = task.target, &s = task.sources;
  double bin[ball_lanes], pairs[ball_lanes];
  for (int l = 0; l < ball_lanes; l += A::width) {
    const V x = *t.x - A::load(s.x + l), y = *t.y - A::load(s.y + l), z = *t.z - A::load(s.z + l);
    const V distance_squared = x * x + y * y + z * z, reach = *t.radius + A::load(s.radius + l);
    const V reach_squared = reach * reach;
    const auto apart =
        (distance_squared > task.closest_squared) & (reach_squared < distance_squared * task.tables.largest);
    const V none = A::broadcast(AcceptanceTables::bins + 1);
    store<A>(bin + l, apart ? reach_squared / distance_squared * AcceptanceTables::bins : none);
    store<A>(pairs + l, *t.leaf_points * A::load(s.leaf_points + l));
  }
  for (int l = 0; l < ball_lanes; ++l) {
    const unsigned char order = task.tables.orders[static_cast<int>(bin[l])];
    task.orders[l] = pairs[l] < task.tables.worth[order] ? 0 : order;
  }
}

}  // namespace
}  // namespace electret::fmm
