#include <algorithm>
#include <utility>

#include <electret/adjoint/checkpoint_schedule.hpp>
#include <electret/adjoint/state_store.hpp>
#include <electret/core/errors.hpp>

namespace electret {

StateStore::StateStore(Simulator& simulator, Count steps, Count states, Observe observe, Stepping stepping)
    : simulator_(simulator),
      first_(simulator.state().step),
      end_(first_ + steps),
      capacity_(states - 1),
      observe_(std::move(observe)),
      stepping_(std::move(stepping)),
      observed_(first_) {
  if (!stepping_.step) stepping_.step = [this](StepTape* tape) { return simulator_.step(tape); };
  if (!stepping_.restore)
    stepping_.restore = [this](const State& state, const WorkAccounts& work) {
      simulator_.restore(state, work);
    };
  require(steps >= 1 && states >= 3, "a reverse sweep needs at least one step and room for three states");
  observe_(simulator.state(), {});
  store();
}

void StateStore::step_forward(StepTape* tape) {
  const StepReport report = stepping_.step(tape);
  ++forward_steps_;
  if (simulator_.state().step <= observed_) return;
  observed_ = simulator_.state().step;
  observe_(simulator_.state(), report);
}

/// Steps forward from the state stored last.
void StateStore::advance(Count to) {
  Entry& from = stored_.back();
  if (simulator_.state().step != from.state.step) stepping_.restore(from.state, from.work);
  step_forward(&from.tape);
  from.has_tape = true;
  if (!from.tape.arrays.empty()) methods_keep_tape_ = true;
  while (simulator_.state().step < to) step_forward(nullptr);
}

void StateStore::store() {
  stored_.push_back({simulator_.state(), simulator_.work(), {}, false});
  most_stored_ = std::max(most_stored_, static_cast<Count>(stored_.size()));
}

void StateStore::run_forward() {
  ahead_ = found();
}

StateStore::Reversed StateStore::previous() {
  if (!ahead_) return found();
  const Reversed result = *ahead_;
  ahead_.reset();
  return result;
}

StateStore::Reversed StateStore::found() {
  require(end_ > first_, "a reverse sweep was asked for a step before the first");
  keep_last_start();
  while (stored_.back().state.step >= end_) stored_.pop_back();
  while (end_ - stored_.back().state.step > 1) {
    const Count begin = stored_.back().state.step;
    const Count free = capacity_ - static_cast<Count>(stored_.size());
    advance(begin + checkpoint_distance(end_ - begin, free + 1));
    if (free == 0) return hand_out_unstored();
    store();
  }
  Entry& last = stored_.back();
  start_ = std::move(last.state);  // Nobody starts from it again.
  start_work_ = last.work;
  return hand_out(last.tape, last.has_tape);
}

/// The start of the step returned last is the end of the next one.
void StateStore::keep_last_start() {
  if (!start_) return;
  if (start_is_simulators_)
    end_state_ = simulator_.state();
  else
    end_state_ = std::move(*start_);
  start_.reset();
  start_is_simulators_ = false;
}

/// The step from the simulator's state, for which there is no room in the store.
StateStore::Reversed StateStore::hand_out_unstored() {
  start_work_ = simulator_.work();
  if (!end_state_ || methods_keep_tape_) {
    start_ = simulator_.state();
    return hand_out(tape_, false);
  }
  start_.emplace();
  start_is_simulators_ = true;
  end_ = simulator_.state().step;
  return {&simulator_.state(), &*end_state_, &tape_};
}

/// The step from `start_` to `end_`. It is computed now if its end or its tape is not known; its end is then
/// the simulator's state, of which no copy is held.
StateStore::Reversed StateStore::hand_out(StepTape& tape, bool has_tape) {
  const State* end = end_state_ ? &*end_state_ : nullptr;
  if (end == nullptr || (methods_keep_tape_ && !has_tape)) {
    end_state_.reset();
    if (simulator_.state().step != start_->step) stepping_.restore(*start_, start_work_);
    step_forward(&tape);
    end = &simulator_.state();
  }
  end_ = start_->step;
  return {&*start_, end, &tape};
}

}  // namespace electret
