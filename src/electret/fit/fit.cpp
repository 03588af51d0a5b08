#include <algorithm>
#include <cmath>
#include <optional>
#include <random>
#include <utility>

#include <fmt/format.h>

#include <electret/adjoint/gradient.hpp>
#include <electret/core/arguments.hpp>
#include <electret/fit/fit.hpp>
#include <electret/fit/signs.hpp>
#include <electret/scene/changes.hpp>
#include <electret/scene/start_findings.hpp>

namespace electret {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
// Below this fraction of what a reversal of signs costs, no other signs are searched for.
constexpr double explained = 1e-8;
// Relative to a loss: how large its derivative by a variable of order 1 may be from rounding alone.
constexpr double rounding = 1e-12;

/// The assembly with these values. Throws DivergenceError if a scene that has them could not start: a run
/// without a value, as one that diverges.
Assembly with_values(const Assembly& assembly, const std::vector<FitParameter>& parameters,
                     ScalarView values) {
  Assembly changed = assembly;
  write_values(changed, parameters, values);
  const std::vector<Finding> findings = findings_at_start(changed);
  if (!findings.empty()) throw DivergenceError(0, -1, findings[0].message, findings[0].allowed);
  return changed;
}

class Fit {
 public:
  Fit(const Assembly& assembly, std::vector<FitParameter> parameters, Loss& loss, const FitOptions& options)
      : assembly_(assembly),
        variables_(assembly, std::move(parameters)),
        loss_(loss),
        options_(options),
        optimiser_(options.optimiser) {
    optimiser_.loss_tolerance = std::max(optimiser_.loss_tolerance, loss.rounding(assembly));
  }

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
    if (options_.signs.trials > 0) {
      start_ = result.outcomes.size();
      result.outcomes.push_back(search_signs(result.outcomes[result.best]));
      result.best = start_;
    }
    return result;
  }

 private:
  FitOutcome from(const std::vector<double>& start, const std::vector<Count>& horizons) {
    FitOutcome outcome;
    outcome.start = outcome.values = start;
    OptimiserOptions how = optimiser_;
    first_norm_ = 0.0;
    has_slope_ = false;
    for (const Count steps : horizons) {
      steps_ = steps;
      evaluation_ = 0;
      OptimiserResult got = minimise([&](ScalarView u, ScalarSpan gradient) { return evaluate(u, gradient); },
                                     variables_.to_variables(outcome.values), variables_.bounds(), how);
      outcome.evaluations += got.evaluations;
      outcome.loss = got.value;
      outcome.end = got.end;
      outcome.gradient_norm = got.gradient_norm;
      // A later horizon may begin where the gradient is already rounding, so that "small" is measured from
      // the first.
      how.gradient_floor = std::max(optimiser_.gradient_floor, how.gradient_tolerance * first_norm_);
      // If not even the first run reached its end, longer ones will not.
      if (!std::isfinite(got.value)) break;
      outcome.values = variables_.to_values(got.variables);
    }
    // A gradient that has been 0 from the beginning is not small for having been followed.
    if (!has_slope_ && has_converged(outcome.end) && !is_least(outcome.loss)) outcome.end = FitEnd::flat;
    return outcome;
  }

  /// Goes on from `best`, which ended at the last horizon. The result is never worse.
  FitOutcome search_signs(FitOutcome best) {
    const SignFlips flips(assembly_, variables_.parameters());
    std::mt19937_64 engine(static_cast<std::uint64_t>(options_.signs.seed));
    OptimiserOptions whole = optimiser_;
    whole.gradient_floor = std::max(whole.gradient_floor, whole.gradient_tolerance * first_norm_);
    OptimiserOptions brief = whole;
    brief.evaluations = options_.signs.evaluations;
    best.start = best.values;
    best.evaluations = evaluation_ = 0;
    double reversed = 0.0;  // Largest loss that reversed signs gave at once.
    for (Count trial = 0; trial < options_.signs.trials; ++trial) {
      // A loss that may be negative has no value that would explain everything.
      const bool is_explained = best.loss >= 0.0 && best.loss <= explained * reversed;
      const double wanted = optimiser_.loss_tolerance;
      if (is_explained || (wanted > 0.0 && best.loss <= wanted)) break;
      std::vector<double> values = best.values;
      flips.flip(engine, values);
      double first = infinity;
      const double before = best.loss;
      bool better = improve(best, values, brief, 1e-3, &first);
      if (std::isfinite(first)) reversed = std::max(reversed, first);
      // A trial is short, so that a loss that fell may fall further.
      for (double last = before; better && best.loss < 0.5 * last;) {
        last = best.loss;
        better = improve(best, best.values, brief, 1e-3);
      }
    }
    improve(best, best.values, whole, 0.0);
    return best;
  }

