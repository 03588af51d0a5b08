#pragma once
/// \file
/// A scene's time step compared with the one that resolves its fastest oscillation.

#include <string>
#include <vector>

#include <electret/core/warning.hpp>
#include <electret/dynamics/integrator.hpp>
#include <electret/dynamics/stability.hpp>
#include <electret/dynamics/system.hpp>

namespace electret {

/// The time step compared with the suggested one.
struct StepChoice {
  double suggested = 0.0;  ///< s; infinite if nothing oscillates.
  double ratio = 0.0;      ///< The scene's step as a multiple of it.
  /// The pair of charges that limits the step, at the start and with the largest charges of the run. Like all
  /// that follows, unknown if the step is hardly larger than the suggested one.
  ChargePair pair;
  double charges = 0.0;  ///< The step that it needs, hω = 0.5, s; infinite without charges.
  /// What the scene's method does with a step so much larger, such as "imex stays stable and damps …". Empty
  /// if the step is not, or hardly, larger.
  std::string consequence;
  std::string charge_warning;  ///< `charge_step_warning` at the start.
  /// The same with the largest charges of the run, if only those are too large for the step.
  std::string later_charge_warning;
  /// The method is stable at this step, and only damps elastic vibration that the step does not resolve.
  bool only_damps = false;
  bool charges_are_fastest = false;  ///< The fastest oscillation is that of charges, not of springs.
  bool springs_diverge = false;      ///< The step is beyond the method's stability limit for springs.
  /// What the consequence is about, and what has to be mended: the charges. They are fastest, or they alone
  /// are a trouble because the method copes with the springs.
  bool charges_are_cause = false;

  /// The step that mends the cause, s. Springs and elements oscillate faster where they are compressed or
  /// their charges come closer, so that theirs is a tenth of the limit; charges that springs hold keep their
  /// distance, and a run warns of those that do not.
  [[nodiscard]] double resolving() const;
  /// Whether the suggested step is too small for a float64.
  [[nodiscard]] bool is_beyond_numbers() const { return suggested == 0.0; }
  /// Whether the step is so large that a warning is given.
  [[nodiscard]] bool is_far_too_large() const;
  /// Whether that warning is about the charges, so that it stands for `charge_warning` and for those that
  /// key-framed charges give later in the run.
  [[nodiscard]] bool tells_of_charges() const;
};

/// Compares the steps. Without `words`, texts that no warning needs are left out, because they take a search
/// of their own.
[[nodiscard]] StepChoice step_choice(System& system, const Integrator& integrator, bool words);

/// The warning of a step that `is_far_too_large`, at the scene's key.
[[nodiscard]] Warning step_warning(const System& system, const StepChoice& step);

/// Whether elements or springs are so stiff for the step that steps with exact contact may not be solved: the
/// mass of a body is lost beside its stiffness.
[[nodiscard]] bool is_too_stiff_for_contact(const System& system, const StepChoice& step);
[[nodiscard]] Warning stiff_contact_warning(const System& system, const StepChoice& step);

/// Which charges a warning before the run is about.
enum class ChargesOf { first_frame, whole_run };

/// The warning that the step is too large for the closest charges, at the scene's key: those of the run's
/// first frame, or key-framed ones that are too large later in the run. None if the step is small enough, or
/// if `step_warning` tells of them.
[[nodiscard]] std::vector<Warning> charge_warnings(const System& system, const StepChoice& step,
                                                   ChargesOf charges);

}  // namespace electret
