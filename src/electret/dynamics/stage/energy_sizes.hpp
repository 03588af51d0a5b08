#pragma once
/// \file
/// How large the terms of the elastic energy are, of which its rounding is a part.

#include <electret/dynamics/system.hpp>

namespace electret {

/// Σ over elements of the energy at a strain of about 1, J: Σ k l² of springs, and about Σ V (μ + λ) of
/// solids.
double energy_size(const System& system);

}  // namespace electret
