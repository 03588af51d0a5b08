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
#include <electret/scene/tables/bodies.hpp>
#include <electret/scene/tables/contact.hpp>
#include <electret/scene/tables/damping.hpp>
#include <electret/scene/tables/electric_fields.hpp>
#include <electret/scene/tables/external_charges.hpp>
#include <electret/scene/tables/hydrodynamics.hpp>
#include <electret/scene/tables/obstacles.hpp>
#include <electret/scene/tables/settings.hpp>

namespace electret {

struct TimeOptions {
  double step = 0.0;  ///< h, s; required, > 0.
  Count steps = 0;    ///< Number of steps; the reader converts `duration` into it.
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
  std::vector<Hydrodynamics> hydrodynamics{};
  std::vector<Obstacle> obstacles{};
  std::optional<ContactOptions> contact{};
  OutputOptions output{};

  std::string folder = ".";              ///< The folder that relative paths start from.
  std::string text{};                    ///< The scene file's text, kept in the trajectory.
  std::vector<std::string> overrides{};  ///< The "KEY=VALUE" applied to it, in order; also kept.
  SourceMap source{};
};

}  // namespace electret
