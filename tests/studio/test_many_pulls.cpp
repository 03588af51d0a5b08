/// Random pulls at all kinds of bodies by every method: what is held follows, and nothing flies away.
/// ELECTRET_PULLS says how many pulls each body gets with each brush; then the figures are printed as a
/// table.

#include <algorithm>
#include <cstdlib>
#include <iostream>
#include <string>

#include <gtest/gtest.h>

#include <electret/core/errors.hpp>
#include <electret/dynamics/options.hpp>
#include <electret/geometry/read.hpp>
#include <electret/scene/read.hpp>
#include <electret/studio/session/grip.hpp>

#include "studio/handled.hpp"
#include "studio/pulled_scenes.hpp"

namespace electret::studio {
namespace {

using test::Handled;
using test::pulled_scenes;
using test::PulledScene;

constexpr int steps_of_a_move = 6, moves_of_a_pull = 2;
/// In sizes of the bodies: what gets farther away than this has flown.
constexpr double most_far = 8.0;
/// Steps in which a method that goes wrong by itself is seen to do so.
constexpr int steps_alone = 480;

const char* wanted_pulls() {
  return std::getenv("ELECTRET_PULLS");  // NOLINT(concurrency-mt-unsafe): tests have one thread here.
}

/// The largest distance of a vertex from `centre`.
double farthest_from(const Vec3& centre, VectorView x) {
  double most = 0.0;
  for (const Vec3& each : x) most = std::max(most, norm(each - centre));
  return most;
}

/// FNV-1a.
std::uint64_t seed_of(const std::string& words) {
  std::uint64_t hash = 14695981039346656037U;
  for (const char each : words) hash = (hash ^ static_cast<unsigned char>(each)) * 1099511628211U;
  return hash;
}

class ManyPulls : public Handled {
 public:
  ManyPulls(const PulledScene& scene, std::vector<std::string> overrides, const std::string& seed)
      : Handled(scene.text), random_(seed_of(seed)) {
    options.overrides = std::move(overrides);
    loaded();
    if (is_refused()) return;
    start_ = state().positions;
    const auto& info = machine->live()->scenery().info;
    size_ = info.size;
    pinned_ = info.pins;
  }

  /// The method is not for these elements.
  [[nodiscard]] bool is_refused() const { return phase() == Phase::broken; }
  [[nodiscard]] double size() const { return size_; }
  /// A brush that holds so many vertices about this one, m; 0 for one.
  [[nodiscard]] double brush_of(std::size_t vertex, std::size_t count) const {
    if (count == 1) return 0.0;
    std::vector<double> ways;
    for (const Vec3& each : start_) ways.push_back(norm(each - start_[vertex]));
    std::sort(ways.begin(), ways.end());
    return 1.001 * ways[std::min(count, ways.size()) - 1];
  }
  /// One pull of two moves by a hand that holds `count` vertices or so. Whether all went well.
  bool pull_about(std::size_t count) {
    const std::size_t vertex = free_vertex();
    must(HandBegin{0, static_cast<Count>(vertex), brush_of(vertex, count)});
    for (int move = 0; move < moves_of_a_pull; ++move) {
      must(HandMove{0, start_[vertex] + 1.5 * size_ * Vec3{random(), random(), random()}});
      step(steps_of_a_move);
      if (phase() != Phase::paused || farthest_from(start_[0], state().positions) > most_far * size_)
        return false;
    }
    must(HandEnd{0, false});
    return true;
  }
  [[nodiscard]] std::string trouble() const {
    return phase() == Phase::paused ? "it flew away" : heard.last<StateInfo>()->reason;
  }