  /// Minimises from `values`. If that lowers the best loss by more than the fraction `least`, adopts the
  /// result and returns true. If `first` is given, it is set to the first loss met.
  bool improve(FitOutcome& best, const std::vector<double>& values, const OptimiserOptions& how, double least,
               double* first = nullptr) {
    const Count before = evaluation_;
    const OptimiserResult got = minimise(
        [&](ScalarView u, ScalarSpan gradient) {
          const double loss = evaluate(u, gradient);
          if (first != nullptr) *std::exchange(first, nullptr) = loss;
          return loss;
        },
        variables_.to_variables(values), variables_.bounds(), how);
    best.evaluations += evaluation_ - before;
    if (!(best.loss - got.value > least * std::abs(best.loss))) return false;
    best.loss = got.value;
    best.end = got.end;
    best.gradient_norm = got.gradient_norm;
    best.values = variables_.to_values(got.variables);
    return true;
  }

  double evaluate(ScalarView u, ScalarSpan gradient) {
    FitEvaluation evaluation;
    evaluation.start = start_, evaluation.steps = steps_, evaluation.evaluation = ++evaluation_;
    evaluation.variables.assign(u.begin(), u.end());
    evaluation.values = variables_.to_values(u);
    evaluation.is_replayed = replay(u, gradient, evaluation.loss);
    capped_steps_ = 0;
    if (!evaluation.is_replayed) evaluation.loss = compute(evaluation.values, u, gradient);
    evaluation.capped_steps = capped_steps_;
    evaluation.gradient.assign(gradient.begin(), gradient.end());
    evaluation.gradient_norm = variables_.bounds().free_norm(u, gradient);
    if (std::isfinite(evaluation.loss)) take_first(evaluation);
    if (options_.observe) options_.observe(evaluation);
    return evaluation.loss;
  }

  /// Notes the first gradient. Refuses a loss that depends on none of the variables where the fit begins. A
  /// loss that is 0 up to rounding says nothing: a horizon may end before the loss reads a state.
  void take_first(const FitEvaluation& evaluation) {
    if (first_norm_ == 0.0) first_norm_ = evaluation.gradient_norm;
    if (has_slope_ || is_least(evaluation.loss)) return;
    has_slope_ = is_sloped(evaluation);
    if (!has_slope_ && start_ == 0) refuse_flat();
  }

  /// Whether a loss is 0 up to rounding, which is its minimum, where the gradient is 0, too.
  [[nodiscard]] bool is_least(double loss) const { return std::abs(loss) <= optimiser_.loss_tolerance; }

  /// Whether the loss depends on a variable that no limits hold.
  [[nodiscard]] bool is_sloped(const FitEvaluation& evaluation) const {
    const double least = rounding * std::abs(evaluation.loss);
    const VariableBounds& bounds = variables_.bounds();
    for (std::size_t k = 0; k < evaluation.gradient.size(); ++k)
      if (bounds.lower[k] < bounds.upper[k] && std::abs(evaluation.gradient[k]) > least) return true;
    return false;
  }

  /// Whether this evaluation is known from the stopped fit; if so, takes its results.
  bool replay(ScalarView u, ScalarSpan gradient, double& loss) {
    if (replayed_ == options_.known.size()) return false;
    const KnownEvaluation& known = options_.known[replayed_++];
    if (known.gradient.size() != u.size() ||
        !std::equal(u.begin(), u.end(), known.variables.begin(), known.variables.end()))
      refuse_known();
    std::copy(known.gradient.begin(), known.gradient.end(), gradient.begin());
    loss = known.loss;
    if (replayed_ == 1) check_first(known, u);
    if (!std::isfinite(loss) && !diverged_)
      diverged_.emplace(0, -1, "every run of the fit diverged", "start elsewhere, or use a smaller step");
    return true;
  }

  /// Computes the first known evaluation all the same, because another target or program gives another loss.
  void check_first(const KnownEvaluation& known, ScalarView u) {
    std::vector<double> gradient(u.size());
    if (compute(variables_.to_values(u), u, gradient) != known.loss || gradient != known.gradient)
      refuse_known();
  }

  [[noreturn]] static void refuse_known() {
    throw InputError(Finding{{},
                             "the earlier evaluations are not the beginning of this fit",
                             "start afresh: the job, its scene, its targets or this program have changed"});
  }

  double compute(const std::vector<double>& values, ScalarView u, ScalarSpan gradient) {
    try {
      variables_.require_allowed(values);
      const double loss = run_at(values, gradient) + variables_.add_priors(u, gradient);
      if (!std::isfinite(loss)) throw DivergenceError(steps_, -1, "the loss is not finite", "");
      return loss;
    } catch (const DivergenceError& error) {
      if (!diverged_) diverged_ = error;
      std::fill(gradient.begin(), gradient.end(), 0.0);
      return infinity;
    }
  }

