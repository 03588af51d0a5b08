#pragma once
/// \file
/// Scripts by which Slurm does the missing runs of a sweep. Nothing is submitted.

#include <string>
#include <vector>

#include <electret/sweep/sweep_merge.hpp>

namespace electret::app {

/// Ranges such as "1-5,8,10-12".
struct RunRange {
  Count first = 0, last = 0;
};
/// Reads "17", "120-139" or several with commas between; nothing if it is none of a sweep of so many runs.
[[nodiscard]] std::optional<std::vector<RunRange>> parse_ranges(const std::string& text, Count runs);
[[nodiscard]] std::string text_of(const std::vector<RunRange>& ranges);

/// The runs, which ascend, cut into blocks of so many.
[[nodiscard]] std::vector<std::vector<RunRange>> blocks_of(const std::vector<Count>& runs, Count block);

struct SlurmWishes {
  std::string program;               ///< Path of `electret`.
  double run_time = 0.0;             ///< Of one run, s.
  double memory = 0.0;               ///< Of one run, bytes.
  Count block = 0;                   ///< Runs in a task; 0: ten minutes' worth.
  std::vector<std::string> options;  ///< Further options of sbatch.
};

/// Writes DIR/slurm.sh and DIR/slurm.tasks. Returns the line that submits them, with a job that merges when
/// all tasks have ended. There are at most 1000 tasks. Throws IoError.
[[nodiscard]] std::string write_slurm_script(const SweepFolder& folder, const std::vector<Count>& missing,
                                             const SlurmWishes& wishes);

/// The words as a shell takes them, each with a space before it.
[[nodiscard]] std::string quoted_words(const std::vector<std::string>& words);

}  // namespace electret::app
