#pragma once
/// \file
/// The scene as data, as the user wrote it. It knows nothing of solvers. `read_scene` makes it from TOML; C++
/// code can build it by hand. Units are SI. The defaults are those of the scene format
/// (docs/scene-format.md).

#include <map>
#include <optional>
#include <string>
#include <vector>

#include <electret/core/errors.hpp>
#include <electret/core/types.hpp>
#include <electret/dynamics/options.hpp>
#include <electret/field/options.hpp>
#include <electret/record/options.hpp>
#include <electret/scene/tables/ball_contacts.hpp>
#include <electret/scene/tables/bodies.hpp>
#include <electret/scene/tables/cameras.hpp>
#include <electret/scene/tables/changes.hpp>
#include <electret/scene/tables/contact.hpp>
#include <electret/scene/tables/damping.hpp>
#include <electret/scene/tables/electric_fields.hpp>
#include <electret/scene/tables/external_charges.hpp>
#include <electret/scene/tables/grabs.hpp>
#include <electret/scene/tables/hydrodynamics.hpp>
#include <electret/scene/tables/obstacles.hpp>
#include <electret/scene/tables/settings.hpp>

namespace electret {

/// From step `step` on, which is at `time`, steps take `time_step`: t_n = time + (n - step)·time_step.
struct TimeLeg {
  Count step = 0;
  double time = 0.0;       ///< s.
  double time_step = 0.0;  ///< h, s.
};

struct TimeOptions {
  double step = 0.0;  ///< h, s; required, > 0.
  Count steps = 0;    ///< Number of steps; the reader converts `duration` into it.
  /// If changes of the scene change h: the whole run's legs, of which the first begins at step 0. Empty if h
  /// is the same in all steps.
  std::vector<TimeLeg> legs{};

  /// The time of n steps, and of a fraction of the step after them, s. Without legs it is (n + fraction)·h.
  [[nodiscard]] double at(Count n, double fraction = 0.0) const;
  /// The leg of the step that starts from state n.
  [[nodiscard]] TimeLeg leg_at(Count n) const;
  /// h of the run's first step, s.
  [[nodiscard]] double first_step() const { return legs.empty() ? step : legs.front().time_step; }
  /// Lets steps take `time_step` from step n on, and forgets later legs.
  void change_step(Count n, double time_step);
};

/// The place of each key in the file: "body.0.springs.1.stiffness" → location. Empty for scenes made in C++.
using SourceMap = std::map<std::string, Location>;

struct Scene {
  std::string name{};
  TimeOptions time{};
  IntegratorOptions integrator{};
  std::optional<FieldOptions> coulomb{};  ///< Absent: no Coulomb force.
  std::optional<Vec3> gravity{};          ///< m/s².
  DampingOptions damping{};
  std::vector<Body> bodies{};
  std::vector<ExternalCharge> external_charges{};
  std::vector<ElectricField> electric_fields{};
  std::vector<Grab> grabs{};
  std::vector<Hydrodynamics> hydrodynamics{};
  std::vector<BallContactOptions> ball_contacts{};
  std::vector<Obstacle> obstacles{};
  std::optional<ContactOptions> contact{};
  std::vector<CameraOptions> cameras{};
  OutputOptions output{};
  std::vector<Change> changes{};  ///< In the order in which they are made.
  /// How many of `changes` are made in this scene: 0 of a scene as it was written.
  std::size_t changes_made = 0;

  std::string folder = ".";              ///< The folder that relative paths start from.
  std::string text{};                    ///< The scene file's text, kept in the trajectory.
  std::vector<std::string> overrides{};  ///< The "KEY=VALUE" applied to it, in order; also kept.
  SourceMap source{};
};

}  // namespace electret
