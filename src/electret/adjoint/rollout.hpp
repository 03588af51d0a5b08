#pragma once
/// \file
/// A run whose inputs a caller may drive, recorded so that it can be swept back: gradients by parameters,
/// actions and the state it starts from.
///
/// \code
///   electret::Rollout rollout(simulator, controls, {.steps = 100, .hold = 5});
///   rollout.forward(loss, [&](Count interval, const State& state, ScalarSpan action) { ... });
///   auto result = rollout.backward(loss);   // result.by_actions: one row per interval
/// \endcode

#include <functional>
#include <memory>
#include <vector>

#include <electret/adjoint/gradient.hpp>
#include <electret/dynamics/controls.hpp>

namespace electret {

class StateStore;

struct RolloutPlan {
  Count steps = 1;              ///< T ≥ 1.
  Count hold = 1;               ///< Steps over which an action holds, ≥ 1.
  double memory = 0.0;          ///< As GradientOptions::memory.
  bool rest_positions = false;  ///< As there.
  Control control;              ///< As there.
};

struct RolloutGradient {
  AssemblyGradient gradient;       ///< ∂ℒ/∂(numbers of the simulator's assembly).
  std::vector<double> by_actions;  ///< J×m, J = ⌈T / hold⌉.
  StepCotangent by_start;          ///< ∂ℒ/∂(first state): positions, velocities, the method's memory.
  GradientReport report;
};

class Rollout {
 public:
  /// Fills the action of an interval, which starts at `state`; called once for each, in order, by `forward`.
  using Act = std::function<void(Count interval, const State& state, ScalarSpan action)>;
  /// Called by `backward` when `by_action`, the derivatives by an interval's action, is complete, the last
  /// interval first, before the loss is asked for its derivatives by `state`, from which the interval starts.
  using Acted = std::function<void(Count interval, const State& state, ScalarView by_action)>;

  /// From the simulator's state now. Only a rollout uses the simulator while it lives. Without controls
  /// inputs are the schedule's.
  Rollout(Simulator& simulator, const Controls& controls, RolloutPlan plan);
  ~Rollout();
  Rollout(const Rollout&) = delete;
  Rollout& operator=(const Rollout&) = delete;

  /// Runs over all steps; `loss` observes. Throws DivergenceError as Simulator::step does, and Cancelled.
  /// `keeps_states`: false saves the memory of a run that is not swept back; `backward` would run it again.
  void forward(Loss& loss, const Act& act, bool keeps_states = true);
  /// J×m, as `act` gave them.
  [[nodiscard]] const std::vector<double>& actions() const { return actions_; }
  [[nodiscard]] Count intervals() const { return (plan_.steps + plan_.hold - 1) / plan_.hold; }

  /// The sweep back over the last `forward`; once more it gives the same bits. `from_scene`: the first state
  /// is the scene's initial one, so that its parameters get their part. Throws as `loss_and_gradient`.
  RolloutGradient backward(Loss& loss, bool from_scene, const Acted& acted = {});

 private:
  [[nodiscard]] ScalarView action_of(Count step) const;
  StepReport step(StepTape* tape);
  void restore(const State& state, const WorkAccounts& work);
  void observe(Loss& loss, const State& state) const;
  void record(Loss* loss);
  void run(Loss& loss);
  void tell(Count done) const;

  Simulator& simulator_;
  const Controls& controls_;
  RolloutPlan plan_;
  DrivenSteps driven_;
  State start_;
  WorkAccounts start_work_;
  Inputs start_inputs_;
  std::vector<double> actions_;
  Act act_;                            ///< While the first sweep goes.
  Count acted_ = 0;                    ///< Intervals that have an action.
  Count states_ = 0;                   ///< That may be held.
  Count capped_ = 0;                   ///< Steps of the first sweep.
  std::unique_ptr<StateStore> store_;  ///< Run to the end, not yet swept back.
};

}  // namespace electret
