#pragma once
/// \file
/// What `compile` checks of an assembly that a caller may have made or changed.

#include <electret/scene/assembly.hpp>

namespace electret {

/// Throws std::invalid_argument, which says what is wrong, if arrays of `assembly` do not fit each other, if
/// an index is out of range, if a position, velocity or charge is not finite, or if a constant of a spring,
/// material or muscle is outside its range.
/// Assemblies from `assemble` and `load_scene` pass. O(numbers of the assembly).
void check_assembly(const Assembly& assembly);

/// Throws std::invalid_argument for a mass that is not positive and finite. It comes after the elements,
/// because an inverted rest shape, which is a divergence, has negative masses if they follow from a density.
void check_masses(const Assembly& assembly);

}  // namespace electret
