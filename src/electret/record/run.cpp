#include <chrono>
#include <filesystem>
#include <functional>
#include <mutex>
#include <optional>
#include <stop_token>
#include <system_error>
#include <utility>
#include <vector>

#include <electret/core/arguments.hpp>
#include <electret/core/errors.hpp>
#include <electret/dynamics/simulator.hpp>
#include <electret/field/gpu/devices.hpp>
#include <electret/geometry/read.hpp>
#include <electret/record/recorder.hpp>
#include <electret/record/resumable.hpp>
#include <electret/record/run.hpp>
#include <electret/record/run_page.hpp>
#include <electret/scene/changes.hpp>

namespace electret {
namespace {

/// The checkpoint is renewed between steps when it is older than this.
constexpr std::chrono::milliseconds checkpoint_interval{500};

void tell(const Control& control, const std::string& text) {
  if (control.notice && !text.empty()) control.notice(text);
}

void check_unchanged(const Checkpoint& checkpoint, const std::vector<Fingerprint>& identity, Count steps,
                     const std::string& directory) {
  std::vector<Finding> findings;
  const auto changed = changed_parts(checkpoint.identity, identity);
  if (!changed.empty()) {
    std::string list;
    for (const auto& part : changed) list += (list.empty() ? "" : ", ") + part;
    findings.push_back({{},
                        "the scene has changed since the run in \"" + directory + "\" was stopped: " + list,
                        "a resumed run needs the same scene; --overwrite starts afresh"});
  }
  if (checkpoint.state.step > steps)
    findings.push_back({{},
                        "the run in \"" + directory + "\" is at step " +
                            std::to_string(checkpoint.state.step) + " already, beyond the " +
                            std::to_string(steps) + " requested steps",
                        "a resumed run may be longer, not shorter; --overwrite starts afresh"});
  if (!findings.empty()) throw InputError(std::move(findings));
}

/// Tells of a field that is computed elsewhere than before, and of another instruction set. Adds both to the
/// checkpoint's warnings, because no later leg takes back what the bits of this one are.
void warn_of_machine(Checkpoint& checkpoint, const System& system, const RunOptions& options) {
  std::vector<Finding> findings;
  for (const auto& warning :
       {other_device_warning(checkpoint, system), other_instructions_warning(checkpoint)}) {
    if (!warning) continue;
    findings.push_back({{}, warning->message, warning->advice + "; with --stop-on-warning no run begins"});
    checkpoint.warnings.push_back(to_string(*warning));
  }
  if (options.stop_on_warning && !findings.empty()) throw InputError(std::move(findings));
  for (const Finding& each : findings) tell(options.control, "warning: " + each.message);
}

std::optional<Checkpoint> find_checkpoint(const RunDirectory& folder, const RunOptions& options) {
  if (!options.resume) return std::nullopt;
  std::error_code error;
  if (std::filesystem::exists(folder.checkpoint(), error)) return checkpoint_to_resume(folder);
  tell(options.control, "there is no checkpoint in " + folder.path() + ": starting afresh");
  return std::nullopt;
}

/// Writes what is gone of the files that are made from others; their names.
std::vector<std::string> write_again(const RunDirectory& folder) {
  std::vector<std::string> names;
  std::error_code error;
  if (!std::filesystem::exists(folder.plot(), error)) {
    renew_energy_plot(folder);
    names.emplace_back("energy.svg");
  }
  if (!std::filesystem::exists(folder.page(), error)) {
    renew_run_page(folder, {});
    names.emplace_back("index.html");
  }
  return names;
}

/// The finished run's summary, if nothing is left to do but to write again what is gone.
std::optional<RunResult> finished(const RunDirectory& folder, const Checkpoint& checkpoint, Count steps) {
  if (checkpoint.state.step != steps) return std::nullopt;
  try {
    RunResult result = read_summary(folder.summary());
    if (result.status != RunStatus::done) return std::nullopt;
    result.already_finished = true;
    result.written_again = write_again(folder);
    return result;
  } catch (const IoError&) {
    return std::nullopt;
  }
}

/// Makes the integrators of a run. `chosen` is what "auto" stands for in the system that the run begins with;
/// a changed system chooses anew. A run that is resumed after a change begins with the system of its start,
/// and then `chosen` belongs to the second one.
Simulator::MakeIntegrator integrators(Choice chosen, bool is_changed) {
  return [chosen = std::move(chosen), left = is_changed ? 1 : 0](System& of) mutable {
    return make_integrator(of, of.assembly.scene.integrator, left-- == 0 ? chosen : Choice{});
  };
}

class Run {
 public:
  Run(Simulator& simulator, Recorder& recorder, const RunOptions& options)
      : simulator_(simulator),
        recorder_(recorder),
        options_(options),
        control_(options.control),
        steps_(simulator.system().assembly.scene.time.steps),
        every_(simulator.system().assembly.scene.output.every),
        giving_up_(options.give_up, [this] { give_up(); }) {}

