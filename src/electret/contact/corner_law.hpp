#pragma once
/// \file
/// Signorini's and Coulomb's conditions at a vertex that may touch several walls at once (docs/contact.md,
/// "Corners").

#include <array>
#include <bit>
#include <span>

#include <electret/contact/coulomb_law.hpp>

namespace electret {

/// Walls that a vertex touches together are so many at most: three fix its place.
inline constexpr std::size_t most_walls = 3;

/// Sines of angles between directions up to this are those of rounding.
inline constexpr double rounded_sine = 1e-6;

/// A vertex and the walls next to it. All have its force and scale.
///
/// Directions in which the vertex is held already, such as a roller's, take part like walls that push both
/// ways and have no friction: the vertex moves perpendicular to them, and `force` need not have its parts
/// along them. A wall whose normal is held does not push, because the vertex cannot give way to it: what
/// holds the vertex bears it alone.
struct CornerPoint {
  std::array<ContactPoint, most_walls> walls;
  int count = 0;
  std::array<Vec3, 2> held{};  ///< Perpendicular unit vectors.
  int held_count = 0;

  [[nodiscard]] std::span<const ContactPoint> all() const {
    return {walls.data(), static_cast<std::size_t>(count)};
  }
  /// The normal of wall k without its parts along what is held: where the vertex gives way to the wall. 0 if
  /// it cannot.
  [[nodiscard]] Vec3 way_from(std::size_t k) const;
};

/// Which walls push, and how the vertex moves on them. `slip`: it moves on what they leave it, a plane or an
/// edge. `stick`: it keeps its place, by friction or because there is nothing left.
struct CornerMode {
  ContactState state = ContactState::free;
  unsigned closed = 0;  ///< Bit k: wall k pushes.
  int rests_on =
      0;  ///< On an edge: the side by whose friction it keeps its place, counted among the edge's two.

  /// As one number of a tape.
  [[nodiscard]] double code() const {
    return static_cast<double>(static_cast<unsigned>(state) + 4 * closed +
                               32 * static_cast<unsigned>(rests_on));
  }
  static CornerMode of(double code) {
    const auto number = static_cast<unsigned>(code);
    return {static_cast<ContactState>(number % 4), number / 4 % 8, static_cast<int>(number / 32)};
  }
};

/// The first wall that pushes.
inline std::size_t first_wall(const CornerMode& mode) {
  return static_cast<std::size_t>(std::countr_zero(mode.closed));
}
/// Whether one wall alone pushes and nothing is held. The vertex then has that wall's law.
inline bool is_of_one_wall(const CornerPoint& point, const CornerMode& mode) {
  return point.held_count == 0 && std::popcount(mode.closed) == 1;
}

/// C = c (x - y). y is where the vertex would go from x, against a resistance c (y - x), pushed by -f and by
/// the walls, as the law has it. It is x if the law holds. With one wall, this is the C of coulomb_law.hpp.
struct CornerResidual {
  CornerMode mode;
  Vec3 value;           ///< C.
  ContactResidual one;  ///< Of the only wall that pushes, if it is only one and nothing is held.
  /// Where walls leave the vertex no place: how far it is beyond one of them after the move -C/c, m. The law
  /// cannot hold there, not even with C = 0.
  double excess = 0.0;
};

/// How a number depends on one wall of a corner: on φ, n, x̃ and μ.
struct WallCotangent {
  double distance = 0.0;
  Vec3 normal, carried;
  double friction = 0.0;
};
/// How it depends on all walls, and on the place to which the vertex is held.
struct CornerCotangent {
  std::array<WallCotangent, most_walls> walls;
  Vec3 held;  ///< Along the held directions.
};

/// Evaluates C. Of several answers, which large friction in a narrow corner may have, it is that with the
/// fewest walls.
CornerResidual corner_residual(const CornerPoint& point);

/// Each wall's part of the force at a solution. Where the vertex keeps its place, walls may share it in
/// several ways. Then all that are touched push along their normals, and what is left, along the edge of two
/// of them, they bear in equal parts if they can: this is the least friction. If a wall would have to pull
/// so, it is left out.
std::array<Vec3, most_walls> corner_forces(const CornerPoint& point, const CornerMode& mode);
/// What the vertex does on wall k: it slides against it, or does not, or is not pushed.
ContactState state_on_wall(const CornerPoint& point, std::size_t k, const Vec3& push);

/// As `reduce_contact`. Vertices on an edge that slip have k = 1, those that keep their place k = 0.
ReducedContact reduce_corner(Index vertex, const CornerPoint& point, const CornerResidual& residual);

/// At a solution in `mode`: the constraint of the linearised law, curvature included.
VertexConstraint corner_constraint(Index vertex, const CornerPoint& point, const CornerMode& mode);
/// The adjoint of that law, as `adjoint_of_contact`: what each wall, and what holds the vertex, pass on from
/// z and `remainder` at the vertex. Nothing in the state free.
CornerCotangent corner_adjoint(const CornerPoint& point, const CornerMode& mode, const Vec3& z,
                               const Vec3& remainder);

}  // namespace electret
