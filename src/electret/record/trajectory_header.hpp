#pragma once
/// \file
/// What of a run does not change while it lasts: the beginning of trajectory.h5.

#include <span>
#include <string>
#include <vector>

#include <electret/core/types.hpp>
#include <electret/scene/assembly.hpp>

namespace electret {

/// Views of the caller's arrays.
struct TrajectoryHeader {
  ScalarView masses;                                    ///< n, kg.
  ScalarView charges;                                   ///< n, C: where they do not change.
  bool charges_change = false;                          ///< /charges is (f, n), else (n).
  VectorView rest_positions;                            ///< n×3, m.
  std::span<const Spring> springs;                      ///< s.
  std::span<const Triangle> faces;                      ///< F; the dataset is left out when empty.
  std::span<const Count> body_offsets;                  ///< bodies + 1.
  std::string scene;                                    ///< The scene file's text.
  std::string overrides;                                ///< "KEY=VALUE" lines put over it; empty when none.
  double time_step = 0.0;                               ///< h, s: attribute `step`.
  std::vector<std::string> body_names;                  ///< One per body.
  std::span<const NamedGroup> groups;                   ///< Vertex groups of the bodies.
  std::span<const NamedElementGroup> element_groups{};  ///< Of the bodies.
  std::span<const Tetrahedron> tetrahedra{};            ///< T; left out when empty, like the hexahedra.
  std::span<const Hexahedron> hexahedra{};              ///< H.
  std::span<const CarriedSurface> surfaces{};           ///< Of bodies made from one; left out when empty.
};

/// Of an assembly; the charges are left to the caller.
TrajectoryHeader trajectory_header(const Assembly& assembly);

}  // namespace electret
