/// \file
/// `electret fit JOB.toml`: finds the parameters of a scene for which a loss of its motion is smallest.

#include <algorithm>
#include <chrono>
#include <cmath>
#include <filesystem>
#include <memory>
#include <numeric>
#include <optional>
#include <string>
#include <vector>

#include <fmt/format.h>

#include <electret/core/errors.hpp>
#include <electret/fit/run_job.hpp>

#include "command.hpp"
#include "commands.hpp"
#include "print.hpp"
#include "scene_input.hpp"
#include "scene_options.hpp"
#include "sign_of_life.hpp"
#include "signals.hpp"
#include "sweep_slurm.hpp"
#include "terminal.hpp"
#include "warnings.hpp"

namespace electret::app {
namespace {

constexpr const char* fit_footer =
    R"(A job names a scene, its parameters to fit, and losses (docs/gradients.md, "Fits"):

  [fit]
  scene = "cloth.toml"
  set = ["integrator.tolerance=1e-10"]
  [[parameter]]
  name = "body.cloth.stiffness"
  start = 20.0
  [[loss]]
  of = "trajectory:target/trajectory.h5"

Files written to DIR (default fits/JOB-STEM):
  fitted.toml        the scene with the values found, ready to run
  fit.csv            one row per run: loss, gradient, values (the first 24)
  fit.svg, fit.png   the loss, run by run
  fit.json           the values found, and how each start ended
  scan.csv, .svg, .png   the loss over one or two parameters, if the job has [[scan]]

Ctrl-C stops after the present step; --resume continues to the same bits. If a run diverges, the fit takes a
smaller step.

Exit status: 0 if the gradient or the loss is small enough; 1 if the fit has not converged. Its files then have
the best values met.

Examples:
  electret fit job.toml
  electret fit job.toml -o fits/second --threads 2
  electret fit job.toml --set start.body.cloth.stiffness=35
  electret fit job.toml --resume)";

struct FitCommand {
  std::string job, directory;
  std::vector<std::string> sets, removals;  ///< "KEY=VALUE" of --set, "KEY" of --unset.
  int threads = 0;
  double memory = 0.0;
  bool resume = false, overwrite = false, stop_on_warning = false;

  [[nodiscard]] std::vector<std::string> overrides() const {
    std::vector<std::string> all;
    for (const std::string& key : removals) all.push_back("--unset " + key);
    all.insert(all.end(), sets.begin(), sets.end());
    return all;
  }
  /// The command that goes on with the fit.
  [[nodiscard]] std::string going_on() const {
    std::vector<std::string> words{job, "-o", directory};
    for (const std::string& key : removals) words.insert(words.end(), {"--unset", key});
    for (const std::string& text : sets) words.insert(words.end(), {"--set", text});
    return "electret fit" + quoted_words(words) + " --resume";
  }
};

/// Prints one line per better run, at most five per second.
class Display {
 public:
  explicit Display(const FitPlan& plan) : plan_(plan) {}

  void show(const FitEvaluation& evaluation) {
    const auto now = std::chrono::steady_clock::now();
    const bool is_new = evaluation.start != start_ || evaluation.steps != steps_;
    if (is_new) best_ = INFINITY, start_ = evaluation.start, steps_ = evaluation.steps;
    const bool is_better = evaluation.loss < best_;
    best_ = std::min(best_, evaluation.loss);
    if (evaluation.is_replayed || (!is_new && (!is_better || now - last_ < std::chrono::milliseconds(200))))
      return;
    last_ = now;
    std::string line = "electret: ";
    const std::size_t starts = plan_.options.starts.size();
    if (evaluation.start == starts)
      line += "signs, ";
    else if (starts > 1)
      line += fmt::format("start {} of {}, ", evaluation.start + 1, starts);
    if (plan_.options.horizons.size() > 1)
      line += fmt::format("{:g} s, ", static_cast<double>(evaluation.steps) * plan_.assembly.scene.time.step);
    line += fmt::format("run {}: loss {:.6g}, gradient {:.2g}", evaluation.evaluation, evaluation.loss,
                        evaluation.gradient_norm);
    std::size_t k = 0;
    for (const FitParameter& each : plan_.parameters) {
      if (each.parameter.size() == 1 && k < 3)
        line += fmt::format(", {} {:.6g}", each.parameter.name, evaluation.values[k]);
      k += each.parameter.size();
    }
    tell("{}\n", line);
  }

