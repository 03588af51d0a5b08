#pragma once
/// \file
/// Places a mesh in the world: x' = translate + Rz·Ry·Rx·(scale·x).

#include <electret/core/types.hpp>

namespace electret {

/// Rz·Ry·Rx about the fixed world axes; `degrees` (3 angles). Exact for multiples of 90°.
Mat3 rotation(const Vec3& degrees);

/// Places `points` (n×3). The identity (scale 1, no rotation, no translation) leaves every bit as it is.
void place(VectorSpan points, double scale, const Vec3& rotate, const Vec3& translate);

}  // namespace electret
