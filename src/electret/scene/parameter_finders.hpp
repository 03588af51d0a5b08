#pragma once
/// \file
/// The parameters of one kind that an assembly has: each function is the `find` of rows of
/// parameter_rows.cpp. Names end in `suffix`.

#include <electret/scene/parameters.hpp>

namespace electret::detail {

using Found = std::vector<Parameter>;

/// One parameter per body. It covers the body's vertices or springs: those from `offsets`[b] to
/// `offsets`[b + 1].
Found of_bodies(const Assembly& a, const char* suffix, NumberKind kind, std::size_t columns, bool is_common,
                const std::vector<Count>& offsets);

/// The body's own charge: that of the vertices that no group charge overrides.
Found own_charges(const Assembly& a);

/// Group charges, constant or key-framed. If a group is written twice, the later entry has all its vertices.
Found group_charges(const Assembly& a, bool key_framed);

/// The charges of external charges, C: those with one key, or the key-framed ones.
Found external_charges(const Assembly& a, const char* suffix, bool key_framed);

/// The positions of external charges, m: those with one key, or the key-framed ones.
Found external_positions(const Assembly& a, const char* suffix, bool key_framed);

/// The named constants of electric fields' formulas.
Found field_constants(const Assembly& a);

/// A number of all obstacles, or of those with friction.
Found of_obstacles(const Assembly& a, const char* suffix, NumberKind kind, bool need_friction);

/// The key-framed offsets of moved pins, m.
Found pin_offsets(const Assembly& a);

/// Loads with one force for a whole group, or with one per vertex.
Found load_forces(const Assembly& a, bool of_each_vertex);

/// The key-framed factors of loads.
Found load_factors(const Assembly& a);

/// The number `suffix` of each material: one value for all its elements.
Found of_materials(const Assembly& a, const char* suffix, NumberKind kind);

/// The numbers `suffix` of each muscle: one value for all of them, or one each.
Found of_muscles(const Assembly& a, const char* suffix, NumberKind kind, bool is_common);

/// The rest positions of bodies with volume elements, m.
Found rest_positions(const Assembly& a);

/// The densities of bodies that have one. Their masses are its `shares`.
Found densities(const Assembly& a);

/// A setting of the whole scene. A setting of 0 has a derivative, too: see `IdleForces`.
Found setting(const char* name, NumberKind kind, std::size_t columns);

}  // namespace electret::detail
