#pragma once
/// \file
/// `[[body.load]]`.

#include <optional>
#include <string>
#include <vector>

#include <electret/scene/keyframes.hpp>
#include <electret/scene/numbers.hpp>
#include <electret/scene/per_item.hpp>

namespace electret {

struct SceneTable;

/// `[[body.load]]`: forces on vertices, times a factor over time. Either `force` acts on each vertex of
/// `group`, or `forces` has one force per vertex of the body. Several loads add up.
struct Load {
  std::string group{};
  std::optional<Vec3> force{};  ///< N, world axes.
  PerItem<Vec3> forces{};       ///< N, world axes.
  KeyFrames<double> factor{};   ///< Empty: 1 for all time.
};

/// One `[[body.load]]`: `forces` times `factor`(t). `forces` is one force for all of `vertices`, or one per
/// vertex.
struct LoadTrack {
  std::vector<Index> vertices;  ///< Global indices, sorted.
  VectorArray forces;           ///< 1 or vertices.size(), N.
  KeyFrames<double> factor;     ///< Empty: 1 for all time.
  std::string name;             ///< "body.NAME.load.I".

  /// The force on vertices[k] if the factor is 1, N.
  [[nodiscard]] const Vec3& force(std::size_t k) const { return forces[forces.size() == 1 ? 0 : k]; }
  /// The factor at `time` (s) in a run of steps of `time_step` (s).
  [[nodiscard]] double factor_at(double time, double time_step) const {
    return factor.empty() ? 1.0 : evaluate(factor, time, time_step);
  }
};

/// Its kinds of numbers.
namespace number {
extern const NumberKind load_forces, load_factors;
}

/// The table itself.
SceneTable load_table();

}  // namespace electret
