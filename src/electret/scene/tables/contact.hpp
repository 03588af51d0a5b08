#pragma once
/// \file
/// `[contact]`, `[[contact.pair]]` and `[[body.contact]]`: what touches what, and how.

#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <electret/core/types.hpp>
#include <electret/scene/numbers.hpp>

namespace electret {

struct SceneTable;

/// `[[contact.pair]]`: the friction of two that touch, or that they do not.
struct ContactPair {
  /// A body and an obstacle, in either order, or two bodies, or a body twice.
  std::vector<std::string> between{};
  std::optional<double> friction{};  ///< Coulomb's, 0 … 2, or infinite: "stick". Or `ignore`.
  bool ignore = false;               ///< They pass through each other. Of bodies alone.
};

/// What bodies may touch.
inline constexpr auto contact_partners = std::to_array<std::string_view>({"obstacles", "bodies", "self"});

/// `[contact]`: what touches what, and what obstacles have that do not say it themselves.
struct ContactOptions {
  /// Of `contact_partners`.
  std::vector<std::string> against{"obstacles"};
  std::string law = "exact";  ///< One of `obstacle_laws`.
  /// m: by how much exact obstacles are thicker than their shapes. Bodies repel each other below it.
  double thickness = 0.0;
  std::optional<double> friction{};   ///< Coulomb's, 0 … 2, or infinite: "stick"; absent: 0.
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
  static constexpr std::size_t none = static_cast<std::size_t>(-1);
  std::size_t body = 0, obstacle = none;  ///< `none` of a pair of bodies.
  std::size_t other = none;               ///< The other body, or the same; `none` of a pair with an obstacle.
  double friction = 0.0;
  bool is_ignored = false;
};

/// Coulomb's coefficient between a body and an exact obstacle, and the number that it is.
struct ContactFriction {
  double value = 0.0;
  NumberId source;
};
/// That of the pair, else the obstacle's own, else that of `[contact]`.
ContactFriction friction_between(const Assembly& assembly, std::size_t body, std::size_t obstacle);

/// That between two bodies, or of a body with itself: the pair's, else that of `[contact]`.
ContactFriction friction_between_bodies(const Assembly& assembly, std::size_t a, std::size_t b);

/// The vertices that may touch exact obstacles, ascending: of the bodies that `[contact]` names those of
/// their contact groups, else all but the inner ones of solids. Vertices that are not free are left out.
std::vector<Index> touching_vertices(const Assembly& assembly, const std::vector<char>& is_free);
/// Those that no pins hold in all directions.
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
