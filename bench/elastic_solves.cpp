/// \file
/// Implicit solves of springs alone: milliseconds and iterations a step to relative gradient norms of 1e-4
/// and 1e-6, by every elastic solver there is; and nanoseconds for each spring of a Hessian product, beside
/// the stencil's that computes it anew each time.
///
/// `--large` adds a blob of 100,000 vertices and sheets of 316² and 1000². The counter peak_MB is the whole
/// process's: it is a row's own where --benchmark_filter leaves one row.

#include <algorithm>
#include <cstring>
#include <functional>
#include <random>
#include <string>
#include <utility>

#include <benchmark/benchmark.h>
#include <sys/resource.h>

#include <electret/dynamics/simulator.hpp>
#include <electret/elastic/spring_energy.hpp>
#include <electret/linear/block_matrix.hpp>
#include <electret/scene/assembly.hpp>

namespace {

using electret::Assembly;

constexpr double vertex_mass = 1e-3;  // kg

double peak_megabytes() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<double>(usage.ru_maxrss) / 1024.0;
}

/// A body of springs with k/m = `ratio` (1/s²), h = 0.01 s, gravity.
electret::Scene scene_of(electret::GeneratorSpec shape, const std::vector<std::string>& springs, double ratio,
                         const electret::Vec3& gravity) {
  electret::Scene scene;
  scene.time = {.step = 0.01, .steps = 1'000'000};
  scene.gravity = gravity;
  electret::Body& body = scene.bodies.emplace_back();
  body.name = "body";
  body.generate = std::move(shape);
  body.mass = vertex_mass;
  for (const std::string& from : springs) {
    electret::SpringTable& table = body.springs.emplace_back();
    table.from = from;
    table.neighbours = 18;
    table.stiffness = ratio * vertex_mass;
  }
  return scene;
}

/// Pins a group of the generated shape.
void hold(electret::Scene& scene, const std::string& group) {
  electret::VertexGroup& held = scene.bodies[0].groups.emplace_back();
  held.name = held.attribute = group;
  scene.bodies[0].pins.emplace_back().group = group;
}

/// A sheet of n × n vertices with edges, diagonals and bending springs, held at the group `held`.
Assembly sheet(int n, double ratio, const electret::Vec3& gravity, const std::string& held) {
  const double width = 0.01 * (n - 1);
  electret::Scene scene = scene_of({"grid",
                                    {{"rows", static_cast<double>(n)},
                                     {"columns", static_cast<double>(n)},
                                     {"width", width},
                                     {"height", width}}},
                                   {"edges", "diagonals", "bending"}, ratio, gravity);
  hold(scene, held);
  return electret::assemble(std::move(scene));
}

Assembly lattice(int n, double ratio) {
  electret::Scene scene = scene_of(
      {"lattice",
       {{"nx", static_cast<double>(n)}, {"ny", static_cast<double>(n)}, {"nz", static_cast<double>(n)}}},
      {"nearest"}, ratio, {0, 0, -9.81});
  hold(scene, "left");
  return electret::assemble(std::move(scene));
}

Assembly blob(int vertices, double ratio) {
  electret::Scene scene =
      scene_of({"blob", {{"vertices", static_cast<double>(vertices)}}}, {"nearest"}, ratio, {0, 0, -9.81});
  hold(scene, "base");
  return electret::assemble(std::move(scene));
}

/// Velocities with no symmetry, so that a sheet that is pushed together buckles.
Assembly stirred(Assembly assembly) {
  std::mt19937_64 random(7);
  std::uniform_real_distribution<double> uniform(-0.01, 0.01);
  for (electret::Vec3& v : assembly.initial_velocities)
    v = {uniform(random), uniform(random), uniform(random)};
  return assembly;
}

void solve(benchmark::State& state, const std::function<Assembly()>& make, const std::string& solver,
           double tolerance) {
  constexpr int steps = 5;
  Assembly assembly = make();
  assembly.scene.integrator.elastic_solver = solver;
  assembly.scene.integrator.tolerance = tolerance;
  assembly.scene.integrator.max_iterations = 5000;
  long iterations = 0, capped = 0, done = 0;
  for ([[maybe_unused]] auto _ : state) {
    state.PauseTiming();
    electret::Simulator simulator(electret::compile(assembly, 2));
    state.ResumeTiming();
    for (int k = 0; k < steps; ++k, ++done) {
      const electret::StepReport report = simulator.step();
      iterations += report.elastic_iterations;
      capped += report.capped;
    }
  }
  const auto count = static_cast<double>(done);
  state.counters["ms_a_step"] =
      benchmark::Counter(count * 1e-3, benchmark::Counter::kIsRate | benchmark::Counter::kInvert);
  state.counters["iterations"] = static_cast<double>(iterations) / count;
  state.counters["capped"] = static_cast<double>(capped) / count;
  state.counters["vertices"] = static_cast<double>(assembly.masses.size());
  state.counters["peak_MB"] = peak_megabytes();
}

