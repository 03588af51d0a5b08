/// \file
/// What a gradient costs: loss and gradient over the forward run alone, with all states stored and with a
/// tenth of them; with one parameter and with a thousand; and the memory it takes. Markdown tables.
///
///   bench_gradient_cost [--large] [--only-times] [--method NAME] [--steps N] [--repeats N]
///   bench_gradient_cost --water SCENE [--set KEY=VALUE]... [--repeats N]
///
/// A charged blob with springs to its 12 nearest: 1000 vertices by the direct sum; with --large 100,000 by
/// the fast multipole method. Each time is the least of the repeats, taken in turns. With --water: what part
/// of a scene's steps its water takes.

#include <algorithm>
#include <cstdio>
#include <exception>
#include <memory>
#include <string>
#include <vector>

#include <sys/resource.h>

#include <electret/adjoint/gradient.hpp>
#include <electret/core/stopwatch.hpp>
#include <electret/fit/losses.hpp>
#include <electret/scene/parameters.hpp>

#include "water_share.hpp"

namespace {

struct Options {
  bool large = false, only_times = false;
  std::string method = "imex";
  electret::Count steps = 50;
  int repeats = 3;
  std::string water;  ///< A scene's file.
  std::vector<std::string> overrides;
};

electret::Assembly blob(const Options& options) {
  electret::Scene scene;
  scene.time = {.step = 0.01, .steps = options.steps};
  scene.integrator.method = options.method;
  scene.integrator.tolerance = 1e-10;
  scene.coulomb = electret::FieldOptions{};
  scene.coulomb->solver = options.large ? "fmm" : "direct";
  electret::Body& body = scene.bodies.emplace_back();
  body.name = "blob";
  body.generate = electret::GeneratorSpec{"blob", {{"vertices", options.large ? 1e5 : 1e3}}};
  body.mass = 1.0;
  body.total_charge = 1e-3;
  electret::SpringTable& springs = body.springs.emplace_back();
  springs.from = "nearest";
  springs.neighbours = 12;
  springs.stiffness = 50.0;
  springs.rest_length_scale = 0.9;
  return electret::assemble(std::move(scene));
}

double peak_megabytes() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<double>(usage.ru_maxrss) / 1024.0;
}

class Cost {
 public:
  explicit Cost(const Options& options)
      : options_(options),
        assembly_(blob(options)),
        simulator_(electret::compile(assembly_)),
        target_(assembly_.initial_positions),
        loss_(electret::final_position_loss(target_)) {}

  void run() {
    if (!options_.only_times) memory();
    times();
    if (!options_.only_times) parameters();
  }

 private:
  double seconds_forward() {
    double seconds = 0.0;
    {
      const electret::Stopwatch watch(seconds);
      electret::loss_of_run(simulator_, *loss_);
    }
    return seconds;
  }
  double bytes_of_state() {
    simulator_.restart();
    return electret::bytes_of_state(simulator_);
  }
  double seconds_of(electret::Count states, electret::GradientReport& report,
                    const char* parameter = nullptr) {
    electret::GradientOptions how;
    how.memory = 1e18;
    if (states > 0) how.memory = (static_cast<double>(states) + 0.5) * bytes_of_state();
    double seconds = 0.0;
    {
      const electret::Stopwatch watch(seconds);
      const electret::LossAndGradient got = electret::loss_and_gradient(simulator_, *loss_, how);
      if (parameter != nullptr) sum_ += electret::find_parameter(assembly_, parameter).pull(got.gradient)[0];
      report = got.report;
    }
    return seconds;
  }

