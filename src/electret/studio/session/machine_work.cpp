#include <algorithm>
#include <utility>

#include <electret/core/errors.hpp>
#include <electret/field/gpu/devices.hpp>
#include <electret/studio/session/machine.hpp>

namespace electret::studio {
namespace {

using Clock = Pacer::Clock;
using std::chrono::milliseconds;
using std::chrono::seconds;

/// How long a session runs on without a page.
constexpr seconds without_page{30};
/// Between reports of energies and of the state while it moves, and between renewals of files.
constexpr milliseconds energies_every{100}, state_every{250}, save_every{1000}, look_every{1000};

}  // namespace

void Machine::stand(Phase phase, std::string reason, std::string advice) {
  const bool moved = phase_ == Phase::running || phase_ == Phase::playing;
  phase_ = phase;
  reason_ = std::move(reason);
  advice_ = std::move(advice);
  if (phase != Phase::diverged) vertex_.reset();
  if (phase != Phase::loading && phase != Phase::rewinding) progress_.reset();
  if (phase != Phase::running) until_.reset();
  if (phase != Phase::rewinding) is_taking_up_ = false;
  if (phase != Phase::rewinding && replay_) end_replay();
  if (moved && live_ && phase != Phase::running) tell_energies();
  tell_state();
}

void Machine::begin_moving(std::optional<double> rate) {
  rate_ = rate;
  until_.reset();
  const Time now = Clock::now();
  if (live_) meter_.restart(live_->simulator().system().timings);
  pacer_.start(now, run_ ? played_time_ : live_->time(), rate);
}

void Machine::begin_rewinding(Count step) {
  // From before the scene's end it is played to there again.
  beyond_ = beyond_ && step >= live_->scenery().info.last_step;
  rewind_to_ = step;
  live_->restore_before(step);
  stand(Phase::rewinding);
  rewind_slice();
}

/// Makes the step exact that scrubbing shows. Whether that is done already.
bool Machine::settle() {
  if (!scrubbed_) return true;
  begin_rewinding(*std::exchange(scrubbed_, std::nullopt));
  return phase_ == Phase::paused;
}

Machine::Time Machine::wake() const {
  Time next = wake_of_phase();
  if (may_answer_field()) next = std::min(next, std::max(field_due_, Clock::now()));
  const bool is_one_going = tracing_.is_going() || differentiating_.is_going() || recording_.is_going() ||
                            warning_.is_going() || has_other_warnings();
  return is_one_going ? std::min(next, Clock::now() + attention) : next;
}

Machine::Time Machine::wake_of_phase() const {
  const Time now = Clock::now();
  if (phase_ == Phase::loading || phase_ == Phase::rewinding || job_ || !checks_.empty()) return now;
  if (phase_ == Phase::running) return std::max(pacer_.due(live_->next_time()), slice_begun_ + Pacer::slice);
  if (phase_ == Phase::playing) return slice_begun_ + Pacer::slice;
  if (phase_ == Phase::viewing && run_ && run_->is_growing()) return looked_at_ + look_every;
  if (is_unsaved()) return saved_at_ + save_every;
  return now + seconds(1);
}

void Machine::work() {
  const Time now = Clock::now();
  if (phase_ == Phase::running && pages_ == 0 && !options_.keep_running &&
      now - no_page_since_ >= without_page)
    stand(Phase::paused, "no page was open for 30 s");
  if (phase_ == Phase::loading || job_) load();
  attend_checks();
  attend_page_jobs();
  attend_field();
  renew_warnings();
  look_at_files();
  if (phase_ == Phase::running) advance_slice();
  if (phase_ == Phase::rewinding) rewind_slice();
  if (run_ && (phase_ == Phase::viewing || phase_ == Phase::playing)) follow_run();
  if (phase_ == Phase::playing) play_slice();
  save_now_and_then();
}

/// Takes a step; false if the simulation stands afterwards.
bool Machine::step_once() {
  const Time begin = Clock::now();
  try {
    const Count last = live_->recorded_last();
    live_->advance();
    has_stepped_ = true;
    if (phase_ != Phase::rewinding) is_later_kept_ = false;
    if (live_->recorded_last() < last && !simulated_keys_.empty()) {  // A hand has made another future.
      find_stale(key_tables_of(history_.text()));
      tell_keys();
    }
  } catch (const DivergenceError& error) {
    if (error.vertex() >= 0) vertex_ = error.vertex();
    stand(Phase::diverged, error.cause(), error.advice());
    return false;
  } catch (const gpu::DeviceError& error) {
    stand(Phase::paused, error.what(), "--set coulomb.device=cpu does without it");
    return false;
  } catch (const IoError& error) {
    stand(Phase::paused, error.what());
    return false;
  } catch (const InputError& error) {  // Of a change that is made before the step.
    stand(Phase::paused, to_string(error.findings().front()), "undo what was changed, or reset");
    return false;
  }
  meter_.add(std::chrono::duration<double>(Clock::now() - begin).count(),
             live_->simulator().system().timings);
  return true;
}

void Machine::advance_slice() {
  slice_begun_ = Clock::now();
  Time now = slice_begun_;
  while (phase_ == Phase::running && pacer_.wants(live_->next_time(), now)) {
    if (!beyond_ && live_->step() >= live_->scenery().info.last_step) {
      stand(Phase::paused, "the scene's last step is reached");
      break;
    }
    if (!step_once()) break;
    if (until_ && live_->step() >= *until_) {
      stand(Phase::paused);
      break;
    }
    now = Clock::now();
    if (now - slice_begun_ >= Pacer::slice) break;
  }
  pacer_.end_slice(now, live_->time(), live_->next_time());
  show_present();
  measure_now_and_then(phase_ != Phase::running);
  show_now(phase_ != Phase::running);
  if (phase_ == Phase::running && now >= state_due_) {
    tell_state();
    state_due_ = now + state_every;
  }
}

void Machine::rewind_slice() {
  const Time begin = Clock::now();
  while (live_->step() < rewind_to_ && Clock::now() - begin < Pacer::slice) {
    // What is played with other keys from here on.
    if (is_taking_up_ && !simulated_keys_.empty() && live_->simulator().is_change_due()) note_running_keys();
    if (!step_once()) return;
  }
  if (live_->step() < rewind_to_) {
    tell_progress({replay_ && replay_->is_begun ? "replaying" : "going back", live_->step(), rewind_to_});
    return;
  }
  if (replay_ && !replay_->is_begun) return begin_replay();
  const bool is_taken_up = is_taking_up_;
  stand(Phase::paused);
  show_present();
  if (is_taken_up) end_taking_up();
  measure_now_and_then(true);
  show_now(true);
}

/// Where steps have made changes, or it was gone back behind some: what the scene is compiled with there.
void Machine::show_present() {
  const Count shapes = live_->scenery().shapes_number();
  tell_changes();
  if (!live_->show_present()) return;
  tell_system();
  if (live_->scenery().shapes_number() != shapes) tell_topology();
}

/// Energies cost about a step, so that they take a twentieth of the time at most.
void Machine::measure_now_and_then(bool at_once) {
  const Time begin = Clock::now();
  if (!at_once && begin < energies_due_) return;
  try {
    live_->measure();
  } catch (const DivergenceError& error) {
    live_->abandon_step();
    if (error.vertex() >= 0) vertex_ = error.vertex();
    stand(Phase::diverged, error.cause(), error.advice());
  } catch (const gpu::DeviceError& error) {
    stand(Phase::paused, error.what(), "--set coulomb.device=cpu does without it");
  }
  const Time end = Clock::now();
  energies_due_ = end + 20 * (end - begin);
  if (phase_ != Phase::running || end - energies_told_at_ >= energies_every) tell_energies();
}

void Machine::play_slice() {
  const Time now = Clock::now();
  slice_begun_ = now;
  Count frame = run_->at();
  while (frame + 1 < run_->frames() && pacer_.wants(run_->time_of(frame + 1), now)) ++frame;
  try {
    if (frame != run_->at()) {
      run_->go_to(frame);
      show_now(true);
    }
  } catch (const IoError& error) {
    stand(Phase::viewing, error.what(), "the last good picture is kept");
    return;
  }
  played_time_ = run_->time_of(frame);
  const bool is_last = frame + 1 >= run_->frames();
  if (is_last) pacer_.start(now, played_time_, rate_);
  if (is_last && !run_->is_growing()) return stand(Phase::viewing);
  if (now >= state_due_) {
    tell_state();
    state_due_ = now + state_every;
  }
}

void Machine::follow_run() {
  const Time now = Clock::now();
  if (!run_->is_growing() || now - looked_at_ < look_every) return;
  looked_at_ = now;
  try {
    const bool was_unreadable = !reason_.empty();
    const bool has_more = run_->look_again();
    if (was_unreadable) stand(phase_);
    if (!has_more && run_->is_growing()) return;
    tell_system();
    tell_energies();
    tell_state();
  } catch (const IoError& error) {
    if (reason_ != error.what()) stand(Phase::viewing, error.what(), "the last good picture is kept");
  }
}

/// Whether session.toml is of another step, or of other hands and edits. While steps are taken again it is
/// the later one.
bool Machine::is_unsaved() const {
  return phase_ != Phase::rewinding && is_worth_keeping() &&
         (saved_step_ != live_->recorded_last() || saved_revision_ != live_->revision() ||
          saved_now_ != history_.text());
}

void Machine::save_now_and_then() {
  if (is_unsaved() && Clock::now() - saved_at_ >= save_every) save_session();
}

/// Renews session.toml; whether that could be done.
bool Machine::save_session() {
  saved_at_ = Clock::now();
  try {
    folder_->write(live_->simulator(), hand_tracks(), texts());
    tell_earlier();
    saved_now_ = history_.text();
    painted_->forget_all_but(painted_in_use());
    saved_step_ = live_->recorded_last();
    saved_revision_ = live_->revision();
    if (!std::exchange(save_trouble_, {}).empty()) tell_state();
    return true;
  } catch (const IoError& error) {
    save_trouble_ = error.what();
    if (phase_ == Phase::running) stand(Phase::paused);
    tell_state();
    return false;
  }
}

}  // namespace electret::studio
