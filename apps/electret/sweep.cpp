/// \file
/// `electret sweep JOB.toml`: many runs of one scene.

#include <algorithm>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <malloc.h>

#include <electret/core/errors.hpp>
#include <electret/core/text.hpp>
#include <electret/sweep/run_ranges.hpp>

#include "command.hpp"
#include "commands.hpp"
#include "scene_options.hpp"
#include "sign_of_life.hpp"
#include "sweep_command.hpp"

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
stopped: no run that has ended is repeated, unless --again asks for it. More values or samples add runs.

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
  electret sweep sweeps/map --show 17
  electret sweep sweeps/map --again timeout,failed)";

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
  if (!options.again.empty() &&
      (options.check || !options.show.empty() || options.status || options.watch || options.merge))
    findings.push_back({{"--again", 0, 0},
                        "nothing is run here",
                        "allowed: with the sweep itself, --runs, --list or --slurm"});
  if (!findings.empty()) throw InputError(std::move(findings));
  (void)asked_again(options);
}

void check_runs_asked_for(const SweepCommand& options, Count runs) {
  if (options.runs.empty() || options.runs == "-" || parse_run_ranges(options.runs, runs)) return;
  throw no_such_runs(options.runs, runs);
}

/// Gives large arrays back to the system as soon as they are freed. Those of a million runs are freed one
/// after the other, and glibc would keep them, because it takes its threshold from the largest one.
void keep_no_large_memory() {
#ifdef M_MMAP_THRESHOLD
  constexpr int large = 1 << 20;
  (void)mallopt(M_MMAP_THRESHOLD, large);
#endif
}

int run_sweep(const SweepCommand& options) {
  check_one_thing(options);
  if (!options.runs.empty()) return sweep_runs(options);
  keep_no_large_memory();
  if (!options.show.empty()) return sweep_show(options);
  if (options.check) return sweep_check(options);
  if (options.list) return sweep_list(options);
  if (options.slurm) return sweep_slurm(options);
  if (options.status || options.watch) return sweep_status(options);
  if (options.merge) {
    const SweepFolder folder = folder_of(options);
    return merge_and_report(folder, folder.plan());
  }
  return sweep_here(options);
}

}  // namespace

InputError no_such_runs(const std::string& text, Count runs) {
  if (runs == 0)
    return InputError(
        Finding{{"--runs", 0, 0}, "the sweep has no runs yet", "allowed: runs that were appended"});
  return InputError(
      Finding{{"--runs", 0, 0},
              in_quotes(text) + " is no range of the sweep's runs",
              fmt::format("allowed: numbers from 0 to {}, such as 17, 120-139 or 3,5-7", runs - 1)});
}

std::vector<SweepStatus> asked_again(const SweepCommand& options) {
  std::vector<SweepStatus> asked;
  std::vector<std::string> allowed;
  for (const SweepStatus status : all_statuses)
    if (!is_result(status)) allowed.emplace_back(name_of(status));
  const auto refuse = [&](const std::string& word) {
    return InputError(Finding{{"--again", 0, 0},
                              in_quotes(word) + " is no status of runs without a result",
                              "allowed: " + joined(allowed) + "; several with commas between them"});
  };
  for (std::size_t begin = 0; !options.again.empty() && begin <= options.again.size();) {
    const std::size_t end = std::min(options.again.find(',', begin), options.again.size());
    const std::string word = options.again.substr(begin, end - begin);
    if (std::find(allowed.begin(), allowed.end(), word) == allowed.end()) throw refuse(word);
    for (const SweepStatus status : all_statuses)
      if (word == name_of(status)) asked.push_back(status);
    begin = end + 1;
  }
  return asked;
}

SweepState state_asked_for(const SweepCommand& options, const SweepFolder& folder, const SweepPlan& plan) {
  SweepState state = sweep_state(folder, plan);
  if (!options.again.empty()) state.ask_again(asked_again(options));
  return state;
}

std::string again_words(const SweepCommand& options) {
  return options.again.empty() ? "" : " --again " + options.again;
}

bool is_folder(const std::string& path) {
  std::error_code error;
  return std::filesystem::is_directory(path, error);
}

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

SweepPlan begun_plan(const SweepCommand& options, const SweepFolder& folder) {
  if (!options.overwrite) folder.refuse_mapped();
  if (is_folder(options.job)) {
    SweepPlan plan = folder.plan();
    check_runs_asked_for(options, plan.design.runs());
    return plan;
  }
  SignOfLife sign("checking the job");
  SweepPlan plan = plan_sweep(options.job);
  const Count there = options.overwrite ? 0 : folder.runs();
  check_runs_asked_for(options, std::max(plan.design.runs(), there));
  folder.begin(plan, options.overwrite);
  // Runs may have been appended to it.
  return folder.runs() == plan.design.runs() ? std::move(plan) : folder.plan();
}

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
  command
      .option("--again", options->again,
              "Do runs once more that ended so: refused, failed, timeout, lost; several with commas")
      .type_name("STATUS")
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
