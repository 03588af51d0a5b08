#pragma once
/// \file
/// The `[integrator]` settings.

#include <array>
#include <string>
#include <string_view>

namespace electret {

/// The values of `method`, and values that this version does not offer.
inline constexpr std::array<std::string_view, 9> integrator_methods = {
    "auto",        "imex",   "newton",           "linear_implicit", "kick_midpoint",
    "kick_trbdf2", "verlet", "symplectic_euler", "explicit_euler"};
inline constexpr std::array<std::string_view, 1> later_integrator_methods = {"multirate"};

/// The methods that solve no system of equations, so that their steps need no matrix of masses and
/// stiffnesses.
inline constexpr std::array<std::string_view, 3> explicit_integrator_methods = {"verlet", "symplectic_euler",
                                                                                "explicit_euler"};

/// The methods that take energy from oscillations that the step does not resolve.
inline constexpr std::array<std::string_view, 4> damping_integrator_methods = {
    "imex", "newton", "linear_implicit", "kick_trbdf2"};

/// The values of `elastic_solver`.
inline constexpr std::array<std::string_view, 4> elastic_solvers = {"auto", "lbfgs", "local_global",
                                                                    "newton_cg"};

/// Two more values, for tests and benchmarks in C++: Newton's method with a Hessian factored in every
/// iteration, and one of the two solvers that `auto` chooses from.
inline constexpr std::string_view newton_baseline = "newton_cholesky", diagonal_solver = "lbfgs_diagonal";

/// The values of `linear_solver`.
inline constexpr std::array<std::string_view, 2> linear_solvers = {"cg", "jacobi"};

struct IntegratorOptions {
  std::string method = "imex";  ///< One of integrator_methods.
  double tolerance = 1e-6;      ///< Implicit methods: a step's solve stops at this relative gradient norm.
  /// Implicit methods: the most iterations of a step. A step that needs more is reported.
  int max_iterations = 200;
  std::string elastic_solver = "auto";  ///< One of elastic_solvers.
  std::string linear_solver = "cg";     ///< linear_implicit: one of linear_solvers.
  double jacobi_weight = 0.3;  ///< linear_implicit: the Jacobi iteration's weight ω, 0 < ω ≤ 0.5.
};

}  // namespace electret