  double run_at(const std::vector<double>& values, ScalarSpan gradient) {
    Simulator simulator(
        compile(with_values(assembly_, variables_.parameters(), values), options_.threads, IdleForces::kept));
    GradientOptions how;
    how.rest_positions = false;
    how.steps = steps_;
    how.memory = options_.memory;
    how.control.stop = options_.stop;
    how.control.progress = options_.progress;
    const LossAndGradient got = loss_and_gradient(simulator, loss_, how);
    capped_steps_ = got.report.capped_steps;
    variables_.pull(got.gradient, values, gradient);
    return got.loss;
  }

  [[noreturn]] void refuse_flat() const {
    std::vector<Finding> findings;
    for (const FitParameter& each : variables_.parameters())
      findings.push_back({{each.parameter.name, 0, 0},
                          "the derivative of the loss with respect to it is 0 at the start, up to rounding",
                          options_.horizons.size() > 1 && steps_ < options_.horizons.back()
                              ? "begin with a longer horizon: the first may end before the loss reads a state"
                              : "start elsewhere, or fit what the motion depends on"});
    throw InputError(std::move(findings));
  }

  const Assembly& assembly_;
  FitVariables variables_;
  Loss& loss_;
  const FitOptions& options_;
  OptimiserOptions optimiser_;  ///< Ends where the loss is 0 up to rounding, too.
  std::size_t start_ = 0;
  Count steps_ = 0, evaluation_ = 0, capped_steps_ = 0;
  double first_norm_ = 0.0;  ///< Gradient norm at the start.
  bool has_slope_ = false;   ///< The loss has depended on a variable since this start.
  std::size_t replayed_ = 0;
  std::optional<DivergenceError> diverged_;  ///< The first one met.
};

void check_starts(const Assembly& assembly, const std::vector<FitParameter>& parameters,
                  const FitOptions& options, std::vector<Finding>& findings) {
  std::size_t size = 0;
  for (const FitParameter& each : parameters) size += each.parameter.size();
  for (std::size_t s = 0; s < options.starts.size(); ++s) {
    const auto& start = options.starts[s];
    if (start.size() != size) {
      findings.push_back({{fmt::format("start {}", s + 1), 0, 0},
                          fmt::format("has {} values", start.size()),
                          fmt::format("expected {}", size)});
      continue;
    }
    std::size_t k = 0;
    for (const FitParameter& each : parameters) {
      const NumberRange range = each.parameter.range_in(assembly);
      for (std::size_t end = k + each.parameter.size(); k < end; ++k)
        if (!(start[k] >= each.minimum && start[k] <= each.maximum && range.contains(start[k])) ||
            (each.parameter.scale == ParameterScale::logarithmic && !(start[k] > 0.0)))
          findings.push_back({{fmt::format("start {}", s + 1), 0, 0},
                              fmt::format("{} = {:g} is outside its limits", each.parameter.name, start[k]),
                              fmt::format("allowed: {:g} … {:g}", std::max(each.minimum, range.minimum),
                                          std::min(each.maximum, range.maximum))});
    }
  }
}

void check_signs(const std::vector<FitParameter>& parameters, const SignSearch& search,
                 std::vector<Finding>& findings) {
  if (search.trials > 0 && std::none_of(parameters.begin(), parameters.end(), may_have_either_sign))
    findings.push_back({{},
                        "no fitted value can change its sign",
                        "a search for signs needs a value with limits on both sides of 0"});
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
  write_values(assembly, parameters, values());
}

FitResult fit(const Assembly& assembly, std::vector<FitParameter> parameters, Loss& loss,
              const FitOptions& asked) {
  refuse_changes(assembly.scene, "a fit");
  check_options(asked.optimiser);
  require_argument(asked.signs.trials == 0 || asked.signs.evaluations >= 1,
                   "a search for signs needs at least one evaluation per trial");
  std::vector<Finding> findings = FitVariables::check(assembly, parameters);
  FitOptions options = asked;
  if (options.starts.empty()) options.starts = {values_of(assembly, parameters)};
  check_starts(assembly, parameters, options, findings);
  check_horizons(assembly, options.horizons, findings);
  check_signs(parameters, options.signs, findings);
  if (!findings.empty()) throw InputError(std::move(findings));
  return Fit(assembly, std::move(parameters), loss, options).run();
}

std::vector<double> scan_loss(const Assembly& assembly, const std::vector<FitParameter>& parameters,
                              Loss& loss, const std::vector<std::vector<double>>& points, int threads,
                              const Control& control) {
  refuse_changes(assembly.scene, "a scan");
  const std::size_t size = values_of(assembly, parameters).size();
  std::vector<double> losses;
  for (const auto& point : points) {
    require_argument(point.size() == size, "a point of the scan has the wrong number of values");
    try {
      Simulator simulator(compile(with_values(assembly, parameters, point), threads));
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
