#include <algorithm>
#include <cstddef>

#include <electret/contact/body_contacts.hpp>
#include <electret/core/errors.hpp>
#include <electret/core/same_bits.hpp>
#include <electret/core/vertex_loops.hpp>
#include <electret/dynamics/body_energy.hpp>
#include <electret/dynamics/pins.hpp>
#include <electret/dynamics/vector_arrays.hpp>
#include <electret/dynamics/work.hpp>

namespace electret {

WorkMeter::WorkMeter(System& system) : system_(system) {
  const auto n = static_cast<std::size_t>(system.vertex_count());
  force_.resize(n);
  for (const auto& force : system.forces) {
    if (force->does_field_work()) field_.push_back(force.get());
    if (force->dissipates()) damping_.push_back(force.get());
    if (force->column() == EnergyColumn::external) external_.push_back(force.get());
    if (force->column() != EnergyColumn::coulomb) continue;
    const auto parameters = force->parameters();
    const auto charges = std::find_if(parameters.begin(), parameters.end(),
                                      [](const ForceParameter& p) { return p.name == "charges"; });
    require(charges != parameters.end(), "a Coulomb force has charges for a parameter");
    coulomb_ = force.get();
    charges_parameter_ = static_cast<std::size_t>(charges - parameters.begin());
    sum_of_charges_.charges.resize(n);
    potential_.resize(n);
  }
}

void WorkMeter::add_step(const State& before, const State& after, const StepInputs& inputs,
                         VectorView pin_reactions, WorkAccounts& accounts) {
  const auto acts = [&](const ExplicitForce* force) { return force->acts(inputs.start); };
  if (std::any_of(field_.begin(), field_.end(), acts))
    accounts.field_work += force_work(before, after, inputs.start, field_);
  if (std::any_of(damping_.begin(), damping_.end(), acts)) {
    const double driven = driving_work(before, inputs.start);
    accounts.dissipation -= force_work(before, after, inputs.start, damping_) - driven;
    accounts.keyframe_work += driven;
  }
  if (system_.contacts) add_contact_work(before, after, accounts);
  if (system_.body_contacts) {
    // Of the work that friction has taken, its slips keep a part.
    const BodyContactState& now = system_.body_contacts->state();
    accounts.dissipation += now.work - (now.stored - slip_energy(system_, before));
  }
  accounts.keyframe_work += keyframe_work(after, inputs.start, inputs.end) +
                            activation_work(before, after, inputs.start, inputs.end);
  for_pins(system_, [&](const PinRow& at) {
    const std::size_t i = at.vertex;
    const Vec3 change = at.share(after.velocities[i] - before.velocities[i]);
    accounts.pin_work += dot(pin_reactions[at.pin], after.positions[i] - before.positions[i]) -
                         0.5 * system_.masses()[i] * squared_norm(change);
  });
}

double WorkMeter::force_work(const State& before, const State& after, const Inputs& inputs,
                             const std::vector<ExplicitForce*>& forces) {
  const ForcePoint at{before.positions, before.velocities, system_.masses(), inputs};
  set_zero(*system_.threads, force_);
  for (ExplicitForce* force : forces) force->add_force(at, force_);
  return system_.threads->sum(system_.vertex_count(), [&](Count begin, Count end) {
    double sum = 0.0;
    for (auto i = static_cast<std::size_t>(begin); i < static_cast<std::size_t>(end); ++i)
      sum += dot(force_[i], after.positions[i] - before.positions[i]);
    return sum;
  });
}

double WorkMeter::driving_work(const State& before, const Inputs& inputs) {
  double power = 0.0;
  for (ExplicitForce* force : damping_)
    power += force->driving_power({before.positions, before.velocities, system_.masses(), inputs});
  return power * system_.time_step;
}

namespace {

/// How far an obstacle has pushed a vertex out with the force, m: one that a change of the scene left inside
/// of it. No more than it was inside.
double way_out(const ContactSet& contacts, const ContactSight& seen, const Vec3& force, const Vec3& start,
               const Vec3& after) {
  const Vec3& n = seen.view.normal;
  const double way = dot(n, after - seen.carried);
  if (!(way > 0.0) || !(dot(n, force) > 0.0)) return 0.0;
  const double depth = contacts.thickness() - contacts.at_start(seen.obstacle).view(start).distance;
  return std::clamp(depth, 0.0, way);
}

}  // namespace

/// The work of contact forces is what a moving obstacle drives the vertex with, less what the vertex loses
/// against it. Pushing it out of where a change has put the obstacle drives it, too.
void WorkMeter::add_contact_work(const State& before, const State& after, WorkAccounts& accounts) {
  const ContactSet& contacts = *system_.contacts;
  double driven = 0.0, lost = 0.0;
  for (std::size_t k = 0; k < contacts.vertices().size(); ++k) {
    const auto i = static_cast<std::size_t>(contacts.vertices()[k]);
    contacts.for_pushes(k, [&](const ContactSight& seen, const Vec3& force, ContactState) {
      const double out = dot(seen.view.normal, force) *
                         way_out(contacts, seen, force, before.positions[i], after.positions[i]);
      driven += dot(force, seen.carried - before.positions[i]) + out;
      lost -= dot(force, after.positions[i] - seen.carried) - out;
    });
  }
  accounts.keyframe_work += driven;
  accounts.dissipation += lost;
}

void WorkMeter::add_jump(const State& at, const Inputs& before, const Inputs& after, WorkAccounts& accounts) {
  accounts.keyframe_work += keyframe_work(at, before, after) + activation_work(at, at, before, after);
}

double WorkMeter::keyframe_work(const State& after, const Inputs& start, const Inputs& end) {
  if (same_inputs(start, end, read_by_potentials)) return 0.0;
  double change = 0.0;
  if (coulomb_ != nullptr && !same_bits(start.charges, end.charges))
    change += coulomb_change(after, start, end);
  for (ExplicitForce* force : external_)
    change += force->potential_energy({after.positions, after.velocities, system_.masses(), end}) -
              force->potential_energy({after.positions, after.velocities, system_.masses(), start});
  return change;
}

double WorkMeter::activation_work(const State& before, const State& after, const Inputs& start,
                                  const Inputs& end) {
  if (same_inputs(start, end, read_by_elastic)) return 0.0;
  double change = 0.0;
  for (auto& energy : system_.elastic) {
    if (!energy->reads_activations()) continue;
    energy->set_activations(start.activations);
    const double first = energy->energy(before.positions) + energy->energy(after.positions);
    energy->set_activations(end.activations);
    change += 0.5 * (energy->energy(before.positions) + energy->energy(after.positions) - first);
  }
  return change;
}

/// U = ½ qᵀPq with P symmetric, so that U(q') - U(q) = ½ (q' - q)ᵀP(q' + q), and P(q' + q) = ∂U/∂q at the
/// charges q' + q. This takes one field evaluation and no difference of large numbers.
double WorkMeter::coulomb_change(const State& after, const Inputs& start, const Inputs& end) {
  const auto& q = start.charges;
  const auto& next = end.charges;
  sum_of_charges_.time = end.time;
  for_vertices(*system_.threads, q.size(),
               [&](std::size_t i) { sum_of_charges_.charges[i] = q[i] + next[i]; });
  std::fill(potential_.begin(), potential_.end(), 0.0);
  coulomb_->add_potential_parameter_gradient(
      {after.positions, after.velocities, system_.masses(), sum_of_charges_}, charges_parameter_, potential_);
  double change = 0.0;
  for (std::size_t i = 0; i < q.size(); ++i) change += 0.5 * (next[i] - q[i]) * potential_[i];
  return change;
}

}  // namespace electret
