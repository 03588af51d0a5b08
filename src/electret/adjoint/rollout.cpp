#include <algorithm>
#include <utility>

#include <electret/adjoint/checkpoint_schedule.hpp>
#include <electret/adjoint/reverse_sweep.hpp>
#include <electret/adjoint/rollout.hpp>
#include <electret/adjoint/state_store.hpp>
#include <electret/core/arguments.hpp>
#include <electret/core/errors.hpp>
#include <electret/scene/changes.hpp>

namespace electret {

Rollout::Rollout(Simulator& simulator, const Controls& controls, RolloutPlan plan)
    : simulator_(simulator),
      controls_(controls),
      plan_(std::move(plan)),
      driven_(simulator.system(), controls, std::as_const(simulator).integrator().stage_fractions()),
      start_(simulator.state()),
      start_work_(simulator.work()),
      start_inputs_(simulator.inputs()) {
  require_argument(plan_.steps >= 1 && plan_.hold >= 1,
                   "a rollout needs at least one step, and an action holds for at least one");
  refuse_changes(simulator.system().assembly.scene, "a gradient");
  states_ = states_within(plan_.memory, bytes_of_state(simulator), plan_.steps);
}

Rollout::~Rollout() = default;

ScalarView Rollout::action_of(Count step) const {
  const auto interval = static_cast<std::size_t>((step - start_.step) / plan_.hold);
  return ScalarView(actions_).subspan(interval * controls_.size(), controls_.size());
}

StepReport Rollout::step(StepTape* tape) {
  if (controls_.size() == 0) return simulator_.step(tape);
  const Count done = simulator_.state().step - start_.step;
  if (act_ && done % plan_.hold == 0 && done / plan_.hold == acted_) {
    const auto first = static_cast<std::size_t>(acted_++) * controls_.size();
    act_(done / plan_.hold, simulator_.state(), ScalarSpan(actions_).subspan(first, controls_.size()));
  }
  return simulator_.step(driven_.inputs(simulator_.state(), action_of(simulator_.state().step)), tape);
}

/// Restores with the inputs of the step that led to the state, so that the work accounts are those of the
/// forward sweep.
void Rollout::restore(const State& state, const WorkAccounts& work) {
  if (controls_.size() == 0) return simulator_.restore(state, work);
  if (state.step == start_.step) return simulator_.restore(state, work, start_inputs_);
  simulator_.restore(state, work, driven_.inputs_at(state, action_of(state.step - 1)));
}

void Rollout::tell(Count done) const {
  if (plan_.control.stop.stop_requested()) throw Cancelled();
  if (plan_.control.progress)
    plan_.control.progress({done, forward_steps(plan_.steps, states_ - 1) + plan_.steps});
}

void Rollout::observe(Loss& loss) const {
  observe_state(simulator_, loss, start_.step + plan_.steps);
}

/// Runs from the start to the end.
void Rollout::record(Loss* loss) {
  store_ = std::make_unique<StateStore>(
      simulator_, plan_.steps, states_,
      [&, loss](const State&, const StepReport& report) {
        if (loss != nullptr) observe(*loss);
        if (report.capped) ++capped_;
        if (store_) tell(store_->forward_steps());
      },
      StateStore::Stepping{[this](StepTape* tape) { return step(tape); },
                           [this](const State& state, const WorkAccounts& work) { restore(state, work); }});
  try {
    store_->run_forward();
  } catch (...) {
    store_.reset();
    throw;
  }
}

/// The same without keeping what a reverse sweep needs.
void Rollout::run(Loss& loss) {
  observe(loss);
  for (Count done = 0; done++ < plan_.steps;) {
    if (step(nullptr).capped) ++capped_;
    observe(loss);
    tell(done);
  }
}

void Rollout::forward(Loss& loss, const Act& act, bool keeps_states) {
  require_argument(act != nullptr || controls_.size() == 0, "a rollout with controls needs actions");
  store_.reset();
  has_run_ = false;
  restore(start_, start_work_);
  actions_.assign(static_cast<std::size_t>(intervals()) * controls_.size(), 0.0);
  acted_ = capped_ = 0;
  act_ = act;
  loss.start();
  try {
    if (keeps_states)
      record(&loss);
    else
      run(loss);
  } catch (...) {
    act_ = nullptr;
    throw;
  }
  act_ = nullptr;
  has_run_ = true;
}

RolloutGradient Rollout::backward(Loss& loss, bool from_scene, const Acted& acted) {
  require_argument(has_run_, "a backward sweep needs a forward sweep that has reached its end");
  if (!store_) {
    restore(start_, start_work_);
    capped_ = 0;
    record(nullptr);
  }
  const std::unique_ptr<StateStore> store = std::move(store_);
  const std::size_t size = controls_.size();
  RolloutGradient result;
  GradientReport& report = result.report;
  report.steps = plan_.steps;
  report.capped_steps = capped_;
  result.by_actions.resize(static_cast<std::size_t>(intervals()) * size);
  ReverseSweep sweep(simulator_, loss, start_.step + plan_.steps, plan_.rest_positions);
  StepSchedule schedule(simulator_.system(), simulator_.integrator().stage_fractions());
  for (Count done = plan_.steps; done-- > 0;) {
    const StateStore::Reversed at = store->previous();
    if (size == 0) schedule.evaluate(at.start->step);
    const StepInputs& inputs =
        size == 0 ? schedule.inputs() : driven_.inputs(*at.start, action_of(at.start->step));
    sweep.step_back(at, inputs, report);
    if (size > 0) {
      const ScalarSpan by_action =
          ScalarSpan(result.by_actions).subspan(static_cast<std::size_t>(done / plan_.hold) * size, size);
      const bool is_first_of_interval = done % plan_.hold == 0;
      if (is_first_of_interval) sweep.finish_forces(*at.start, inputs);
      sweep.take_gradient(controls_, by_action);
      if (is_first_of_interval && acted) acted(done / plan_.hold, *at.start, by_action);
    }
    if (done == 0) sweep.end_at(*at.start, inputs, from_scene);
    sweep.add_input_gradients(inputs);
    tell(store->forward_steps() + plan_.steps - done);
  }
  result.by_start = sweep.cotangent();
  result.gradient = sweep.finish(from_scene);
  controls_.clear_driven(result.gradient);
  report.stored_states = store->most_stored();
  report.forward_steps = store->forward_steps();
  return result;
}

}  // namespace electret
