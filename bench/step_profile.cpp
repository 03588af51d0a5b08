/// \file
/// Where a step's time goes: microseconds a step in Coulomb sums, in springs (the implicit solve of imex),
/// and in everything else, on the charged torus, one thread and all.

#include <string>
#include <utility>

#include <benchmark/benchmark.h>

#include <electret/electret.hpp>

namespace {

/// The torus of examples/charged_torus.toml with n points, the charge of the whole kept.
electret::Scene torus(const std::string& method, int vertices) {
  electret::Scene scene;
  scene.time = {.step = method == "verlet" ? 0.015 : 0.03, .steps = 1'000'000};
  scene.integrator.method = method;
  scene.coulomb = electret::FieldOptions{};
  electret::Body& body = scene.bodies.emplace_back();
  body.name = "torus";
  body.generate = electret::GeneratorSpec{
      "torus", {{"vertices", static_cast<double>(vertices)}, {"sampling", std::string("best_candidate")}}};
  body.mass = 1.0;
  body.total_charge = 145 * 6e-6;
  electret::SpringTable& springs = body.springs.emplace_back();
  springs.from = "nearest";
  springs.neighbours = 24;
  springs.stiffness = 10.0;
  return scene;
}

void step(benchmark::State& state, const std::string& method) {
  const auto vertices = static_cast<int>(state.range(0));
  const auto threads = static_cast<int>(state.range(1));
  electret::Simulator simulator(electret::compile(electret::assemble(torus(method, vertices)), threads));
  simulator.run(3);  // buffers have their sizes
  const electret::StepTimings before = simulator.system().timings;
  long iterations = 0;
  for ([[maybe_unused]] auto _ : state) iterations += simulator.step().elastic_iterations;
  const electret::StepTimings after = simulator.system().timings;
  const auto steps = static_cast<double>(state.iterations());
  state.counters["field_us"] = 1e6 * (after.field - before.field) / steps;
  state.counters["elastic_us"] = 1e6 * (after.elastic - before.elastic) / steps;
  state.counters["iterations"] = static_cast<double>(iterations) / steps;
}

void sizes(benchmark::internal::Benchmark* bench) {
  for (const int vertices : {145, 1000, 5000})
    for (const int threads : {1, 2}) bench->Args({vertices, threads});
  bench->ArgNames({"n", "threads"})->UseRealTime()->Unit(benchmark::kMicrosecond);
}

}  // namespace

BENCHMARK_CAPTURE(step, verlet, "verlet")->Apply(sizes);
BENCHMARK_CAPTURE(step, imex, "imex")->Apply(sizes);
BENCHMARK_CAPTURE(step, kick_midpoint, "kick_midpoint")->Apply(sizes);

BENCHMARK_MAIN();
