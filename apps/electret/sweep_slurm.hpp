#pragma once
/// \file
/// Scripts by which Slurm does the missing runs of a sweep. Nothing is submitted.

#include <string>
#include <vector>

#include <electret/sweep/sweep_merge.hpp>

namespace electret::app {

struct SlurmWishes {
  std::string program;               ///< Path of `electret`.
  double run_time = 0.0;             ///< Of one run, s.
  double memory = 0.0;               ///< Of one run, bytes.
  Count block = 0;                   ///< Runs in a task; 0: ten minutes' worth.
  std::vector<std::string> options;  ///< Further options of sbatch.
  std::string again;                 ///< What follows --runs in each task, such as " --again timeout".
};

/// Writes DIR/slurm.sh, which holds the runs of each task. Returns the line that submits them, with a job
/// that merges when all tasks have ended. There are at most 1000 tasks. Throws IoError.
[[nodiscard]] std::string write_slurm_script(const SweepFolder& folder, const std::vector<Count>& missing,
                                             const SlurmWishes& wishes);

/// The words as a shell takes them, each with a space before it.
[[nodiscard]] std::string quoted_words(const std::vector<std::string>& words);

}  // namespace electret::app
