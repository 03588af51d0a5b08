#pragma once
/// \file
/// What every integrator must show. A new method joins by one line in test_integrators.cpp.

#include <cmath>
#include <string>

#include <gtest/gtest.h>

#include "dynamics/networks.hpp"
#include "support/allocation_counter.hpp"

namespace electret::test {

struct Method {
  std::string name;
  int order = 1;
  /// Falling freely from rest under gravity g the scheme gives x_n = h² (n²/2 + lead·n) g.
  double lead = 0.0;
  /// v' = slowing(h·drag) v.
  double (*slowing)(double) = [](double z) { return 1.0 - z; };
};

inline void PrintTo(const Method& method, std::ostream* out) {
  *out << method.name;
}

class IntegratorConformance : public testing::TestWithParam<Method> {
 protected:
  NetworkOptions network() const {
    NetworkOptions options;
    options.method = GetParam().name;
    return options;
  }
  /// Everything at once.
  NetworkOptions full() const {
    NetworkOptions options = network();
    options.gravity = options.pins = options.moved_pins = options.rollers = true;
    options.drag = 0.3;
    options.spring_damping = 0.2;
    return options;
  }
};

TEST_P(IntegratorConformance, SaysItsNameAndOrder) {
  const Simulator run = simulator(random_network(network()));
  EXPECT_EQ(run.integrator().name(), GetParam().name);
  EXPECT_EQ(run.integrator().order(), GetParam().order);
}

/// Halving the step divides the error by 2^order; the truth is Verlet's at a far smaller step.
TEST_P(IntegratorConformance, ConvergesAtItsOrder) {
  constexpr double duration = 0.32;
  const auto at = [&](double step, const std::string& name) {
    NetworkOptions options = network();
    options.method = name;
    options.step = step;
    return state_after(random_network(options), std::lround(duration / step)).positions;
  };
  const VectorArray truth = at(0.0002, "verlet");
  const double coarse = largest_difference(at(0.008, GetParam().name), truth);
  const double fine = largest_difference(at(0.004, GetParam().name), truth);
  const double measured = std::log2(coarse / fine);
  EXPECT_NEAR(measured, GetParam().order, 0.15) << "errors " << coarse << ", " << fine << " m";
}

TEST_P(IntegratorConformance, ConservesMomentumToRounding) {
  NetworkOptions options = network();
  options.tolerance = 1e-4;  // also where the solver stops early
  options.spring_damping = 0.2;
  Simulator run = simulator(random_network(options));
  const auto momentum = [&] {
    Vec3 sum;
    for (std::size_t i = 0; i < run.state().velocities.size(); ++i)
      sum += run.system().masses()[i] * run.state().velocities[i];
    return sum;
  };
  const Vec3 before = momentum();
  run.run(100);
  EXPECT_LE(norm(momentum() - before), 1e-12);
}

TEST_P(IntegratorConformance, HoldsPinsExactlyAndMovesThemAsScheduled) {
  const Assembly assembly = random_network(full());
  Simulator run = simulator(assembly);
  const double h = assembly.scene.time.step;
  for (int k = 0; k < 12; ++k) {
    run.step();
    const auto& moved = assembly.pin_tracks[1];
    for (const auto& track : assembly.pin_tracks) {
      if (!track.hold.is_whole()) continue;
      for (const Index pin : track.vertices) {
        const auto i = static_cast<std::size_t>(pin);
        Vec3 place = assembly.initial_positions[i], before = place;
        if (&track == &moved) {
          place += evaluate(track.offsets, (k + 1) * h, h);
          before += evaluate(track.offsets, k * h, h);
        }
        const Vec3 d = place - before;
        EXPECT_EQ(run.state().positions[i], place);
        EXPECT_EQ(run.state().velocities[i], (Vec3{d.x / h, d.y / h, d.z / h}));
      }
    }
  }
}

TEST_P(IntegratorConformance, HoldsRollersInTheirDirectionsAlone) {
  const Assembly assembly = random_network(full());
  Simulator run = simulator(assembly);
  const double h = assembly.scene.time.step;
  for (int k = 0; k < 12; ++k) {
    run.step();
    for (const auto& track : assembly.pin_tracks) {
      if (track.hold.is_whole()) continue;
      const Mat3 held = track.hold.projector();
      const auto offset = [&](double time) {
        return track.offsets.empty() ? Vec3{} : evaluate(track.offsets, time, h);
      };
      const Vec3 place = offset((k + 1) * h), before = offset(k * h);
      for (const Index pin : track.vertices) {
        const auto i = static_cast<std::size_t>(pin);
        const Vec3 moved = run.state().positions[i] - assembly.initial_positions[i];
        EXPECT_LE(norm(held * (moved - place)), 1e-14);
        EXPECT_LE(norm(held * (run.state().velocities[i] - (1.0 / h) * (place - before))), 1e-13);
        EXPECT_GT(norm(moved - held * moved), 1e-6);
      }
    }
  }
}

/// A bead on a plane, one on a rail, and one on two planes, under gravity: each falls as `FallsFreely` along
/// what is free, and its reaction is the rest of its weight.
TEST_P(IntegratorConformance, RollsUnderGravity) {
  constexpr double h = 0.01, drag = 0.4;
  constexpr Count n = 50;
  Assembly assembly = loose_vertices({{1, 2, 3}, {-4, 0, 0}, {0, 5, 0}}, h, GetParam().name);
  assembly.masses = {2.0, 0.5, 3.0};
  const Vec3 g{0.5, 0.3, -9.81};
  assembly.scene.gravity = g;
  add_pins(assembly, {0, 2}, {}, {{0.6, 0.0, 0.8}, {}});
  add_pins(assembly, {1}, {}, {{}, {2.0 / 3.0, 1.0 / 3.0, -2.0 / 3.0}});
  add_pins(assembly, {2}, {}, {{0.0, 1.0, 0.0}, {}});
  const Vec3 fall[] = {g - dot(g, {0.6, 0, 0.8}) * Vec3{0.6, 0, 0.8},
                       dot(g, {2, 1, -2}) / 9.0 * Vec3{2, 1, -2},
                       dot(g, {0.8, 0, -0.6}) * Vec3{0.8, 0, -0.6}};
  Simulator run = simulator(assembly);
  run.run(n);
  const double c = h * h * (0.5 * n * n + GetParam().lead * n);
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_LE(norm(run.state().positions[i] - assembly.initial_positions[i] - c * fall[i]), 1e-13) << i;
    EXPECT_LE(norm(run.pin_reactions()[i] - assembly.masses[i] * (fall[i] - g)), 1e-12) << i;
  }
  // Drag slows what is free.
  assembly.scene.gravity.reset();
  assembly.scene.damping.drag = drag;
  assembly.initial_velocities = {{0.8, 1.0, -0.6}, {2, 1, -2}, {0.8, 0, -0.6}};
  const State slowed = state_after(assembly, n);
  const double factor = std::pow(GetParam().slowing(h * drag), n);
  for (std::size_t i = 0; i < 3; ++i)
    EXPECT_LE(norm(slowed.velocities[i] - factor * assembly.initial_velocities[i]), 1e-11) << i;
}

