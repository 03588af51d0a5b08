#include <utility>

#include <electret/core/errors.hpp>
#include <electret/core/text.hpp>
#include <electret/dynamics/integrator.hpp>
#include <electret/dynamics/integrator_choice.hpp>
#include <electret/dynamics/methods/euler.hpp>
#include <electret/dynamics/methods/imex.hpp>
#include <electret/dynamics/methods/kick_midpoint.hpp>
#include <electret/dynamics/methods/kick_trbdf2.hpp>
#include <electret/dynamics/methods/linear_implicit.hpp>
#include <electret/dynamics/methods/verlet.hpp>
#include <electret/scene/report.hpp>

namespace electret {
namespace {

/// The method of that name.
std::unique_ptr<Integrator> make_named(System& system, const std::string& method,
                                       const IntegratorOptions& options) {
  if (system.contacts && method != "imex" && method != "newton")
    throw InputError(Finding{
        place_of(system.assembly.scene.source, "integrator.method"),
        "method " + in_quotes(method) + " does not solve for obstacles with law = \"exact\" or \"sticking\"",
        "allowed with them: imex, newton"});
  if (system.body_contacts && method != "imex" && method != "newton")
    throw InputError(
        Finding{place_of(system.assembly.scene.source, "integrator.method"),
                "method " + in_quotes(method) + " does not solve for bodies that touch each other",
                "allowed with them: imex, newton"});
  if (method == "imex") return make_imex(system, options);
  if (method == "newton") return make_newton(system, options);
  if (method == "kick_midpoint") return make_kick_midpoint(system, options);
  if (method == "kick_trbdf2") return make_kick_trbdf2(system, options);
  if (method == "linear_implicit") return make_linear_implicit(system, options);
  if (method == "verlet") return make_verlet(system);
  if (method == "symplectic_euler") return make_symplectic_euler(system);
  if (method == "explicit_euler") return make_explicit_euler(system);
  throw InputError(Finding{place_of(system.assembly.scene.source, "integrator.method"),
                           "method " + in_quotes(method) + " is not available in this version",
                           "allowed: " + joined(integrator_methods)});
}

}  // namespace

std::unique_ptr<Integrator> make_integrator(System& system, const IntegratorOptions& options, Choice choice) {
  if (options.method != "auto") return make_named(system, options.method, options);
  if (choice.empty()) choice = choose_integrator(system);
  auto integrator = make_named(system, choice.name, options);
  integrator->set_choice(std::move(choice));
  return integrator;
}

}  // namespace electret
