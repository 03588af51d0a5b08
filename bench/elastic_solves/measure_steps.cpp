#include <algorithm>

#include <time.h>

#include <electret/core/stopwatch.hpp>
#include <electret/dynamics/force_sum.hpp>
#include <electret/dynamics/pins.hpp>
#include <electret/dynamics/step_schedule.hpp>

#include "elastic_solves/apart.hpp"
#include "elastic_solves/measure.hpp"

namespace electret::bench {
namespace {

double processor_seconds() {
  timespec now{};
  ::clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

/// imex's step with a solver that scenes have no name for.
class Steps {
 public:
  Steps(Assembly assembly, const SolveMethod& method, double tolerance, int threads)
      : system_(compile(prepared(std::move(assembly), method, tolerance), threads)),
        state_(initial_state(*system_)),
        schedule_(*system_, {}),
        forces_(*system_, ForceSet::explicit_only),
        factor_(system_->time_step * system_->time_step) {
    const Stopwatch watch(setup_);
    solver_ = method.make(*system_, factor_, system_->assembly.scene.integrator);
    for (auto* array : {&force_, &inertial_, &unforced_}) array->resize(state_.positions.size());
  }

  StepReport step() {
    schedule_.evaluate(state_.step);
    const StepInputs& inputs = schedule_.inputs();
    {
      const Stopwatch watch(field);
      forces_.evaluate(state_.positions, state_.velocities, inputs.start, force_);
    }
    place();
    VectorArray displacement = inertial_;
    StepReport report;
    {
      const Stopwatch watch(solve);
      processor -= processor_seconds();
      report = solver_->solve({state_.positions, inertial_, factor_, &inputs.end, &state_.memory, unforced_,
                               inputs.end.pin_positions},
                              displacement);
      processor += processor_seconds();
    }
    for (std::size_t i = 0; i < displacement.size(); ++i) {
      state_.velocities[i] = (1.0 / system_->time_step) * displacement[i];
      state_.positions[i] += displacement[i];
    }
    move_pins(*system_, inputs.start.pin_positions, inputs.end.pin_positions, system_->time_step,
              state_.velocities);
    place_pins(*system_, inputs.end.pin_positions, state_.positions);
    ++state_.step;
    return report;
  }

  [[nodiscard]] System& system() const { return *system_; }
  [[nodiscard]] StageSolver& solver() const { return *solver_; }
  [[nodiscard]] const State& state() const { return state_; }
  [[nodiscard]] double setup() const { return setup_; }
  double field = 0.0, solve = 0.0, processor = 0.0;  ///< s.

 private:
  static Assembly prepared(Assembly assembly, const SolveMethod& method, double tolerance) {
    assembly.scene.integrator.tolerance = tolerance;
    assembly.scene.integrator.max_iterations = method.most_iterations;
    return assembly;
  }

  /// y - x and h v.
  void place() {
    const double h = system_->time_step;
    for (std::size_t i = 0; i < force_.size(); ++i) {
      unforced_[i] = h * state_.velocities[i];
      inertial_[i] = unforced_[i] + (factor_ / system_->masses()[i]) * force_[i];
    }
    hold_pins(*system_, unforced_);
    hold_pins(*system_, inertial_);
  }

  std::unique_ptr<System> system_;
  State state_;
  StepSchedule schedule_;
  ForceSum forces_;
  double factor_, setup_ = 0.0;
  std::unique_ptr<StageSolver> solver_;
  VectorArray force_, inertial_, unforced_;
};

bool is_missed(const StepReport& report) {
  return report.capped || report.failed;
}

double spring_count(const System& system) {
  double count = 0.0;
  for (const auto& energy : system.elastic) count += static_cast<double>(energy->elements().size());
  return count;
}

}  // namespace

StepsMeasured measure_steps(Assembly assembly, const SolveMethod& method, double tolerance, int threads,
                            Count steps) {
  Steps run(std::move(assembly), method, tolerance, threads);
  const bool missed = is_missed(run.step());
  StepsMeasured result;
  result.capped = missed ? 1.0 : 0.0;
  result.vertices = run.system().vertex_count();
  result.springs = spring_count(run.system());
  result.first_ms = 1e3 * (run.setup() + run.solve);
  run.field = run.solve = run.processor = 0.0;
  const double share = 1.0 / static_cast<double>(steps);
  for (Count k = 0; k < steps && result.capped == 0.0; ++k) {
    const double before = run.solve;
    const StepReport report = run.step();
    result.worst_ms = std::max(result.worst_ms, 1e3 * (run.solve - before));
    const double h = run.system().time_step;
    result.worst_residual = std::max(result.worst_residual, report.residual / (h * h));
    result.iterations += share * report.elastic_iterations;
    result.linear_iterations += share * static_cast<double>(report.counts.of("linear_iterations"));
    if (is_missed(report)) result.capped = 1.0;
    const auto memory = run.state().memory.find("elastic_solver");
    if (!memory.empty() && memory[0] != 0.0) result.multigrid += share;
  }
  result.solve_ms = 1e3 * share * run.solve;
  result.processor_ms = 1e3 * share * run.processor;
  result.field_ms = 1e3 * share * run.field;
  result.peak_megabytes = peak_megabytes();
  return result;
}

AdjointMeasured measure_adjoint(Assembly assembly, const SolveMethod& method, int threads, Count steps) {
  Steps run(std::move(assembly), method, 1e-6, threads);
  run.step();
  AdjointMeasured result;
  run.solve = 0.0;
  double back = 0.0;
  const double share = 1.0 / static_cast<double>(steps);
  VectorArray rhs(run.state().positions.size()), z(rhs.size());
  for (Count k = 0; k <= steps; ++k) {
    run.step();
    for (std::size_t i = 0; i < rhs.size(); ++i)
      rhs[i] = run.state().positions[i] + Vec3{0.0, 0.0, 0.01 * static_cast<double>(i % 7)};
    if (k == 0) run.solve = 0.0;  // The first solve makes what the next ones use.
    double spent = 0.0;
    HessianSolve report;
    {
      const Stopwatch watch(spent);
      report = run.solver().solve_transposed(run.state().positions, rhs, 1e-10, z, run.state().memory);
    }
    if (k == 0) continue;
    back += spent;
    result.iterations += share * report.iterations;
  }
  result.forward_ms = 1e3 * share * run.solve;
  result.adjoint_ms = 1e3 * share * back;
  return result;
}

}  // namespace electret::bench
