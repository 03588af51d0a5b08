#pragma once
/// \file
/// A run's sums over its steps and frames, visited by name. The checkpoint and the summary hold them under
/// these names. A new sum needs a member and a line in `visit`.

#include <optional>
#include <string>
#include <string_view>
#include <type_traits>

#include <electret/core/types.hpp>
#include <electret/dynamics/energies.hpp>
#include <electret/dynamics/energy_watch.hpp>

namespace electret {

/// Of runs with obstacles that push exactly.
struct ContactSums {
  Count unconverged_steps = 0;       ///< Steps that ended without the law to the tolerance.
  double largest_penetration = 0.0;  ///< At the end of a step, m.
  Count sticking = 0, slipping = 0;  ///< Σ over steps of the vertices that stuck and that slipped.
  Count yielding = 0;                ///< Those that ought to stick and were let slide.
  Count passing_steps = 0;           ///< Steps in which a vertex went through an obstacle.
};

/// Of runs with bodies that touch each other.
struct BodyContactSums {
  Count unconverged_steps = 0;  ///< Steps that ended without the law to the tolerance.
  double smallest_gap = 0.0;    ///< Of two parts at the end of a step, m; at most the thickness.
  Count touching_steps = 0;     ///< Steps after which parts pushed each other.
  Count pressed_steps = 0;      ///< Those after which parts stood closer than pressed_part.
  Count passing_steps = 0;      ///< Steps in which a body went through another one.
  double friction_work = 0.0;   ///< What friction has taken, J; slips that stick keep a part of it.
};

/// Whether summaries and checkpoints of earlier versions lack the sum of this name.
inline bool is_new_sum(std::string_view name) {
  return name == "sum.energies" || name == "sum.observables" || name == "contact.yielding" ||
         name == "contact.passing_steps" || name == "body_contact.touching_steps" ||
         name == "body_contact.pressed_steps" || name == "body_contact.passing_steps" ||
         name == "body_contact.friction_work";
}

struct RunningSums {
  Count frames = 0;  ///< Frames written, the initial state included.
  EnergyWatchMemory energy_watch;
  bool charge_step_told = false;  ///< The user was told that the step is too large for some charges.
  Count elastic_iterations = 0;   ///< Σ over steps.
  int max_elastic_iterations = 0;
  Count capped_steps = 0;  ///< Steps whose implicit solve ended before its tolerance.
  Count field_evaluations = 0;
  std::optional<ContactSums> contact;
  std::optional<BodyContactSums> body_contact;
  // s of wall time.
  double wall_field = 0.0;  ///< In Coulomb sums, those of frames' energies included.
  /// In implicit solves, springs' energies and, with explicit methods, springs' forces.
  double wall_elastic = 0.0;
  double wall_output = 0.0;  ///< In writing, including the frames' observables.
  double wall_total = 0.0;
};

template <class Work, class F>
requires std::is_same_v<std::remove_const_t<Work>, WorkAccounts>
void visit(Work& work, F&& f) {
  f("field_work", work.field_work);
  f("keyframe_work", work.keyframe_work);
  f("pin_work", work.pin_work);
  f("dissipation", work.dissipation);
}

/// Calls f(name, member) for each sum that users see; a dot in a name is a level of summary.json.
template <class Sums, class F>
requires std::is_same_v<std::remove_const_t<Sums>, RunningSums>
void visit(Sums& sums, F&& f) {
  f("frames", sums.frames);
  f("field_evaluations", sums.field_evaluations);
  f("elastic_iterations.sum", sums.elastic_iterations);
  f("elastic_iterations.max", sums.max_elastic_iterations);
  f("capped_steps", sums.capped_steps);
  if (sums.contact) {
    f("contact.unconverged_steps", sums.contact->unconverged_steps);
    f("contact.largest_penetration", sums.contact->largest_penetration);
    f("contact.sticking", sums.contact->sticking);
    f("contact.slipping", sums.contact->slipping);
    f("contact.yielding", sums.contact->yielding);
    f("contact.passing_steps", sums.contact->passing_steps);
  }
  if (sums.body_contact) {
    f("body_contact.unconverged_steps", sums.body_contact->unconverged_steps);
    f("body_contact.smallest_gap", sums.body_contact->smallest_gap);
    f("body_contact.touching_steps", sums.body_contact->touching_steps);
    f("body_contact.pressed_steps", sums.body_contact->pressed_steps);
    f("body_contact.passing_steps", sums.body_contact->passing_steps);
    f("body_contact.friction_work", sums.body_contact->friction_work);
  }
  f("wall_s.field", sums.wall_field);
  f("wall_s.elastic", sums.wall_elastic);
  f("wall_s.output", sums.wall_output);
  f("wall_s.total", sums.wall_total);
}

/// The same for the sums that only a resumed run needs.
template <class Sums, class F>
void visit_memory(Sums& sums, F&& f) {
  auto& watch = sums.energy_watch;
  f("energy_balance.start", watch.balance.start);
  f("energy_balance.start_gravity", watch.balance.start_gravity);
  f("energy_balance.largest_gain", watch.balance.largest_gain);
  f("energy_balance.largest_size", watch.balance.largest_size);
  f("energy_watch.energy", watch.energy);
  f("energy_watch.gain", watch.gain);
  f("energy_watch.usual_change", watch.usual_change);
  f("energy_watch.largest_jump", watch.largest_jump);
  f("energy_watch.jumps", watch.jumps);
  visit(watch.work, [&](const std::string& name, auto& value) { f("energy_watch." + name, value); });
  f("charge_step_told", sums.charge_step_told);
}

}  // namespace electret
