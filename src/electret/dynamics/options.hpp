#pragma once
/// \file
/// The `[integrator]` and `[damping]` settings.

#include <array>
#include <string>
#include <string_view>

namespace electret {

/// The values of `method`, and those that are not available in this version.
inline constexpr std::array<std::string_view, 9> integrator_methods = {
    "auto",        "imex",   "newton",           "linear_implicit", "kick_midpoint",
    "kick_trbdf2", "verlet", "symplectic_euler", "explicit_euler"};
inline constexpr std::array<std::string_view, 1> later_integrator_methods = {"multirate"};

/// The methods that solve no system of equations: their steps need no matrix of masses and stiffnesses.
inline constexpr std::array<std::string_view, 3> explicit_integrator_methods = {"verlet", "symplectic_euler",
                                                                                "explicit_euler"};

/// The values of `elastic_solver`.
inline constexpr std::array<std::string_view, 4> elastic_solvers = {"auto", "lbfgs", "local_global",
                                                                    "newton_cg"};

/// Further ones for tests and benchmarks in C++: Newton's method that factors its Hessian every time, and one
/// of the two that `auto` chooses from.
inline constexpr std::string_view newton_baseline = "newton_cholesky", diagonal_solver = "lbfgs_diagonal";

/// The values of `linear_solver`.
inline constexpr std::array<std::string_view, 2> linear_solvers = {"cg", "jacobi"};

struct IntegratorOptions {
  std::string method = "imex";  ///< One of integrator_methods.
  double tolerance = 1e-6;      ///< Implicit methods: relative gradient norm at which a step's solve stops.
  int max_iterations = 200;     ///< Implicit methods: cap a step; reported when hit.
  std::string elastic_solver = "auto";  ///< One of elastic_solvers.
  std::string linear_solver = "cg";     ///< linear_implicit: one of linear_solvers.
  double jacobi_weight = 0.3;           ///< Its Jacobi iteration's ω, 0 < ω ≤ 0.5.
};

struct DampingOptions {
  double drag = 0.0;    ///< 1/s: force -drag·m·v.
  double spring = 0.0;  ///< N s/m: relative velocity along each spring.
};

}  // namespace electret
