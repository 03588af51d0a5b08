#pragma once
/// \file
/// Warnings: what is allowed, but perhaps not meant, or may not end well.

#include <string>
#include <string_view>
#include <vector>

#include <electret/core/errors.hpp>

namespace electret {

/// What a warning is about, so that a caller can leave out those that do not concern it.
enum class WarningKind {
  unused_setting,       ///< A setting that the scene's methods do not read.
  loose_vertices,       ///< Vertices that nothing joins to their body.
  free_vertices,        ///< A body with faces whose vertices nothing joins.
  unused_charges,       ///< Charges on which nothing acts.
  unused_group,         ///< A group that no table of the scene names.
  late_key_frames,      ///< Key-frames after the run's end.
  too_many_neighbours,  ///< More neighbours than the body has other vertices.
  locking_material,     ///< A material that linear elements render too stiff.
  negative_activation,  ///< A muscle that pulls towards a stretch below 0.
  obstacle,             ///< Obstacles that the step does not resolve, that start within bodies, or that
                        ///< nothing can reach.
  resolution,           ///< Springs so stiff that the rounding of their forces hides a body's weight.
  water,                ///< Water that the step does not resolve, or on both sides of a surface by mistake.
  shapeless,            ///< A closed surface that keeps no shape of its own. `check` calls it a note.
  time_step,            ///< A step that does not resolve the fastest oscillation at the start.
  charge_step,          ///< The same for the closest charges.
  device,               ///< A run that goes on on another device or instruction set than before.
  memory,               ///< More memory than is free.
  disk,                 ///< More disk space than is free.
};

/// "unused_group".
[[nodiscard]] std::string_view name_of(WarningKind kind);

struct Warning {
  WarningKind kind;
  Location where;       ///< Without a file: it is about the machine, or a scene that was made in memory.
  std::string message;  ///< What may be wrong.
  std::string advice;   ///< What to do instead.
};

/// "scene.toml:LINE:COL: warning: what; what to do instead", as printable text. Without a place it begins
/// with "electret: warning: ". `word` may be "note" instead.
[[nodiscard]] std::string to_string(const Warning& warning, std::string_view word = "warning");

/// The same lines, one for each.
[[nodiscard]] std::vector<std::string> texts_of(const std::vector<Warning>& warnings);

}  // namespace electret
