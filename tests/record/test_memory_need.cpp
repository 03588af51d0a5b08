/// The memory that is told of a solid on a lattice, against the bytes that its run and its gradient allocate.

#include <memory>
#include <string>
#include <utility>

#include <gtest/gtest.h>

#include <electret/adjoint/gradient.hpp>
#include <electret/fit/losses.hpp>
#include <electret/record/memory_need.hpp>
#include <electret/record/run.hpp>
#include <electret/scene/read.hpp>

#include "record/temporary_folder.hpp"
#include "support/allocated_bytes.hpp"
#include "support/allocation_counter.hpp"

namespace electret {
namespace {

using test::AllocatedBytes;
using test::AllocationCounter;
using test::TemporaryFolder;

struct Body {
  const char* element;
  int cells;  ///< Along each axis.
};

std::unique_ptr<System> solid(const Body& body) {
  const std::string side = std::to_string(body.cells);
  return compile(load_scene_text(R"(
[time]
step = 0.01
steps = 3
[gravity]
acceleration = [0, 0, -9.81]
[[body]]
name = "b"
generate = { shape = "box", cells = [)" +
                                     side + ", " + side + ", " + side + "], cell_size = 0.02, element = \"" +
                                     body.element + R"(" }
density = 1000
  [[body.material]]
  model = "stable_neo_hookean"
  youngs_modulus = 1e5
  poissons_ratio = 0.4
  [[body.group]]
  name = "held"
  attribute = "left"
  [[body.pin]]
  group = "held"
)",
                                 "scene.toml", ".", {}, read_regular_file),
                 1);
}

/// The program's own part is outside the heap.
void expect_at_most_15_percent_above(double need, const AllocatedBytes& bytes) {
  const double ratio = (need - program_memory) / static_cast<double>(bytes.most());
  EXPECT_GE(ratio, 1.0);
  EXPECT_LE(ratio, 1.15);
}

class MemoryNeed : public testing::TestWithParam<Body> {
 protected:
  void SetUp() override {
    if (!AllocationCounter::works()) GTEST_SKIP() << "nothing is counted";
  }
};

TEST_P(MemoryNeed, OfARunIsAtMost15PercentAboveItsHeap) {
  const TemporaryFolder folder;
  const AllocatedBytes bytes;
  auto system = solid(GetParam());
  const double need = memory_need(*system, *make_integrator(*system, system->assembly.scene.integrator));
  run_to_directory(std::move(system), folder / "run");
  expect_at_most_15_percent_above(need, bytes);
}

TEST_P(MemoryNeed, OfAGradientIsAtMost15PercentAboveItsHeap) {
  for (const bool rest_positions : {false, true}) {
    const AllocatedBytes bytes;
    Simulator simulator(solid(GetParam()));
    const double need =
        gradient_memory_need(simulator.system(), std::as_const(simulator).integrator(), rest_positions);
    GradientOptions options;
    options.memory = 1.0;  // Three states are held at any budget.
    options.rest_positions = rest_positions;
    loss_and_gradient(simulator, *final_energy_loss(), options);
    expect_at_most_15_percent_above(need, bytes);
  }
}

INSTANTIATE_TEST_SUITE_P(Lattices, MemoryNeed,
                         testing::Values(Body{"hex", 20}, Body{"hex", 28}, Body{"tet", 16}, Body{"tet", 22}),
                         [](const auto& body) {
                           return body.param.element + std::to_string(body.param.cells);
                         });

}  // namespace
}  // namespace electret
