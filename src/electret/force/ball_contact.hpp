#pragma once
/// \file
/// The force between balls that touch ([DiffPD] section 7.5; docs/physics.md, "Balls").

#include <memory>
#include <vector>

#include <electret/force/explicit_force.hpp>

namespace electret {

/// The vertices of one ball: `first` … `first + count - 1`.
struct BallVertices {
  Index first = 0, count = 0;
};

struct BallContact {
  double radius = 0.0;              ///< r, m.
  std::vector<double> stiffnesses;  ///< k, N/m, one per ball.
  std::vector<double> frictions;    ///< c, one per ball.
};

/// Two balls whose centres c, the means of their vertices, are at a distance D < 2r push each other. With
/// n = (c_j - c_i)/D, δ = 2r - D and w the mean velocity of i less that of j,
///
///   on i: k_i δ (-n + c_i t), on j: k_j δ (n - c_j t), t = σ (-n_y, n_x, 0),
///
/// where σ = 1 if w_x n_y - w_y n_x > 0, else -1, so that w·t ≤ 0. A ball's force acts in equal parts on its
/// vertices. Action is reaction only of balls with equal numbers. The friction is that of the
/// means: spin does not count, and it has its full size however slowly they slide. Centres at one place do
/// not push. The force has no potential; it does field work.
///
/// σ has no derivative, so that the force has none by velocities. Parameters: 0 "radius" (1, m),
/// 1 "stiffnesses" (balls, N/m), 2 "frictions" (balls). Throws InternalError for a ball without vertices or
/// with vertices that do not exist, and unless each ball has its numbers.
std::unique_ptr<ExplicitForce> make_ball_contact_force(BallContact law, std::vector<BallVertices> balls,
                                                       Index vertex_count);

}  // namespace electret
