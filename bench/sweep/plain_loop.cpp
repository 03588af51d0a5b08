/// \file
/// The runs of a sweep as a plain loop over the library, against which compare_sweep.py measures a worker:
/// scene, steps, and at each frame energies and observables, of which it keeps a sum. One thread.
///
///   bench_sweep_loop SCENE DESIGN.csv

#include <cstdio>
#include <exception>

#include <electret/core/stopwatch.hpp>
#include <electret/dynamics/simulator.hpp>
#include <electret/record/frame_measures.hpp>
#include <electret/scene/read.hpp>
#include <electret/sweep/design.hpp>

namespace {

/// The sum of all numbers of all frames, which shows that they were computed; NaN where one is.
double run(const std::string& scene, const std::vector<std::string>& overrides) {
  electret::Simulator simulator(electret::compile(electret::load_scene(scene, overrides), 1));
  const electret::Scene& own = simulator.system().assembly.scene;
  electret::FrameMeter meter;
  double sum = 0.0;
  const auto measure = [&] {
    const electret::Energies now = simulator.energies();
    simulator.check_energy(now);
    for (const double number : electret::measured_numbers(meter.measure(simulator, now))) sum += number;
  };
  measure();
  for (electret::Count step = 1; step <= own.time.steps; ++step) {
    simulator.step();
    if (step % own.output.every == 0) measure();
  }
  return sum;
}

}  // namespace

int main(int count, char** words) {
  if (count != 3) {
    std::fputs("Usage: bench_sweep_loop SCENE DESIGN.csv\n", stderr);
    return 2;
  }
  try {
    const electret::SweepDesign design = electret::read_design(words[2]);
    double seconds = 0.0, sum = 0.0;
    {
      const electret::Stopwatch watch(seconds);
      for (electret::Count k = 0; k < design.runs(); ++k) sum += run(words[1], design.overrides(k));
    }
    std::printf("{\"runs\": %lld, \"seconds\": %.9g, \"sum\": \"%.17g\"}\n",
                static_cast<long long>(design.runs()), seconds, sum);
    return 0;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "bench_sweep_loop: %s\n", error.what());
    return 1;
  }
}
