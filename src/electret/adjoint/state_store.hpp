#pragma once
/// \file
/// The states that a reverse sweep goes through, from the last to the first; each is kept or computed again.

#include <functional>
#include <optional>
#include <vector>

#include <electret/dynamics/simulator.hpp>

namespace electret {

/// Runs a simulator forward and returns its steps in reverse order, holding as many states as allowed.
class StateStore {
 public:
  /// Called with the state after each step when the run first reaches it, beginning with step 0.
  using Observe = std::function<void(const State&, const StepReport&)>;

  /// How the run is moved: one step forward, or back to an earlier state.
  struct Stepping {
    std::function<StepReport(StepTape*)> step;
    std::function<void(const State&, const WorkAccounts&)> restore;
  };

  /// The run starts at the simulator's present state and takes `steps` ≥ 1 steps. At most `states` ≥ 3 states
  /// are held besides the simulator's own: those stored, and the start or the end of the step that `previous`
  /// returned. Without `stepping`, the inputs are the schedule's.
  StateStore(Simulator& simulator, Count steps, Count states, Observe observe, Stepping stepping = {});

  /// Runs to the end now. Otherwise the first call of `previous` does.
  void run_forward();

  /// A step that `previous` returns.
  struct Reversed {
    const State* start = nullptr;
    const State* end = nullptr;
    const StepTape* tape = nullptr;
  };
  /// The step before the one that it returned last; at first the run's last step. Valid until the next call.
  /// Between the calls the simulator must not be used for anything else.
  Reversed previous();

  [[nodiscard]] Count forward_steps() const { return forward_steps_; }
  [[nodiscard]] Count most_stored() const { return most_stored_; }

 private:
  struct Entry {
    State state;
    WorkAccounts work;
    StepTape tape;          ///< Of the step that starts here.
    bool has_tape = false;  ///< The step has been taken.
  };
  Reversed found();
  void step_forward(StepTape* tape);
  void advance(Count to);
  void store();
  void keep_last_start();
  Reversed hand_out(StepTape& tape, bool has_tape);
  Reversed hand_out_unstored();

  Simulator& simulator_;
  Count first_ = 0;     ///< The run's first state.
  Count end_ = 0;       ///< The step to return next ends here.
  Count capacity_ = 1;  ///< States in `stored_`.
  Observe observe_;
  Stepping stepping_;
  Count observed_ = 0;  ///< Steps observed so far.
  std::vector<Entry> stored_;
  WorkAccounts start_work_;
  std::optional<State> start_;        ///< The start of the step that was returned.
  bool start_is_simulators_ = false;  ///< That start is the simulator's state instead.
  std::optional<State> end_state_;    ///< The state at `end_`, if it is known.
  bool methods_keep_tape_ = false;
  StepTape tape_;
  std::optional<Reversed> ahead_;  ///< Found by `run_forward`.
  Count forward_steps_ = 0, most_stored_ = 0;
};

}  // namespace electret
