#include "ball_search.hpp"

#include <algorithm>
#include <cmath>

#include <electret/core/errors.hpp>
#include <electret/core/stopwatch.hpp>
#include <electret/dynamics/simulator.hpp>
#include <electret/fit/optimiser.hpp>

#include "numpy_random.hpp"

namespace electret::experiments {
namespace {

constexpr double no_value = std::numeric_limits<double>::infinity();
constexpr double part_of_range = 1e-5;  // how far differences go

}  // namespace

std::size_t BallSamples::best(std::size_t count) const {
  const auto end = losses.begin() + static_cast<std::ptrdiff_t>(std::min(count, losses.size()));
  return static_cast<std::size_t>(std::min_element(losses.begin(), end) - losses.begin());
}

double BallSamples::mean(std::size_t count) const {
  double sum = 0.0, finite = 0.0;
  for (std::size_t k = 0; k < std::min(count, losses.size()); ++k)
    if (std::isfinite(losses[k])) sum += losses[k], finite += 1.0;
  return sum / finite;
}

BallSearcher::BallSearcher(const Context& context, const BallScene& scene, const Clip& clip)
    : context_(context), scene_(scene), loss_(clip_loss(clip, scene)) {}

BallSearcher::Evaluation BallSearcher::evaluated(const Assembly& assembly,
                                                 const std::vector<double>& values) const {
  context_.check_stop();
  Simulator simulator(compile(assembly, context_.threads().count(), IdleForces::kept));
  GradientOptions options;
  options.rest_positions = false;
  options.control.progress = [&](const Progress&) { context_.check_stop(); };
  const LossAndGradient got = loss_and_gradient(simulator, *loss_, options);
  return {got.loss, scene_.pulled(values, got.gradient), got.report.capped_steps};
}

double BallSearcher::loss_of(const Assembly& assembly) const {
  context_.check_stop();
  try {
    Simulator simulator(compile(assembly, context_.threads().count()));
    return loss_of_run(simulator, *loss_);
  } catch (const DivergenceError&) {
    return no_value;
  }
}

BallSamples BallSearcher::sampled(std::size_t count, const std::string& what, double part) const {
  NumpyRandom random(0);
  BallSamples samples;
  for (std::size_t k = 0; k <= count; ++k) {
    std::vector<double> values;
    for (const BallNumber& number : scene_.numbers())
      values.push_back(random.uniform(number.lowest, number.highest));
    if (k == 0) continue;
    context_.progress(what, part);
    samples.losses.push_back(loss_at(values));
    samples.values.push_back(std::move(values));
  }
  return samples;
}

BallSearch BallSearcher::search(const std::string& model, const std::string& start,
                                const std::vector<double>& from, const std::vector<std::size_t>& free,
                                Count evaluations, double part) const {
  BallSearch result;
  result.model = model, result.start = start;
  result.from = from;
  const auto middle = [&](std::size_t k) {
    return 0.5 * (scene_.numbers()[k].lowest + scene_.numbers()[k].highest);
  };
  const auto half = [&](std::size_t k) {
    return 0.5 * (scene_.numbers()[k].highest - scene_.numbers()[k].lowest);
  };
  std::vector<double> variables;
  for (const std::size_t k : free) variables.push_back((from[k] - middle(k)) / half(k));
  const auto values_at = [&](ScalarView at) {
    std::vector<double> values = from;
    for (std::size_t i = 0; i < free.size(); ++i) values[free[i]] = middle(free[i]) + half(free[i]) * at[i];
    return values;
  };
  Count timed = 0;
  const auto function = [&](ScalarView at, ScalarSpan gradient) {
    context_.progress(model + ", from the " + start, part);
    const std::vector<double> values = values_at(at);
    double taken = 0.0;
    try {
      const Evaluation got = [&] {
        const Stopwatch watch(taken);
        return evaluated(scene_.with(values), values);
      }();
      for (std::size_t i = 0; i < free.size(); ++i) gradient[i] = half(free[i]) * got.gradient[free[i]];
      result.capped += got.capped;
      result.losses.push_back(got.loss);
      result.seconds += taken, ++timed;
    } catch (const DivergenceError&) {
      result.losses.push_back(no_value);
    }
    return result.losses.back();
  };
  OptimiserOptions options;
  options.evaluations = evaluations;
  options.change_tolerance = 1e-4;
  const std::vector<double> down(variables.size(), -1.0), up(variables.size(), 1.0);
  const OptimiserResult end = minimise(function, variables, {down, up}, options);
  result.found = values_at(end.variables);
  result.first = result.losses.front();
  result.least = end.value;
  result.end = to_string(end.end);
  result.seconds /= static_cast<double>(std::max<Count>(timed, 1));
  return result;
}

double BallSearcher::difference_miss(const std::vector<double>& values, const std::vector<std::size_t>& which,
                                     Count steps, double tolerance) const {
  const std::vector<double> gradient = evaluated(scene_.with(values, steps, tolerance), values).gradient;
  double misses = 0.0, squares = 0.0;
  for (const std::size_t k : which) {
    const double range = scene_.numbers()[k].highest - scene_.numbers()[k].lowest, s = part_of_range * range;
    const auto at = [&](double shift) {
      std::vector<double> moved = values;
      moved[k] += shift;
      return loss_of(scene_.with(moved, steps, tolerance));
    };
    const double difference = (8.0 * (at(s) - at(-s)) - (at(2.0 * s) - at(-2.0 * s))) / (12.0 * s);
    misses += std::pow(range * (gradient[k] - difference), 2.0);  // Of the number over its range.
    squares += std::pow(range * difference, 2.0);
  }
  return std::sqrt(misses / squares);
}

}  // namespace electret::experiments
