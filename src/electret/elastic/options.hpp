#pragma once
/// \file
/// The materials of volume elements: what `[[body.material]]` may name (docs/finite-elements.md).

#include <array>
#include <string_view>

namespace electret {

/// The models; material.hpp has their equations.
enum class MaterialModel { projective, corotated, fixed_corotated, neo_hookean, stable_neo_hookean, linear };

/// The values of `model`, in the order of the enumeration. Scenes, tests and documents go by this list.
inline constexpr auto material_models = std::to_array<std::string_view>(
    {"projective", "corotated", "fixed_corotated", "neo_hookean", "stable_neo_hookean", "linear"});

}  // namespace electret
