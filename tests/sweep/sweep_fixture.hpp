#pragma once
/// \file
/// A small scene, a job of six runs, and sweeps whose runs are done in any order.

#include <algorithm>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <electret/core/errors.hpp>
#include <electret/sweep/sweep_merge.hpp>
#include <electret/sweep/sweep_part.hpp>
#include <electret/sweep/sweep_state.hpp>

#include "../record/temporary_folder.hpp"

namespace electret::test {

inline constexpr const char* sweep_scene = R"([time]
step = 0.02
steps = 25
[integrator]
method = "imex"
[coulomb]
solver = "direct"
[output]
every = 2
[[body]]
name = "ball"
mesh = "ball.obj"
mass = 0.1
charge = 1e-6
[[body.springs]]
from = "edges"
stiffness = 30.0
)";

inline constexpr const char* sweep_job = R"([sweep]
scene = "scene.toml"
samples = 3
[[vary]]
key = "body.0.charge"
range = [1e-6, 4e-6]
[[vary]]
key = "integrator.method"
values = ["imex", "verlet"]
[keep]
quantities = { most = "max of kinetic", end = "last of total", size = "mean of radius_of_gyration" }
loss = "centre_of_mass:0,0,1"
gradient = ["body.ball.stiffness", "body.ball.charge"]
frames = 4
velocities = true
precision = "double"
)";

inline constexpr const char* sweep_mesh =
    "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 2 3\nf 1 2 4\nf 1 3 4\nf 2 3 4\n";

class Sweep : public ::testing::Test {
 protected:
  void SetUp() override {
    write("scene.toml", sweep_scene);
    write("job.toml", sweep_job);
    write("ball.obj", sweep_mesh);
  }
  void write(const std::string& name, const std::string& text) { std::ofstream(folder_ / name) << text; }
  SweepPlan plan() { return plan_sweep(folder_ / "job.toml"); }
  std::string fault() {
    try {
      (void)plan();
    } catch (const InputError& error) {
      return error.what();
    }
    return "";
  }
  /// A sweep of its own, its runs done in this order in parts of so many.
  SweepResults results(const std::string& name, const std::vector<Count>& order, std::size_t block) {
    const SweepFolder folder(folder_ / name);
    folder.begin(plan(), false);
    return results_in(name, order, block);
  }
  /// The same in a folder that is there.
  SweepResults results_in(const std::string& name, const std::vector<Count>& order, std::size_t block = 6) {
    const SweepFolder folder(folder_ / name);
    const SweepPlan own = folder.plan();
    for (std::size_t k = 0; k < order.size(); k += block) {
      PartWriter part(folder, own, order[k], order[k]);
      for (std::size_t i = k; i < std::min(k + block, order.size()); ++i) part.run(order[i], {});
    }
    return merge_sweep(folder, own);
  }

  TemporaryFolder folder_;
};

inline std::string file_text(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

}  // namespace electret::test
