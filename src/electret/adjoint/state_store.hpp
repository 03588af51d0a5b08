#pragma once
/// \file
/// The states a reverse sweep goes through, from the last to the first, kept or computed again.

#include <functional>
#include <optional>
#include <vector>

#include <electret/dynamics/simulator.hpp>

namespace electret {

/// Runs a simulator forward and hands its steps back in reverse order, holding as many states as it may.
class StateStore {
 public:
  /// Called with the state after each step, 0 first, when the run gets there for the first time.
  using Observe = std::function<void(const State&, const StepReport&)>;

  /// How the run is taken on: steps, and goes back to a state it has been in.
  struct Stepping {
    std::function<StepReport(StepTape*)> step;
    std::function<void(const State&, const WorkAccounts&)> restore;
  };

  /// The run goes from the simulator's state now over `steps` ≥ 1 steps. At most `states` ≥ 3 states are held
  /// beside the simulator's own: those stored, and the start or the end of the step handed out. Without
  /// `stepping` inputs are the schedule's.
  StateStore(Simulator& simulator, Count steps, Count states, Observe observe, Stepping stepping = {});

  /// Runs to the end now; `previous` does otherwise when it is first called.
  void run_forward();

  /// The step that `previous` went to.
  struct Reversed {
    const State* start = nullptr;
    const State* end = nullptr;
    const StepTape* tape = nullptr;
  };
  /// The step before the one handed out last, the run's last at first; valid until the next call. In between
  /// the simulator is not to be used otherwise.
  Reversed previous();

  [[nodiscard]] Count forward_steps() const { return forward_steps_; }
  [[nodiscard]] Count most_stored() const { return most_stored_; }

 private:
  struct Entry {
    State state;
    WorkAccounts work;
    StepTape tape;          ///< Of the step that starts here,
    bool has_tape = false;  ///< once it has been taken.
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
  Count end_ = 0;       ///< The step to hand out next ends here.
  Count capacity_ = 1;  ///< States in `stored_`.
  Observe observe_;
  Stepping stepping_;
  Count observed_ = 0;  ///< Steps observed so far.
  std::vector<Entry> stored_;
  WorkAccounts start_work_;
  std::optional<State> start_;        ///< The start of the step handed out,
  bool start_is_simulators_ = false;  ///< which may be the simulator's state instead.
  std::optional<State> end_state_;    ///< The state at `end_`, where it is known.
  bool methods_keep_tape_ = false;
  StepTape tape_;
  std::optional<Reversed> ahead_;  ///< Found by `run_forward`.
  Count forward_steps_ = 0, most_stored_ = 0;
};

}  // namespace electret
