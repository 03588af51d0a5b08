#pragma once
/// \file
/// A recorded run whose inputs a caller may drive. A reverse sweep through it gives gradients with respect to
/// parameters, actions and the state from which the run starts.
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
  Count hold = 1;               ///< The number of steps over which an action holds, ≥ 1.
  double memory = 0.0;          ///< As GradientOptions::memory.
  bool rest_positions = false;  ///< As GradientOptions::rest_positions.
  Control control{};            ///< As GradientOptions::control.
};

struct RolloutGradient {
  AssemblyGradient gradient;  ///< ∂ℒ/∂(numbers of the simulator's assembly).
  /// J×m: one row per interval, J = ⌈T / hold⌉, of the m numbers of an action.
  std::vector<double> by_actions;
  /// ∂ℒ/∂(first state): positions, velocities, the method's memory. If the run began at the scene's initial
  /// state, the memory's are in those of positions and velocities.
  StepCotangent by_start;
  GradientReport report;
};

class Rollout {
 public:
  /// Fills the action of an interval, which starts at `state`. `forward` calls it once per interval, in
  /// order.
  using Act = std::function<void(Count interval, const State& state, ScalarSpan action)>;
  /// `backward` calls it once per interval, the last interval first. `state` is the state from which the
  /// interval starts. `by_action` holds the derivatives with respect to the interval's action, which are then
  /// complete. Only after this call is the loss asked for its derivatives with respect to `state`. So the
  /// call may still prepare what the loss will add there. A closed loop does so: if a policy computes the
  /// action from `state`, the loss adds the derivatives that flow from `by_action` through the policy.
  using Acted = std::function<void(Count interval, const State& state, ScalarView by_action)>;

  /// The run starts from the simulator's present state. While the rollout lives, nobody else may use the
  /// simulator. Without controls, the inputs are the schedule's. Throws std::invalid_argument if `plan` is
  /// out of range, and InputError if the scene has changes, through which no derivatives are known.
  Rollout(Simulator& simulator, const Controls& controls, RolloutPlan plan);
  ~Rollout();
  Rollout(const Rollout&) = delete;
  Rollout& operator=(const Rollout&) = delete;

  /// Runs over all steps, which `loss` observes. Throws DivergenceError as Simulator::step does, and
  /// Cancelled. With `keeps_states` = false it needs less memory, but a later `backward` runs all steps
  /// again. Throws std::invalid_argument if there are controls and no `act`, or if `loss` does not fit the
  /// run.
  void forward(Loss& loss, const Act& act, bool keeps_states = true);
  /// Steps of the last forward sweep whose implicit solve missed its tolerance.
  [[nodiscard]] Count capped_steps() const { return capped_; }
  /// J×m; the actions that `act` has filled.
  [[nodiscard]] const std::vector<double>& actions() const { return actions_; }
  [[nodiscard]] Count intervals() const { return (plan_.steps + plan_.hold - 1) / plan_.hold; }

  /// The reverse sweep over the last `forward`. Calling it again gives the same bits. If `from_scene` is
  /// true, the first state is the scene's initial one, and the gradient contains how that state depends on
  /// the scene's numbers. Throws as `loss_and_gradient`, and std::invalid_argument unless a `forward` has
  /// reached its end.
  RolloutGradient backward(Loss& loss, bool from_scene, const Acted& acted = {});

 private:
  [[nodiscard]] ScalarView action_of(Count step) const;
  StepReport step(StepTape* tape);
  void restore(const State& state, const WorkAccounts& work);
  void observe(Loss& loss) const;
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
  Act act_;                            ///< Set while the forward sweep runs.
  bool has_run_ = false;               ///< The last `forward` has reached its end.
  Count acted_ = 0;                    ///< Intervals that have an action.
  Count states_ = 0;                   ///< How many states may be held.
  Count capped_ = 0;                   ///< Capped steps of the forward sweep.
  std::unique_ptr<StateStore> store_;  ///< Holds a run that has reached its end but is not yet swept back.
};

}  // namespace electret
