#pragma once
/// \file
/// Physical constants, SI.

namespace electret {

/// Coulomb's constant k_c, N m²/C².
inline constexpr double coulomb_constant = 8.9875517923e9;

}  // namespace electret