 private:
  const FitPlan& plan_;
  double best_ = INFINITY;
  std::size_t start_ = static_cast<std::size_t>(-1);
  Count steps_ = 0;
  std::chrono::steady_clock::time_point last_;
};

/// Says in a line or two what the loss does not determine; nothing for a single value.
void print_identifiability(const FitResult& result, const Identifiability& found) {
  if (found.weakest.size() < 2) return;
  say("  {:<32} {:.1e} of the strongest{}\n", "weakest combination's curvature", found.ratio(),
      found.is_whole
          ? ""
          : fmt::format(", at most ({} of {} directions seen)", found.products, found.weakest.size()));
  if (found.is_determined()) return;
  const auto names = value_names(result.parameters);
  std::vector<std::size_t> order(names.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return std::abs(found.weakest[a]) > std::abs(found.weakest[b]);
  });
  std::string line;
  for (std::size_t k = 0; k < std::min<std::size_t>(3, order.size()); ++k)
    line += fmt::format("{}{:+.2g} {}", k > 0 ? " " : "", found.weakest[order[k]], names[order[k]]);
  say("  {:<32} {}{}\n", "not determined by the loss", line, order.size() > 3 ? " …" : "");
}

/// Names the signs that the loss does not determine; nothing if it determines all that were tried.
void print_signs(const FitResult& result, const SignAmbiguity& signs) {
  if (signs.tried.empty()) return;
  const auto ambiguous = signs.ambiguous();
  if (signs.possible > 1 && signs.is_ambiguous(signs.together))
    say("  {:<32} all of them reversed together: loss {:.3g}\n", "signs not determined by the loss",
        signs.together);
  if (ambiguous.empty()) return;
  const auto names = value_names(result.parameters);
  std::string line;
  for (std::size_t k = 0; k < std::min<std::size_t>(3, ambiguous.size()); ++k)
    line += fmt::format("{}{} (reversed: loss {:.3g})", k > 0 ? ", " : "", names[signs.tried[ambiguous[k]]],
                        signs.losses[ambiguous[k]]);
  say("  {:<32} {} of {} tried: {}{}\n", "signs not determined by the loss", ambiguous.size(),
      signs.tried.size(), line, ambiguous.size() > 3 ? ", …" : "");
  if (signs.possible == 1) return;
  say("  {:<32} this may be a valley of wrong signs: try [signs] trials, or [starts] signs = \"random\"\n",
      "");
}

void print_result(const FitPlan& plan, const FitResult& result, const AfterFit& after,
                  const std::string& directory) {
  const FitOutcome& best = result.outcomes[result.best];
  say("\n");
  std::size_t k = 0;
  for (const FitParameter& each : result.parameters) {
    const std::size_t size = each.parameter.size();
    if (size == 1) {
      say("  {:<32} {:.9g} {} (start {:.6g})\n", each.parameter.name, best.values[k], each.parameter.unit,
          best.start[k]);
    } else {
      const auto [low, high] =
          std::minmax_element(best.values.begin() + static_cast<std::ptrdiff_t>(k),
                              best.values.begin() + static_cast<std::ptrdiff_t>(k + size));
      say("  {:<32} {} values, {:.6g} … {:.6g} {}\n", each.parameter.name, size, *low, *high,
          each.parameter.unit);
    }
    k += size;
  }
  say("  {:<32} {:.9g} (gradient {:.2g})\n", "loss", best.loss, best.gradient_norm);
  if (!after.samples.empty()) {
    const double mean = mean_of_samples(after.samples);
    const std::size_t lost = diverged_samples(after.samples);
    const std::string of = lost == 0 ? "" : fmt::format(", {} of which diverged, the others", lost);
    if (mean > 0.0)
      say("  {:<32} {:.6g}, of {} random starts{} of mean loss {:.6g}\n", "loss / mean of the samples",
          best.loss / mean, after.samples.size(), of, mean);
    else
      say("  {:<32} {:.6g}, of {} random starts{}\n", "mean loss of the samples", mean, after.samples.size(),
          lost == 0 ? "" : fmt::format(", {} of which diverged", lost));
  }
  say("  {:<32} {}\n", has_converged(best.end) ? "ended" : "not converged", how_it_ended(best));
  std::size_t best_start = 0;
  for (std::size_t s = 1; s < plan.options.starts.size(); ++s)
    if (result.outcomes[s].loss < result.outcomes[best_start].loss) best_start = s;
  if (plan.options.starts.size() > 1)
    say("  {:<32} {} of {}\n", "best start", best_start + 1, plan.options.starts.size());
  if (plan.options.signs.trials > 0)
    say("  {:<32} loss {:.6g} before\n", "search for signs", result.outcomes[best_start].loss);
  print_identifiability(result, after.identifiability);
  print_signs(result, after.signs);
  say("\nresults in {}: fitted.toml, fit.csv, fit.svg, fit.json{}\n", directory,
      plan.samples.empty() ? "" : ", samples.csv");
}