TEST_P(IntegratorConformance, GivesTheSameBitsForAnyNumberOfThreads) {
  NetworkOptions options = full();
  options.side = 12;  // 1728 vertices: several chunks
  options.tolerance = 1e-8;
  const Assembly assembly = random_network(options);
  const State one = state_after(assembly, 2, 1);
  for (const int threads : {2, 7}) {
    const State many = state_after(assembly, 2, threads);
    EXPECT_EQ(one.positions, many.positions) << threads << " threads";
    EXPECT_EQ(one.velocities, many.velocities) << threads << " threads";
  }
}

TEST_P(IntegratorConformance, GoesOnFromAStateBitForBit) {
  Assembly assembly = random_network(full());
  assembly.charge_tracks.push_back(
      {{1, 3}, {{0.0, 0.2}, {1e-5, -1e-5}, Interpolation::linear}, true, "body.net.charge[group]"});
  Simulator whole = simulator(assembly);
  whole.run(7);
  State kept = whole.state();
  const WorkAccounts work = whole.work();
  whole.run(20);
  Simulator resumed = simulator(assembly);
  resumed.restore(std::move(kept), work);
  resumed.run(20);
  EXPECT_EQ(whole.state().positions, resumed.state().positions);
  EXPECT_EQ(whole.state().velocities, resumed.state().velocities);
  EXPECT_EQ(whole.work().keyframe_work, resumed.work().keyframe_work);
  EXPECT_EQ(whole.work().pin_work, resumed.work().pin_work);
  EXPECT_EQ(whole.work().dissipation, resumed.work().dissipation);
  EXPECT_EQ(whole.energies().total(), resumed.energies().total());
}

