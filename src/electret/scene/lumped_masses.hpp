#pragma once
/// \file
/// Masses of bodies with a density, from the volumes of their elements at rest.

#include <optional>

#include <electret/scene/assembly.hpp>

namespace electret {

/// The density of the body that vertex `v` is of, kg/m³; nothing where its masses are given otherwise.
std::optional<double> density_of(const Assembly& assembly, Index v);

/// After rest positions moved: sets the volumes anew, and with them the masses of bodies with a density,
/// which stays as it is.
void update_lumped_masses(Assembly& assembly);

}  // namespace electret
