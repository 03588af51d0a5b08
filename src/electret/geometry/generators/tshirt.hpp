#pragma once
/// \file
/// A T-shirt: two layers of quads sewn at the sides, sleeves and shoulders, open at neck, hem and cuffs.

#include <electret/geometry/generators.hpp>

namespace electret {

struct TshirtOptions {
  double height = 0.7;    ///< m, from the hem to the highest point of the shoulders.
  Count vertices = 1000;  ///< ≥ 100.
};

/// The shirt lies in the xz plane, with z up from the hem and the front towards -y. The front bulges forwards
/// and the back backwards. Seam vertices belong to both layers. Groups "front", "back" (both with the seams),
/// "seams", "left_sleeve" (x > 0: the wearer's left), "right_sleeve", "left_shoulder", "right_shoulder" (the
/// shoulder seams), and the open rims "neck", "hem", "left_cuff", "right_cuff".
Mesh tshirt(const TshirtOptions& options);

const Shape& tshirt_shape();

}  // namespace electret
