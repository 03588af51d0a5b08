#include <electret/core/errors.hpp>
#include <electret/core/text.hpp>
#include <electret/dynamics/euler.hpp>
#include <electret/dynamics/imex.hpp>
#include <electret/dynamics/integrator.hpp>
#include <electret/dynamics/kick_midpoint.hpp>
#include <electret/dynamics/verlet.hpp>
#include <electret/scene/report.hpp>

namespace electret {

std::unique_ptr<Integrator> make_integrator(System& system, const IntegratorOptions& options) {
  if (options.method == "imex") return make_imex(system, options);
  if (options.method == "newton") return make_newton(system, options);
  if (options.method == "kick_midpoint") return make_kick_midpoint(system, options);
  if (options.method == "verlet") return make_verlet(system);
  if (options.method == "symplectic_euler") return make_symplectic_euler(system);
  if (options.method == "explicit_euler") return make_explicit_euler(system);
  throw InputError(Finding{place_of(system.assembly.scene.source, "integrator.method"),
                           "method " + in_quotes(options.method) + " is not available in this version",
                           "allowed: " + joined(integrator_methods)});
}

}  // namespace electret
