/// \file
/// Steps of solid bodies: a cantilever that starts twisted and beams turned by 2π, of hexahedra and of
/// tetrahedra, by method and tolerance: time, iterations, memory; and the gradient of the published
/// cantilever. finite_elements.md has its tables and what they say.

#include <cmath>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <random>
#include <regex>

#include <electret/scene/read.hpp>

#include "elastic_solves/apart.hpp"
#include "elastic_solves/measure.hpp"
#include "elastic_solves/measure_gradient.hpp"
#include "elastic_solves/tables.hpp"

namespace electret::bench {
namespace {

constexpr const char* usage =
    "Usage: bench_finite_elements [OPTIONS]\n\n"
    "  --quick            the cantilever by the default method only: some seconds\n"
    "  --large            beams of up to 140 000 vertices too\n"
    "  --rows REGEX       only rows SCENE/METHOD/TOLERANCE that match it; implies --large;\n"
    "                     the gradient's are gradient/auto/TOLERANCE\n"
    "  --threads N        (default 2)\n"
    "  --steps N          measured steps of a row (default: the scene's)\n"
    "  --limit S          seconds of processor time after which a row is given up (default 120)\n"
    "  --json             JSON instead of Markdown on stdout\n"
    "  --benchmark_format=json   likewise\n";

struct SolidScene {
  std::string name;
  bool large;
  Count steps;
  std::function<Assembly()> make;
};

std::string box_text(const std::array<int, 3>& cells, double cell, const std::string& element,
                     const std::string& model, const std::string& mass) {
  const auto text = [](double number) { return std::to_string(number); };
  return "[time]\nstep = 0.01\nsteps = 1000000\n[[body]]\nname = 'beam'\ngenerate = { shape = 'box', cells = "
         "[" +
         std::to_string(cells[0]) + ", " + std::to_string(cells[1]) + ", " + std::to_string(cells[2]) +
         "], cell_size = " + text(cell) + ", element = '" + element + "' }\n" + mass +
         "[[body.material]]\nmodel = '" + model + "'\nyoungs_modulus = 1e6\npoissons_ratio = 0.45\n" +
         "[[body.group]]\nname = 'held'\nattribute = 'left'\n[[body.pin]]\ngroup = 'held'\n";
}

Scene read_text(const std::string& text) {
  return parse_scene(text, "bench", ".");
}

/// Turns the cross-sections about the box's axis along x, by 0 at its left to `angle` at its right.
void twist(Assembly& assembly, double angle) {
  Vec3 low = assembly.rest_positions[0], high = low;
  for (const Vec3& x : assembly.rest_positions)
    for (int axis = 0; axis < 3; ++axis) {
      low[axis] = std::min(low[axis], x[axis]);
      high[axis] = std::max(high[axis], x[axis]);
    }
  const Vec3 centre = 0.5 * (low + high);
  for (Vec3& x : assembly.initial_positions) {
    const double turn = angle * (x.x - low.x) / (high.x - low.x), c = std::cos(turn), s = std::sin(turn);
    const double y = x.y - centre.y, z = x.z - centre.z;
    x.y = centre.y + c * y - s * z;
    x.z = centre.z + s * y + c * z;
  }
}

/// The published cantilever without its muscle, its random forces and its two vertices' collision springs:
/// 32 × 8 × 8 cells of 1 cm, 1 g at each vertex, twisted by π/2, held at its left, hanging.
Assembly cantilever(const std::string& model, const std::string& element) {
  Assembly assembly = assemble(read_text(box_text({32, 8, 8}, 0.01, element, model, "mass = 0.001\n") +
                                         "[gravity]\nacceleration = [0, 0, -9.81]\n"));
  twist(assembly, 1.5707963267948966);
  return assembly;
}

/// The published cantilever: with a muscle of 32 elements along an edge, and a small random force on each
/// vertex. Its collision springs do not act in 25 frames.
Assembly published_cantilever() {
  std::mt19937 bits(42);
  std::uniform_real_distribution<double> uniform(0.0, 1.0);
  std::normal_distribution<double> normal(0.0, 1e-4);
  std::string elements, activations;
  for (int i = 0; i < 32; ++i) {
    const std::string comma = i == 0 ? "" : ", ";
    elements += comma + std::to_string(i);
    activations += comma + std::to_string(uniform(bits));
  }
  Assembly assembly = assemble(
      read_text(box_text({32, 8, 8}, 0.01, "hex", "projective", "mass = 0.001\n") +
                "[[body.element_group]]\nname = 'edge'\nindices = [" + elements +
                "]\n[[body.muscle]]\ngroup = 'edge'\nfibre = [1, 0, 0]\nstiffness = 1e5\nactivations = [" +
                activations + "]\n[gravity]\nacceleration = [0, 0, -9.81]\n"));
  LoadTrack& load = assembly.load_tracks.emplace_back();
  for (std::size_t i = 0; i < assembly.masses.size(); ++i) {
    load.vertices.push_back(static_cast<Index>(i));
    load.forces.push_back({normal(bits), normal(bits), normal(bits)});
  }
  load.name = "body.beam.load.0";
  assembly.scene.time.steps = 25;
  twist(assembly, 1.5707963267948966);
  return assembly;
}

/// An arm of 80 × 10 × 10 cm, all of it muscle: four columns of four muscles each with activations of their
/// own.
Assembly muscled_arm() {
  std::mt19937 bits(42);
  std::uniform_real_distribution<double> uniform(0.0, 2.0);
  std::string text = box_text({32, 4, 4}, 0.025, "hex", "projective", "mass = 0.015625\n");
  for (int m = 0; m < 16; ++m) {
    const std::string name = "'m" + std::to_string(m) + "'";
    text += "[[body.element_group]]\nname = " + name + "\nindices = [";
    for (int x = 8 * (m % 4); x < 8 * (m % 4 + 1); ++x)
      for (int y = 2 * (m / 8); y < 2 * (m / 8 + 1); ++y)
        for (int z = 2 * (m / 4 % 2); z < 2 * (m / 4 % 2 + 1); ++z)
          text += std::to_string(x + 32 * (y + 4 * z)) + ", ";
    text += "]\n[[body.muscle]]\ngroup = " + name +
            "\nfibre = [1, 0, 0]\nstiffness = 1e5\nactivation = " + std::to_string(uniform(bits)) + "\n";
  }
  return assemble(read_text(text));
}

/// A beam of 32 × 8 × 8 cm in cells of 8 cm / n, turned by 2π.
Assembly twisted_beam(int n, const std::string& model, const std::string& element) {
  Assembly assembly =
      assemble(read_text(box_text({4 * n, n, n}, 0.08 / n, element, model, "density = 1000.0\n")));
  twist(assembly, 6.283185307179586);
  return assembly;
}

std::vector<SolidScene> all_scenes() {
  std::vector<SolidScene> all;
  for (const char* model : {"projective", "corotated", "stable_neo_hookean"})
    all.push_back({std::string("cantilever_") + model, false, 24, [=] { return cantilever(model, "hex"); }});
  all.push_back({"muscled_arm", false, 24, muscled_arm});
  all.push_back({"cantilever_tet", false, 24, [] { return cantilever("projective", "tet"); }});
  for (const auto& [n, label] : {std::pair{8, "3k"}, {16, "19k"}, {24, "60k"}, {32, "140k"}})
    for (const char* element : {"hex", "tet"})
      all.push_back({std::string("twisted_") + element + "_" + label, n > 16, 4,
                     [n = n, element] { return twisted_beam(n, "corotated", element); }});
  return all;
}

struct Options {
  bool quick = false, large = false, json = false;
  std::string rows;
  int threads = 2;
  Count steps = 0;
  unsigned limit = 120;
};

void add_row(Table& table, const SolidScene& scene, const SolveMethod& method, const char* tolerance,
             const Options& options) {
  const Count steps = options.steps > 0 ? options.steps : scene.steps;
  const auto got = run_apart(
      [&] { return measure_steps(scene.make(), method, std::stod(tolerance), options.threads, steps); },
      options.limit);
  table.begin_row();
  for (const std::string& text : {scene.name, std::string(method.name), std::string(tolerance)})
    table.add(text);
  if (!got) {
    table.add("> " + std::to_string(options.limit) + " s");
    for (int k = 0; k < 8; ++k) table.add_missing();
    return;
  }
  if (got->capped > 0.0)
    table.add("not reached");
  else
    table.add(got->solve_ms);
  for (const double number :
       {got->worst_ms, got->first_ms, got->processor_ms, got->iterations, got->linear_iterations,
        got->multigrid, got->worst_residual, got->peak_megabytes})
    table.add(number);
}

Table gradient_table(const Options& options, const std::regex& chosen) {
  Table table("The published cantilever and its gradient, " + std::to_string(options.threads) + " threads",
              {"tolerance", "by rest positions", "forward ms a frame", "back ms a frame",
               "forward processor ms", "back processor ms", "CG a step back", "its residual", "peak MB"});
  for (const char* tolerance : {"3e-4", "3e-6", "3e-9"})
    for (const bool by_rest_positions : {false, true}) {
      if (options.quick && (by_rest_positions || std::string(tolerance) != "3e-4")) continue;
      const std::string row = "gradient/auto/" + std::string(tolerance);
      if (!options.rows.empty() && !std::regex_search(row, chosen)) continue;
      const auto got = run_apart(
          [&] {
            return measure_gradient(published_cantilever(), std::stod(tolerance), options.threads,
                                    by_rest_positions);
          },
          options.limit);
      table.begin_row();
      table.add(std::string(tolerance));
      table.add(std::string(by_rest_positions ? "yes" : "no"));
      if (!got) {
        for (int k = 0; k < 7; ++k) table.add_missing();
        continue;
      }
      for (const double number :
           {got->forward_ms, got->backward_ms, got->forward_processor_ms, got->backward_processor_ms,
            got->iterations, got->worst_residual, got->peak_megabytes})
        table.add(number);
    }
  return table;
}

int run(const Options& options) {
  Table table("Solid bodies, " + std::to_string(options.threads) + " threads",
              {"scene", "method", "tolerance", "ms per step", "slowest", "first step ms", "processor ms",
               "Newton", "CG", "by multigrid", "gradient norm, N", "peak MB"});
  const std::regex chosen(options.rows);
  for (const SolidScene& scene : all_scenes())
    for (const SolveMethod& method : solve_methods())
      // Of the cantilever the gradient norms that the published rule has at 1e-4, 1e-6 and 1e-9.
      for (const char* tolerance : {"3e-3", "3e-5", "3e-8"}) {
        const bool is_default = method.name == "auto";
        if (options.quick && (!is_default || scene.name != "cantilever_projective")) continue;
        if (scene.large && !options.large && options.rows.empty()) continue;
        const std::string row = scene.name + "/" + std::string(method.name) + "/" + tolerance;
        if (!options.rows.empty() && !std::regex_search(row, chosen)) continue;
        add_row(table, scene, method, tolerance, options);
        if (!options.json) std::fprintf(stderr, "%s\n", row.c_str());
      }
  Table gradients = gradient_table(options, chosen);
  std::string text = options.json ? "[" : "";
  for (const Table* each : {&table, &gradients}) {
    if (each->empty()) continue;
    const bool is_first = text.size() <= 1;
    text += options.json ? (is_first ? "" : ", ") + each->json() : each->markdown() + "\n";
  }
  std::printf("%s%s\n", text.c_str(), options.json ? "]" : "");
  return 0;
}

}  // namespace
}  // namespace electret::bench

int main(int count, char** arguments) {
  electret::bench::Options options;
  for (int k = 1; k < count; ++k) {
    const std::string word = arguments[k];
    const auto value = [&] { return std::string(k + 1 < count ? arguments[++k] : "0"); };
    if (word == "--quick") {
      options.quick = true;
    } else if (word == "--large") {
      options.large = true;
    } else if (word == "--json" || word == "--benchmark_format=json") {
      options.json = true;
    } else if (word == "--rows") {
      options.rows = value();
    } else if (word == "--threads") {
      options.threads = std::stoi(value());
    } else if (word == "--steps") {
      options.steps = std::stoll(value());
    } else if (word == "--limit") {
      options.limit = static_cast<unsigned>(std::stoul(value()));
    } else {
      std::fputs(electret::bench::usage, stdout);
      return word == "--help" ? 0 : 2;
    }
  }
  return electret::bench::run(options);
}