 private:
  /// Between -1 and 1.
  double random() {
    random_ = random_ * 6364136223846793005U + 1442695040888963407U;
    return static_cast<double>(random_ >> 40) / static_cast<double>(1 << 23) - 1.0;
  }
  std::size_t free_vertex() {
    for (;;) {
      const auto vertex =
          static_cast<std::size_t>(0.5 * (random() + 1.0) * static_cast<double>(start_.size()));
      if (std::find(pinned_.begin(), pinned_.end(), static_cast<Index>(vertex)) == pinned_.end())
        return vertex;
    }
  }
  std::uint64_t random_;
  VectorArray start_;
  std::vector<Index> pinned_;
  double size_ = 0.0;
};

/// Whether a simulation that nobody pulls at diverges, flies apart or gains energy after a nudge.
bool fails_alone(const PulledScene& scene, const std::vector<std::string>& overrides) {
  Simulator simulator(
      compile(load_scene_text(scene.text, "alone.toml", ".", overrides, read_regular_file), 1));
  State state = simulator.state();
  const Vec3 start = state.positions[0];
  const double size = 2.0 * farthest_from(start, state.positions);
  const auto& fixed = simulator.system().fixed;
  for (std::size_t i = 0; i < state.positions.size(); ++i)
    if (!std::binary_search(fixed.begin(), fixed.end(), static_cast<Index>(i)))
      state.positions[i].z += 1e-3 * size * (i % 3 == 0 ? 1.0 : -0.5);
  simulator.restore(std::move(state), WorkAccounts{}, Inputs(simulator.inputs()));
  const Energies before = simulator.energies();
  try {
    for (int n = 0; n < steps_alone; ++n) simulator.step();
  } catch (const DivergenceError&) {
    return true;
  }
  const double gained = simulator.energies().total() - before.total();
  return gained > before.kinetic + before.elastic ||
         farthest_from(start, simulator.state().positions) > most_far * size;
}

std::string step_text(int times) {
  return times == 1 ? "0.01" : "0.1";
}

/// What became of pulls at a body with both brushes: a cell of the table.
std::string pulled_at(const PulledScene& scene, std::string_view method, int times, int pulls) {
  const std::vector<std::string> overrides = {"integrator.method=" + std::string(method),
                                              "time.step=" + step_text(times)};
  int done = 0;
  for (const std::size_t count : {1, 50}) {
    const std::string what = scene.name + ", " + std::string(method) + ", h " + step_text(times) + ", " +
                             std::to_string(count) + " held";
    ManyPulls session(scene, overrides, what);
    if (session.is_refused()) return "–";
    for (int pull = 0; pull < pulls; ++pull, ++done) {
      if (session.pull_about(count)) continue;
      if (fails_alone(scene, overrides)) return "alone";
      ADD_FAILURE() << what << ", pull " << pull << ": " << session.trouble();
      return "**fails in " + std::to_string(done + 1) + "**";
    }
  }
  return "0 of " + std::to_string(done);
}

/// At the step and ten times it, by every method. What diverges does so by itself, too: explicit methods at
/// steps that the body is too stiff for.
TEST(StudioManyPulls, NoneDiverges) {
  const char* wanted = wanted_pulls();
  const int pulls = wanted != nullptr ? std::atoi(wanted) : 1;
  const auto scenes = pulled_scenes();
  int tried = 0;
  std::string table = "| method |";
  for (const PulledScene& scene : scenes) table += " " + scene.name + ": h, 10 h |";
  for (const std::string_view method : integrator_methods) {
    table += "\n| `" + std::string(method) + "` |";
    for (const PulledScene& scene : scenes) {
      const std::string once = pulled_at(scene, method, 1, pulls), ten = pulled_at(scene, method, 10, pulls);
      table += " " + once + ", " + ten + " |";
      tried += static_cast<int>(once.front() == '0') + static_cast<int>(ten.front() == '0');
      const bool is_implicit =
          std::find(explicit_integrator_methods.begin(), explicit_integrator_methods.end(), method) ==
          explicit_integrator_methods.end();
      EXPECT_FALSE(is_implicit && (once == "alone" || ten == "alone")) << method << ", " << scene.name;
    }
  }
  EXPECT_GT(tried, 55);
  if (wanted != nullptr) std::cout << table << std::endl;
}

/// On a body that hardly moves, kicks at the ends of a step are as large as on a free grip.
TEST(StudioManyPulls, KicksAreNoStrongerThanAFreeGripBears) {
  const Grip grip{{0}, {1.0}, 0.05, 1e4, 1.0};
  constexpr double h = 0.1, free_one = h * h / 0.05;
  for (const auto& [method, part] : {std::pair{"kick_trbdf2", 0.3}, std::pair{"kick_midpoint", 0.05}}) {
    const GripStrength kick = strength_of(grip, 1e-3 * free_one, h, method, 1.0);
    EXPECT_DOUBLE_EQ(kick.stiffness, 2.0 * part / free_one) << method;
    EXPECT_DOUBLE_EQ(kick.damping, 2.0 * part * h / free_one) << method;
    EXPECT_DOUBLE_EQ(strength_of(grip, 2.0 * free_one, h, method, 1.0).stiffness, 0.5 * part / free_one);
  }
  EXPECT_GT(strength_of(grip, 1e-3 * free_one, h, "imex", 1.0).stiffness, 10.0 / free_one);
}

/// After a second the held mean has gone most of the way, whatever it is.
TEST(StudioManyPulls, WhatIsHeldFollows) {
  for (const PulledScene& each : pulled_scenes())
    for (const std::size_t count : {1, 50}) {
      ManyPulls session(each, {}, each.name);
      const double way = 0.2 * session.size();
      const auto held = [&] {
        const auto& floats = *session.heard.frames.back()->hands;
        return Vec3{floats[0], floats[1], floats[2]};
      };
      session.must(HandBegin{0, static_cast<Count>(each.vertex), session.brush_of(each.vertex, count)});
      const Vec3 start = held();
      session.must(HandMove{0, session.place(each.vertex) + way * each.direction});
      session.step(100);
      const double part = dot(held() - start, each.direction) / way;
      if (wanted_pulls() != nullptr)
        std::cout << each.name << ", " << count << " held: " << part << " of the way\n";
      EXPECT_GT(part, 0.7) << each.name << ", held " << count;
      EXPECT_LT(part, 1.3) << each.name << ", held " << count;
    }
}

}  // namespace
}  // namespace electret::studio
