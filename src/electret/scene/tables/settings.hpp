#pragma once
/// \file
/// The tables of settings: the scene's name, `[time]`, `[integrator]`, `[coulomb]`, `[gravity]`, `[damping]`
/// and `[output]`. Their structs are the options of the rooms that read them.

#include <electret/scene/numbers.hpp>

namespace electret {

struct SceneTable;

/// Their kinds of numbers.
namespace number {
extern const NumberKind gravity, drag, spring_damping;
}

SceneTable scene_table();
SceneTable time_table();
SceneTable integrator_table();
SceneTable coulomb_table();
SceneTable ddef_table();
SceneTable gravity_table();
SceneTable damping_table();
SceneTable output_table();

}  // namespace electret
