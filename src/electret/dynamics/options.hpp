#pragma once
/// \file
/// The `[integrator]` and `[damping]` settings.

#include <string>

namespace electret {

struct IntegratorOptions {
  std::string method = "imex";  ///< imex | verlet | symplectic_euler | explicit_euler.
  double tolerance = 1e-6;      ///< Implicit methods: relative gradient norm at which a step's solve stops.
  int max_iterations = 200;     ///< Implicit methods: cap a step; reported when hit.
  std::string elastic_solver = "auto";  ///< auto | lbfgs | local_global.
};

struct DampingOptions {
  double drag = 0.0;    ///< 1/s: force -drag·m·v.
  double spring = 0.0;  ///< N s/m: relative velocity along each spring.
};

}  // namespace electret
