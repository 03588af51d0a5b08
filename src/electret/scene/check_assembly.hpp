#pragma once
/// \file
/// What `compile` checks of an assembly that a caller may have made or changed.

#include <algorithm>

#include <electret/core/arguments.hpp>
#include <electret/scene/assembly.hpp>

namespace electret {

/// Throws std::invalid_argument, which says what is wrong, if arrays of `assembly` do not fit each other, if
/// an index is out of range, if a number is not finite, or if one of a vertex, spring or element is outside
/// the range of the scene's key that sets it. Masses are left to `check_masses`. Assemblies from `assemble`
/// and `load_scene` pass. O(numbers of the assembly).
void check_assembly(const Assembly& assembly);

/// Throws std::invalid_argument for a mass that is not positive and finite. It comes after the elements,
/// because an inverted rest shape, which is a divergence, has negative masses if they follow from a density.
void check_masses(const Assembly& assembly);

/// Whether all `indices` are numbers of `count` items.
template <class Indices>
bool are_below(const Indices& indices, std::size_t count) {
  return std::all_of(indices.begin(), indices.end(),
                     [count](Index i) { return i >= 0 && static_cast<std::size_t>(i) < count; });
}

/// Whether the key-frames have at least one key, or none if `may_be_empty`.
template <class T>
bool are_keys(const KeyFrames<T>& keys, bool may_be_empty) {
  return keys.times.size() == keys.values.size() && (may_be_empty || !keys.empty());
}

/// Checks that the elements of `set` exist.
inline void check_set(const Assembly& a, const ElementSet& set) {
  require_argument(
      are_below(set.tetrahedra, a.tetrahedra.size()) && are_below(set.hexahedra, a.hexahedra.size()),
      "assembly: a material or muscle names an element that does not exist");
}

}  // namespace electret
