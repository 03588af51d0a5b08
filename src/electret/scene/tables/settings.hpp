#pragma once
/// \file
/// The scene's name, `[time]`, `[integrator]`, `[coulomb]`, `[gravity]` and `[output]`: tables whose structs
/// are the options of the rooms that read them.

#include <electret/scene/numbers.hpp>

namespace electret {

struct SceneTable;

/// Their kind of numbers.
namespace number {
extern const NumberKind gravity;
}

SceneTable scene_table();
SceneTable time_table();
SceneTable integrator_table();
SceneTable coulomb_table();
SceneTable ddef_table();
SceneTable gravity_table();
SceneTable output_table();

}  // namespace electret
