#include <algorithm>
#include <cmath>
#include <utility>

#include <electret/contact/body_contacts.hpp>
#include <electret/core/arguments.hpp>
#include <electret/core/errors.hpp>
#include <electret/dynamics/divergence.hpp>
#include <electret/dynamics/simulator.hpp>
#include <electret/dynamics/stability.hpp>
#include <electret/dynamics/step_schedule.hpp>
#include <electret/dynamics/vector_arrays.hpp>
#include <electret/dynamics/work.hpp>

namespace electret {
namespace {

/// The system, which is not null.
std::unique_ptr<System> given(std::unique_ptr<System> system) {
  require_argument(system != nullptr, "a simulator needs a system");
  return system;
}
std::unique_ptr<Integrator> made(std::unique_ptr<Integrator> integrator) {
  require_argument(integrator != nullptr, "a simulator needs an integrator");
  return integrator;
}

/// The storage of `values`, which goes on with a copy.
VectorArray taken(VectorArray& values) {
  VectorArray copy = values;
  std::swap(copy, values);
  return copy;
}

}  // namespace

struct Simulator::Impl {
  Impl(std::unique_ptr<System> taken, const MakeIntegrator& make)
      : system(std::move(taken)),
        integrator(made(make(*system))),
        layout(integrator->memory_layout()),
        meter(*system),
        scheduled(*system, integrator->stage_fractions()),
        state(initial_state(*system)),
        reactions(system->pins.size()) {
    if (system->contacts) {
      contacts.reserve(system->contacts->vertices().size());
      previous_contacts.reserve(contacts.capacity());
    }
    start();
    const Energies first = electret::energies(*system, state, *now);
    energy_scale = std::abs(first.total()) + first.kinetic + 1.0;
  }

  void start() {
    evaluate_schedule();
    integrator->start(state, scheduled.inputs());
  }

  void restart() {
    state = initial_state(*system);
    forget_reactions();
    work = {};
    has_previous = false;
    start();
  }

  StepReport step(StepTape* tape) {
    schedule_step();
    const StepReport report = advance(scheduled.inputs(), tape);
    now = &scheduled.inputs().end;
    return report;
  }

  StepReport step(const StepInputs& inputs, StepTape* tape) {
    check_sizes(inputs.start);
    check_sizes(inputs.end);
    for (const Inputs& stage : inputs.stages) check_sizes(stage);
    require_argument(inputs.stages.size() == integrator->stage_fractions().size(),
                     "the inputs do not have as many stages as the method reads");
    const StepReport report = advance(inputs, tape);
    given = inputs.end;
    now = &given;
    return report;
  }

  void check_sizes(const Inputs& given_inputs) const {
    const std::string_view wrong = wrong_size(given_inputs, *now);
    if (!wrong.empty())
      throw std::invalid_argument("the inputs and the system differ in the number of " + std::string(wrong));
  }

