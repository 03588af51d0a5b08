#pragma once
/// \file
/// `[contact]`, `[[contact.pair]]` and `[[body.contact]]`: what obstacles share, and which vertices may touch
/// them.

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include <electret/core/types.hpp>
#include <electret/scene/numbers.hpp>

namespace electret {

struct SceneTable;

/// `[[contact.pair]]`: the friction of one body on one obstacle.
struct ContactPair {
  std::vector<std::string> between{};  ///< A body and an obstacle, in either order.
  double friction = 0.0;               ///< Coulomb's coefficient, 0 … 2.
};

/// `[contact]`: what obstacles have that do not say it themselves.
struct ContactOptions {
  std::string law = "exact";          ///< One of `obstacle_laws`.
  double thickness = 0.0;             ///< m: by how much exact obstacles are thicker than their shapes.
  std::optional<double> friction{};   ///< Coulomb's coefficient, 0 … 2; absent: 0.
  std::vector<std::string> bodies{};  ///< Those that touch exact obstacles; empty: all.
  std::vector<ContactPair> pairs{};
};

/// `[[body.contact]]`: vertices that may touch exact obstacles.
struct ContactVertices {
  std::string group{};
};

/// The vertices of a `[[body.contact]]`.
struct ContactGroup {
  std::size_t body = 0;
  std::vector<Index> vertices;  ///< Global indices, sorted.
};

/// A `[[contact.pair]]`.
struct ContactPairTrack {
  std::size_t body = 0, obstacle = 0;
  double friction = 0.0;
};

/// Coulomb's coefficient between a body and an exact obstacle, and the number that it is.
struct ContactFriction {
  double value = 0.0;
  NumberId source;
};
/// That of the pair, else the obstacle's own, else that of `[contact]`.
ContactFriction friction_between(const Assembly& assembly, std::size_t body, std::size_t obstacle);

/// The vertices that may touch exact obstacles, ascending: of the bodies that `[contact]` names those of
/// their contact groups, else all but the inner ones of solids. Vertices that are not free are left out.
std::vector<Index> touching_vertices(const Assembly& assembly, const std::vector<char>& is_free);
/// Those that no pin holds.
std::vector<Index> touching_vertices(const Assembly& assembly);

/// Their kinds of numbers.
namespace number {
extern const NumberKind contact_friction, contact_pair_friction;
}

/// The tables themselves.
SceneTable contact_table();
SceneTable contact_pair_table();
SceneTable body_contact_table();

}  // namespace electret
