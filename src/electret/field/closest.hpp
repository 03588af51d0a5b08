#pragma once
/// \file
/// How close two points may be for differences of rounded coordinates.

namespace electret {

/// The |r|² (coordinates within 1 of the frame's centre) below which compensated float32 differences may
/// change K by more than 1e-6. Coordinates that are rounded by δ = 2⁻⁵⁰ change K by at most 4√3 δ/|r|.
inline constexpr float closest_for_compensated = 3.6e-17F;

}  // namespace electret
