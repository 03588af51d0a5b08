#pragma once
/// \file
/// `[[body.pin]]`.

#include <optional>
#include <string>
#include <vector>

#include <electret/scene/keyframes.hpp>
#include <electret/scene/numbers.hpp>

namespace electret {

struct SceneTable;

/// The directions in which a pin holds, by unit vectors: along `normal` alone, or across `axis`; all if both
/// are 0.
struct PinHold {
  Vec3 normal{}, axis{};

  [[nodiscard]] bool is_whole() const { return normal == Vec3{} && axis == Vec3{}; }
  /// P, on the directions that are held.
  [[nodiscard]] Mat3 projector() const;
};

/// `[[body.pin]]`: a group that is held in place, or moved by offsets from its initial place.
struct Pin {
  std::string group{};
  KeyFrames<Vec3> offsets{};             ///< m, world axes; empty: held in place.
  std::optional<Vec3> normal{}, axis{};  ///< Any length but 0; at most one of them.
};

/// Pinned vertices (Dirichlet conditions). A vertex is in several tracks only if they hold perpendicular
/// directions.
struct PinTrack {
  std::vector<Index> vertices;  ///< Global indices, sorted.
  KeyFrames<Vec3> offsets;      ///< m; empty: held in place.
  std::string name;             ///< "body.NAME.pin[GROUP]".
  PinHold hold{};
};

/// Its kinds of numbers.
namespace number {
extern const NumberKind pin_offsets;
}

struct Assembly;

/// The vertices that pins hold, wholly or in some directions, ascending.
std::vector<Index> pinned_vertices(const Assembly& assembly);

/// The table itself.
SceneTable pin_table();

}  // namespace electret