  /// Takes one step. The previous state is kept until the new one has proved sound.
  StepReport advance(const StepInputs& inputs, StepTape* tape) {
    keep_previous();
    previous_work = work;
    previous_reactions = reactions;
    previous_contacts = contacts;
    if (system->body_contacts) previous_pairs = system->body_contacts->state();
    has_previous = true;
    try {
      if (now != &inputs.start) meter.add_jump(state, *now, inputs.start, work);
      const StepReport report = integrator->step(state, inputs, reactions, tape);
      ++state.step;
      check_step(report, inputs);
      meter.add_step(previous, state, inputs, reactions, work);
      if (system->contacts) system->contacts->collect(contacts);
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

  /// The cheap check of every step: that everything is finite, and that the kinetic energy alone is within
  /// the bound on the total.
  void check_step(const StepReport& report, const StepInputs& inputs) {
    const double kinetic = finite_kinetic_energy();
    if (!std::isfinite(kinetic)) throw not_finite(failed_step(inputs));
    if (report.failed) throw solve_failed(failed_step(inputs));
    if (!(kinetic <= energy_bound())) check_energy(electret::energies(*system, state, inputs.end), inputs);
  }

  void check_energy(const Energies& energies, const StepInputs& inputs) {
    const double total = energies.total(), bound = energy_bound();
    if (std::isfinite(total) && std::abs(total) <= bound) return;
    throw beyond_energy_bound(failed_step(inputs), total, bound);
  }

  FailedStep failed_step(const StepInputs& inputs) const {
    return {*system, *integrator, has_previous ? previous : state, state, inputs};
  }

  /// ½ Σ m|v|², J; NaN or infinite if any position or velocity is.
  double finite_kinetic_energy() const {
    const ScalarView m = system->masses();
    return system->threads->sum(system->vertex_count(), [&](Count begin, Count end) {
      Vec3 twice, zero;
      for (auto i = static_cast<std::size_t>(begin); i < static_cast<std::size_t>(end); ++i) {
        const Vec3 &x = state.positions[i], &v = state.velocities[i];
        twice += Vec3{m[i] * v.x * v.x, m[i] * v.y * v.y, m[i] * v.z * v.z};
        zero += 0.0 * x;
      }
      return 0.5 * (twice.x + twice.y + twice.z) + (zero.x + zero.y + zero.z);
    });
  }

  double energy_bound() const {
    return 1e6 * (energy_scale + std::abs(work.field_work) + std::abs(work.keyframe_work) +
                  std::abs(work.pin_work));
  }

  /// No step led to the state.
  void forget_reactions() {
    std::fill(reactions.begin(), reactions.end(), Vec3{});
    contacts.clear();
    if (system->body_contacts) system->body_contacts->forget();
  }

  void keep_previous() {
    previous.step = state.step;
    previous.memory = state.memory;
    previous.positions.resize(state.positions.size());
    previous.velocities.resize(state.velocities.size());
    copy_rows(*system->threads, state.positions, previous.positions);
    copy_rows(*system->threads, state.velocities, previous.velocities);
  }

  void roll_back() {
    state = previous;
    reactions = previous_reactions;
    contacts = previous_contacts;
    if (system->body_contacts) system->body_contacts->state() = previous_pairs;
    work = previous_work;
    has_previous = false;
  }

  /// Evaluates all inputs of the step that starts at the state, from scratch.
  void evaluate_schedule() {
    scheduled.evaluate(state.step);
    now = &scheduled.inputs().start;
  }

  /// The same, going on from the last step if that had the schedule's inputs, too.
  void schedule_step() {
    if (now == &scheduled.inputs().end) {
      scheduled.advance(state.step);
      now = &scheduled.inputs().start;
    } else if (now != &scheduled.inputs().start) {
      evaluate_schedule();
    }
  }

  std::unique_ptr<System> system;
  std::unique_ptr<Integrator> integrator;
  std::vector<MemoryArray> layout;  ///< Of the method's memory.
  WorkMeter meter;
  StepSchedule scheduled;  ///< The scene's inputs.
  State state, previous;
  WorkAccounts work, previous_work;
  bool has_previous = false;  ///< `previous` is the state a step before `state`.
  VectorArray reactions;      ///< pins×3, N.
  VectorArray previous_reactions;
  std::vector<ContactForce> contacts, previous_contacts;
  BodyContactState previous_pairs;
  Inputs given;                 ///< The end of a step with a caller's inputs.
  const Inputs* now = nullptr;  ///< Inputs at the state's time: one of the above.
  double energy_scale = 0.0;    ///< |E_0| + kinetic_0 + 1 J.
  bool warned = false;          ///< The charge step's notice has been given.
};

Simulator::Simulator(std::unique_ptr<System> system)
    : Simulator(std::move(system),
                [](System& of) { return make_integrator(of, of.assembly.scene.integrator); }) {}
Simulator::Simulator(std::unique_ptr<System> system, const MakeIntegrator& make)
    : impl_(std::make_unique<Impl>(given(std::move(system)), make)) {}
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
  return *impl_->system;
}

const Integrator& Simulator::integrator() const {
  return *impl_->integrator;
}

Integrator& Simulator::integrator() {
  return *impl_->integrator;
}

const Inputs& Simulator::inputs() const {
  return *impl_->now;
}

Energies Simulator::energies() const {
  try {
    return electret::energies(*impl_->system, impl_->state, *impl_->now);
  } catch (const DivergenceError& error) {
    // No potential exists at this place (two charges at one point), so that the step that led here has
    // failed.
    throw DivergenceError(impl_->state.step, error.vertex(), error.cause(), error.advice());
  }
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
  const auto n = static_cast<std::size_t>(impl_->system->vertex_count());
  require_argument(state.positions.size() == n && state.velocities.size() == n && state.step >= 0,
                   "the restored state does not have as many vertices as the system, or a negative step");
  if (const std::string wrong = wrong_memory(state.memory, impl_->layout, n); !wrong.empty())
    throw std::invalid_argument("the restored state's memory is not this method's: " + wrong);
  drop_others(state.memory, impl_->layout);
  impl_->state = std::move(state);
  impl_->forget_reactions();
  impl_->work = work;
  impl_->has_previous = false;
  impl_->evaluate_schedule();
  if (is_incomplete(impl_->state.memory, impl_->layout))
    impl_->integrator->start(impl_->state, impl_->scheduled.inputs());
}

void Simulator::restore(State state, const WorkAccounts& work, Inputs inputs) {
  impl_->check_sizes(inputs);
  restore(std::move(state), work);
  impl_->given = std::move(inputs);
  impl_->now = &impl_->given;
}

std::optional<std::string> Simulator::charge_step_notice(double smallest_distance) {
  if (impl_->warned) return std::nullopt;
  const System& system = *impl_->system;
  // Half of it: rounding must not make the bound less than what it bounds.
  if (system.time_step * charge_frequency_bound(system, impl_->now->charges, smallest_distance) < 0.5)
    return std::nullopt;
  std::string warning = charge_step_warning(system, impl_->state.positions, impl_->now->charges);
  if (warning.empty()) return std::nullopt;
  impl_->warned = true;
  return warning;
}

Count Simulator::field_evaluations() const {
  Count count = 0;
  for (const auto& force : impl_->system->forces) count += force->field_evaluations();
  return count;
}

}  // namespace electret
