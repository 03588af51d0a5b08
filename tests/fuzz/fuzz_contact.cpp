/// \file
/// Obstacles and tables of contact that someone wrote, with the mesh that they name: read, checked and, if
/// they are sound, stepped.

#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>
#include <utility>

#include <electret/core/errors.hpp>
#include <electret/dynamics/simulator.hpp>
#include <electret/scene/read.hpp>
#include <electret/scene/warnings.hpp>

namespace {

using namespace electret;

/// A solid, a net on rollers and dust, all of which fall and move sideways.
constexpr std::string_view bodies = R"toml(
[time]
step = 0.01
steps = 6
[gravity]
acceleration = [1.0, 0.0, -9.81]
[integrator]
max_iterations = 20
[[body]]
name = "block"
generate = { shape = "box", cells = [1, 1, 1], cell_size = 0.2 }
translate = [0.0, 0.0, 0.11]
velocity = [0.3, 0.0, -1.0]
density = 1000.0
  [[body.group]]
  name = "feet"
  indices = [0, 1, 2]
  [[body.material]]
  model = "stable_neo_hookean"
  youngs_modulus = 1e5
  poissons_ratio = 0.3
[[body]]
name = "net"
generate = { shape = "grid", width = 0.4, height = 0.2, rows = 2, columns = 3 }
translate = [1.0, 0.0, 0.05]
mass = 0.1
  [[body.springs]]
  stiffness = 50.0
  [[body.group]]
  name = "side"
  indices = [0]
  [[body.pin]]
  group = "side"
  normal = [0.0, 1.0, 0.0]
[[body]]
name = "dust"
generate = { shape = "chain", vertices = 2, length = 0.5 }
translate = [-1.0, 0.0, 0.02]
mass = 0.1
)toml";

/// The mesh of each obstacle that has one, if the input brings none.
constexpr std::string_view cube =
    "v -1 -1 -1\nv 1 -1 -1\nv 1 1 -1\nv -1 1 -1\nv -1 -1 1\nv 1 -1 1\nv 1 1 1\nv -1 1 1\n"
    "f 1 4 3 2\nf 5 6 7 8\nf 1 2 6 5\nf 3 4 8 7\nf 1 5 8 4\nf 2 3 7 6\n";

/// Tables that make the run another one, or a long one.
bool is_short(const Scene& scene) {
  return scene.time.steps <= 6 && scene.bodies.size() == 3 && scene.obstacles.size() <= 6;
}

void step(Assembly assembly) {
  try {
    Simulator simulator(compile(std::move(assembly), 1));
    for (int k = 0; k < 3; ++k) simulator.step();
    for (const Vec3& x : simulator.state().positions)
      if (!is_finite(x)) std::abort();
    for (const ContactForce& c : simulator.contacts())
      if (!std::isfinite(c.normal) || !is_finite(c.tangential)) std::abort();
  } catch (const DivergenceError&) {
    // Far places and fast obstacles are no numbers in the end.
  } catch (const InputError& error) {
    if (error.findings().empty()) std::abort();
  }
}

}  // namespace

/// The tables, and behind a line "#mesh" the obstacles' mesh as an OBJ file.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  const std::string_view input(reinterpret_cast<const char*>(bytes), size);
  constexpr std::string_view mark = "#mesh\n";
  const std::size_t at = input.find(mark);
  const std::string_view tables = input.substr(0, at);
  const std::string mesh(at == std::string_view::npos ? cube : input.substr(at + mark.size()));
  // A generator in a table could make a body of any size.
  if (tables.find("[[body]]") != std::string_view::npos || tables.find('\\') != std::string_view::npos ||
      tables.find("generate") != std::string_view::npos)
    return 0;
  try {
    Assembly assembly = load_scene_text(std::string(bodies) + std::string(tables), "fuzz.toml", ".", {},
                                        [&](const std::string&) { return mesh; });
    (void)scene_warnings(assembly);
    if (is_short(assembly.scene)) step(std::move(assembly));
  } catch (const InputError& error) {
    if (error.findings().empty()) std::abort();
    for (const Finding& finding : error.findings())
      if (finding.message.empty() || finding.message.find('\n') != std::string::npos) std::abort();
  }
  return 0;
}