  RunResult drive() {
    // The warnings of a frame at which the run begins, of which the checkpoint written with that frame does
    // not know.
    if (simulator_.state().step % every_ == 0) tell_warnings();
    report_progress();
    while (simulator_.state().step < steps_) {
      if (control_.stop.stop_requested()) return recorder_.finish(RunStatus::interrupted);
      recorder_.add_step(step());
      if (options_.each_step) options_.each_step(simulator_);
      if (simulator_.state().step % every_ == 0) {
        add_frame();
        tell_warnings();
      }
      save_now_and_then();
      report_progress();
    }
    return recorder_.finish(RunStatus::done);
  }

 private:
  using Clock = std::chrono::steady_clock;

  /// While it lives, a step, or a sum or search that takes as long, is under way; nothing is written
  /// meanwhile.
  class InStep {
   public:
    explicit InStep(Run& run) : run_(run) { set(true); }
    ~InStep() { set(false); }
    InStep(const InStep&) = delete;
    InStep& operator=(const InStep&) = delete;

   private:
    void set(bool is_in_step) {
      const std::lock_guard lock(run_.mutex_);
      run_.is_in_step_ = is_in_step;
    }
    Run& run_;
  };

  Energies energies() {
    const InStep here(*this);
    return simulator_.energies();  // Counted by the simulator, with the field it computes.
  }

  StepReport step() {
    const InStep here(*this);
    return simulator_.step();
  }

  /// Runs on the thread that requests it. It keeps the step from ending, and with it everything that writes.
  void give_up() {
    const std::lock_guard lock(mutex_);
    if (!is_in_step_) return;
    const RunResult result = recorder_.give_up();
    if (options_.given_up) options_.given_up(result);
  }

  /// If a frame is refused, or its energies fail, its step is taken back, so that the last good state is
  /// saved.
  void add_frame() {
    try {
      recorder_.add_frame(energies());
    } catch (const DivergenceError&) {
      abandon_step();
      throw;
    } catch (const gpu::DeviceError&) {
      abandon_step();
      throw;
    }
  }

  void abandon_step() {
    simulator_.abandon_step();
    recorder_.abandon_step();
  }

  std::vector<std::string> new_warnings() {
    const InStep here(*this);
    return recorder_.new_warnings();
  }

  /// Gives warnings only at frames, and once, so that they do not depend on when the run was stopped and
  /// resumed.
  void tell_warnings() {
    for (const std::string& warning : new_warnings()) {
      if (options_.stop_on_warning) throw WarningError(warning);
      tell(control_, warning);
    }
  }

  /// The time of saving changes nothing but how much a kill costs.
  void save_now_and_then() {
    if (Clock::now() - saved_ < checkpoint_interval) return;
    recorder_.save();
    saved_ = Clock::now();
  }

  void report_progress() {
    if (control_.progress) control_.progress({simulator_.state().step, steps_});
  }

