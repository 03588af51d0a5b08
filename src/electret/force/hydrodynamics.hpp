#pragma once
/// \file
/// Drag and thrust of water on the faces of bodies ([DiffPD] section 7.2; docs/physics.md, "Water").

#include <array>
#include <limits>
#include <memory>
#include <vector>

#include <electret/core/parallel.hpp>
#include <electret/force/explicit_force.hpp>
#include <electret/geometry/wet_faces.hpp>

namespace electret {

struct Water {
  double density = 1000.0;                             ///< ρ, kg/m³.
  Vec3 velocity;                                       ///< m/s.
  std::array<double, 4> drag{0.05, 0.05, 1.85, 2.05};  ///< Ordinates of C_d.
  std::array<double, 4> thrust{-0.8, -0.5, 0.1, 2.5};  ///< Ordinates of C_t.
  /// The most of each component of a vertex's force, N.
  double max_force = std::numeric_limits<double>::infinity();
};

/// ½ρA|u|² (C_d d - C_t n) on each face, in equal parts on its corners; u is the water's velocity as seen
/// from the face, d = u/|u|. Triangles count with their area, which is half of what [DiffPD]'s code takes.
/// The force does no field work: what it takes from the bodies is dissipation, which may be negative.
/// Components at `max_force` have no derivatives. Parameters: 0 "density" (1, kg/m³), 1 "velocity" (3, m/s),
/// 2 "drag" (4), 3 "thrust" (4). `threads` must outlive the force. Throws InternalError for a corner outside
/// of the vertices.
std::unique_ptr<ExplicitForce> make_hydrodynamic_force(const Water& water, std::vector<WetFace> faces,
                                                       Index vertex_count, Threads& threads);

}  // namespace electret
