#pragma once
/// \file
/// checkpoint.h5: the State and the recorder's running sums; enough to go on bit for bit.

#include <string>
#include <vector>

#include <electret/dynamics/energies.hpp>
#include <electret/dynamics/energy_watch.hpp>
#include <electret/record/scene_identity.hpp>

namespace electret {

inline constexpr int checkpoint_format_version = 2;

/// Sums over the steps and frames so far.
struct RunningSums {
  Count frames = 0;             ///< Written so far.
  double energy_0 = 0.0;        ///< E_0, J.
  double energy_scale = 0.0;    ///< max(|E_0|, ½ Σ |the five columns at frame 0|), J.
  double largest_change = 0.0;  ///< max |E_f - E_0|, J.
  EnergyWatchMemory energy_watch;
  bool charge_step_told = false;  ///< The user was told that the step is too large for some charges.
  Count elastic_iterations = 0;   ///< Σ over steps.
  int max_elastic_iterations = 0;
  Count capped_steps = 0;
  Count field_evaluations = 0;
  double wall_field = 0.0, wall_elastic = 0.0, wall_output = 0.0, wall_total = 0.0;  ///< s.
};

struct Checkpoint {
  State state;
  WorkAccounts work;
  RunningSums sums;
  Count energy_bytes = 0;       ///< Length of energy.csv.
  Count observables_bytes = 0;  ///< Length of observables.csv.
  std::vector<Fingerprint> identity;
  std::vector<std::string> warnings;
};

/// Views of what a checkpoint holds, so that nothing is copied to write one.
void write_checkpoint(const std::string& path, const Checkpoint& sums_and_identity, const State& state);
/// Throws IoError where it is missing, damaged, or of another format version.
Checkpoint read_checkpoint(const std::string& path);

}  // namespace electret