  Simulator& simulator_;
  Recorder& recorder_;
  const RunOptions& options_;
  const Control& control_;
  Count steps_, every_;
  Clock::time_point saved_ = Clock::now();
  std::mutex mutex_;  ///< Guards `is_in_step_`.
  bool is_in_step_ = false;
  std::stop_callback<std::function<void()>> giving_up_;  ///< The last member, because it uses all the others.
};

/// Brings the simulator and the files to where the run begins.
void begin(Simulator& simulator, Recorder& recorder, std::optional<Checkpoint>& checkpoint) {
  if (!checkpoint) return recorder.start();
  simulator.restore(std::move(checkpoint->state), checkpoint->work);
  recorder.resume(*checkpoint);
}

/// Writes the summary alone, after another write has failed.
void summarise_failure(Recorder& recorder, RunStatus status, const RunFailure& failure) {
  try {
    recorder.write_page(recorder.summarise(status, failure));
  } catch (const IoError&) {
    // The folder may be gone. The last summary says "running", which no complete run says.
  }
}

/// The simulator is at the last good step, from which another device can go on.
void finish_without_device(Recorder& recorder, const gpu::DeviceError& error) {
  const RunFailure failure{{}, {}, error.what(), "resume it with --set coulomb.device=cpu"};
  try {
    recorder.finish(RunStatus::failed, failure);
  } catch (const IoError&) {
    summarise_failure(recorder, RunStatus::failed, failure);
  }
}

void finish_diverged(Recorder& recorder, const DivergenceError& error) {
  const RunFailure failure{error.step(), error.vertex(), error.cause(), error.advice()};
  try {
    recorder.finish(RunStatus::diverged, failure);
  } catch (const IoError&) {
    summarise_failure(recorder, RunStatus::diverged, failure);
  }
}

/// Runs from the checkpoint, if there is one, to the end. The files say why it ended.
RunResult recorded(Simulator& simulator, Recorder& recorder, std::optional<Checkpoint>& checkpoint,
                   const RunOptions& options) {
  try {
    recorder.keep_warnings(options.warnings);
    if (options.charge_step_told) recorder.keep_charge_step_told();
    begin(simulator, recorder, checkpoint);
    return Run(simulator, recorder, options).drive();
  } catch (const DivergenceError& error) {
    finish_diverged(recorder, error);
    throw;
  } catch (const gpu::DeviceError& error) {
    finish_without_device(recorder, error);
    throw;
  } catch (const WarningError& error) {
    recorder.finish(RunStatus::failed, RunFailure{{}, {}, error.what(), "the run was to stop at a warning"});
    throw;
  } catch (const std::exception& error) {
    summarise_failure(recorder, RunStatus::failed, RunFailure{{}, {}, error.what(), ""});
    throw;
  }
}

}  // namespace

RunResult run_to_directory(std::unique_ptr<System> system, const std::string& directory,
                           const RunOptions& requested) {
  RunOptions options = requested;
  require_argument(system != nullptr, "a run needs a system");
  const RunDirectory folder(directory);
  folder.check_usable();
  std::optional<RunLock> lock;
  std::error_code absent;
  if (std::filesystem::exists(directory, absent)) lock.emplace(directory);  // Its contents are read below.
  auto identity = scene_identity(*system);
  std::string scene_file = scene_file_of(system->assembly.scene);
  if (!options.resume && !options.overwrite) folder.check_replaceable(scene_file);
  auto checkpoint = find_checkpoint(folder, options);
  if (checkpoint) {
    const Count steps = system->assembly.scene.time.steps;
    check_unchanged(*checkpoint, identity, steps, directory);
    check_resumable(folder, *checkpoint, *system);
    if (auto result = finished(folder, *checkpoint, steps)) return *result;
    warn_of_machine(*checkpoint, *system, options);
  }
  const Choice& chosen = checkpoint ? checkpoint->integrator_choice : options.integrator;
  const bool is_changed = checkpoint && changes_before(system->assembly.scene, checkpoint->state.step) > 0;
  Simulator simulator(std::move(system), integrators(chosen, is_changed));
  if (!lock) lock.emplace(directory);
  Recorder recorder(folder, simulator, std::move(identity), std::move(scene_file), options.suggested_step);
  try {
    return recorded(simulator, recorder, checkpoint, options);
  } catch (const std::exception&) {
    tell(options.control, recorder.capped_notice());
    throw;
  }
}

}  // namespace electret
