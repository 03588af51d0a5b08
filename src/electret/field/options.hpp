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

/// Words that other programs have for a solver on a GPU. Here it is `device` that says where a solver runs.
inline constexpr std::array<std::string_view, 3> gpu_words = {"cuda", "gpu", "opencl"};
/// What a finding says to users who wrote one of them as `solver`.
inline constexpr std::string_view gpu_remedy = "for a GPU: device = \"gpu\"";

/// The values of `device`. The last one stands for all texts that begin with "gpu:" and name a device.
inline constexpr std::array<std::string_view, 4> field_devices = {"auto", "cpu", "gpu", "gpu:NAME"};

/// Whether `device` asks for a GPU, or for another device behind OpenCL by its name.
constexpr bool asks_for_gpu(std::string_view device) {
  return device == "gpu" || (device.starts_with("gpu:") && device.size() > 4);
}

/// Whether `device` is a value of `device`. Whether this machine has such a device is another question.
constexpr bool is_field_device(std::string_view device) {
  return device == "auto" || device == "cpu" || asks_for_gpu(device);
}

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
  /// Where the field is computed: "auto", "cpu", "gpu", or "gpu:NAME" for the device whose name or platform
  /// contains NAME, whatever the case of its letters ("gpu:NAME#2": the second such device). `auto` takes a
  /// GPU where a committed table of measured times says so (gpu/crossover.hpp).
  std::string device = "auto";

  friend bool operator==(const FieldOptions&, const FieldOptions&) = default;
};

}  // namespace electret
