#pragma once
/// \file
/// The masses of bodies that have a density, from the volumes of their elements at rest.

#include <optional>

#include <electret/scene/assembly.hpp>

namespace electret {

/// The density of the body that vertex `v` belongs to, kg/m³; nothing if its masses are given in another way.
std::optional<double> density_of(const Assembly& assembly, Index v);

/// Call this after rest positions have moved. It computes the volumes anew, and from them the masses of
/// bodies that have a density; the density stays the same.
void update_lumped_masses(Assembly& assembly);

}  // namespace electret
