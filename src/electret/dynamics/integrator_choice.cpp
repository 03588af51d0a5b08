#include <cmath>
#include <numbers>

#include <electret/dynamics/integrator_choice.hpp>
#include <electret/dynamics/stability.hpp>
#include <electret/scene/words.hpp>

namespace electret {

Choice choose_integrator(System& system) {
  if (system.body_contacts) return {"imex", "bodies touch each other, which imex solves for"};
  if (system.contacts) return {"imex", "obstacles push exactly, which imex solves for"};
  const Oscillations fastest = fastest_oscillations(system);
  const double springs = system.time_step * fastest.springs, charges = system.time_step * fastest.charges;
  const std::string both =
      "h ω = " + brief_text(springs) + " for springs, " + brief_text(charges) + " for charges";
  if (springs == 0.0) return {"verlet", "no springs: nothing to solve (" + both + ")"};
  if (std::hypot(springs, charges) <= 0.5)
    return {"verlet", "the step resolves every oscillation, without solving for springs (" + both + ")"};
  if (!(charges <= 1.0))
    return {"imex",
            "charges may move faster than the step resolves, and imex damps the energy that they gain (" +
                both + ")"};
  if (springs <= std::numbers::pi)
    return {"kick_midpoint",
            "springs are fast for the step, and the method keeps their energy (" + both + ")"};
  return {"kick_trbdf2",
          "springs are far too fast for the step, and the method damps only them (" + both + ")"};
}

}  // namespace electret