/// Says what a fit found that had ended before. Returns its exit status.
int tell_of_ended(const EndedFit& fit, const std::string& directory) {
  tell("electret: the fit in {} has finished already; nothing was left to do\n", directory);
  say("\n");
  for (const auto& [name, value] : fit.rows) say("  {:<32} {}\n", name, value);
  say("\nresults in {}: fitted.toml, fit.csv, fit.svg, fit.json\n", directory);
  return fit.converged ? Status::done : Status::failed;
}

/// The progress of what follows a fit, one bar for each part.
class PartDisplay {
 public:
  void update(std::string_view part, const Progress& progress) {
    if (part != part_) {
      display_.emplace(std::string(part));
      part_ = part;
    }
    display_->update(progress);
  }
  void clear() { display_.reset(); }

 private:
  std::string part_;
  std::optional<ProgressDisplay> display_;
};

void check_file(const std::string& job) {
  if (is_standard_input(job))
    throw InputError(
        Finding{{"JOB", 0, 0},
                "a job is not read from standard input",
                "give a file: paths in it are relative to its folder, and --resume needs it again"});
}

/// Says what was found. Returns the exit status.
int report(const PlannedFit& planned, const FitJobResult& found, const std::string& directory) {
  if (found.ended) return tell_of_ended(*found.ended, directory);
  tell_capped_steps(found.capped_steps, found.steps, planned.plan.assembly.scene);
  print_result(planned.plan, found.result, found.after, directory);
  if (found.converged()) return Status::done;
  tell("electret: {}\n", convergence_notice(found.result.outcomes[found.result.best]));
  return Status::failed;
}

int run_fit(FitCommand options) {
  if (options.directory.empty())
    options.directory = (std::filesystem::path("fits") / std::filesystem::path(options.job).stem()).string();
  std::optional<SignOfLife> sign(std::in_place, preparing);
  check_file(options.job);
  const PlannedFit planned = plan_fit_job(options.job, options.overrides());
  tell(fit_warnings(planned, options.threads), options.stop_on_warning);
  sign.emplace("running the scene for the first loss");  // The first run reports nothing until it has ended.
  const SignalStop signals;
  Display display(planned.plan);
  PartDisplay parts;
  FitJobOptions how;
  how.mode = options.resume ? FitMode::resume : options.overwrite ? FitMode::overwrite : FitMode::fresh;
  how.threads = options.threads;
  how.memory = 1e9 * options.memory;
  how.stop = signals.token();
  bool begun = false;
  how.observe = [&](const FitEvaluation& evaluation) {
    sign.reset();
    begun = true;
    display.show(evaluation);
  };
  how.after = [&](std::string_view part, const Progress& progress) {
    if (part == "samples") {
      sign.reset();
      begun = true;
    }
    parts.update(part, progress);
  };
  try {
    const FitJobResult found = run_fit_job(planned, options.directory, how);
    sign.reset();
    parts.clear();
    return report(planned, found, options.directory);
  } catch (const Cancelled&) {
    sign.reset();
    parts.clear();
    tell("electret: interrupted{}\n", begun ? "; go on with: " + options.going_on() : "; nothing is written");
    return ended_by(signals.received());
  }
}

}  // namespace

void add_fit(CommandLine& line) {
  auto options = std::make_shared<FitCommand>();
  Command command = line.add("fit", "Fit parameters of a scene to a target");
  command.option("JOB", options->job, "The job file (TOML)").required().type_name("");
  command.option("-o,--output", options->directory, "Directory of the results; default fits/JOB-STEM")
      .type_name("DIR")
      .not_empty();
  command
      .option("--set", options->sets,
              "Override a key of the scene, or the start of a parameter; may be repeated")
      .type_name("KEY=VALUE")
      .one_value_each();
  command
      .option("--unset", options->removals,
              "Remove a key or table of the scene, before --set; may be repeated")
      .type_name("KEY")
      .one_value_each();
  add_threads_option(command, options->threads);
  add_instructions_option(command);
  add_memory_option(command, options->memory);
  const Option resume = command.flag("--resume", options->resume, "Go on with an unfinished fit");
  command.flag("--overwrite", options->overwrite, "Replace an unfinished fit, or one of another job")
      .excludes(resume);
  add_stop_on_warning_option(command, options->stop_on_warning);
  command.footer(fit_footer);
  command.does([options] { return run_fit(*options); });
}

}  // namespace electret::app
