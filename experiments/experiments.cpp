#include <array>

#include <electret/core/errors.hpp>

#include "experiment.hpp"
#include "walkers.hpp"

namespace electret::experiments {

void Context::check_stop() const {
  if (stop_.stop_requested()) throw Cancelled();
}

void Context::progress(std::string_view what, double part) const {
  check_stop();
  if (progress_) progress_(what, part);
}

std::span<const Experiment> experiments() {
  static constexpr std::array<Experiment, 34> table{{
      {"ddef-error", "[MSC] Fig. 3", "error of ddef against its number of grid points", &ddef_error},
      {"ddef-farfield", "[MSC] Table 1", "error of ddef with its far field and without", &ddef_farfield},
      {"field-runtime", "[MSC] Fig. 7",
       "time and accuracy of all field solvers against the number of charges", &field_runtime},
      {"torus-energy", "[MSC] Fig. 4 of the first version",
       "energy and shape of a charged torus over time, by method and step", &torus_energy},
      {"bunny-timestep", "[MSC] Fig. 5 of the first version",
       "energy error of a charged blob against the time step", &bunny_timestep},
      {"parameter-map", "[MSC] Fig. 14 of the first version", "imex's energy error over stiffness and charge",
       &parameter_map},
      {"error-15", "[MSC] Fig. 9 of the first version",
       "pictures of a motion at an energy error of about 15 %", &error_15},
      {"lammps-torus", "[MSC] Fig. 12 of the first version",
       "pictures of a torus released freely, by imex and by LAMMPS", &lammps_torus},
      {"tshirt", "[MSC] Fig. 10 of the first version", "a hung t-shirt beside projective dynamics",
       &tshirt_hung},
      {"fit-stiffness", "[MSC] Fig. 11 of the first version", "a t-shirt's stiffness from its motion",
       &fit_stiffness},
      {"fit-charge", "[MSC] Fig. 6 and 7 of the first version",
       "a body's charge from where it ends, by method and step", &fit_charge},
      {"charge-keyframes", "[MSC] Fig. 1 and 15", "vertex groups steered by key-framed charges",
       &charge_keyframes},
      {"external-charge", "[MSC] Fig. 8 of the first version", "a torus that follows an external charge",
       &external_charge},
      {"rotating-field", "[MSC] Fig. 13 of the first version", "a blob turned by an electric field",
       &rotating_field},
      {"four-particles", "[IE] eq. 36-49", "the linear system of a step, and its Jacobi iteration",
       &four_particles},
      {"cantilever", "[DiffPD] 6.2", "a beam's motion and gradient: time and error against the tolerance",
       &cantilever},
      {"landscape", "[DiffPD] Fig. 2",
       "loss and gradient around a start, by large implicit and small explicit steps", &landscape},
      {"rolling-sphere", "[DiffPD] 6.2", "a ball of cubes on the ground, by the published contact and exact",
       &rolling_sphere},
      {"slope", "[DiffPD] Fig. 5", "a duck that slides down a slope, by penalty and exact friction", &slope},
      {"duck", "[DiffPD] Fig. 6", "a slide that throws a duck to a place", &duck},
      {"napkin", "[DiffPD] Fig. 7", "a sheet that falls onto a ball: time by size", &napkin},
      {"bouncing-ball", "[DiffPD] 7.1", "a ball's Young's modulus and Poisson's ratio from its jump",
       &bouncing_ball},
      {"bunny-bounce", "[DiffPD] 7.2", "how a bunny is thrown to jump to a place", &bunny_bounce},
      {"plant", "[DiffPD] 7.1", "a plant's Young's modulus and Poisson's ratio from its swinging", &plant},
      {"routing-tendon", "[DiffPD] 7.2", "activations that bring a soft arm's end to a place",
       &routing_tendon},
      {"torus-roll", "[DiffPD] 7.3", "activations over time that roll a ring", &torus_roll},
      {"quadruped", "[DiffPD] 7.3", "a gait on four legs, of three numbers", &quadruped},
      {"cow", "[DiffPD] 7.3", "a cow's gait; needs Spot's surface (--data)", &cow},
      {"armadillo", "[DiffPD] 8, Fig. 18", "a neo-Hookean body pulled at two ends: time by solver",
       &armadillo},
      {"starfish", "[DiffPD] 7.4", "a network learns to move a starfish upwards", &starfish},
      {"shark", "[DiffPD] 7.4", "a network learns to swim with a shark's tail", &shark},
      {"snake", "[DiffPD] 7.4", "a network learns to move a water snake", &snake},
      {"soft-starfish", "after [DiffPD], RoboSoft 2021", "the material of soft limbs from markers on them",
       &soft_starfish},
      {"tennis-balls", "[DiffPD] 7.5",
       "two balls and a camera from a clip, which is synthetic (--data: yours)", &tennis_balls},
  }};
  return table;
}

}  // namespace electret::experiments
