#pragma once
/// \file
/// What commands on scenes warn of before a run starts, and the words they have for a step that is too large.

#include <string>
#include <vector>

#include <electret/core/errors.hpp>
#include <electret/dynamics/integrator.hpp>
#include <electret/dynamics/system.hpp>

namespace electret::app {

/// The time step against the suggested one.
struct StepChoice {
  double suggested = 0.0;  ///< s; infinite where nothing oscillates.
  double ratio = 0.0;      ///< The scene's step as a multiple of it.
  /// What the scene's method makes of a step so much larger: "imex stays stable and damps …"; empty where it
  /// is not, or hardly, larger.
  std::string consequence;
  std::string charge_warning;        ///< `charge_step_warning` of the start.
  bool charges_are_fastest = false;  ///< The fastest oscillation is that of charges, not of springs.

  /// No float64 is as small as the suggested step.
  [[nodiscard]] bool is_beyond_numbers() const { return suggested == 0.0; }
  /// So large that it is warned of.
  [[nodiscard]] bool is_far_too_large() const;
  /// That warning says of the charges what `charge_warning` would.
  [[nodiscard]] bool tells_of_charges() const;
};

/// Without `words` the texts are left out where no warning needs them: they take a search of their own.
[[nodiscard]] StepChoice step_choice(System& system, const Integrator& integrator, bool words);

/// Every warning of a run of `system` into `directory`, a line each: "scene.toml:2:1: warning: what; what to
/// do instead". What a scene says that has no effect, a step more than 100 times the suggested one, more
/// memory or disk than there is.
[[nodiscard]] std::vector<std::string> warnings_before(System& system, const Integrator& integrator,
                                                       const StepChoice& step, const std::string& directory);

/// Adds what a run says of its first frame, if it does: that the step is too large for the closest charges.
void add_warning_of_first_frame(const System& system, const StepChoice& step,
                                std::vector<std::string>& warnings);

/// What a command says of a scene whose motion it takes without writing it, a line each: every warning of a
/// run but that of too little disk, and that of the first frame.
[[nodiscard]] std::vector<std::string> warnings_of_motion(System& system, const Integrator& integrator);

/// Prints `warnings` on stderr, or where they are to `stop` throws them as errors.
void tell(const std::vector<std::string>& warnings, bool stop);

/// Says on stderr that `capped` of `steps` steps missed their tolerance; nothing where none did.
void tell_capped_steps(Count capped, Count steps, int max_iterations);

/// `warnings` as errors.
[[nodiscard]] InputError as_errors(const std::vector<std::string>& warnings);

}  // namespace electret::app
