#include <algorithm>
#include <cmath>
#include <exception>
#include <numeric>
#include <utility>

#include <fmt/format.h>

#include <electret/dynamics/integrator.hpp>
#include <electret/fit/job_overrides.hpp>
#include <electret/fit/run_job.hpp>
#include <electret/record/run_warnings.hpp>

namespace electret {
namespace {

/// The points of the job's scan around the fitted values; the first axis's vary fastest. Empty without a
/// scan.
std::vector<std::vector<double>> scan_points(const FitPlan& plan, const FitResult& result) {
  std::vector<std::vector<double>> points;
  if (plan.scans.empty()) return points;
  const std::vector<double> none{0.0};
  const auto& second = plan.scans.size() > 1 ? plan.scans[1].points : none;
  for (const double y : second)
    for (const double x : plan.scans[0].points) {
      std::vector<double> point = result.values();
      point[plan.scans[0].value] = x;
      if (plan.scans.size() > 1) point[plan.scans[1].value] = y;
      points.push_back(std::move(point));
    }
  return points;
}

/// A job on its way.
class JobRun {
 public:
  JobRun(const PlannedFit& planned, const std::string& directory, const FitJobOptions& options)
      : plan_(planned.plan),
        job_(planned.job),
        options_(options),
        files_(directory, planned.file, planned.job, planned.plan, options.mode) {}

  FitJobResult run() {
    FitJobResult found;
    if (files_.has_ended()) {
      found.ended = EndedFit{files_.ended_rows(), files_.ended_well()};
      return found;
    }
    try {
      fit_into(found);
      ask_after(found);
      Assembly fitted = plan_.assembly;
      found.result.apply(fitted);
      files_.finish(found.result, fitted, found.after);
    } catch (const Cancelled&) {
      if (has_begun_) files_.interrupted();
      throw;
    } catch (const std::exception& error) {
      if (has_begun_) files_.failed(error.what());
      throw;
    }
    return found;
  }

 private:
  void fit_into(FitJobResult& found) {
    how_ = plan_.options;
    how_.threads = options_.threads;
    how_.memory = options_.memory;
    how_.stop = options_.stop;
    how_.progress = options_.steps;
    how_.known = files_.known();
    if (!plan_.samples.empty()) choose_starts(found);
    how_.observe = [&](const FitEvaluation& evaluation) {
      found.capped_steps += evaluation.capped_steps;
      if (!evaluation.is_replayed) found.steps += evaluation.steps;
      begin();
      files_.add(evaluation);
      if (options_.observe) options_.observe(evaluation);
    };
    found.result = fit(plan_.assembly, plan_.parameters, *plan_.loss, how_);
  }

  void begin() {
    if (!std::exchange(has_begun_, true)) files_.begin();
  }

  /// Runs the random starts that an earlier call did not, and takes those with the smallest losses.
  void choose_starts(FitJobResult& found) {
    std::vector<double>& losses = found.after.samples = files_.known_samples();
    check_known(losses);
    begin();
    files_.begin_samples();
    Control control;
    control.stop = options_.stop;
    while (losses.size() < plan_.samples.size()) {
      losses.push_back(loss_of_sample(losses.size(), control));
      files_.keep_sample(losses.size() - 1, losses.back());
      if (options_.after)
        options_.after("samples",
                       {static_cast<Count>(losses.size()), static_cast<Count>(plan_.samples.size())});
    }
    std::vector<std::size_t> order(losses.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t a, std::size_t b) { return losses[a] < losses[b]; });
    for (std::size_t s = 0; s < how_.starts.size(); ++s) how_.starts[s] = plan_.samples[order[s]];
  }

  double loss_of_sample(std::size_t sample, const Control& control) const {
    return scan_loss(plan_.assembly, plan_.parameters, *plan_.loss, {plan_.samples[sample]}, options_.threads,
                     control)
        .front();
  }

  /// Runs the first known sample with a loss again, because another target gives another loss.
  void check_known(const std::vector<double>& losses) const {
    const auto first =
        std::find_if(losses.begin(), losses.end(), [](double loss) { return std::isfinite(loss); });
    if (first == losses.end()) return;
    Control control;
    control.stop = options_.stop;
    if (loss_of_sample(static_cast<std::size_t>(first - losses.begin()), control) != *first)
      throw InputError(Finding{{},
                               "the earlier random starts are not those of this fit",
                               "start afresh: the job, its scene, its targets or this program have changed"});
  }

  void ask_after(FitJobResult& found) {
    const std::vector<double> values = found.result.values();
    if (const auto points = scan_points(plan_, found.result); !points.empty())
      found.after.scan = scan_loss(plan_.assembly, plan_.parameters, *plan_.loss, points, options_.threads,
                                   control_of("scan"));
    if (job_.identifiability.products > 0)
      found.after.identifiability =
          identifiability(plan_.assembly, plan_.parameters, *plan_.loss, values,
                          job_.identifiability.products, how_, control_of("identifiability"));
    found.after.signs = sign_ambiguity(plan_.assembly, plan_.parameters, *plan_.loss, values,
                                       job_.signs.tried, options_.threads, control_of("signs"));
  }

  Control control_of(std::string_view part) const {
    Control control;
    control.stop = options_.stop;
    if (options_.after)
      control.progress = [&after = options_.after, part](const Progress& progress) { after(part, progress); };
    return control;
  }

  const FitPlan& plan_;
  const FitJob& job_;
  const FitJobOptions& options_;
  FitFiles files_;
  FitOptions how_;
  bool has_begun_ = false;
};

}  // namespace

PlannedFit plan_fit_job(const std::string& file, const std::vector<std::string>& overrides) {
  Report report;
  PlannedFit planned{file, read_fit_job(file, report), {}};
  override_job(planned.job, overrides, report);
  planned.plan = plan_fit(planned.job, report, file);
  return planned;
}

std::vector<Warning> fit_warnings(const PlannedFit& planned, int threads) {
  const auto system = compile(planned.plan.assembly, threads);
  const auto integrator = make_integrator(*system, system->assembly.scene.integrator);
  return gradient_warnings(*system, *integrator, false, planned.plan.used_groups);
}

bool FitJobResult::converged() const {
  return ended ? ended->converged : has_converged(result.outcomes[result.best].end);
}

FitJobResult run_fit_job(const PlannedFit& planned, const std::string& directory,
                         const FitJobOptions& options) {
  return JobRun(planned, directory, options).run();
}

std::string how_it_ended(const FitOutcome& outcome) {
  return fmt::format("after {} run{}: {}", outcome.evaluations, outcome.evaluations == 1 ? "" : "s",
                     to_string(outcome.end));
}

std::string convergence_notice(const FitOutcome& outcome) {
  if (has_converged(outcome.end)) return {};
  return fmt::format("the fit has not converged {}, at a gradient of {:.2g}; {}", how_it_ended(outcome),
                     outcome.gradient_norm,
                     outcome.end == FitEnd::evaluations
                         ? "allow more optimiser.evaluations, or take another optimiser.method"
                     : outcome.end == FitEnd::flat
                         ? "start elsewhere, or fit what the motion depends on"
                         : "set a smaller integrator.tolerance, so that losses are more exact, or a larger "
                           "optimiser.gradient_tolerance");
}

}  // namespace electret
