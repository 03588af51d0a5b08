#include "fuzz/run_files.hpp"

#include <fstream>
#include <stop_token>

#include <electret/core/errors.hpp>
#include <electret/record/run.hpp>
#include <electret/scene/read.hpp>

namespace electret::test {
namespace {

constexpr const char* cube =
    "v 0 0 0\nv 0 0 1\nv 0 1 0\nv 0 1 1\nv 1 0 0\nv 1 0 1\nv 1 1 0\nv 1 1 1\n"
    "f 1 2 4 3\nf 5 7 8 6\nf 1 5 6 2\nf 3 4 8 7\nf 1 3 7 5\nf 2 6 8 4\n";

constexpr const char* all_kinds = R"toml(
[time]
step = 0.001
steps = 4
[integrator]
method = "auto"
[coulomb]
[output]
compression = 1
[[body]]
name = "net"
generate = { shape = "grid", width = 2.0, height = 1.0, rows = 2, columns = 3 }
mass = 0.1
charge = 1e-9
  [[body.springs]]
  stiffness = 5.0
  [[body.group]]
  name = "ends"
  indices = [0, 5]
  [[body.group_charge]]
  group = "ends"
  times = [0.0, 1.0]
  values = [1e-9, 2e-9]
  [[body.pin]]
  group = "ends"
[[body]]
name = "muscle"
generate = { shape = "box", cells = [2, 1, 1], cell_size = 0.1, element = "hex" }
translate = [3.0, 0.0, 0.0]
density = 1000.0
  [[body.material]]
  model = "stable_neo_hookean"
  youngs_modulus = 5e4
  poissons_ratio = 0.4
  [[body.element_group]]
  name = "inner"
  indices = [0, 1]
  [[body.muscle]]
  group = "inner"
  fibre = [0.0, 0.0, 1.0]
  stiffness = 1e4
  times = [0.0, 1.0]
  values = [1.0, 0.9]
[[body]]
name = "tets"
generate = { shape = "box", cells = [1, 1, 1], cell_size = 0.1, element = "tet" }
translate = [6.0, 0.0, 0.0]
density = 1000.0
  [[body.material]]
  model = "corotated"
  youngs_modulus = 5e4
  poissons_ratio = 0.3
  [[body.element_group]]
  name = "half"
  indices = [0, 2]
[[body]]
name = "filled"
generate = { shape = "voxels", surface = "cube.obj", cell_size = 1.0 }
translate = [9.0, 0.0, 0.0]
density = 1000.0
  [[body.material]]
  model = "corotated"
  youngs_modulus = 5e4
  poissons_ratio = 0.3
[gravity]
acceleration = [0.0, 0.0, -9.81]
[[obstacle]]
name = "floor"
shape = "plane"
point = [0.0, 0.0, -0.05]
normal = [0.0, 0.0, 1.0]
friction = 0.5
[contact]
bodies = ["muscle", "tets"]
)toml";

constexpr const char* chain = R"toml(
[time]
step = 0.01
steps = 4
[integrator]
method = "verlet"
[output]
velocities = false
precision = "single"
[[body]]
generate = { shape = "chain", vertices = 3 }
mass = 1.0
velocity = [0.5, 0.0, 0.0]
  [[body.springs]]
  stiffness = 40.0
  [[body.group]]
  name = "first"
  indices = [0]
  [[body.pin]]
  group = "first"
)toml";

std::unique_ptr<System> system_of(const char* text) {
  return compile(
      load_scene_text(text, "fuzz.toml", ".", {}, [](const std::string&) { return std::string(cube); }), 1);
}

}  // namespace

std::unique_ptr<System> fuzzed_system() {
  return system_of(all_kinds);
}

std::unique_ptr<System> fuzzed_chain() {
  return system_of(chain);
}

void run_some_steps(std::unique_ptr<System> system, const std::string& folder, Count steps) {
  std::stop_source source;
  RunOptions options;
  options.control.stop = source.get_token();
  options.control.progress = [&](const Progress& progress) {
    if (progress.done >= steps) source.request_stop();
  };
  run_to_directory(std::move(system), folder, options);
}

void put_file(const std::string& path, std::string_view bytes) {
  std::ofstream(path, std::ios::binary | std::ios::trunc)
      .write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
}

void remove_export(const std::string& out) {
  std::filesystem::remove_all(out);
  std::filesystem::remove_all(out + ".part");
}

}  // namespace electret::test
