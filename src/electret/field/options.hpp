#pragma once
/// \file
/// The `[coulomb]` settings.

#include <optional>
#include <string>

#include <electret/core/constants.hpp>

namespace electret {

/// `[coulomb]` of a scene; the defaults are the scene format's.
struct FieldOptions {
  std::string solver = "auto";  ///< auto | direct (ddef, fmm: not in this version).
  std::optional<double>
      accuracy;  ///< Asked relative L2 error of the field; absent: direct computes in float64.
  double constant = coulomb_constant;  ///< k_c, N m²/C².
  double softening = 0.0;              ///< Plummer softening ε, m.
  std::string device = "auto";         ///< auto | cpu (cuda: not in this version).

  friend bool operator==(const FieldOptions&, const FieldOptions&) = default;
};

}  // namespace electret
