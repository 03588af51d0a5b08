#pragma once
/// \file
/// `[[body.pin]]`.

#include <string>
#include <vector>

#include <electret/scene/keyframes.hpp>
#include <electret/scene/numbers.hpp>

namespace electret {

struct SceneTable;

/// `[[body.pin]]`: a group that is held in place, or moved by offsets from its initial place.
struct Pin {
  std::string group{};
  KeyFrames<Vec3> offsets{};  ///< m, world axes; empty: held in place.
};

/// Pinned vertices (Dirichlet conditions). Each vertex is in one track only.
struct PinTrack {
  std::vector<Index> vertices;  ///< Global indices, sorted.
  KeyFrames<Vec3> offsets;      ///< m; empty: held in place.
  std::string name;             ///< "body.NAME.pin[GROUP]".
};

/// Its kinds of numbers.
namespace number {
extern const NumberKind pin_offsets;
}

struct Assembly;

/// The pinned vertices, ascending.
std::vector<Index> pinned_vertices(const Assembly& assembly);

/// The table itself.
SceneTable pin_table();

}  // namespace electret
