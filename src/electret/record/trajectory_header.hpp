#pragma once
/// \file
/// The constant part of a run, which is the beginning of trajectory.h5.

#include <span>
#include <string>
#include <vector>

#include <electret/core/types.hpp>
#include <electret/dynamics/system.hpp>
#include <electret/scene/assembly.hpp>

namespace electret {

/// Views of the caller's arrays.
struct TrajectoryHeader {
  ScalarView masses;                    ///< n, kg.
  ScalarView charges;                   ///< n, C; used if charges do not change.
  bool charges_change = false;          ///< /charges is (f, n), else (n).
  VectorView rest_positions;            ///< n×3, m.
  std::span<const Spring> springs;      ///< s.
  std::span<const Triangle> faces;      ///< F; the dataset is left out if empty.
  std::span<const Count> body_offsets;  ///< bodies + 1.
  std::string scene;                    ///< The scene file's text.
  /// Its overrides, one "KEY=VALUE" or "--unset KEY" per line; empty if there are none.
  std::string overrides;
  double time_step = 0.0;                               ///< h of the first step, s: attribute `step`.
  std::vector<std::string> body_names;                  ///< One per body.
  std::span<const NamedGroup> groups;                   ///< Vertex groups of the bodies.
  std::span<const NamedElementGroup> element_groups{};  ///< Element groups of the bodies.
  std::span<const Tetrahedron> tetrahedra{};            ///< T; left out if empty, like the hexahedra.
  std::span<const Hexahedron> hexahedra{};              ///< H.
  /// Those of bodies that were made from one; left out if empty.
  std::span<const CarriedSurface> surfaces{};
  std::vector<Index> pins{};  ///< p, pinned vertices, ascending; left out if empty.
  /// The names of all obstacles, if some push exactly. Then the file has the folder /contact.
  std::vector<std::string> obstacles{};
  /// Whether bodies may touch each other. Then the file has the folder /contact_pairs.
  bool has_contact_pairs = false;
};

/// The header of an assembly. The caller fills in the charges.
TrajectoryHeader trajectory_header(const Assembly& assembly);

/// Whether a run of this system, or of it after changes of its scene, has charges that are not those of the
/// start.
bool charges_change(const System& system);

}  // namespace electret
