#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>
#include <utility>

#include <electret/core/arguments.hpp>
#include <electret/core/errors.hpp>
#include <electret/dynamics/simulator_impl.hpp>
#include <electret/dynamics/stability.hpp>
#include <electret/dynamics/vector_arrays.hpp>
#include <electret/scene/changes.hpp>

namespace electret {
namespace {

/// The storage of `values`, which goes on with a copy.
VectorArray taken(VectorArray& values) {
  VectorArray copy = values;
  std::swap(copy, values);
  return copy;
}

}  // namespace

Simulator::Impl::Impl(std::unique_ptr<System> taken, const MakeIntegrator& make)
    : parts(std::move(taken), make), state(initial_state(system())), reactions(system().pins.size()) {
  if (system().contacts) {
    contacts.reserve(system().contacts->vertices().size());
    previous_contacts.reserve(contacts.capacity());
  }
  start();
  const Energies first = electret::energies(system(), state, *now);
  energy_scale = std::abs(first.total()) + first.kinetic + 1.0;
}

void Simulator::Impl::start() {
  const ScalarView masses = system().masses();
  whole_mass = std::accumulate(masses.begin(), masses.end(), 0.0);
  evaluate_schedule();
  parts.integrator().start(state, parts.scheduled().inputs());
}

StepReport Simulator::Impl::step(StepTape* tape) {
  make_changes({});
  schedule_step();
  const StepReport report = advance(parts.scheduled().inputs(), tape);
  now = &parts.scheduled().inputs().end;
  return report;
}

StepReport Simulator::Impl::step(const StepInputs& inputs, StepTape* tape) {
  require_argument(!electret::is_change_due(scene(), state.step),
                   "a change of the scene is due: call make_changes before the inputs of the step are made");
  check_sizes(inputs.start);
  check_sizes(inputs.end);
  for (const Inputs& stage : inputs.stages) check_sizes(stage);
  require_argument(inputs.stages.size() == parts.integrator().stage_fractions().size(),
                   "the inputs do not have as many stages as the method reads");
  const StepReport report = advance(inputs, tape);
  given = inputs.end;
  now = &given;
  return report;
}

void Simulator::Impl::check_sizes(const Inputs& given_inputs) const {
  const std::string_view wrong = wrong_size(given_inputs, *now);
  if (!wrong.empty())
    throw std::invalid_argument("the inputs and the system differ in the number of " + std::string(wrong));
  if (const std::string fault = wrong_grab(given_inputs.grabs, given_inputs.charges.size()); !fault.empty())
    throw std::invalid_argument("the inputs: " + fault);
}

StepReport Simulator::Impl::advance(const StepInputs& inputs, StepTape* tape) {
  if (before_changes && before_changes->step != state.step) before_changes.reset();
  keep_previous();
  previous_work = work;
  previous_reactions = reactions;
  previous_contacts = contacts;
  if (system().body_contacts) previous_pairs = system().body_contacts->state();
  has_previous = true;
  try {
    if (now != &inputs.start) parts.meter().add_jump(state, *now, inputs.start, work);
    const StepReport report = parts.integrator().step(state, inputs, reactions, tape);
    ++state.step;
    const bool is_sound = checked_kinetic_energy(report, inputs) <= energy_bound();
    // The total energy's bound counts the step's own work, which is taken back if the step is.
    parts.meter().add_step(previous, state, inputs, reactions, work);
    if (!is_sound) check_energy(electret::energies(system(), state, inputs.end), inputs);
    if (system().contacts) system().contacts->collect(contacts);
    return report;
  } catch (const DivergenceError& error) {
    roll_back();
    // Forces do not know the step they are evaluated in.
    throw DivergenceError(state.step + 1, error.vertex(), error.cause(), error.advice());
  } catch (...) {  // Thrown by a caller's function, or out of memory.
    roll_back();
    throw;
  }
}

/// The kinetic energy after a step, J, in which everything is finite.
double Simulator::Impl::checked_kinetic_energy(const StepReport& report, const StepInputs& inputs) const {
  const double kinetic = finite_kinetic_energy();
  if (!std::isfinite(kinetic)) throw not_finite(failed_step(inputs));
  if (report.failed) throw solve_failed(failed_step(inputs));
  return kinetic;
}

void Simulator::Impl::check_energy(const Energies& energies, const StepInputs& inputs) const {
  const double total = energies.total(), bound = energy_bound();
  if (std::isfinite(total) && std::abs(total) <= bound) return;
  throw beyond_energy_bound(failed_step(inputs), total, bound);
}

FailedStep Simulator::Impl::failed_step(const StepInputs& inputs) const {
  return {system(), parts.integrator(), has_previous ? previous : state, state, inputs};
}

/// ½ Σ m|v|², J; NaN or infinite if any position or velocity is.
double Simulator::Impl::finite_kinetic_energy() const {
  const ScalarView m = system().masses();
  return system().threads->sum(system().vertex_count(), [&](Count begin, Count end) {
    Vec3 twice, zero;
    for (auto i = static_cast<std::size_t>(begin); i < static_cast<std::size_t>(end); ++i) {
      const Vec3 &x = state.positions[i], &v = state.velocities[i];
      twice += Vec3{m[i] * v.x * v.x, m[i] * v.y * v.y, m[i] * v.z * v.z};
      zero += 0.0 * x;
    }
    return 0.5 * (twice.x + twice.y + twice.z) + (zero.x + zero.y + zero.z);
  });
}

double Simulator::Impl::energy_bound() const {
  return 1e6 * (energy_scale + fall_of_step() + std::abs(work.field_work) + std::abs(work.keyframe_work) +
                std::abs(work.pin_work));
}

/// ½ Σ m|g h|², J: what a method's first step may leave of a fall from rest, where E_0 is 0.
double Simulator::Impl::fall_of_step() const {
  const std::optional<Vec3>& gravity = scene().gravity;
  return gravity ? 0.5 * whole_mass * squared_norm(system().time_step * *gravity) : 0.0;
}

Energies Simulator::Impl::energies() const {
  try {
    return electret::energies(system(), state, *now);
  } catch (const DivergenceError& error) {
    // No potential exists at this place (two charges at one point), so that the step that led here has
    // failed.
    throw DivergenceError(state.step, error.vertex(), error.cause(), error.advice());
  }
}

/// No step led to the state.
void Simulator::Impl::forget_reactions() {
  std::fill(reactions.begin(), reactions.end(), Vec3{});
  contacts.clear();
  if (system().body_contacts) system().body_contacts->forget();
}

void Simulator::Impl::keep_previous() {
  previous.step = state.step;
  previous.memory = state.memory;
  previous.positions.resize(state.positions.size());
  previous.velocities.resize(state.velocities.size());
  copy_rows(*system().threads, state.positions, previous.positions);
  copy_rows(*system().threads, state.velocities, previous.velocities);
}

void Simulator::Impl::roll_back() {
  state = previous;
  reactions = previous_reactions;
  contacts = previous_contacts;
  if (system().body_contacts) system().body_contacts->state() = previous_pairs;
  work = previous_work;
  has_previous = false;
  if (!before_changes) return;
  put_back(std::move(*before_changes));
  before_changes.reset();
}

/// Evaluates all inputs of the step that starts at the state, from scratch.
void Simulator::Impl::evaluate_schedule() {
  parts.scheduled().evaluate(state.step);
  now = &parts.scheduled().inputs().start;
}

/// The same, going on from the last step if that had the schedule's inputs, too. If it had a caller's inputs,
/// these stay those of now: the step books what the schedule's take their place with.
void Simulator::Impl::schedule_step() {
  if (now == &parts.scheduled().inputs().end) {
    parts.scheduled().advance(state.step);
    now = &parts.scheduled().inputs().start;
  } else if (now != &parts.scheduled().inputs().start) {
    parts.scheduled().evaluate(state.step);
  }
}

Simulator::Simulator(std::unique_ptr<System> system)
    : Simulator(std::move(system),
                [](System& of) { return make_integrator(of, of.assembly.scene.integrator); }) {}
Simulator::Simulator(std::unique_ptr<System> system, const MakeIntegrator& make)
    : impl_(std::make_unique<Impl>(std::move(system), make)) {}
Simulator::~Simulator() = default;
Simulator::Simulator(Simulator&&) noexcept = default;

StepReport Simulator::step(StepTape* tape) {
  return impl_->step(tape);
}

StepReport Simulator::step(const StepInputs& inputs, StepTape* tape) {
  return impl_->step(inputs, tape);
}

void Simulator::run(Count last_step, const Control& control) {
  require_argument(last_step >= 0, "a run to a step below 0");
  if (control.notice)
    if (const auto notice = charge_step_notice()) control.notice(*notice);
  while (state().step < last_step) {
    if (control.stop.stop_requested()) throw Cancelled();
    step();
    if (control.progress) control.progress({state().step, last_step});
  }
}

const State& Simulator::state() const {
  return impl_->state;
}

VectorArray Simulator::take_positions() {
  return taken(impl_->state.positions);
}

VectorArray Simulator::take_velocities() {
  return taken(impl_->state.velocities);
}

VectorView Simulator::pin_reactions() const {
  return impl_->reactions;
}

std::span<const ContactForce> Simulator::contacts() const {
  return impl_->contacts;
}

const WorkAccounts& Simulator::work() const {
  return impl_->work;
}

System& Simulator::system() const {
  return impl_->system();
}

const Integrator& Simulator::integrator() const {
  return impl_->parts.integrator();
}

Integrator& Simulator::integrator() {
  return impl_->parts.integrator();
}

const Inputs& Simulator::inputs() const {
  return *impl_->now;
}

Energies Simulator::energies() const {
  return impl_->energies();
}

void Simulator::check_energy(const Energies& now) const {
  impl_->check_energy(now, {*impl_->now, *impl_->now, {}});
}

bool Simulator::abandon_step() {
  if (!impl_->has_previous) return false;
  impl_->roll_back();
  impl_->evaluate_schedule();
  return true;
}

void Simulator::restart() {
  impl_->restart();
}

void Simulator::restore(State state, const WorkAccounts& work) {
  impl_->restore(std::move(state), work);
}

void Simulator::restore(State state, const WorkAccounts& work, Inputs inputs) {
  impl_->check_sizes(inputs);
  restore(std::move(state), work);
  impl_->given = std::move(inputs);
  impl_->now = &impl_->given;
}

std::optional<std::string> Simulator::charge_step_notice(double smallest_distance) {
  if (impl_->warned) return std::nullopt;
  const System& system = impl_->system();
  // Half of it: rounding must not make the bound less than what it bounds.
  if (system.time_step * charge_frequency_bound(system, impl_->now->charges, smallest_distance) < 0.5)
    return std::nullopt;
  std::string warning = charge_step_warning(system, impl_->state.positions, impl_->now->charges);
  if (warning.empty()) return std::nullopt;
  impl_->warned = true;
  return warning;
}

Count Simulator::field_evaluations() const {
  return impl_->parts.field_evaluations();
}

}  // namespace electret
