#pragma once
/// \file
/// Keeps a run's files up to date while a simulator steps.

#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <electret/dynamics/energy_watch.hpp>
#include <electret/dynamics/simulator.hpp>
#include <electret/record/checkpoint.hpp>
#include <electret/record/observables.hpp>
#include <electret/record/run_directory.hpp>
#include <electret/record/summary.hpp>
#include <electret/record/trajectory_writer.hpp>
#include <electret/record/unfinished.hpp>

namespace electret {

class RowFile;

/// All of it throws IoError where a file cannot be written; what was written before stays readable.
class Recorder {
 public:
  /// Writes nothing yet; frames come as the scene's [output] says. `simulator` must outlive the recorder;
  /// `scene_file` as in RunResult, `suggested_step` as in RunOptions.
  Recorder(RunDirectory folder, Simulator& simulator, std::vector<Fingerprint> identity,
           std::string scene_file, std::optional<double> suggested_step = {});
  ~Recorder();

  /// Before the start: a frame after every `every`-th step, and charges frame by frame where
  /// `charges_driven`.
  void keep_frames(Count every, bool charges_driven);
  /// Replaces an earlier run in the folder, and records frame 0.
  void start();
  /// Goes on from `checkpoint`, to whose state the simulator was restored: cuts back later frames and rows.
  void resume(const Checkpoint& checkpoint);

  /// Counts a step.
  void add_step(const StepReport& report);
  /// Records a frame of the simulator's state, whose energies are `now`. Throws DivergenceError, and records
  /// nothing, where the energy has left its bounds.
  void add_frame(const Energies& now);
  /// Keeps what the user was told before the run began, of a resumed run before this leg.
  void keep_warnings(std::vector<std::string> texts) { told_before_ = std::move(texts); }
  /// The user was told before the start that the step is too large for some charges: not told again.
  void keep_charge_step_told() { sums_.charge_step_told = true; }
  /// What the user is to be told of the last frame recorded, each once a run: that the step is too large for
  /// some charges, that the energy has jumped. Kept for the summary.
  std::vector<std::string> new_warnings();

  /// Renews the checkpoint.
  void save();
  /// Writes and returns the last summary, that of a run interrupted at its last checkpoint. It touches
  /// nothing that a step of the simulator does, so that another thread may call it during one.
  RunResult give_up();
  /// The last checkpoint, the plot, the page and the summary.
  RunResult finish(RunStatus status, const std::optional<RunFailure>& failure = {});
  /// The summary alone. From the start on room for the last one is kept on the disk.
  RunResult summarise(RunStatus status, const std::optional<RunFailure>& failure = {});
  /// index.html of a run that ended so.
  void write_page(const RunResult& result) const;

 private:
  void record(const Energies& energies);
  void update_timings();
  [[nodiscard]] double wall_now() const;  ///< Of all legs, s.
  [[nodiscard]] RunResult result_now(RunStatus status, const std::optional<RunFailure>& failure) const;
  [[nodiscard]] std::vector<std::string> choices() const;

  RunDirectory folder_;
  Simulator& simulator_;
  std::vector<Fingerprint> identity_;
  std::string scene_file_;
  std::optional<Reserve> last_summary_;
  std::unique_ptr<TrajectoryWriter> trajectory_;
  std::unique_ptr<RowFile> energies_, observables_;
  Observer observer_;
  double smallest_charge_distance_ = 0.0;  ///< In the last frame recorded, m; 0 before the first.
  Count every_;                            ///< Steps between frames.
  bool charges_driven_ = false;            ///< By a caller, whatever the schedule says.
  EnergyWatch energy_watch_;
  std::optional<EnergyJump> energy_jump_;  ///< Since the frame before the last.
  RunningSums sums_;
  RunResult saved_;     ///< Of the last checkpoint, as one that was interrupted there.
  RunningSums before_;  ///< Counts and times of earlier legs of a resumed run.
  std::vector<std::string> told_before_, warnings_;
  std::string plot_;     ///< energy.svg, once it is drawn.
  double output_ = 0.0;  ///< s, of this leg.
  std::chrono::steady_clock::time_point started_ = std::chrono::steady_clock::now();
};

}  // namespace electret
