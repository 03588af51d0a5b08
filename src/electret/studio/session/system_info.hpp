#pragma once
/// \file
/// What pages are told of a system.

#include <electret/scene/assembly.hpp>
#include <electret/studio/session/events.hpp>
#include <electret/studio/session/scalars.hpp>
#include <electret/studio/session/shown.hpp>
#include <electret/studio/session/surroundings.hpp>

namespace electret::studio {

/// All that is drawn of a system but for its frames.
struct Scenery {
  Shown shown;
  Scalars scalars;
  Surroundings surroundings;
  SystemInfo info;

  /// A number that grows when what pages build once becomes other: springs, groups, obstacles.
  [[nodiscard]] Count shapes_number() const {
    return shown.topology_number() + surroundings.obstacles_number();
  }
};

/// Of a scene. `generation` tells its frames from others'.
[[nodiscard]] Scenery scenery_of(const Assembly& assembly, std::uint32_t generation, int threads);

/// Fills what a scene's text says: name, method, step, gravity, surroundings, scalars, bodies, box.
void describe(const Scene& scene, Scenery& scenery);

}  // namespace electret::studio
