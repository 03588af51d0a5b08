#pragma once
/// \file
/// checkpoint.h5: the State and the recorder's running sums, which is enough to go on bit for bit.

#include <cstdint>
#include <string>
#include <vector>

#include <electret/dynamics/energies.hpp>
#include <electret/record/running_sums.hpp>
#include <electret/record/scene_identity.hpp>
#include <electret/record/trajectory_sums.hpp>
#include <electret/record/unreadable_error.hpp>

namespace electret {

inline constexpr int checkpoint_format_version = 7;

struct Checkpoint {
  State state;
  WorkAccounts work;
  RunningSums sums;
  Count energy_bytes = 0;       ///< Length of energy.csv.
  Count observables_bytes = 0;  ///< Length of observables.csv.
  /// CRC-32 of these bytes of the tables; -1, unknown, in files of earlier versions.
  std::int64_t energy_sum = -1, observables_sum = -1;
  std::vector<Fingerprint> identity;
  std::vector<std::string> warnings;
  Choice integrator_choice;  ///< Integrator::choice.
  /// Where the field was computed (System::field_device); empty without Coulomb forces. It is no part of the
  /// identity: a run may go on elsewhere, with other bits.
  std::string field_device;
  /// The name of the instruction set that computed; empty in files of earlier versions. As `field_device` it
  /// is no part of the identity.
  std::string instruction_set;
  TrajectorySums trajectory;
  /// TimeOptions::legs of the run; empty if its time step never changes, as in files of earlier versions.
  std::vector<TimeLeg> legs;
};

/// Writes a checkpoint. `state` is passed apart from `sums_and_identity`, so that it is not copied.
void write_checkpoint(const std::string& path, const Checkpoint& sums_and_identity, const State& state);
/// Throws UnreadableError if the file is missing, damaged, or of another format version. The sum of its bytes
/// at its end is checked before HDF5 opens it.
Checkpoint read_checkpoint(const std::string& path);

}  // namespace electret
