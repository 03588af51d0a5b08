#include "sweep_slurm.hpp"

#include <algorithm>
#include <cmath>
#include <filesystem>

#include <fmt/format.h>

#include <electret/core/errors.hpp>
#include <electret/record/unfinished.hpp>
#include <electret/sweep/run_ranges.hpp>

namespace electret::app {
namespace {

/// A task should last at least so long, s: schedulers take seconds to start one.
constexpr double task_time = 600.0;
constexpr Count most_tasks = 1000;

Count block_of(Count missing, const SlurmWishes& wishes) {
  const double usual = std::ceil(task_time / std::max(wishes.run_time, 1e-6));
  const Count block = wishes.block > 0 ? wishes.block : static_cast<Count>(std::min(usual, 1e9));
  return std::max(block, (missing + most_tasks - 1) / most_tasks);
}

constexpr const char* script = R"sh(#!/bin/bash
#SBATCH --job-name={name}
#SBATCH --array=0-{last}
#SBATCH --cpus-per-task=1
#SBATCH --mem={memory}M
#SBATCH --requeue
#SBATCH --signal=B:TERM@120
#SBATCH --output="{folder}/slurm-%A_%a.log"
{options}# Each task does the runs in its line of this list, which Slurm keeps with the script. A run that has a result is not
# repeated, so that a task may be requeued, and this script be submitted again.
set -eu
runs="$(sed -n "$((SLURM_ARRAY_TASK_ID + 1))p" <<'RUNS'
{tasks}RUNS
)"
export OMP_NUM_THREADS=1 OPENBLAS_NUM_THREADS=1
# The program takes the place of this shell, so that it gets the signal before the time limit.
exec{program} sweep {quoted} --runs "$runs"{again}
)sh";

}  // namespace

std::string quoted_words(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) {
    const bool is_plain = !word.empty() && word.find_first_not_of(
                                               "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
                                               "0123456789_-./=+:,") == std::string::npos;
    std::string quoted;
    for (const char c : word) quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
    text += " " + (is_plain ? word : "'" + quoted + "'");
  }
  return text;
}

std::string write_slurm_script(const SweepFolder& folder, const std::vector<Count>& missing,
                               const SlurmWishes& wishes) {
  const std::string place = std::filesystem::absolute(folder.path()).lexically_normal().string();
  const auto blocks = blocks_of_runs(missing, block_of(static_cast<Count>(missing.size()), wishes));
  std::string tasks, options;
  for (const auto& ranges : blocks) tasks += text_of(ranges) + "\n";
  for (const std::string& option : wishes.options) options += "#SBATCH " + option + "\n";
  std::string name = std::filesystem::path(place).filename().string();
  for (char& c : name)
    if (c == ' ' || c == '\'' || c == '"') c = '_';
  const std::string quoted = quoted_words({place}).substr(1);
  write_file_whole(
      folder.path() + "/slurm.sh",
      fmt::format(script, fmt::arg("name", "electret-" + name), fmt::arg("last", blocks.size() - 1),
                  fmt::arg("memory", std::ceil(1.25e-6 * wishes.memory) + 64.0), fmt::arg("folder", place),
                  fmt::arg("quoted", quoted), fmt::arg("again", wishes.again), fmt::arg("options", options),
                  fmt::arg("tasks", tasks), fmt::arg("program", quoted_words({wishes.program}))));
  // What the site asks for, such as an account, it asks of the merging job, too.
  std::vector<std::string> merging{"--job-name=electret-" + name + "-merge",
                                   "--output=" + place + "/slurm-merge.log"};
  merging.insert(merging.end(), wishes.options.begin(), wishes.options.end());
  merging.push_back("--wrap=" + quoted_words({wishes.program, "sweep", place, "--merge"}).substr(1));
  return "job=$(sbatch --parsable" + quoted_words({place + "/slurm.sh"}) +
         ") && sbatch --dependency=afterany:$job" + quoted_words(merging);
}

}  // namespace electret::app
