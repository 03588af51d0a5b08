#pragma once
/// \file
/// A sweep that has been checked: the job, its design, and what each run keeps.

#include <map>
#include <string>
#include <vector>

#include <electret/record/result_table.hpp>
#include <electret/scene/assembly.hpp>
#include <electret/scene/identity.hpp>
#include <electret/scene/mesh_store.hpp>
#include <electret/sweep/design.hpp>
#include <electret/sweep/quantities.hpp>

namespace electret {

/// The bytes of files: of those that the scene reads, by their path within the scene's folder; of one that
/// the loss names, as "loss FILE".
using SweepFiles = std::map<std::string, std::string>;

struct SweepPlan {
  std::string job_file;
  SweepJob job;
  SweepDesign design;
  std::vector<Quantity> quantities;
  std::size_t gradient_size = 0;  ///< Numbers of the parameters in `gradient` together.
  Count vertices = 0;             ///< Of run 0.
  std::string scene_text, scene_file, scene_folder;
  SweepFiles files;  ///< Meshes and tables that the scene of run 0 and of each listed text reads.

  /// What must not change while a sweep goes on, by parts. The design may grow and has no part. Each file is
  /// a part, because a longer list may name more of them.
  [[nodiscard]] std::vector<Fingerprint> identity() const;
  /// A hash of what all runs have in common but their files; a part file keeps it.
  [[nodiscard]] std::string common_hash() const;
  /// A hash of the run's values, a whole number that a double holds; each row keeps it.
  [[nodiscard]] double values_hash(Count run) const;
  /// The columns of a part file.
  [[nodiscard]] std::vector<ResultColumn> columns() const;
};

/// The path of the file that the loss names; empty if it names none that is there.
[[nodiscard]] std::string loss_file(const SweepJob& job);

/// The quantities that a job keeps; texts that are none are left out.
[[nodiscard]] std::vector<Quantity> kept_quantities(const KeepTable& keep);

/// Reads the job and its scene, makes the design, and checks it: each combination of listed values (beyond
/// 1000, each value once), and sampled keys at the ends of their ranges. Throws InputError with every
/// finding; those about a run's scene name the job's line and the run.
[[nodiscard]] SweepPlan plan_sweep(const std::string& job_file);

/// The scene of a run. Files in `plan.files` are taken from there, meshes from `store`. Throws InputError.
[[nodiscard]] Assembly scene_of_run(const SweepPlan& plan, const std::vector<std::string>& overrides,
                                    MeshStore& store);

/// The command that does the run of these overrides alone, without "electret run" and with its arguments
/// apart.
[[nodiscard]] std::vector<std::string> run_arguments(const SweepPlan& plan,
                                                     const std::vector<std::string>& overrides);

}  // namespace electret
