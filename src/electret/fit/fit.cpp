#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include <electret/adjoint/gradient.hpp>
#include <electret/fit/fit.hpp>

namespace electret {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

class Fit {
 public:
  Fit(const Assembly& assembly, std::vector<FitParameter> parameters, Loss& loss, const FitOptions& options)
      : assembly_(assembly), variables_(assembly, std::move(parameters)), loss_(loss), options_(options) {}

  FitResult run() {
    std::vector<Count> horizons = options_.horizons;
    if (horizons.empty()) horizons = {assembly_.scene.time.steps};
    FitResult result;
    result.parameters = variables_.parameters();
    for (const auto& start : options_.starts) {
      start_ = result.outcomes.size();
      result.outcomes.push_back(from(start, horizons));
      if (result.outcomes.back().loss < result.outcomes[result.best].loss) result.best = start_;
    }
    if (!std::isfinite(result.outcomes[result.best].loss)) throw DivergenceError(*diverged_);
    return result;
  }

 private:
  FitOutcome from(const std::vector<double>& start, const std::vector<Count>& horizons) {
    FitOutcome outcome;
    outcome.start = outcome.values = start;
    for (const Count steps : horizons) {
      steps_ = steps;
      evaluation_ = 0;
      OptimiserResult got =
          minimise([&](ScalarView u, ScalarSpan gradient) { return evaluate(u, gradient); },
                   variables_.to_variables(outcome.values), variables_.bounds(), options_.optimiser);
      outcome.evaluations += got.evaluations;
      outcome.loss = got.value;
      outcome.end = got.end;
      outcome.gradient_norm = got.gradient_norm;
      // Where not even the first run ended, longer ones will not.
      if (!std::isfinite(got.value)) break;
      outcome.values = variables_.to_values(got.variables);
    }
    return outcome;
  }

  double evaluate(ScalarView u, ScalarSpan gradient) {
    FitEvaluation evaluation{start_, steps_, ++evaluation_, infinity, 0.0, variables_.to_values(u)};
    try {
      evaluation.loss = run_at(evaluation.values, gradient) + variables_.add_priors(u, gradient);
    } catch (const DivergenceError& error) {
      if (!diverged_) diverged_ = error;
      evaluation.loss = infinity;
    }
    for (const double slope : gradient)
      evaluation.gradient_norm = std::max(evaluation.gradient_norm, std::abs(slope));
    if (std::isfinite(evaluation.loss) && evaluation.gradient_norm == 0.0 && is_first_) refuse_flat();
    is_first_ = is_first_ && !std::isfinite(evaluation.loss);
    if (options_.observe) options_.observe(evaluation);
    return evaluation.loss;
  }

  double run_at(const std::vector<double>& values, ScalarSpan gradient) {
    Assembly changed = assembly_;
    variables_.write(changed, values);
    Simulator simulator(compile(std::move(changed), options_.threads, IdleForces::kept));
    GradientOptions how;
    how.steps = steps_;
    how.memory = options_.memory;
    how.control.stop = options_.stop;
    const LossAndGradient got = loss_and_gradient(simulator, loss_, how);
    variables_.pull(got.gradient, values, gradient);
    return got.loss;
  }

  [[noreturn]] void refuse_flat() const {
    std::vector<Finding> findings;
    for (const FitParameter& each : variables_.parameters())
      findings.push_back({{each.parameter.name, 0, 0},
                          "the loss does not depend on it: its derivative at the start is 0",
                          "start elsewhere, or fit what the motion depends on"});
    throw InputError(std::move(findings));
  }

  const Assembly& assembly_;
  FitVariables variables_;
  Loss& loss_;
  const FitOptions& options_;
  std::size_t start_ = 0;
  Count steps_ = 0, evaluation_ = 0;
  bool is_first_ = true;
  std::optional<DivergenceError> diverged_;  ///< The first one met.
};

std::vector<double> values_of(const Assembly& assembly, const std::vector<FitParameter>& parameters) {
  std::vector<double> all;
  for (const FitParameter& each : parameters) {
    const std::vector<double> now = each.parameter.read(assembly);
    all.insert(all.end(), now.begin(), now.end());
  }
  return all;
}

void check_starts(const std::vector<FitParameter>& parameters, const FitOptions& options,
                  std::vector<Finding>& findings) {
  std::size_t size = 0;
  for (const FitParameter& each : parameters) size += each.parameter.size();
  for (std::size_t s = 0; s < options.starts.size(); ++s) {
    const auto& start = options.starts[s];
    if (start.size() != size) {
      findings.push_back({{fmt::format("start {}", s), 0, 0},
                          fmt::format("has {} values", start.size()),
                          fmt::format("expected {}", size)});
      continue;
    }
    std::size_t k = 0;
    for (const FitParameter& each : parameters)
      for (std::size_t end = k + each.parameter.size(); k < end; ++k)
        if (!(start[k] >= each.minimum && start[k] <= each.maximum &&
              each.parameter.range.contains(start[k])) ||
            (each.parameter.scale == ParameterScale::logarithmic && !(start[k] > 0.0)))
          findings.push_back({{fmt::format("start {}", s), 0, 0},
                              fmt::format("{} = {:g} is outside its limits", each.parameter.name, start[k]),
                              fmt::format("allowed: {:g} … {:g}", each.minimum, each.maximum)});
  }
}

void check_horizons(const Assembly& assembly, const std::vector<Count>& horizons,
                    std::vector<Finding>& findings) {
  const Count steps = assembly.scene.time.steps;
  if (steps < 1) findings.push_back({{}, "the scene has no step", "a fit needs at least one"});
  Count before = 0;
  for (const Count horizon : horizons) {
    if (horizon <= before || horizon > steps)
      findings.push_back({{},
                          fmt::format("a horizon of {} steps", horizon),
                          fmt::format("horizons ascend, up to the scene's {} steps", steps)});
    before = horizon;
  }
}

}  // namespace

void FitResult::apply(Assembly& assembly) const {
  std::size_t first = 0;
  for (const FitParameter& each : parameters) {
    each.parameter.write(assembly, ScalarView(values()).subspan(first, each.parameter.size()));
    first += each.parameter.size();
  }
}

FitResult fit(const Assembly& assembly, std::vector<FitParameter> parameters, Loss& loss,
              const FitOptions& asked) {
  std::vector<Finding> findings = FitVariables::check(assembly, parameters);
  FitOptions options = asked;
  if (options.starts.empty()) options.starts = {values_of(assembly, parameters)};
  check_starts(parameters, options, findings);
  check_horizons(assembly, options.horizons, findings);
  if (!findings.empty()) throw InputError(std::move(findings));
  return Fit(assembly, std::move(parameters), loss, options).run();
}

std::vector<double> scan_loss(const Assembly& assembly, const std::vector<FitParameter>& parameters,
                              Loss& loss, const std::vector<std::vector<double>>& points, int threads,
                              const Control& control) {
  const FitVariables variables(assembly, parameters);
  std::vector<double> losses;
  for (const auto& point : points) {
    require(point.size() == variables.size(),
            "a point of a scan has another number of values than there are");
    Assembly changed = assembly;
    variables.write(changed, point);
    Simulator simulator(compile(std::move(changed), threads));
    try {
      losses.push_back(loss_of_run(simulator, loss, 0, {{}, {}, control.stop}));
    } catch (const DivergenceError&) {
      losses.push_back(infinity);
    }
    if (control.progress)
      control.progress({static_cast<Count>(losses.size()), static_cast<Count>(points.size())});
  }
  return losses;
}

}  // namespace electret