  /// Ascending budgets: the process's peak only grows.
  void memory() {
    electret::GradientReport report;
    seconds_forward();
    seconds_of(3, report);
    const double least = peak_megabytes(), state = bytes_of_state() / 1048576.0;
    std::printf(
        "\n| states | budget MB | steps forward | peak of the process MB | over that of 3 states MB |\n| --- "
        "| --- | --- | --- | --- |\n");
    for (const electret::Count states : {electret::Count{3}, electret::Count{5}, options_.steps / 10,
                                         options_.steps / 2, options_.steps + 1}) {
      seconds_of(states, report);
      std::printf("| %ld | %.1f | %ld | %.1f | %.1f |\n", static_cast<long>(states),
                  static_cast<double>(states) * state, static_cast<long>(report.forward_steps),
                  peak_megabytes(), peak_megabytes() - least);
    }
  }

  void times() {
    double forward = 1e300, all = 1e300, tenth = 1e300;
    electret::GradientReport with_all, with_tenth;
    for (int k = 0; k < options_.repeats; ++k) {
      forward = std::min(forward, seconds_forward());
      all = std::min(all, seconds_of(0, with_all));
      tenth = std::min(tenth, seconds_of(options_.steps / 10, with_tenth));
    }
    std::printf("\n| states | steps forward | s | / forward run |\n| --- | --- | --- | --- |\n");
    std::printf("| forward run | %ld | %.3f | 1 |\n", static_cast<long>(options_.steps), forward);
    const auto row = [&](const char* name, const electret::GradientReport& report, double seconds) {
      std::printf("| %s | %ld | %.3f | %.2f |\n", name, static_cast<long>(report.forward_steps), seconds,
                  seconds / forward);
    };
    row("all", with_all, all);
    row("a tenth", with_tenth, tenth);
    std::printf("\nadjoint solves: %ld, %.1f iterations each; %ld by a factorisation\n",
                static_cast<long>(with_all.solves),
                static_cast<double>(with_all.iterations) /
                    static_cast<double>(std::max<electret::Count>(1, with_all.solves)),
                static_cast<long>(with_all.direct_solves));
  }

  void parameters() {
    electret::GradientReport report;
    double one = 1e300, thousand = 1e300;
    for (int k = 0; k < options_.repeats; ++k) {
      one = std::min(one, seconds_of(0, report, "body.blob.charge"));
      thousand = std::min(thousand, seconds_of(0, report, "body.blob.charges"));
    }
    std::printf("\none charge %.3f s, %zu charges %.3f s: %.3f times\n", one, assembly_.charges.size(),
                thousand, thousand / one);
  }

  Options options_;
  electret::Assembly assembly_;
  electret::Simulator simulator_;
  electret::VectorArray target_;
  std::unique_ptr<electret::Loss> loss_;
  double sum_ = 0.0;
};

int water_share(const Options& options) {
  try {
    electret::bench::print_water_share(options.water, options.overrides, options.repeats);
    return 0;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "bench_gradient_cost: %s\n", error.what());
    return 1;
  }
}

}  // namespace

int main(int count, char** arguments) {
  Options options;
  for (int k = 1; k < count; ++k) {
    const std::string word = arguments[k];
    if (word == "--large")
      options.large = true;
    else if (word == "--only-times")
      options.only_times = true;
    else if (word == "--method" && k + 1 < count)
      options.method = arguments[++k];
    else if (word == "--steps" && k + 1 < count)
      options.steps = std::stol(arguments[++k]);
    else if (word == "--repeats" && k + 1 < count)
      options.repeats = std::stoi(arguments[++k]);
    else if (word == "--water" && k + 1 < count)
      options.water = arguments[++k];
    else if (word == "--set" && k + 1 < count)
      options.overrides.emplace_back(arguments[++k]);
    else
      return std::fprintf(stderr, "bench_gradient_cost: unknown option %s\n", arguments[k]), 2;
  }
  if (options.repeats < 1) return std::fprintf(stderr, "bench_gradient_cost: --repeats is at least 1\n"), 2;
  if (!options.water.empty()) return water_share(options);
  std::printf("%s, %s vertices, %ld steps\n", options.method.c_str(), options.large ? "100,000" : "1000",
              static_cast<long>(options.steps));
  Cost(options).run();
}
