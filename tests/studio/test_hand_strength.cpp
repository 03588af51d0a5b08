/// How strongly hands pull: what they hold follows, and nothing flies away.

#include <string>

#include <gtest/gtest.h>

#include <electret/dynamics/options.hpp>

#include "studio/handled.hpp"

namespace electret::studio {
namespace {

using test::blob_scene;
using test::farthest;
using test::Handled;

struct Pulled {
  std::string name, scene;
  std::size_t vertex;
};

std::vector<Pulled> pulled_scenes() {
  const auto with_time = [](const std::string& rest) {
    return "[time]\nstep = 0.01\nsteps = 100000\n[integrator]\nmethod = \"imex\"\n" + rest;
  };
  return {
      {"torus", with_time(R"([[body]]
name = "torus"
generate = { shape = "torus", major_radius = 1.0, minor_radius = 0.4, vertices = 145, sampling = "best_candidate" }
mass = 1.0
  [[body.springs]]
  from = "nearest"
  neighbours = 24
  stiffness = 10.0
)"),
       20},
      {"cloth", with_time(R"([damping]
drag = 0.2
[[body]]
name = "cloth"
generate = { shape = "grid", width = 1.0, height = 1.0, rows = 12, columns = 12 }
mass = 0.005
  [[body.springs]]
  from = "edges"
  stiffness = 20.0
)"),
       77},
      {"stiff", with_time(R"([damping]
drag = 0.1
[[body]]
name = "blob"
generate = { shape = "blob", vertices = 150 }
mass = 0.05
  [[body.springs]]
  from = "nearest"
  neighbours = 16
  stiffness = 2000.0
)"),
       40},
      {"jelly", with_time(R"([[body]]
name = "jelly"
generate = { shape = "box", cells = [8, 3, 3], cell_size = 0.1, element = "hex" }
density = 1000.0
  [[body.material]]
  model = "corotated"
  youngs_modulus = 2e4
  poissons_ratio = 0.4
  [[body.group]]
  name = "wall"
  attribute = "left"
  [[body.pin]]
  group = "wall"
)"),
       100},
      {"chain", with_time(R"([gravity]
acceleration = [0.0, 0.0, -9.81]
[damping]
drag = 0.1
[[body]]
name = "chain"
generate = { shape = "chain", length = 1.0, vertices = 141 }
mass = 0.01
  [[body.springs]]
  from = "edges"
  stiffness = 1e4
  [[body.group]]
  name = "top"
  indices = [0]
  [[body.pin]]
  group = "top"
)"),
       140},
  };
}

/// Explicit methods cannot do it alone, either.
bool is_stiff(const Pulled& scene) {
  return scene.name == "jelly" || scene.name == "stiff" || scene.name == "chain";
}

/// After a second the held mean has gone most of the way, whatever it is.
TEST(StudioHandStrength, WhatIsHeldFollows) {
  for (const Pulled& each : pulled_scenes()) {
    if (each.name == "chain") continue;  // It falls.
    for (const double brush : {0.0, 0.3}) {
      Handled session(each.scene);
      session.loaded();
      const auto& live = *session.machine->live();
      const double way = 0.2 * live.scenery().info.size;
      const auto held = [&] {
        const auto& floats = *session.heard.frames.back()->hands;
        return Vec3{floats[0], floats[1], floats[2]};
      };
      session.must(HandBegin{0, static_cast<Count>(each.vertex), brush, session.place(each.vertex)});
      const Vec3 start = held();
      session.must(HandMove{0, session.place(each.vertex) + Vec3{0.0, 0.0, way}});
      session.step(100);
      const double part = (held() - start).z / way;
      EXPECT_GT(part, 0.7) << each.name << ", brush " << brush;
      EXPECT_LT(part, 1.3) << each.name << ", brush " << brush;
    }
  }
}

/// Pulled about at random by hands of all brushes, at the step and ten times it, by every method.
TEST(StudioHandStrength, NoPullDiverges) {
  std::uint64_t seed = 12345;
  int tried = 0;
  const auto random = [&] {
    seed = seed * 6364136223846793005U + 1442695040888963407U;
    return static_cast<double>(seed >> 40) / static_cast<double>(1 << 24) - 0.5;
  };
  for (const Pulled& each : pulled_scenes())
    for (const std::string_view method : integrator_methods) {
      const bool is_explicit =
          std::find(explicit_integrator_methods.begin(), explicit_integrator_methods.end(), method) !=
          explicit_integrator_methods.end();
      if (method == "explicit_euler") continue;  // It gains energy on any spring.
      for (const double step : {0.01, 0.1}) {
        if (is_explicit && (step > 0.01 || is_stiff(each))) continue;  // Alone, too.
        Handled session(each.scene);
        session.options.overrides = {"integrator.method=" + std::string(method),
                                     "time.step=" + std::to_string(step)};
        session.loaded();
        if (session.phase() == Phase::broken) continue;  // The method is not for these elements.
        ++tried;
        const double size = session.machine->live()->scenery().info.size;
        const bool is_slow = is_stiff(each);
        for (int gesture = is_slow ? 1 : 0; gesture < 2; ++gesture) {
          const std::size_t vertex = (each.vertex + 31 * static_cast<std::size_t>(gesture)) % 140;
          session.must(HandBegin{0, static_cast<Count>(vertex), gesture == 0 ? 0.0 : 0.3 * size});
          for (int move = 0; move < 2; ++move) {
            session.must(HandMove{0, size * Vec3{2.0 * random(), 2.0 * random(), 2.0 * random()}});
            session.step(6);
            EXPECT_EQ(session.phase(), Phase::paused)
                << each.name << ", " << method << " as "
                << session.machine->live()->simulator().integrator().name() << ", h " << step << ", gesture "
                << gesture << ": " << session.heard.last<StateInfo>()->reason;
            EXPECT_LT(farthest(session), 5.0 * size) << each.name << ", " << method << ", h " << step;
            if (session.phase() != Phase::paused) break;
          }
          if (session.phase() != Phase::paused) break;
          session.must(HandEnd{0, false});
        }
      }
    }
  EXPECT_GT(tried, 25);
}

/// A vertex that rests on an obstacle hardly moves: measured there, its pull would be too strong for the
/// vertex that it lifts.
TEST(StudioHandStrength, WhatRestsOnAnObstacleIsLifted) {
  const auto floor = [](const std::string& law) {
    return "[[obstacle]]\nname = \"floor\"\nshape = \"plane\"\nnormal = [0, 0, 1]\npoint = [0, 0, -1.6]\n" +
           law + "[gravity]\nacceleration = [0, 0, -9.81]\n[damping]\ndrag = 0.05\n";
  };
  for (const std::string law :
       {"law = \"exact\"\nfriction = 0.8\n", "law = \"penalty\"\nstiffness = 100.0\n"})
    for (const std::string method : {"imex", "newton"}) {
      Handled session(blob_scene("0.0333", "20.0", floor(law)));
      session.options.overrides = {"integrator.method=" + method};
      session.loaded().step(60);
      ASSERT_EQ(session.phase(), Phase::paused) << session.heard.last<StateInfo>()->reason;
      const auto& x = session.state().positions;
      const auto low = std::min_element(x.begin(), x.end(), [](auto& a, auto& b) { return a.z < b.z; });
      const double start = low->z;
      const auto vertex = static_cast<std::size_t>(low - x.begin());
      session.pull(vertex, 0.1, {0.0, 0.0, 0.5});
      session.step(60);
      EXPECT_EQ(session.phase(), Phase::paused) << law << method;
      EXPECT_GT(session.place(vertex).z, start + 0.1) << law << method;
      EXPECT_LT(farthest(session), 4.0) << law << method;
    }
}

}  // namespace
}  // namespace electret::studio
