/// \file
/// `electret sweep JOB.toml`: many runs of one scene.

#include <algorithm>
#include <chrono>
#include <cmath>
#include <csignal>
#include <filesystem>
#include <iostream>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include <fmt/format.h>

#include <electret/core/errors.hpp>
#include <electret/core/memory.hpp>
#include <electret/dynamics/simulator.hpp>
#include <electret/geometry/read.hpp>
#include <electret/record/memory_need.hpp>
#include <electret/sweep/sweep_fit_run.hpp>
#include <electret/sweep/sweep_merge.hpp>
#include <electret/sweep/sweep_state.hpp>

#include "command.hpp"
#include "commands.hpp"
#include "print.hpp"
#include "scene_options.hpp"
#include "sign_of_life.hpp"
#include "signals.hpp"
#include "sweep_slurm.hpp"
#include "sweep_workers.hpp"
#include "terminal.hpp"

namespace electret::app {
namespace {

constexpr const char* sweep_footer =
    R"(A job names a scene and the keys that vary (docs/sweeps.md):

  [sweep]
  scene = "jelly.toml"
  [[vary]]
  key = "body.0.charge"
  range = [1e-6, 8e-6]
  points = 8
  [[vary]]
  key = "integrator.method"
  values = ["imex", "verlet"]
  [keep]
  quantities = { swing = "max of radius_of_gyration", end = "last of total" }

With fit = "fit.toml" in place of the scene each run is a fit from a start of its own, such as
key = "start.body.knot.stiffness"; distinct minima are counted.

The runs are done by worker processes on this machine, one thread each. The same command again goes on where it
stopped: no finished run is repeated. More values or samples add runs.

Files written to DIR (default sweeps/JOB-STEM):
  design.csv         the values of every run
  parts/             results as they come, in one file for each worker
  sweep.h5, runs.csv all results, sorted by run
  sweep.svg          the quantities over what varies
  summary.json       counts, times, digest
  best.toml          of fits: the scene with the values of the smallest loss
  job.toml, inputs/  what the sweep was made from

Other machines and schedulers do blocks of runs: --list prints a command for each,
--slurm writes a script. With a folder in place of the
job, --status, --merge and --show tell of a sweep that is there.

Exit status: 0 if every run has a result; 1 if not.

Examples:
  electret sweep job.toml
  electret sweep job.toml --check
  electret sweep job.toml -o sweeps/map --workers 2
  electret sweep job.toml -o sweeps/map --runs 120-139
  electret sweep job.toml -o sweeps/map --list | parallel
  electret sweep job.toml -o sweeps/map --slurm --slurm-option=--time=1:00:00
  electret sweep sweeps/map --status
  electret sweep sweeps/map --show 17)";

struct SweepCommand {
  std::string job, directory, runs, show;
  int workers = 0, block = 0;
  std::vector<std::string> slurm_options;
  bool check = false, status = false, watch = false, merge = false, list = false, slurm = false,
       overwrite = false;
};

bool is_folder(const std::string& path) {
  std::error_code error;
  return std::filesystem::is_directory(path, error);
}

/// The sweep's folder: the one given in place of the job, the one of -o, or the default.
SweepFolder folder_of(const SweepCommand& options) {
  // Workers and lists of commands must not take it for an option.
  const auto named = [](const std::string& path) { return path.starts_with('-') ? "./" + path : path; };
  if (is_folder(options.job)) {
    if (!options.directory.empty())
      throw InputError(Finding{{"-o", 0, 0},
                               "a folder is given in place of the job, too",
                               "allowed: electret sweep JOB.toml -o DIR, or electret sweep DIR"});
    return SweepFolder(named(options.job));
  }
  if (!options.directory.empty()) return SweepFolder(named(options.directory));
  return SweepFolder((std::filesystem::path("sweeps") / std::filesystem::path(options.job).stem()).string());
}

/// The sweep in the folder, begun or gone on with if a job is given.
SweepPlan begun_plan(const SweepCommand& options, const SweepFolder& folder) {
  if (!options.overwrite) folder.refuse_mapped();
  if (is_folder(options.job)) return folder.plan();
  SignOfLife sign("checking the job");
  SweepPlan plan = plan_sweep(options.job);
  folder.begin(plan, options.overwrite);
  // Runs may have been appended to it.
  return folder.runs_of_job() == plan.design.runs() ? std::move(plan) : folder.plan();
}

/// What repeats a run that has no result.
std::string repetition(const SweepPlan& plan, const std::string& folder, Count run) {
  if (!plan.mapped.empty())
    return fmt::format("in Python, electret.Sweep({}).failures has the call", in_quotes(folder));
  return fmt::format("electret sweep {} --runs {}", folder, run);
}

void print_state(const SweepState& state, const SweepPlan& plan, const std::string& folder) {
  say("  {:<12} {}\n", "runs", state.runs);
  for (int k = 0; k <= static_cast<int>(SweepStatus::lost); ++k) {
    const auto status = static_cast<SweepStatus>(k);
    if (k == 0 || state.count(status) > 0) say("  {:<12} {}\n", name_of(status), state.count(status));
  }
  if (!state.missing.empty()) say("  {:<12} {}\n", "missing", state.missing.size());
  say("  {:<12} {}\n", "CPU time", duration_text(state.cpu));
  constexpr std::size_t most = 10;
  for (std::size_t k = 0; k < std::min(most, state.without_result.size()); ++k) {
    const SweepRow& row = state.without_result[k];
    say("\n  run {}: {}: {}\n    again: {}\n", row.run, name_of(row.status), row.note,
        repetition(plan, folder, row.run));
  }
  const Count bad = state.ended() - state.count(SweepStatus::done) - state.count(SweepStatus::diverged);
  if (bad > static_cast<Count>(most)) say("\n  … and {} more\n", bad - static_cast<Count>(most));
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

/// Merges what is there and says what came out.
int merge(const SweepFolder& folder, const SweepPlan& plan) {
  const SweepResults results = merge_sweep(folder, plan);
  for (const Finding& finding : results.faults) tell("{}\n", to_string(finding));
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
  say("\nresults in {}: runs.csv, sweep.h5, sweep.svg, summary.json{}\n", folder.path(),
      results.best ? ", best.toml" : "");
  return results.has_conflicts ? Status::failed : status_of(state);
}

/// The bytes that a worker takes, as run 0 needs them.
double memory_of_a_worker(const SweepPlan& plan) {
  MeshStore meshes;
  const Simulator simulator(compile(scene_of_run(plan, plan.design.overrides(0), meshes), 1));
  const bool has_gradient = plan.fit || !plan.job.keep.gradient.empty();
  return program_memory + (has_gradient
                               ? gradient_memory_need(simulator.system(), simulator.integrator(), !plan.fit)
                               : memory_need(simulator.system(), simulator.integrator()));
}

/// How many runs of this sweep one machine can do at the same time.
int usual_workers(const SweepPlan& plan) {
  const int cores = std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
  const auto free = memory_available();
  if (!free) return cores;
  return std::clamp(static_cast<int>(std::min(0.8 * *free / memory_of_a_worker(plan), 1e6)), 1, cores);
}

int sweep_here(const SweepCommand& options) {
  const SweepFolder folder = folder_of(options);
  const SweepPlan plan = begun_plan(options, folder);
  const SweepState state = sweep_state(folder, plan);
  if (state.missing.empty()) {
    tell("electret: all {} runs in {} have ended already\n", state.runs, folder.path());
    return merge(folder, plan);
  }
  const SignalStop signals;
  ProgressDisplay display("sweep");
  Count ended = state.ended(), bad = 0;
  WorkerOptions how;
  how.workers = options.workers > 0 ? options.workers : usual_workers(plan);
  how.block = options.block;
  how.stop = signals.token();
  how.ended = [&](Count run, SweepStatus status) {
    if (!is_result(status) && ++bad <= 3) {
      display.clear();
      tell("electret: run {} is {}\n", run, name_of(status));
    }
    ++ended;
    display.update(fmt::format("{} of {} runs{}", ended, state.runs,
                               bad > 0 ? fmt::format(", {} without result", bad) : ""),
                   static_cast<double>(ended) / static_cast<double>(state.runs));
  };
  const PoolEnd end = run_in_workers(folder, plan, state, how);
  display.clear();
  if (end.is_stopped) {
    tell("electret: interrupted; go on with: electret sweep{}\n", quoted_words({folder.path()}));
    return ended_by(signals.received() != 0 ? signals.received() : SIGINT);
  }
  const int status = merge(folder, plan);
  if (end.failure.empty()) return status;
  tell("electret: error: {}\n", end.failure);
  return Status::failed;
}

/// Does these runs in this process, but for those that have a result.
class Task {
 public:
  Task(const SweepFolder& folder, const SweepPlan& plan, std::stop_token stop, bool does_report)
      : folder_(folder), plan_(plan), stop_(std::move(stop)), does_report_(does_report) {}

  [[nodiscard]] double cpu() const { return part_ ? part_->cpu() : 0.0; }
  /// `last` is the last run that this task is known to do, for the part's name.
  void run(Count run, Count last) {
    if (stop_.stop_requested()) throw Cancelled();
    if (!part_) part_.emplace(folder_, plan_, run, last);
    const SweepStatus status = part_->run(run, stop_);
    if (!does_report_) return;
    put(stdout, fmt::format("{} {} {:.6f}\n", run, static_cast<int>(status), part_->cpu() - told_));
    told_ = part_->cpu();
    if (std::fflush(stdout) != 0 || std::ferror(stdout) != 0) throw Cancelled();  // The command is gone.
  }

 private:
  const SweepFolder& folder_;
  const SweepPlan& plan_;
  std::stop_token stop_;
  bool does_report_;
  std::optional<PartWriter> part_;
  double told_ = 0.0;  ///< Processor time that was reported.
};

InputError no_range(const std::string& text, Count runs) {
  return InputError(
      Finding{{"--runs", 0, 0},
              in_quotes(text) + " is no range of the sweep's runs",
              fmt::format("allowed: numbers from 0 to {}, such as 17, 120-139 or 3,5-7", runs - 1)});
}

/// A worker of this machine: ranges come from standard input.
int serve(const SweepFolder& folder, const SweepPlan& plan, const SignalStop& signals) {
  Task task(folder, plan, signals.token(), true);
  for (std::string line; std::getline(std::cin, line);) {
    const auto ranges = parse_ranges(line, plan.design.runs());
    if (!ranges) throw no_range(line, plan.design.runs());
    for (const RunRange& range : *ranges)
      for (Count run = range.first; run <= range.last; ++run) task.run(run, range.last);
  }
  return Status::done;
}

/// What is asked for by --runs.
class Asked {
 public:
  Asked(const std::vector<RunRange>& ranges, const SweepState& state, Count attempts) {
    const bool is_alone = ranges.size() == 1 && ranges[0].first == ranges[0].last;
    std::map<Count, Count> begun;
    for (std::size_t k = 0; k < state.missing.size(); ++k) begun[state.missing[k]] = state.attempts[k];
    for (const RunRange& range : ranges)
      for (Count run = range.first; run <= range.last; ++run) {
        const signed char status = state.statuses[static_cast<std::size_t>(run)];
        const bool is_missing = status == SweepState::none;
        all.push_back(run);
        if (is_missing && !is_alone && begun[run] >= attempts)
          lost.push_back(run);
        else if (is_missing || (is_alone && !is_result(static_cast<SweepStatus>(status))))
          to_do.push_back(run);  // A run that is asked for alone is repeated if it has no result.
      }
  }
  std::vector<Count> all, to_do, lost;
};

int do_runs(const SweepCommand& options) {
  const SweepFolder folder = folder_of(options);
  const SweepPlan plan = begun_plan(options, folder);
  const SignalStop signals;
  try {
    if (options.runs == "-") return serve(folder, plan, signals);
    const auto ranges = parse_ranges(options.runs, plan.design.runs());
    if (!ranges) throw no_range(options.runs, plan.design.runs());
    const SweepState state = sweep_state(folder, plan);
    const Asked asked(*ranges, state, plan.job.limits.attempts);
    if (!asked.lost.empty()) {
      PartWriter part(folder, plan, asked.lost.front(), asked.lost.back());
      for (const Count run : asked.lost)
        part.add(row_without_result(plan, run, SweepStatus::lost, "its process died each time"));
    }
    Task task(folder, plan, signals.token(), false);
    ProgressDisplay display("sweep");
    for (std::size_t k = 0; k < asked.to_do.size(); ++k) {
      if (is_spent(plan, state.cpu + task.cpu())) {
        tell("electret: error: {}\n", spent_text(plan));
        break;
      }
      task.run(asked.to_do[k], asked.to_do.back());
      display.update(fmt::format("{} of {} runs", k + 1, asked.to_do.size()),
                     static_cast<double>(k + 1) / static_cast<double>(asked.to_do.size()));
    }
    display.clear();
    const SweepState now = sweep_state(folder, plan);
    Count results = 0;
    for (const Count run : asked.all) {
      const signed char status = now.statuses[static_cast<std::size_t>(run)];
      results += status != SweepState::none && is_result(static_cast<SweepStatus>(status)) ? 1 : 0;
    }
    say("runs {}: {} done here, {} of {} have a result\n", options.runs, asked.to_do.size(), results,
        asked.all.size());
    return results == static_cast<Count>(asked.all.size()) ? Status::done : Status::failed;
  } catch (const Cancelled&) {
    return ended_by(signals.received());
  }
}

/// One command for each block of missing runs.
int list(const SweepCommand& options) {
  const SweepFolder folder = folder_of(options);
  const SweepPlan plan = begun_plan(options, folder);
  const SweepState state = sweep_state(folder, plan);
  // A process takes longer to start than many runs, so that a command does several.
  constexpr Count most_commands = 64;
  const Count block = options.block > 0
                          ? options.block
                          : (static_cast<Count>(state.missing.size()) + most_commands - 1) / most_commands;
  for (const auto& ranges : blocks_of(state.missing, std::max<Count>(block, 1)))
    say("electret sweep{} --runs {}\n", quoted_words({folder.path()}), text_of(ranges));
  return Status::done;
}

/// The mean time of the runs whose times are known; with none, the first missing run is done to measure it.
double time_of_a_run(const SweepFolder& folder, const SweepPlan& plan, SweepState& state) {
  if (state.timed == 0) {
    const SignOfLife sign("doing a run to see what it takes");
    PartWriter(folder, plan, state.missing.front(), state.missing.front()).run(state.missing.front(), {});
    state = sweep_state(folder, plan);
  }
  return state.wall / static_cast<double>(std::max<Count>(state.timed, 1));
}

int slurm(const SweepCommand& options) {
  const SweepFolder folder = folder_of(options);
  const SweepPlan plan = begun_plan(options, folder);
  SweepState state = sweep_state(folder, plan);
  SlurmWishes wishes;
  if (!state.missing.empty()) wishes.run_time = time_of_a_run(folder, plan, state);
  if (state.missing.empty()) {
    tell("electret: all {} runs in {} have ended already\n", state.runs, folder.path());
    return Status::done;
  }
  wishes.memory = memory_of_a_worker(plan);
  wishes.program = std::filesystem::read_symlink("/proc/self/exe").string();
  wishes.block = options.block;
  wishes.options = options.slurm_options;
  say("{}\n", write_slurm_script(folder, state.missing, wishes));
  return Status::done;
}

int show(const SweepCommand& options) {
  const SweepFolder folder = folder_of(options);
  const SweepPlan plan = folder.plan();
  const auto ranges = parse_ranges(options.show, plan.design.runs());
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
  std::error_code error;
  if (!std::filesystem::exists(plan.scene_file, error) || read_whole_file(plan.scene_file) != plan.scene_text)
    tell("electret: the scene has changed since the sweep began; the one that was run is {}/scene.toml\n",
         folder.inputs());
  if (!plan.mapped.empty()) say("\nThe run is a call of a Python function, whose scene this command runs:\n");
  say("\nelectret{}\n", quoted_words(run_arguments(plan, overrides)));
  return Status::done;
}

int check(const SweepCommand& options) {
  if (is_folder(options.job)) folder_of(options).refuse_mapped();
  std::optional<SignOfLife> sign(std::in_place, "checking the job");
  const SweepPlan plan = is_folder(options.job) ? folder_of(options).plan() : plan_sweep(options.job);
  MeshStore meshes;
  const double need = memory_of_a_worker(plan);
  sign.emplace("doing run 0 to see what it takes");
  const SweepRow row = sweep_run(plan, 0, meshes);
  sign.reset();
  const auto runs = static_cast<double>(plan.design.runs());
  double width = 0.0;
  for (const ResultColumn& column : plan.columns()) width += 8.0 * static_cast<double>(column.width());
  say("  {:<24} {}\n", "runs", plan.design.runs());
  say("  {:<24} {}\n", "keys", joined(plan.design.keys()));
  say("  {:<24} {}\n", "run 0", name_of(row.status));
  if (!row.note.empty()) say("    {}\n", row.note);
  for (std::size_t q = 0; q < plan.quantities.size(); ++q)
    say("  {:<24} {:.9g}\n", plan.quantities[q].name, row.values[4][q]);
  if (plan.fit) say("  {:<24} {:.9g}\n", "loss", row.values[4][0]);
  say("  {:<24} {}, all runs {}\n", "CPU time of run 0", duration_text(row.values[3][0]),
      duration_text(runs * row.values[3][0]));
  say("  {:<24} {} for each worker\n", "memory", bytes_text(need));
  say("  {:<24} about {}\n", "disk", bytes_text(2.0 * runs * width));
  return Status::done;
}

int status(const SweepCommand& options) {
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
  print_state(state, plan, folder.path());
  if (signals.received() != 0) return ended_by(signals.received());
  return status_of(state);
}

/// At most one of the things that take the place of the sweep.
void check_one_thing(const SweepCommand& options) {
  const int asked = !options.runs.empty() + !options.show.empty() + options.check + options.list +
                    options.slurm + (options.status || options.watch) + options.merge;
  std::vector<Finding> findings;
  if (asked > 1)
    findings.push_back(
        {{"electret sweep", 0, 0},
         "several things are asked for at once",
         "allowed: one of --runs, --check, --list, --slurm, --status, --watch, --merge, --show"});
  if (options.overwrite &&
      (is_folder(options.job) || !options.show.empty() || options.status || options.merge))
    findings.push_back({{"--overwrite", 0, 0},
                        "there is no job to start afresh with",
                        "allowed: electret sweep JOB.toml -o DIR --overwrite"});
  if (!findings.empty()) throw InputError(std::move(findings));
}

int run_sweep(const SweepCommand& options) {
  check_one_thing(options);
  if (!options.runs.empty()) return do_runs(options);
  if (!options.show.empty()) return show(options);
  if (options.check) return check(options);
  if (options.list) return list(options);
  if (options.slurm) return slurm(options);
  if (options.status || options.watch) return status(options);
  if (options.merge) {
    const SweepFolder folder = folder_of(options);
    return merge(folder, folder.plan());
  }
  return sweep_here(options);
}

}  // namespace

void add_sweep(CommandLine& line) {
  auto options = std::make_shared<SweepCommand>();
  Command command = line.add("sweep", "Do many runs of a scene whose values vary");
  command.option("JOB", options->job, "The job file (TOML), or the folder of a sweep")
      .required()
      .type_name("");
  command.option("-o,--output", options->directory, "Folder of the sweep; default sweeps/JOB-STEM")
      .type_name("DIR")
      .not_empty();
  command.option("--workers", options->workers, "Worker processes; default: as cores and memory allow")
      .type_name("N")
      .between(1, 1024);
  command.option("--block", options->block, "Runs that are handed out at once")
      .type_name("N")
      .between(1, 1000000);
  command.option("--runs", options->runs, "Do only these runs, here, in this process: 17, 120-139 or 3,5-7")
      .type_name("A-B")
      .not_empty();
  command.flag("--check", options->check, "Check the job and say what it takes; write nothing");
  command.flag("--list", options->list, "Print a command for each block of missing runs");
  command.flag("--slurm", options->slurm,
               "Write DIR/slurm.sh for the missing runs and print how to submit it");
  command
      .option("--slurm-option", options->slurm_options,
              "A further option of sbatch for the script; repeatable")
      .type_name("OPTION")
      .one_value_each();
  command.flag("--status", options->status, "Say how far the sweep is");
  command.flag("--watch", options->watch, "Show how far it is until it has ended");
  command.flag("--merge", options->merge, "Write sweep.h5, runs.csv and sweep.svg from the parts");
  command.option("--show", options->show, "Print a run's values, results and command")
      .type_name("RUN")
      .not_empty();
  command.flag("--overwrite", options->overwrite, "Remove an earlier sweep in DIR");
  add_instructions_option(command);
  command.footer(sweep_footer);
  command.does([options] { return run_sweep(*options); });
}

}  // namespace electret::app
