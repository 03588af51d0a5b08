#pragma once
/// \file
/// The scenes that several experiments run.

#include "scene_source.hpp"

namespace electret::experiments {

/// The charged torus of [MSC]: 145 points far from each other on a torus (R = 1 m, r = 0.4 m), springs of
/// 10 N/m to the 24 nearest, 1 kg and 6 µC each, released at rest.
[[nodiscard]] SceneSource torus_scene();

/// What stands for the bunny of [MSC], whose mesh is not published: `generate`'s blob with `vertices`
/// vertices, about 4 m across, springs of `stiffness` (N/m) to the 12 nearest, 1 kg and `charge` (C) each, at
/// rest.
[[nodiscard]] SceneSource bunny_scene(Count vertices, double stiffness, double charge);

/// The surface of `generate`'s duck, `length` m long, of `vertices` vertices, as an OBJ file.
[[nodiscard]] std::string duck_obj(double length, double vertices);

/// The scene without the keys of penalties, which an override of the law does not take away.
[[nodiscard]] SceneSource without_penalty(SceneSource scene);

/// The settings of both, for the report.
void add_torus_settings(Report& report);
void add_bunny_settings(Report& report, Count vertices);

}  // namespace electret::experiments
