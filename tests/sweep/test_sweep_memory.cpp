/// How much memory the runs of a sweep take, against each run's need.

#include <algorithm>
#include <string>
#include <utility>

#include <gtest/gtest.h>

#include <electret/dynamics/simulator.hpp>
#include <electret/record/memory_need.hpp>
#include <electret/sweep/sweep_memory.hpp>

#include "sweep_fixture.hpp"

namespace electret::test {
namespace {

constexpr const char* two_bodies = R"([time]
step = 0.02
steps = 2
[[body]]
generate = { shape = "sphere", vertices = 30 }
mass = 0.1
[[body.springs]]
from = "edges"
stiffness = 30.0
[[body]]
generate = { shape = "sphere", vertices = 30 }
translate = [5, 0, 0]
mass = 0.1
[[body.springs]]
from = "edges"
stiffness = 30.0
)";

/// The largest need of all runs, each assembled.
double largest_need(const SweepPlan& plan) {
  double largest = 0.0;
  MeshStore meshes;
  for (Count run = 0; run < plan.design.runs(); ++run) {
    const Simulator simulator(compile(scene_of_run(plan, plan.design.overrides(run), meshes), 1));
    largest = std::max(largest, memory_need(simulator.system(), simulator.integrator()));
  }
  return largest;
}

TEST_F(Sweep, TheMemoryOfAWorkerIsThatOfItsLargestRun) {
  write("scene.toml", two_bodies);
  const std::string start = "[sweep]\nscene = \"scene.toml\"\n";
  const std::string sizes = "values = [200, 5000, 30]\n";
  for (const std::string& job :
       {start + "[[vary]]\nkey = \"body.0.generate.vertices\"\n" + sizes,
        start + "[[vary]]\nkeys = [\"body.0.generate.vertices\", \"body.1.generate.vertices\"]\n" + sizes,
        start + "[[vary]]\nkey = \"body.0.generate.vertices\"\n" + sizes +
            "[[vary]]\nkey = \"body.1.generate.vertices\"\n" + sizes +
            "[[vary]]\nkey = \"integrator.method\"\nvalues = [\"verlet\", \"imex\"]\n",
        start + "[[vary]]\nkey = \"body.0.generate.vertices\"\ntogether = \"t\"\n" + sizes +
            "[[vary]]\nkey = \"body.1.generate.vertices\"\ntogether = \"t\"\nvalues = [30, 200, 5000]\n"}) {
    write("job.toml", job);
    const SweepPlan whole = plan();
    const double wanted = largest_need(whole), found = memory_of_a_worker(whole);
    EXPECT_GE(found, wanted) << job;
    // What stays of meshes, and a part that does not depend on the scene.
    constexpr double mesh = 150.0 * 10030.0 * 15.0;
    EXPECT_LE(found, wanted + mesh + program_memory) << job;
    EXPECT_GT(wanted, 3e6 + program_memory) << job;  // Of 5000 vertices, which run 0 has not.
  }
}

TEST_F(Sweep, TheMeshesOfShapesOfOneSizeAreCounted) {
  std::string scene = two_bodies;
  scene.replace(scene.find("vertices = 30"), 13, "vertices = 5000");
  write("scene.toml", scene);
  const auto memory = [&](const std::string& values, const std::string& more = "") {
    write("job.toml", "[sweep]\nscene = \"scene.toml\"\n" + more + values);
    const SweepPlan whole = plan();
    return std::pair(memory_of_a_worker(whole), largest_need(whole));
  };
  const std::string radius = "[[vary]]\nkey = \"body.0.generate.radius\"\n";
  constexpr double mesh = 5030 * 150.0;
  const auto [one, need] = memory("[[vary]]\nkey = \"body.0.mass\"\nrange = [1, 2]\npoints = 20\n");
  EXPECT_NEAR(one, need + program_memory, 0.01 * need);
  const auto [many, same] = memory(radius + "range = [1, 2]\npoints = 20\n");
  EXPECT_NEAR(same, need, 0.01 * need);
  EXPECT_NEAR(many - one, 15.0 * mesh, 0.1 * mesh);
  EXPECT_NEAR(memory(radius + "range = [1, 2]\n", "samples = 20\n").first - one, 15.0 * mesh, 0.1 * mesh);
  // Fewer shapes than a process keeps, of two bodies.
  EXPECT_NEAR(memory(radius + "values = [1, 2]\n").first - one, 3.0 * mesh, 0.1 * mesh);
}

TEST_F(Sweep, TheMemoryOfEqualSizesIsThatOfOneRun) {
  const SweepPlan whole = plan();
  MeshStore meshes;
  const Simulator simulator(compile(scene_of_run(whole, whole.design.overrides(0), meshes), 1));
  EXPECT_DOUBLE_EQ(memory_of_a_worker(whole),
                   program_memory + gradient_memory_need(simulator.system(), simulator.integrator(), true));
}

TEST_F(Sweep, ASceneThatCannotBeReadTakesNoMemory) {
  write("scene.toml", two_bodies);
  write(
      "job.toml",
      "[sweep]\nscene = \"scene.toml\"\n[[vary]]\nkey = \"body.0.generate.vertices\"\nvalues = [30, 5000]\n");
  SweepPlan whole = plan();
  const double wanted = memory_of_a_worker(whole);
  whole.design = SweepDesign(whole.design.keys(), {"-1", "30", "5000"});
  EXPECT_NEAR(memory_of_a_worker(whole), wanted, 5030.0 * 150.0) << "but for a mesh that it might have";
  whole.design = SweepDesign(whole.design.keys(), {"-1", "-2"});
  EXPECT_EQ(memory_of_a_worker(whole), program_memory);
}

}  // namespace
}  // namespace electret::test
