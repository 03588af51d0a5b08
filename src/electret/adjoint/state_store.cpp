#include <algorithm>
#include <utility>

#include <electret/adjoint/checkpoint_schedule.hpp>
#include <electret/adjoint/state_store.hpp>
#include <electret/core/errors.hpp>

namespace electret {

StateStore::StateStore(Simulator& simulator, Count steps, Count states, Observe observe)
    : simulator_(simulator), end_(steps), capacity_(states - 2), observe_(std::move(observe)) {
  require(simulator.state().step == 0, "a reverse sweep of a run that has begun");
  require(steps >= 1 && states >= 3, "a reverse sweep over no step, or with room for less than three states");
  observe_(simulator.state(), {});
  store();
}

void StateStore::step_forward(StepTape* tape) {
  const StepReport report = simulator_.step(tape);
  ++forward_steps_;
  if (simulator_.state().step <= observed_) return;
  observed_ = simulator_.state().step;
  observe_(simulator_.state(), report);
}

/// Steps on from the state stored last.
void StateStore::advance(Count to) {
  Entry& from = stored_.back();
  if (simulator_.state().step != from.state.step) simulator_.restore(from.state, from.work);
  step_forward(&from.tape);
  from.has_tape = true;
  if (!from.tape.stage.empty()) methods_keep_tape_ = true;
  while (simulator_.state().step < to) step_forward(nullptr);
}

void StateStore::store() {
  stored_.push_back({simulator_.state(), simulator_.work(), {}, false});
  most_stored_ = std::max(most_stored_, static_cast<Count>(stored_.size()));
}

StateStore::Reversed StateStore::previous() {
  require(end_ >= 1, "a reverse sweep was asked for a step before the first");
  // The last state handed out started at `end_`.
  if (end_is_known_) std::swap(known_, start_);
  while (stored_.back().state.step >= end_) stored_.pop_back();
  while (end_ - stored_.back().state.step > 1) {
    const Count begin = stored_.back().state.step;
    const Count free = capacity_ - static_cast<Count>(stored_.size());
    advance(begin + checkpoint_distance(end_ - begin, free + 1));
    if (free == 0) {
      start_ = simulator_.state();
      start_work_ = simulator_.work();
      return hand_out(start_, tape_, false);
    }
    store();
  }
  Entry& last = stored_.back();
  start_ = std::move(last.state);  // Nobody starts from it again.
  start_work_ = last.work;
  return hand_out(start_, last.tape, last.has_tape);
}

/// The step from `start` to `end_`, computed now where its end or its tape is not known.
StateStore::Reversed StateStore::hand_out(const State& start, StepTape& tape, bool has_tape) {
  if (!end_is_known_ || (methods_keep_tape_ && !has_tape)) {
    if (simulator_.state().step != start.step) simulator_.restore(start, start_work_);
    step_forward(&tape);
    known_ = simulator_.state();
    end_is_known_ = true;
  }
  end_ = start.step;
  return {&start, &known_, &tape};
}

}  // namespace electret