/// A spring energy at its assembly's place, linearised, and what its products read and write.
struct Linearised {
  Linearised(const Assembly& assembly, bool reference) : threads(1) {
    std::vector<electret::Edge> edges;
    std::vector<double> stiffness, rest_length;
    for (const electret::Spring& spring : assembly.springs) {
      edges.push_back({spring.i, spring.j});
      stiffness.push_back(spring.stiffness);
      rest_length.push_back(0.97 * spring.rest_length);
    }
    const auto n = static_cast<electret::Index>(assembly.masses.size());
    energy = reference ? make_reference_spring_energy(n, edges, stiffness, rest_length, threads)
                       : make_spring_energy(n, edges, stiffness, rest_length, threads);
    x = assembly.initial_positions;
    gradient.resize(x.size());
    out.resize(x.size());
    for (const electret::Vec3& v : x) d32.push_back(electret::padded32(v));
    out32.resize(x.size());
    linearise();
  }
  void linearise() { energy->linearise(x, electret::HessianKind::exact, gradient); }

  electret::Threads threads;
  std::unique_ptr<electret::ElasticEnergy> energy;
  electret::VectorArray x, gradient, out;
  std::vector<electret::Padded32> d32, out32;
};

void springs_loop(benchmark::State& state, Linearised& at, const std::function<void()>& body) {
  for ([[maybe_unused]] auto _ : state) body();
  const double springs = static_cast<double>(at.energy->elements().size()) * 1e-9;
  state.counters["ns_a_spring"] =
      benchmark::Counter(springs * static_cast<double>(state.iterations()),
                         benchmark::Counter::kIsRate | benchmark::Counter::kInvert);
}

void product(benchmark::State& state, const std::function<Assembly()>& make, const std::string& what) {
  Linearised at(make(), what == "stencil");
  const electret::ElementList list{2, at.energy->elements().connectivity()};
  const auto pattern =
      electret::BlockPattern::of_elements(static_cast<electret::Index>(at.x.size()), {&list, 1});
  electret::BlockMatrix h(pattern);
  at.energy->attach(pattern);
  const auto body = [&] {
    if (what == "stencil" || what == "float64") at.energy->add_hessian_product(at.x, at.out);
    if (what == "float32") at.energy->add_hessian_product(1.0F, at.d32, at.out32);
    if (what == "linearise") at.linearise();
    if (what == "blocks") at.energy->add_hessian_blocks(1.0F, h);
    if (what == "block_matrix") h.multiply(at.threads, at.d32, at.out32);
  };
  springs_loop(state, at, body);
}

void add_solves(const std::string& name, const std::function<Assembly()>& make) {
  std::vector<std::string_view> solvers(electret::elastic_solvers.begin(), electret::elastic_solvers.end());
  solvers.push_back(electret::newton_baseline);
  for (const std::string_view solver : solvers)
    for (const double tolerance : {1e-4, 1e-6})
      benchmark::RegisterBenchmark(
          ("solve/" + name + "/" + std::string(solver) + (tolerance == 1e-4 ? "/1e-4" : "/1e-6")).c_str(),
          [=](benchmark::State& state) { solve(state, make, std::string(solver), tolerance); })
          ->Unit(benchmark::kMillisecond)
          ->UseRealTime();
}

void add_products(const std::string& name, const std::function<Assembly()>& make) {
  for (const char* what : {"stencil", "float64", "float32", "linearise", "blocks", "block_matrix"})
    benchmark::RegisterBenchmark(("product/" + name + "/" + what).c_str(), [=](benchmark::State& state) {
      product(state, make, what);
    })->Unit(benchmark::kMicrosecond);
}

void add_rows(bool large) {
  constexpr electret::Vec3 down{0, -9.81, 0}, across{0, 0, -9.81};
  add_products("cloth_100", [=] { return stirred(sheet(100, 5e4, down, "top")); });
  add_products("blob_2500", [] { return blob(2500, 5e4); });
  for (const auto& [label, ratio] : {std::pair{"5e4", 5e4}, {"5e6", 5e6}}) {
    const std::string suffix = std::string("_") + label;
    add_solves("cloth_100_hanging" + suffix, [=, r = ratio] { return sheet(100, r, down, "top"); });
    add_solves("cloth_100_buckling" + suffix,
               [=, r = ratio] { return stirred(sheet(100, r, down, "bottom")); });
    add_solves("cloth_100_flat" + suffix, [=, r = ratio] { return sheet(100, r, across, "boundary"); });
    add_solves("lattice_20" + suffix, [r = ratio] { return lattice(20, r); });
    add_solves("blob_2500" + suffix, [r = ratio] { return blob(2500, r); });
    if (!large) continue;
    add_solves("blob_100000" + suffix, [r = ratio] { return blob(100'000, r); });
    add_solves("cloth_316_hanging" + suffix, [=, r = ratio] { return sheet(316, r, down, "top"); });
    add_solves("cloth_1000_hanging" + suffix, [=, r = ratio] { return sheet(1000, r, down, "top"); });
  }
}

}  // namespace

int main(int argc, char** argv) {
  char** const end = std::remove_if(
      argv + 1, argv + argc, [](const char* argument) { return std::strcmp(argument, "--large") == 0; });
  const bool large = end != argv + argc;
  argc = static_cast<int>(end - argv);
  add_rows(large);
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 2;
  benchmark::RunSpecifiedBenchmarks();
}
