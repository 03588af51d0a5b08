#pragma once
/// \file
/// What a run's directory holds, for `electret info`.

#include <optional>
#include <string>
#include <vector>

#include <electret/geometry/body_size.hpp>
#include <electret/record/energy_table.hpp>
#include <electret/record/summary.hpp>

namespace electret {

/// What an obstacle exerts at the last frame, N, on how many vertices.
struct ObstacleForce {
  std::string name;
  Count vertices = 0;
  Vec3 force;
};

/// What two bodies, or a body and itself, push each other with at the last frame.
struct BodyForce {
  std::string first, second;
  Count pairs = 0;
  Vec3 force;  ///< On the first, N.
};

struct RunDescription {
  std::string directory;
  std::string version;                 ///< The version of the program that wrote it.
  std::string scene;                   ///< The scene file's text.
  std::vector<std::string> overrides;  ///< "KEY=VALUE" of `--set`, or "--unset KEY".
  Count frames = 0;                    ///< The number of complete frames.
  Index vertices = 0;
  Count springs = 0, faces = 0, bodies = 0;
  Count tetrahedra = 0, hexahedra = 0;
  std::vector<std::string> body_names;
  std::vector<BodySize> body_sizes;  ///< At rest, one per body.
  /// The names of the scene's obstacles; empty if this version cannot read the recorded scene.
  std::vector<std::string> obstacles;
  Count grabs = 0;              ///< Those of the scene; 0 if this version cannot read it.
  std::vector<Change> changes;  ///< Of the scene; as `obstacles`.
  double time_step = 0.0;       ///< h of the first step, s.
  double first_time = 0.0;      ///< s; of frame 0.
  double last_time = 0.0;       ///< s; of the last complete frame.
  bool has_velocities = false;
  bool charges_change = false;
  bool single_precision = false;
  Count pins = 0;  ///< Pinned vertices.
  /// The sum of the pins' reactions at the last frame, N, if they are stored.
  std::optional<Vec3> total_reaction;
  std::vector<ObstacleForce> contacts;   ///< Of exact obstacles that push, if their forces are stored.
  std::vector<BodyForce> body_contacts;  ///< Of bodies that touch each other.
  double total_mass = 0.0;               ///< kg.
  double total_charge = 0.0;             ///< C, at frame 0.
  std::optional<RunResult> summary;      ///< Present if summary.json is readable.
  /// Why summary.json is not readable, if there is one.
  std::string summary_fault;
  std::optional<EnergyRow> first_energies, last_energies;  ///< Present if energy.csv has rows.
  std::optional<Count> checkpoint_step;                    ///< The step from which --resume would continue.
  /// Why trajectory.h5 cannot be read. Whatever only it holds is then 0 or empty.
  std::string trajectory_fault;
  std::vector<std::string> files;  ///< Those of the run's files that exist.
  double bytes = 0.0;              ///< The size of all these files together.
};

/// Reads `directory`. Throws InputError if its trajectory is missing or unreadable, unless a summary says
/// that the run failed or has not ended.
RunDescription describe(const std::string& directory);

}  // namespace electret
