#pragma once
/// \file
/// What `electret sweep` is asked for, and the functions that do it, each one way of the command.

#include <string>
#include <vector>

#include <electret/core/errors.hpp>
#include <electret/sweep/sweep_folder.hpp>
#include <electret/sweep/sweep_state.hpp>

namespace electret::app {

struct SweepCommand {
  std::string job, directory, runs, show, again;
  int workers = 0, block = 0;
  std::vector<std::string> slurm_options;
  bool check = false, status = false, watch = false, merge = false, list = false, slurm = false,
       overwrite = false;
};

/// What is said of --runs that are none of so many.
[[nodiscard]] InputError no_such_runs(const std::string& text, Count runs);
[[nodiscard]] bool is_folder(const std::string& path);
/// The sweep's folder: the one given in place of the job, the one of -o, or the default.
[[nodiscard]] SweepFolder folder_of(const SweepCommand& options);
/// The sweep in the folder, begun or gone on with if a job is given. Throws InputError, before anything is
/// written or removed, if --runs names runs that it has not.
[[nodiscard]] SweepPlan begun_plan(const SweepCommand& options, const SweepFolder& folder);
/// The statuses that `--again` names. Throws InputError if it names others than those without a result.
[[nodiscard]] std::vector<SweepStatus> asked_again(const SweepCommand& options);
/// How far the sweep is, with the runs that `--again` asks for among the missing ones.
[[nodiscard]] SweepState state_asked_for(const SweepCommand& options, const SweepFolder& folder,
                                         const SweepPlan& plan);
/// " --again timeout", as a command has it; empty without the option.
[[nodiscard]] std::string again_words(const SweepCommand& options);

// Each gives the exit status.

/// The missing runs by workers of this machine, then the merge.
int sweep_here(const SweepCommand& options);
/// --runs: these runs in this process.
int sweep_runs(const SweepCommand& options);
/// --list: a command for each block of missing runs.
int sweep_list(const SweepCommand& options);
/// --slurm: a script, and the line that submits it.
int sweep_slurm(const SweepCommand& options);
/// Merges what is there and says what came out.
int merge_and_report(const SweepFolder& folder, const SweepPlan& plan);
int sweep_status(const SweepCommand& options);
int sweep_show(const SweepCommand& options);
int sweep_check(const SweepCommand& options);

}  // namespace electret::app