TEST_P(IntegratorConformance, AllocatesNothingAfterTheFirstStep) {
  Assembly assembly = random_network(full());
  assembly.charge_tracks.push_back(
      {{1, 3}, {{0.0, 0.2}, {1e-5, -1e-5}, Interpolation::linear}, true, "body.net.charge[group]"});
  Simulator run = simulator(std::move(assembly));
  run.run(2);
  if (!AllocationCounter::works()) GTEST_SKIP();
  const AllocationCounter counter;
  run.run(12);
  EXPECT_EQ(counter.count(), 0);
}

/// Whether two masses on a spring, stepped with h ω = `stiffness`, stay within some times their first
/// stretch.
inline bool oscillation_stays_bounded(const std::string& method, double stiffness) {
  constexpr double h = 0.1, stretch = 1e-4;
  Assembly assembly = loose_vertices({{0, 0, 0}, {0, 1.0 + stretch, 0}}, h, method);
  assembly.springs = {{0, 1, 0.5 * stiffness * stiffness / (h * h), 1.0}};  // ω² = 2k/m, m = 1 kg.
  Simulator run = simulator(std::move(assembly));
  for (int k = 0; k < 1000; ++k) {
    run.step();
    const auto& x = run.state().positions;
    if (std::abs(x[1].y - x[0].y - 1.0) > 100.0 * stretch) return false;
  }
  return true;
}

TEST_P(IntegratorConformance, IsStableUpToItsLimit) {
  const std::string& name = GetParam().name;
  const double limit = simulator(random_network(network())).integrator().stability_limit();
  if (std::isinf(limit)) {
    EXPECT_TRUE(oscillation_stays_bounded(name, 100.0));
    return;
  }
  if (limit > 0.0) {
    EXPECT_TRUE(oscillation_stays_bounded(name, 0.98 * limit));
  }
  EXPECT_FALSE(oscillation_stays_bounded(name, limit > 0.0 ? 1.02 * limit : 0.2));
}

/// Without forces between vertices the discrete scheme has a closed form: under gravity g from rest
/// x_n = c_n h² g with c_n = n²/2 (half kicks), n(n+1)/2 (velocity first), n(n-1)/2 (position first).
TEST_P(IntegratorConformance, FallsFreely) {
  constexpr double h = 0.01;
  constexpr Count n = 50;
  Assembly assembly = loose_vertices({{1.0, 2.0, 3.0}, {-4.0, 0.0, 0.0}}, h, GetParam().name);
  assembly.scene.gravity = Vec3{0.5, 0.0, -9.81};
  const State state = state_after(assembly, n);
  const double c = h * h * (0.5 * n * n + GetParam().lead * n);
  for (std::size_t i = 0; i < 2; ++i) {
    const Vec3 fallen = state.positions[i] - assembly.initial_positions[i];
    EXPECT_LE(norm(fallen - c * *assembly.scene.gravity), 1e-13);
    EXPECT_LE(norm(state.velocities[i] - (n * h) * *assembly.scene.gravity), 1e-13);
  }
}

/// Drag c alone: v_n = v_0 (1 - h c)ⁿ, for Verlet's two halves v_0 (1 - h c/2)²ⁿ, as factors v_0 exp(-h c n).
TEST_P(IntegratorConformance, SlowsByDrag) {
  constexpr double h = 0.01, drag = 0.7;
  constexpr int n = 40;
  Assembly assembly = loose_vertices({{1.0, 2.0, 3.0}}, h, GetParam().name);
  assembly.masses = {2.5};
  assembly.initial_velocities = {{1.0, -2.0, 0.5}};
  assembly.scene.damping.drag = drag;
  const State state = state_after(assembly, n);
  const double factor = std::pow(GetParam().slowing(h * drag), n);
  EXPECT_LE(norm(state.velocities[0] - factor * assembly.initial_velocities[0]), 1e-11);
}

}  // namespace electret::test
