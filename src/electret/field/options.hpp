#pragma once
/// \file
/// The `[coulomb]` settings.

#include <array>
#include <optional>
#include <string>
#include <string_view>

#include <electret/core/constants.hpp>
#include <electret/core/types.hpp>

namespace electret {

/// A value of `solver`, and what it does. `does` is a predicate, for help texts and documents.
struct FieldSolverValue {
  std::string_view name, does;
};

inline constexpr auto field_solver_values = std::to_array<FieldSolverValue>(
    {{"auto", "takes direct or fmm by the number of charges and the accuracy"},
     {"direct", "sums every pair"},
     {"ddef", "interpolates the far field on a tetrahedral grid"},
     {"fmm", "is a fast multipole method"}});

/// The names of the solvers.
inline constexpr auto field_solvers = [] {
  std::array<std::string_view, field_solver_values.size()> names;
  for (std::size_t i = 0; i < names.size(); ++i) names[i] = field_solver_values[i].name;
  return names;
}();

/// The values of `device`, and the values that are not available in this version.
inline constexpr std::array<std::string_view, 2> field_devices = {"auto", "cpu"};
inline constexpr std::array<std::string_view, 1> later_field_devices = {"gpu"};

/// The smallest accuracy that `fmm` promises.
inline constexpr double best_fmm_accuracy = 1e-10;

/// The largest number of Halton points in a grid of `ddef`. With more points m, the tessellation and the far
/// sums (n·m) would cost too much. The default rule, about one point per hundred charges, takes this many for
/// 100 million charges.
inline constexpr Count most_ddef_grid_points = 1'000'000;

/// `[coulomb]` of a scene; the defaults are the scene format's.
struct FieldOptions {
  std::string solver = "auto";       ///< One of field_solvers.
  std::optional<double> accuracy{};  ///< Requested relative L2 error of the field. Absent: direct computes in
                                     ///< float64, ddef and fmm aim at 1e-3.
  double constant = coulomb_constant;  ///< k_c, N m²/C².
  double softening = 0.0;              ///< Plummer softening ε, m.
  /// The number of Halton points in `ddef`'s grid, without the corners of the box: 1 to a million. Absent:
  /// `ddef` chooses.
  std::optional<Count> ddef_grid_points{};
  bool ddef_half_taylor =
      false;  ///< `ddef` interpolates with half the first Taylor term: exact for quadratics.
  std::string device = "auto";  ///< One of field_devices.

  friend bool operator==(const FieldOptions&, const FieldOptions&) = default;
};

}  // namespace electret
