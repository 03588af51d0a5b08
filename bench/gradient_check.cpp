/// \file
/// Gradients against differences of whole runs: a Markdown table of every kind of parameter and every method,
/// each cell the largest relative error along the gradient's own direction and random ones.
///
///   bench_gradient_check [--method NAME]... [--parameter NAME]... [--fmm] [--side N] [--steps N] [--random
///   N]
///
/// The scene is that of the tests (tests/adjoint/adjoint_scene.hpp), of 180 vertices and 50 steps; with
/// --side of N³ vertices, so that the fast multipole method has expansions: 14 is enough. An error is |g·d -
/// difference| for a direction d of length 1, relative to |g| along g itself and to |g|/√N, what is usual,
/// along a random one; N is the number of values. Differences are extrapolated from a sweep of steps.

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <map>
#include <random>
#include <string>
#include <vector>

#include <electret/adjoint/differences.hpp>
#include <electret/adjoint/gradient.hpp>
#include <electret/core/errors.hpp>
#include <electret/dynamics/options.hpp>
#include <electret/scene/parameters.hpp>

#include "adjoint/adjoint_scene.hpp"

namespace {

using electret::Assembly;
using electret::Parameter;

struct Options {
  std::vector<std::string> methods, parameters;
  bool fmm = false;
  int side = 0, steps = 50, random = 2;
};

Options parse(int count, char** arguments) {
  Options options;
  const std::vector<std::string> words(arguments + 1, arguments + count);
  for (std::size_t k = 0; k < words.size(); ++k) {
    const bool has_value = k + 1 < words.size();
    if (words[k] == "--fmm")
      options.fmm = true;
    else if (words[k] == "--method" && has_value)
      options.methods.push_back(words[++k]);
    else if (words[k] == "--parameter" && has_value)
      options.parameters.push_back(words[++k]);
    else if (words[k] == "--side" && has_value)
      options.side = std::stoi(words[++k]);
    else if (words[k] == "--steps" && has_value)
      options.steps = std::stoi(words[++k]);
    else if (words[k] == "--random" && has_value)
      options.random = std::stoi(words[++k]);
    else
      throw electret::InputError(
          electret::Finding{{},
                            "unknown option " + words[k],
                            "allowed: --method, --parameter, --fmm, --side, --steps, --random"});
  }
  if (options.methods.empty())
    options.methods.assign(electret::integrator_methods.begin(), electret::integrator_methods.end());
  return options;
}

Assembly scene(const std::string& method, const Options& options) {
  const auto along = [&](const char* axis, int standard) {
    return std::string("body.0.generate.") + axis + "=" +
           std::to_string(options.side > 0 ? options.side : standard);
  };
  std::vector<std::string> overrides{along("nx", 6), along("ny", 5), along("nz", 6),
                                     "time.steps=" + std::to_string(options.steps)};
  if (options.fmm) {  // The largest requested accuracy at which it sums in float64.
    overrides.emplace_back("coulomb.solver=fmm");
    overrides.emplace_back("coulomb.accuracy=1e-7");
  }
  return electret::test::adjoint_scene(method, overrides);
}

double length(const std::vector<double>& a) {
  double sum = 0.0;
  for (const double value : a) sum += value * value;
  return std::sqrt(sum);
}

double along(const Assembly& assembly, const Parameter& parameter, const std::vector<double>& direction,
             double reach) {
  const std::vector<double> base = parameter.read(assembly);
  const auto loss_at = [&](double offset) {
    std::vector<double> moved = base;
    for (std::size_t k = 0; k < moved.size(); ++k) moved[k] += offset * direction[k];
    Assembly changed = assembly;
    parameter.write(changed, moved);
    try {
      electret::Simulator simulator(electret::compile(std::move(changed), 1));
      electret::test::MixedLoss loss;
      return electret::loss_of_run(simulator, loss);
    } catch (const electret::DivergenceError&) {
      return HUGE_VAL;
    }
  };
  double largest = 0.0;
  for (const double value : direction) largest = std::max(largest, std::abs(value));
  return electret::difference(loss_at, reach * electret::typical_size(assembly, parameter, base) / largest)
      .value;
}

double worst_error(const Assembly& assembly, const Parameter& parameter, const std::vector<double>& slope,
                   int random) {
  const double size = length(slope), values = static_cast<double>(slope.size());
  if (size == 0.0) return HUGE_VAL;
  std::mt19937_64 engine(7);
  std::normal_distribution<double> normal;
  double worst = 0.0;
  for (int trial = 0; trial <= (slope.size() == 1 ? 0 : random); ++trial) {
    std::vector<double> direction = slope;
    if (trial > 0)
      for (double& value : direction) value = normal(engine);
    const double long_is = length(direction);
    double expected = 0.0;
    for (std::size_t k = 0; k < direction.size(); ++k) {
      direction[k] /= long_is;
      expected += direction[k] * slope[k];
    }
    const double usual = trial == 0 ? size : size / std::sqrt(values);
    double best = HUGE_VAL;  // Of a sweep of steps: a bend is nearer for one, rounding for another.
    for (const double reach : {3e-3, 1e-2, 5e-4, 3e-2, 1e-1})
      if (best > 1e-7)
        best = std::min(best, std::abs(expected - along(assembly, parameter, direction, reach)) / usual);
    worst = std::max(worst, best);
  }
  return worst;
}

bool is_asked(const Options& options, const std::string& name) {
  return options.parameters.empty() ||
         std::find(options.parameters.begin(), options.parameters.end(), name) != options.parameters.end();
}

/// name → error, of all parameters of the method's scene.
std::map<std::string, double> errors_of(const std::string& method, const Options& options,
                                        std::vector<std::string>& order) {
  const Assembly assembly = scene(method, options);
  electret::Simulator simulator(electret::compile(assembly, 1));
  electret::test::MixedLoss loss;
  const electret::LossAndGradient got = electret::loss_and_gradient(simulator, loss);
  if (got.report.capped_steps > 0)
    std::fprintf(stderr, "%s: %ld steps missed their tolerance\n", method.c_str(),
                 static_cast<long>(got.report.capped_steps));
  std::map<std::string, double> errors;
  for (const Parameter& parameter : electret::parameters(assembly)) {
    if (!is_asked(options, parameter.name)) continue;
    if (std::find(order.begin(), order.end(), parameter.name) == order.end()) order.push_back(parameter.name);
    errors[parameter.name] = worst_error(assembly, parameter, parameter.pull(got.gradient), options.random);
    std::fprintf(stderr, "%s %s %.1e\n", method.c_str(), parameter.name.c_str(), errors[parameter.name]);
  }
  return errors;
}

void print(const std::vector<std::string>& methods, const std::vector<std::string>& order,
           const std::vector<std::map<std::string, double>>& errors) {
  std::printf("| parameter |");
  for (const std::string& method : methods) std::printf(" %s |", method.c_str());
  std::printf("\n| --- |");
  for (std::size_t m = 0; m < methods.size(); ++m) std::printf(" --- |");
  for (const std::string& name : order) {
    std::printf("\n| `%s` |", name.c_str());
    for (const auto& column : errors) std::printf(" %.1e |", column.at(name));
  }
  std::printf("\n");
}

}  // namespace

int main(int count, char** arguments) {
  try {
    const Options options = parse(count, arguments);
    std::vector<std::map<std::string, double>> errors;
    std::vector<std::string> order;
    for (const std::string& method : options.methods) errors.push_back(errors_of(method, options, order));
    print(options.methods, order, errors);
    double worst = 0.0;
    for (const auto& column : errors)
      for (const auto& [name, error] : column) worst = std::max(worst, error);
    std::printf("\nlargest: %.1e\n", worst);
    return worst <= (options.fmm ? 1e-4 : 1e-6) ? 0 : 1;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "bench_gradient_check: %s\n", error.what());
    return 2;
  }
}
