#include <cmath>
#include <utility>

#include <electret/core/errors.hpp>
#include <electret/dynamics/divergence.hpp>
#include <electret/dynamics/simulator.hpp>
#include <electret/dynamics/stability.hpp>
#include <electret/dynamics/work.hpp>

namespace electret {

struct Simulator::Impl {
  explicit Impl(std::unique_ptr<System> taken)
      : system(std::move(taken)),
        integrator(make_integrator(*system, system->assembly.scene.integrator)),
        meter(*system),
        state(initial_state(*system)),
        reactions(system->pins.size()) {
    scheduled.stages.resize(integrator->stage_fractions().size());
    evaluate_schedule();
    integrator->start(state, scheduled);
    const Energies first = electret::energies(*system, state, *now);
    energy_scale = std::abs(first.total()) + first.kinetic + 1.0;
  }

  StepReport step() {
    schedule_step();
    const StepReport report = advance(scheduled);
    now = &scheduled.end;
    return report;
  }

  StepReport step(const StepInputs& inputs) {
    for (const Inputs* given_inputs : {&inputs.start, &inputs.end})
      require(given_inputs->charges.size() == now->charges.size() &&
                  given_inputs->external_charges.size() == now->external_charges.size() &&
                  given_inputs->pin_positions.size() == now->pin_positions.size(),
              "inputs of another number of charges, external charges or pins were given");
    require(inputs.stages.size() == integrator->stage_fractions().size(),
            "inputs at another number of stages than the method reads were given");
    const StepReport report = advance(inputs);
    given = inputs.end;
    now = &given;
    return report;
  }

  /// One step: the previous state is kept until the new one has proved sound.
  StepReport advance(const StepInputs& inputs) {
    previous = state;
    previous_work = work;
    try {
      const StepReport report = integrator->step(state, inputs, reactions);
      ++state.step;
      check_motion(inputs);
      meter.add_step(previous, state, inputs, reactions, work);
      return report;
    } catch (const DivergenceError& error) {
      roll_back();
      // Forces do not know the step they are evaluated in.
      throw DivergenceError(state.step + 1, error.vertex(), error.cause(), error.advice());
    }
  }

  /// Cheap, every step: all finite, and the kinetic energy alone within the bound on the total.
  void check_motion(const StepInputs& inputs) {
    const double kinetic = finite_kinetic_energy();
    if (kinetic <= energy_bound()) return;
    if (!std::isfinite(kinetic)) throw not_finite({*system, *integrator, previous, state, inputs});
    check_energy(electret::energies(*system, state, inputs.end), inputs);
  }

  void check_energy(const Energies& energies, const StepInputs& inputs) {
    const double total = energies.total(), bound = energy_bound();
    if (std::abs(total) <= bound) return;
    throw beyond_energy_bound({*system, *integrator, previous, state, inputs}, total, bound);
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

  void roll_back() {
    std::swap(state, previous);
    work = previous_work;
  }

  /// Whether `previous` is the state a step before `state`.
  bool has_previous() const {
    return previous.positions.size() == state.positions.size() && previous.step + 1 == state.step;
  }

  /// Back to before the last step, where there was one.
  void abandon_step() {
    if (!has_previous()) return;
    roll_back();
    evaluate_schedule();
  }

  /// All inputs of the step from the state, from scratch.
  void evaluate_schedule() {
    system->schedule.evaluate(system->time(state.step), scheduled.start);
    system->schedule.evaluate(system->time(state.step + 1), scheduled.end);
    for (Inputs& stage : scheduled.stages) system->schedule.evaluate(scheduled.start.time, stage);
    now = &scheduled.start;
  }

  /// The same, moving on from the last step where that was the schedule's too.
  void schedule_step() {
    if (now == &scheduled.end) {
      std::swap(scheduled.start, scheduled.end);
      now = &scheduled.start;
    } else if (now != &scheduled.start) {
      evaluate_schedule();
    }
    const auto fractions = integrator->stage_fractions();
    for (std::size_t k = 0; k < fractions.size(); ++k)
      system->schedule.update((static_cast<double>(state.step) + fractions[k]) * system->time_step,
                              scheduled.stages[k]);
    system->schedule.update(system->time(state.step + 1), scheduled.end);
  }

  std::unique_ptr<System> system;
  std::unique_ptr<Integrator> integrator;
  WorkMeter meter;
  State state, previous;
  WorkAccounts work, previous_work;
  VectorArray reactions;        ///< pins×3, N.
  StepInputs scheduled;         ///< The scene's.
  Inputs given;                 ///< The end of a step with a caller's inputs.
  const Inputs* now = nullptr;  ///< Inputs at the state's time: one of the above.
  double energy_scale = 0.0;    ///< |E_0| + kinetic_0 + 1 J.
  bool warned = false;          ///< The charge step's notice has been given.
};

Simulator::Simulator(std::unique_ptr<System> system) : impl_(std::make_unique<Impl>(std::move(system))) {}
Simulator::~Simulator() = default;
Simulator::Simulator(Simulator&&) noexcept = default;

StepReport Simulator::step() {
  return impl_->step();
}

StepReport Simulator::step(const StepInputs& inputs) {
  return impl_->step(inputs);
}

void Simulator::run(Count last_step, const Control& control) {
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

const WorkAccounts& Simulator::work() const {
  return impl_->work;
}

System& Simulator::system() const {
  return *impl_->system;
}

const Integrator& Simulator::integrator() const {
  return *impl_->integrator;
}

const Inputs& Simulator::inputs() const {
  return *impl_->now;
}

Energies Simulator::energies() {
  try {
    return electret::energies(*impl_->system, impl_->state, *impl_->now);
  } catch (const DivergenceError& error) {
    // A place where no potential exists, two charges at one point: the step that led there has failed.
    const Count failed = impl_->state.step;
    impl_->abandon_step();
    throw DivergenceError(failed, error.vertex(), error.cause(), error.advice());
  }
}

void Simulator::check_energy(const Energies& now) {
  const double total = now.total(), bound = impl_->energy_bound();
  if (std::abs(total) <= bound) return;
  const StepInputs inputs{*impl_->now, *impl_->now, {}};
  const State& before = impl_->has_previous() ? impl_->previous : impl_->state;
  const DivergenceError error =
      beyond_energy_bound({*impl_->system, *impl_->integrator, before, impl_->state, inputs}, total, bound);
  impl_->abandon_step();
  throw DivergenceError(error);
}

void Simulator::restore(State state, const WorkAccounts& work) {
  const auto n = static_cast<std::size_t>(impl_->system->vertex_count());
  require(state.positions.size() == n && state.velocities.size() == n,
          "a state of another number of vertices was restored");
  impl_->state = std::move(state);
  impl_->work = work;
  impl_->previous = {};
  impl_->evaluate_schedule();
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
