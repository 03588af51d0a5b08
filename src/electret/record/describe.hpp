#pragma once
/// \file
/// What a run's directory holds, for `electret info`.

#include <optional>
#include <string>
#include <vector>

#include <electret/record/energy_table.hpp>
#include <electret/record/summary.hpp>

namespace electret {

struct RunDescription {
  std::string directory;
  std::string version;                 ///< Of the program that wrote it.
  std::string scene;                   ///< The scene file's text.
  std::vector<std::string> overrides;  ///< The "KEY=VALUE" put over it by `--set`.
  Count frames = 0;                    ///< Complete ones.
  Index vertices = 0;
  Count springs = 0, faces = 0, bodies = 0;
  double time_step = 0.0;   ///< h, s.
  double first_time = 0.0;  ///< s; of frame 0.
  double last_time = 0.0;   ///< s; of the last complete frame.
  bool has_velocities = false;
  bool charges_change = false;
  bool single_precision = false;
  double total_mass = 0.0;                                 ///< kg.
  double total_charge = 0.0;                               ///< C, at frame 0.
  std::optional<RunResult> summary;                        ///< Where summary.json is readable.
  std::string summary_fault;                               ///< Why it is not, where there is one.
  std::optional<EnergyRow> first_energies, last_energies;  ///< Where energy.csv has rows.
  std::optional<Count> checkpoint_step;                    ///< The step --resume would continue from.
  std::string
      trajectory_fault;  ///< Why trajectory.h5 tells nothing; all that is only there is 0 or empty then.
  std::vector<std::string> files;  ///< The run's files that are there.
  double bytes = 0.0;              ///< Of all of them together.
};

/// Reads `directory`. Throws InputError where its trajectory is missing or unreadable and no summary says
/// that the run failed or has not ended.
RunDescription describe(const std::string& directory);

}  // namespace electret
