/// \file
/// What `electret sweep` says of a sweep: how far it is, what came out, and what a run was.

#include <algorithm>
#include <chrono>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include <fmt/format.h>

#include <electret/core/errors.hpp>
#include <electret/sweep/run_ranges.hpp>
#include <electret/sweep/sweep_fit_run.hpp>
#include <electret/sweep/sweep_memory.hpp>
#include <electret/sweep/sweep_merge.hpp>
#include <electret/sweep/sweep_state.hpp>

#include "command.hpp"
#include "print.hpp"
#include "sign_of_life.hpp"
#include "signals.hpp"
#include "sweep_command.hpp"
#include "sweep_slurm.hpp"
#include "terminal.hpp"

namespace electret::app {
namespace {

/// What repeats a run that has no result.
std::string repetition(const SweepPlan& plan, const std::string& folder, Count run) {
  if (!plan.mapped.empty())
    return fmt::format("in Python, electret.Sweep({}).failures has the call", in_quotes(folder));
  return fmt::format("electret sweep{} --runs {}", quoted_words({folder}), run);
}

void print_state(const SweepState& state, const SweepPlan& plan, const std::string& folder) {
  say("  {:<12} {}\n", "runs", state.runs);
  for (const SweepStatus status : all_statuses)
    if (status == SweepStatus::done || state.counts.of(status) > 0)
      say("  {:<12} {}\n", name_of(status), state.counts.of(status));
  if (!state.missing.empty()) say("  {:<12} {}\n", "missing", state.missing.size());
  say("  {:<12} {}\n", "CPU time", duration_text(state.cpu));
  constexpr std::size_t most = 10;
  for (std::size_t k = 0; k < std::min(most, state.without_result.size()); ++k) {
    const SweepRow& row = state.without_result[k];
    say("\n  run {}: {}: {}\n    again: {}\n", row.run, name_of(row.status), row.note,
        repetition(plan, folder, row.run));
  }
  const Count bad = state.counts.without_result();
  if (bad > static_cast<Count>(most)) say("\n  … and {} more\n", bad - static_cast<Count>(most));
  if (bad > 1 && plan.mapped.empty()) {
    std::vector<std::string> found;
    for (const SweepStatus status : all_statuses)
      if (!is_result(status) && state.counts.of(status) > 0) found.emplace_back(name_of(status));
    say("\n  all again: electret sweep{} --again {}\n", quoted_words({folder}), joined(found, ","));
  }
}

/// What does not count, the first of it: a part of another sweep has a fault for each of its rows.
void tell_faults(const std::vector<Finding>& faults) {
  constexpr std::size_t most = 20;
  for (std::size_t k = 0; k < std::min(most, faults.size()); ++k) tell("{}\n", to_string(faults[k]));
  if (faults.size() > most) tell("… and {} more faults of parts and rows\n", faults.size() - most);
}

/// "sweep.svg and sweep-b.svg", of many how many.
std::string pictures_text(const std::vector<std::string>& names) {
  constexpr std::size_t most = 3;
  if (names.empty()) return "";
  if (names.size() <= most) return ", " + joined(names);
  return fmt::format(", {} and {} further sweep-NAME.svg", names.front(), names.size() - 1);
}

int status_of(const SweepState& state) {
  return state.is_whole() ? Status::done : Status::failed;
}

/// The distinct minima of fits, the lowest ones first.
void print_minima(const SweepPlan& plan, const SweepResults& results) {
  const auto& minima = results.minima.minima;
  say("\n{}\n", counted(minima.size(), "distinct minimum", "distinct minima"));
  constexpr std::size_t most = 10, most_values = 3;
  for (std::size_t m = 0; m < std::min(most, minima.size()); ++m) {
    std::string values;
    for (std::size_t v = 0; v < std::min(most_values, plan.fit->values.size()); ++v)
      values += fmt::format(", {} = {:.6g}", plan.fit->values[v], minima[m].values[v]);
    if (plan.fit->values.size() > most_values) values += ", …";
    say("  loss {:<12.6g} {:<9} best run {}{}\n", minima[m].loss, counted(minima[m].fits, "fit,", "fits,"),
        minima[m].run, values);
  }
  if (minima.size() > most) say("  … and {} more\n", minima.size() - most);
  if (results.minima.elsewhere > 0)
    say("  {} ended at no minimum\n", counted(results.minima.elsewhere, "fit", "fits"));
  if (results.best) say("  the smallest loss is that of run {}; its scene is best.toml\n", *results.best);
}

/// The files of a sweep that has ended, without its parts.
std::size_t usual_files(const SweepPlan& plan) {
  constexpr std::size_t own = 6,
                        inputs = 3;  // job.toml, design.csv, sweep.h5, runs.csv, sweep.svg, summary.json
  return own + inputs + plan.files.size() + (plan.fit ? 2 : 0);
}

/// Does the first of the runs that is not refused: a sample far out of a normal distribution may be.
SweepRow first_run(const SweepPlan& plan, MeshStore& meshes) {
  constexpr Count most_tried = 20;
  SweepRow row = sweep_run(plan, 0, meshes);
  for (Count run = 1; row.status == SweepStatus::refused && run < std::min(most_tried, plan.design.runs());
       ++run)
    row = sweep_run(plan, run, meshes);
  return row;
}

}  // namespace

int merge_and_report(const SweepFolder& folder, const SweepPlan& plan) {
  const SweepResults results = merge_sweep(folder, plan);
  tell_faults(results.faults);
  if (results.sets.size() > 1)
    tell(
        "electret: the parts were computed with several instruction sets ({}), whose results differ in the "
        "last digits; --instructions names one\n",
        joined(results.sets));
  const SweepState state = sweep_state(folder, plan);
  say("\n");
  print_state(state, plan, folder.path());
  say("  {:<12} {}\n", "digest", results.digest);
  if (plan.fit) print_minima(plan, results);
  if (results.hidden_charts > 0)
    say("\nthe pictures have no room for {}; runs.csv has all numbers\n",
        counted(results.hidden_charts, "further chart", "further charts"));
  say("\nresults in {}: runs.csv, sweep.h5{}, summary.json{}\n", folder.path(),
      pictures_text(results.pictures), results.best ? ", best.toml" : "");
  return results.has_conflicts ? Status::failed : status_of(state);
}

int sweep_show(const SweepCommand& options) {
  const SweepFolder folder = folder_of(options);
  const SweepPlan plan = folder.plan();
  const auto ranges = parse_run_ranges(options.show, plan.design.runs());
  if (!ranges || ranges->size() != 1 || ranges->front().first != ranges->front().last)
    throw InputError(Finding{{"--show", 0, 0},
                             in_quotes(options.show) + " is no run of the sweep",
                             fmt::format("allowed: 0 to {}", plan.design.runs() - 1)});
  const Count run = ranges->front().first;
  const auto overrides = plan.design.overrides(run);
  for (std::size_t k = 0; k < plan.design.keys().size(); ++k)
    say("  {:<32} {}\n", plan.design.keys()[k], plan.design.value(run, k));
  const auto row = find_row(folder, plan, run);
  say("  {:<32} {}\n", "status", row ? name_of(row->status) : "missing");
  if (row && !row->note.empty()) say("    {}\n", row->note);
  const auto columns = plan.columns();
  for (std::size_t k = 0; row && k < columns.size(); ++k) {
    for (const char* name : {"loss", "gradient_norm", "evaluations"})
      if (columns[k].name == name) say("  {:<32} {:.17g}\n", name, row->values[k][0]);
    if (columns[k].name == "end")
      if (const auto end = fit_end_of(row->values[k][0])) say("  {:<32} {}\n", "ended", to_string(*end));
    if (columns[k].name == "fitted" && columns[k].width() <= 64)
      for (std::size_t v = 0; v < plan.fit->values.size(); ++v)
        say("  {:<32} {:.17g}\n", plan.fit->values[v], row->values[k][v]);
    if (columns[k].name == "quantities" && columns[k].width() <= 64)
      for (std::size_t q = 0; q < plan.quantities.size(); ++q)
        say("  {:<32} {:.17g}\n", plan.quantities[q].name, row->values[k][q]);
  }
  for (const std::string& file : changed_inputs(plan))
    tell("electret: {} has changed since the sweep began; what was run is in {}\n", file, folder.inputs());
  if (!plan.mapped.empty()) say("\nThe run is a call of a Python function, whose scene this command runs:\n");
  if (const auto words = loss_arguments(plan, overrides); !words.empty())
    say("\nIts loss{}:\n\nelectret{}\n\nThe run:\n", plan.job.keep.gradient.empty() ? "" : " and gradient",
        quoted_words(words));
  say("\nelectret{}\n", quoted_words(run_arguments(plan, overrides)));
  return Status::done;
}

int sweep_check(const SweepCommand& options) {
  if (is_folder(options.job)) folder_of(options).refuse_mapped();
  std::optional<SignOfLife> sign(std::in_place, "checking the job");
  const SweepPlan plan = is_folder(options.job) ? folder_of(options).plan() : plan_sweep(options.job);
  MeshStore meshes;
  const double need = memory_of_a_worker(plan);
  sign.emplace("doing a run to see what it takes");
  const SweepRow row = first_run(plan, meshes);
  sign.reset();
  const auto runs = static_cast<double>(plan.design.runs());
  double width = 0.0;
  for (const ResultColumn& column : plan.columns()) width += 8.0 * static_cast<double>(column.width());
  say("  {:<24} {}\n", "runs", plan.design.runs());
  say("  {:<24} {}\n", "keys", joined(plan.design.keys()));
  if (row.run > 0) say("  {:<24} {}, which are refused\n", "runs before", row.run);
  say("  {:<24} {}\n", fmt::format("run {}", row.run), name_of(row.status));
  if (!row.note.empty()) say("    {}\n", row.note);
  for (std::size_t q = 0; q < plan.quantities.size(); ++q)
    say("  {:<24} {:.9g}\n", plan.quantities[q].name, row.values[4][q]);
  if (plan.fit) say("  {:<24} {:.9g}\n", "loss", row.values[4][0]);
  say("  {:<24} {}, all runs {}\n", fmt::format("CPU time of run {}", row.run),
      duration_text(row.values[3][0]), duration_text(runs * row.values[3][0]));
  say("  {:<24} {} for each worker\n", "memory", bytes_text(need));
  say("  {:<24} about {}, and a part for each worker or task{}\n", "files", usual_files(plan),
      plan.job.keep.directories == "all" ? ", and a folder for each run" : "");
  constexpr double of_few_runs = 0.5e6;  // Pictures, and what HDF5 takes for each file.
  say("  {:<24} about {}\n", "disk", bytes_text(of_few_runs + 2.0 * runs * width));
  return Status::done;
}

int sweep_status(const SweepCommand& options) {
  const SweepFolder folder = folder_of(options);
  const SweepPlan plan = folder.plan();
  SweepState state = sweep_state(folder, plan);
  const SignalStop signals;
  ProgressDisplay display("sweep");
  while (options.watch && !state.missing.empty() && !signals.token().stop_requested()) {
    display.update({state.ended(), state.runs});
    for (int k = 0; k < 10 && !signals.token().stop_requested(); ++k)
      std::this_thread::sleep_for(std::chrono::milliseconds(100));
    state = sweep_state(folder, plan);
  }
  display.clear();
  tell_faults(state.faults);
  print_state(state, plan, folder.path());
  if (signals.received() != 0) return ended_by(signals.received());
  return status_of(state);
}

}  // namespace electret::app
