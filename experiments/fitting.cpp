#include "fitting.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include <electret/core/errors.hpp>
#include <electret/fit/fit.hpp>

namespace electret::experiments {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double nothing = std::numeric_limits<double>::quiet_NaN();

constexpr int threads = 1;  // The bodies are small: more would wait for each other.

Count most_runs(const Context& context) {
  return context.quick() ? 12 : 30;
}

}  // namespace

FitParameter parameter_of(const Assembly& assembly, const std::string& name, double minimum, double maximum) {
  FitParameter result;
  result.parameter = find_parameter(assembly, name);
  result.minimum = minimum;
  result.maximum = maximum;
  return result;
}

FitPath fit_from(const Context& context, const SceneSource& scene, const std::string& parameter, double start,
                 Loss& loss, const Share& share, const std::vector<double>& horizons) {
  FitPath path;
  path.start = start;
  path.found = nothing;
  path.loss = infinity;
  context.progress(share.what, share.part);
  const Assembly assembly = assembled(scene);
  FitOptions options;
  options.optimiser.evaluations = most_runs(context);
  options.optimiser.gradient_tolerance = 1e-8;
  options.optimiser.change_tolerance = 1e-9;
  options.starts = {{start}};
  for (const double horizon : horizons)
    options.horizons.push_back(std::llround(horizon / assembly.scene.time.step));
  options.horizons.push_back(assembly.scene.time.steps);
  options.threads = threads;
  options.observe = [&](const FitEvaluation& evaluation) {
    path.losses.push_back(evaluation.loss);
    if (!std::isfinite(evaluation.loss)) ++path.diverged;
    const double done =
        static_cast<double>(path.losses.size()) / static_cast<double>(options.optimiser.evaluations);
    context.progress(share.what, share.part + share.share * std::min(done, 1.0));
  };
  try {
    const FitResult result = fit(assembly, {parameter_of(assembly, parameter)}, loss, options);
    path.found = result.values()[0];
    path.loss = result.outcomes[0].loss;
    path.end = to_string(result.outcomes[0].end);
  } catch (const DivergenceError& error) {
    path.end = "diverged: " + error.cause();
  }
  return path;
}

std::vector<double> landscape_of(const Context& context, const SceneSource& scene,
                                 const std::string& parameter, const std::vector<double>& values, Loss& loss,
                                 const Share& share) {
  const Assembly assembly = assembled(scene);
  std::vector<std::vector<double>> points;
  for (const double value : values) points.push_back({value});
  Control control;
  control.progress = [&](const Progress& progress) {
    context.progress(share.what, share.part + share.share * static_cast<double>(progress.done) /
                                                  static_cast<double>(progress.total));
  };
  return scan_loss(assembly, {parameter_of(assembly, parameter)}, loss, points, threads, control);
}

double worst_miss(const std::vector<FitPath>& paths, double truth) {
  double worst = 0.0;
  for (const FitPath& path : paths)
    worst = std::isnan(path.found) ? infinity : std::max(worst, std::abs(std::abs(path.found) / truth - 1.0));
  return worst;
}

std::string found_text(const std::vector<FitPath>& paths, double truth) {
  std::string text;
  for (const FitPath& path : paths) {
    if (!text.empty()) text += ", ";
    text += std::isnan(path.found) ? "–" : fmt::format("{:.4g}", std::abs(path.found) / truth);
  }
  return text;
}

void add_paths(Chart& chart, const std::string& name, int colour, bool dashed,
               const std::vector<FitPath>& paths) {
  for (const FitPath& path : paths) {
    Series series{.name = name, .colour = colour, .marker = Marker::none, .dashed = dashed};
    for (std::size_t k = 0; k < path.losses.size(); ++k) {
      series.x.push_back(static_cast<double>(k + 1));
      series.y.push_back(path.losses[k]);
    }
    chart.series.push_back(std::move(series));
  }
}

}  // namespace electret::experiments
