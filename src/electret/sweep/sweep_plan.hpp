#pragma once
/// \file
/// A sweep that has been checked: the job, its design, and what each run keeps.

#include <map>
#include <optional>
#include <string>
#include <vector>

#include <electret/record/result_table.hpp>
#include <electret/scene/assembly.hpp>
#include <electret/scene/identity.hpp>
#include <electret/scene/mesh_store.hpp>
#include <electret/sweep/design.hpp>
#include <electret/sweep/quantities.hpp>
#include <electret/sweep/swept_fit.hpp>

namespace electret {

/// The bytes of files: of those that the scene reads, by their path within the scene's folder; of those that
/// losses name, by `loss_key`.
using SweepFiles = std::map<std::string, std::string>;

struct SweepPlan {
  std::string job_file;
  SweepJob job;
  SweepDesign design;
  std::optional<SweptFit> fit;  ///< Each run is a fit.
  std::vector<Quantity> quantities;
  /// What a caller's function gives of each run, in place of what the job keeps. Those without a shape are
  /// `quantities`, too.
  std::vector<ResultColumn> mapped;
  std::size_t gradient_size = 0;  ///< Numbers of the parameters in `gradient` together.
  Count vertices = 0;             ///< Of the usual run.
  /// The run whose scene the checks have read whole: run 0, or the first one of which the scene takes all
  /// sampled values of normal distributions, and the meshes all sampled ones. It is not known of a sweep that
  /// is read from its folder.
  Count usual_run = 0;
  std::string scene_text, scene_file, scene_folder;
  /// Meshes and tables that the scenes read which the checks assemble: those of the usual run and of each
  /// listed text, and some others.
  SweepFiles files;

  /// What must not change while a sweep goes on, by parts. The design may grow and has no part. Each file is
  /// a part, because a longer list may name more of them.
  [[nodiscard]] std::vector<Fingerprint> identity() const;
  /// A hash of what all runs have in common but their files; a part file keeps it.
  [[nodiscard]] std::string common_hash() const;
  /// A hash of the run's values, a whole number that a double holds; each row keeps it.
  [[nodiscard]] double values_hash(Count run) const;
  /// The columns of a part file.
  [[nodiscard]] std::vector<ResultColumn> columns() const;
  /// Whether each run is an ordinary run or fit in a folder of its own while it lasts.
  [[nodiscard]] bool runs_in_folders() const {
    return job.limits.resumable || job.keep.directories != "none";
  }
  /// The overrides of a run's scene, in front of its own those that all runs have.
  [[nodiscard]] std::vector<std::string> scene_overrides(const std::vector<std::string>& own) const;
  /// The same as if `common` were those that all runs have.
  [[nodiscard]] std::vector<std::string> scene_overrides(const std::vector<std::string>& common,
                                                         const std::vector<std::string>& own) const;
};

/// The overrides that all runs have: removals first, then settings, as for --unset and --set.
[[nodiscard]] std::vector<std::string> common_overrides(const SweepJob& job);

/// The path from the scene's folder on: the same for each way in which the file can be named, and from each
/// working directory.
[[nodiscard]] std::string path_in_scene_folder(const SweepPlan& plan, const std::string& path);
/// The name of a loss's file among those of a sweep.
[[nodiscard]] std::string loss_key(const std::string& loss);
/// The path of the file that a loss of a job in `folder` names; empty if it names none that is there.
[[nodiscard]] std::string loss_file(const std::string& loss, const std::string& folder);

/// The quantities that a job keeps, none of fits; texts that are none are left out.
[[nodiscard]] std::vector<Quantity> kept_quantities(const SweepJob& job);

/// Whether `name` can be that of a result, beside these keys.
[[nodiscard]] bool is_result_name(const std::string& name, const std::vector<std::string>& keys);
/// "up to 60 letters, …", for findings.
[[nodiscard]] std::string allowed_result_names();

/// Reads the job and its scene, makes the design, and checks it: each combination of listed values (beyond
/// 1000, each value once), and sampled keys at the ends of their ranges; with meshes fewer combinations
/// (`AssemblyChecks`). A sample of a normal distribution that the scene does not take is no finding, unless
/// it takes none of the first 1000. Throws InputError with every finding; those about a run's scene name the
/// job's line and the run. With `may_be_empty` a job in
/// which nothing varies is a sweep without runs, which are appended later (`append_runs`).
[[nodiscard]] SweepPlan plan_sweep(const std::string& job_file, bool may_be_empty = false);

/// The scene of a run. Files in `plan.files` are taken from there, meshes from `store`. Throws InputError.
[[nodiscard]] Assembly scene_of_run(const SweepPlan& plan, const std::vector<std::string>& overrides,
                                    MeshStore& store);

/// The fit of a run of a sweep of fits, with its scene's files as in `scene_of_run`. Throws InputError.
[[nodiscard]] PlannedFit fit_of_run(const SweepPlan& plan, const std::vector<std::string>& overrides,
                                    MeshStore& store);

/// The meshes and tables of the sweep's scene that are no longer what they were when it began.
[[nodiscard]] std::vector<std::string> changed_files(const SweepPlan& plan);
/// The same of all that the sweep began with: the scene itself, the fitting job and the files of losses, too.
[[nodiscard]] std::vector<std::string> changed_inputs(const SweepPlan& plan);

/// The command that does the run of these overrides alone, without "electret" and with its arguments apart.
[[nodiscard]] std::vector<std::string> run_arguments(const SweepPlan& plan,
                                                     const std::vector<std::string>& overrides);
/// The command that gives the loss of this run, and its gradient if the job keeps it, in the same way; empty
/// if the job keeps no loss.
[[nodiscard]] std::vector<std::string> loss_arguments(const SweepPlan& plan,
                                                      const std::vector<std::string>& overrides);

}  // namespace electret
