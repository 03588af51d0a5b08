#pragma once
/// \file
/// Keeps a run's files up to date while a simulator steps.

#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <electret/core/warning.hpp>
#include <electret/dynamics/energy_watch.hpp>
#include <electret/dynamics/simulator.hpp>
#include <electret/record/checkpoint.hpp>
#include <electret/record/frame_measures.hpp>
#include <electret/record/obstacle_watch.hpp>
#include <electret/record/run_directory.hpp>
#include <electret/record/summary.hpp>
#include <electret/record/trajectory_writer.hpp>
#include <electret/record/unfinished.hpp>
#include <electret/scene/water_limit.hpp>

namespace electret {

class RowFile;

/// Every function throws IoError if a file cannot be written; what was written before stays readable.
class Recorder {
 public:
  /// Writes nothing yet. Frames are stored as the scene's [output] says. `scene_file` is as in RunResult,
  /// `suggested_step` as in RunOptions. `simulator` must outlive the recorder.
  Recorder(RunDirectory folder, Simulator& simulator, std::vector<Fingerprint> identity,
           std::string scene_file, std::optional<double> suggested_step = {});
  ~Recorder();

  /// Call before the start. A frame is recorded after every `every`-th step; if `charges_driven`, charges are
  /// recorded frame by frame.
  void keep_frames(Count every, bool charges_driven);
  /// Call before the start. The run's files name these overrides in place of the scene's own.
  void keep_overrides(std::vector<std::string> overrides) { overrides_ = std::move(overrides); }
  /// Replaces an earlier run in the folder and records frame 0.
  void start();
  /// Goes on from `checkpoint`, to whose state the simulator has been restored and with which the files agree
  /// (`check_resumable`). Cuts off later frames and rows.
  void resume(const Checkpoint& checkpoint);

  /// Counts a step.
  void add_step(const StepReport& report);
  /// Call if the last step that was counted is taken back: it no longer counts.
  void abandon_step();
  /// What to tell of the steps so far that missed their tolerance, as `capped_steps_notice`.
  [[nodiscard]] std::string capped_notice() const;
  /// Records a frame of the simulator's state, whose energies are `now`. Throws DivergenceError and records
  /// nothing if the energy has left its bounds.
  void add_frame(const Energies& now);
  /// Keeps the warnings that the user was given before the run, or before this leg of a resumed run, began.
  void keep_warnings(const std::vector<Warning>& warnings) { told_before_ = texts_of(warnings); }
  /// Call if the user was told before the start that the step is too large for some charges, so that it is
  /// not said again.
  void keep_charge_step_told() { sums_.charge_step_told = true; }
  /// The warnings that the last recorded frame gives rise to: that the step is too large for some charges,
  /// that the energy has jumped, that a vertex moves through water faster than the step resolves, that a
  /// body has gone through another one or a vertex through an obstacle, that bodies press each other too
  /// hard. Each is given once per run and kept for the summary.
  std::vector<std::string> new_warnings();

  /// Renews the checkpoint.
  void save();
  /// Writes and returns the last summary, which says that the run was interrupted at its last checkpoint. It
  /// touches nothing that a step of the simulator touches, so that another thread may call it during a step.
  RunResult give_up();
  /// Writes the last checkpoint, the plot, the page and the summary.
  RunResult finish(RunStatus status, const std::optional<RunFailure>& failure = {});
  /// Writes the summary alone. Disk space for the last summary is reserved from the start on.
  RunResult summarise(RunStatus status, const std::optional<RunFailure>& failure = {});
  /// Writes index.html of a run that ended with `result`.
  void write_page(const RunResult& result) const;

 private:
  void record(const Energies& energies);
  void add_body_contact(const StepReport& report);
  void renew_watches();
  void update_timings();
  [[nodiscard]] double wall_now() const;  ///< Of all legs, s.
  [[nodiscard]] RunResult result_now(RunStatus status, const std::optional<RunFailure>& failure) const;
  [[nodiscard]] std::vector<std::string> choices() const;
  [[nodiscard]] std::optional<std::string> water_notice() const;

  RunDirectory folder_;
  Simulator& simulator_;
  std::vector<Fingerprint> identity_;
  std::string scene_file_;
  std::optional<Reserve> last_summary_;
  std::unique_ptr<TrajectoryWriter> trajectory_;
  std::unique_ptr<RowFile> energies_, observables_;
  FrameMeter meter_;
  double smallest_charge_distance_ = 0.0;  ///< In the last recorded frame, m; 0 before the first.
  Count every_;                            ///< Steps between frames.
  std::vector<std::string> overrides_;     ///< With which the scene's text gives what is run.
  bool charges_driven_ = false;            ///< A caller drives the charges, whatever the schedule says.
  EnergyWatch energy_watch_;
  Count system_number_;                    ///< Of the system that is watched.
  std::optional<EnergyJump> energy_jump_;  ///< Between the last two frames.
  RunningSums sums_, before_step_;         ///< Now, and before the last step that was counted.
  RunResult saved_;     ///< The result at the last checkpoint, as that of a run interrupted there.
  RunningSums before_;  ///< Counts and times of earlier legs of a resumed run.
  std::vector<WaterLimit> waters_;
  ObstacleWatch obstacle_watch_;
  /// Of the first passages through a body and through an obstacle, until they are told.
  std::optional<std::string> passage_notice_, obstacle_notice_;
  std::vector<std::string> told_before_, warnings_;
  std::string plot_;              ///< energy.svg, once it is drawn.
  std::string date_, processor_;  ///< Of this leg.
  double output_ = 0.0;           ///< s, of this leg.
  std::chrono::steady_clock::time_point started_ = std::chrono::steady_clock::now();
};

}  // namespace electret
