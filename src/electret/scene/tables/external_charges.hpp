#pragma once
/// \file
/// `[[external_charge]]`.

#include <string>

#include <electret/scene/keyframes.hpp>
#include <electret/scene/numbers.hpp>

namespace electret {

struct SceneTable;

/// `[[external_charge]]`: fixed, key-framed, or the vertices of a mesh.
struct ExternalCharge {
  KeyFrames<double> charge{};  ///< C; for a mesh the total, split evenly over its vertices.
  KeyFrames<Vec3> position{};  ///< m; for a mesh, added to its coordinates.
  std::string mesh{};          ///< Empty: a single charge.
  double width = 0.0;          ///< σ, m; 0: point charge, > 0: Gaussian ball.
};

/// One `[[external_charge]]`. A single charge has one point, at the origin. Point k is at points[k] +
/// position(t) and carries charge(t)/points.size().
struct ExternalChargeTrack {
  VectorArray points;
  KeyFrames<double> charge;  ///< C, of all points together.
  KeyFrames<Vec3> position;  ///< m.
  double width = 0.0;        ///< m.
};

/// Its kinds of numbers.
namespace number {
extern const NumberKind external_charge, external_position;
}

/// The table itself.
SceneTable external_charge_table();

}  // namespace electret
