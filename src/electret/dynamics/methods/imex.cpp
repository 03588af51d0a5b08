#include <limits>

#include <electret/core/stopwatch.hpp>
#include <electret/core/vertex_loops.hpp>
#include <electret/dynamics/force_products.hpp>
#include <electret/dynamics/force_sum.hpp>
#include <electret/dynamics/methods/imex.hpp>
#include <electret/dynamics/pins.hpp>
#include <electret/dynamics/stage/stage_adjoint.hpp>
#include <electret/dynamics/stage/stage_solver.hpp>
#include <electret/dynamics/vector_arrays.hpp>

namespace electret {
namespace {

class Imex final : public Integrator {
 public:
  Imex(System& system, const IntegratorOptions& options, std::string_view name)
      : name_(name),
        system_(system),
        forces_(system, ForceSet::explicit_only),
        products_(system, ForceSet::explicit_only),
        solver_(make_stage_solver(system, system.time_step * system.time_step, options)),
        adjoint_(system, *solver_, system.time_step * system.time_step, options) {
    const auto n = static_cast<std::size_t>(system.vertex_count());
    for (auto* array : {&force_, &inertial_, &unforced_, &displacement_, &before_}) array->resize(n);
  }

  std::string_view name() const override { return name_; }
  int order() const override { return 1; }
  std::string_view description() const override {
    return "springs implicit, charges explicit; stable at large steps, but damps oscillations faster than "
           "the step";
  }
  double stability_limit() const override { return std::numeric_limits<double>::infinity(); }
  double memory_needed() const override { return solver_->memory_needed(); }
  std::vector<MemoryArray> memory_layout() const override { return solver_->memory_layout(); }
  Choice elastic_choice() const override { return solver_->choice(); }

  StepReport step(State& state, const StepInputs& inputs, VectorSpan reactions, StepTape* tape) override {
    forces_.evaluate(state.positions, state.velocities, inputs.start, force_);
    place_inertial(state);
    const StepReport report = solve(state, inputs);
    if (tape != nullptr) solver_->keep(*tape);
    advance(state, inputs);
    react(state, reactions);
    return report;
  }

  AdjointReport step_backward(const BackwardStep& at, StepCotangent& c, const StepGradients& out) override {
    const double h = system_.time_step;
    release_pin_velocities(system_, h, c.velocities, out.inputs);
    solver_->begin_backward(at, c);
    by_force_.resize(displacement_.size());
    right_hand_side_.resize(displacement_.size());
    for_vertices(*system_.threads, by_force_.size(),
                 [&](std::size_t i) { right_hand_side_[i] = c.positions[i] + (1.0 / h) * c.velocities[i]; });
    const AdjointReport report =
        adjoint_.solve(at.end.positions, right_hand_side_, at.inputs.end, StageRecord(at));
    adjoint_.add_pin_places(c.positions);
    release_pin_places(system_, c.positions, out.inputs.end);
    const VectorView z = adjoint_.solution();
    for_vertices(*system_.threads, z.size(), [&](std::size_t i) {
      const double m = system_.masses()[i];
      // x' - x - h v, without the rounding of the positions.
      const Vec3 inertia = h * (at.end.velocities[i] - at.start.velocities[i]);
      out.parameters.masses[i] -= dot(z[i], inertia);
      c.positions[i] = m * z[i] - (1.0 / h) * c.velocities[i];
      c.velocities[i] = (h * m) * z[i];
      by_force_[i] = (h * h) * z[i];
    });
    solver_->add_transposed(c.positions, out);
    solver_->end_backward(c);
    adjoint_.add_elastic_parameters(at.end.positions, out.inputs.end, out.parameters);
    const PointGradients here{c.positions, c.velocities, out.inputs.start, out.parameters};
    products_.add_position_part(at.start.positions, at.inputs.start, by_force_, here);
    products_.add_velocity_part(at.start.positions, at.start.velocities, at.inputs.start, by_force_, here);
    return report;
  }

 private:
  /// y - x = h v + h² M⁻¹f, and h v. The solve starts from either.
  void place_inertial(const State& state) {
    const double h = system_.time_step;
    for_vertices(*system_.threads, inertial_.size(), [&](std::size_t i) {
      unforced_[i] = h * state.velocities[i];
      inertial_[i] = unforced_[i] + (h * h / system_.masses()[i]) * force_[i];
    });
    hold_pins(system_, inertial_);
    hold_pins(system_, unforced_);
    copy_rows(*system_.threads, inertial_, displacement_);
  }

  StepReport solve(State& state, const StepInputs& inputs) {
    const Stopwatch watch(system_.timings.elastic);
    const double h = system_.time_step;
    return solver_->solve({state.positions, inertial_, h * h, &inputs.end, &state.memory, unforced_,
                           inputs.end.pin_positions, &inputs.start},
                          displacement_);
  }

  /// v' = (x' - x)/h, x ← x'. The solver evaluated the same bits of x'.
  void advance(State& state, const StepInputs& inputs) {
    const double h = system_.time_step;
    copy_rows(*system_.threads, state.velocities, before_);
    for_vertices(*system_.threads, displacement_.size(), [&](std::size_t i) {
      const Vec3& d = displacement_[i];
      state.velocities[i] = {d.x / h, d.y / h, d.z / h};
      state.positions[i] += d;
    });
    place_pins(system_, inputs.end.pin_positions, state.positions);
    move_pins(system_, inputs.start.pin_positions, inputs.end.pin_positions, h, state.velocities);
  }

  /// At pins M(x' - x - h v)/h² - f_explicit + ∇E(x'). The springs' pull is that at the end of the step, as
  /// in the method, and so is what obstacles push rollers with, of which they bear a part.
  void react(const State& state, VectorSpan reactions) {
    const VectorView pull = solver_->elastic_gradient();
    for (const Index pin : system_.pins)
      force_[static_cast<std::size_t>(pin)] -= pull[static_cast<std::size_t>(pin)];
    if (system_.contacts)
      for (const Roller& roller : system_.rollers) {
        const Index vertex = roller.constraint.vertex;
        force_[static_cast<std::size_t>(vertex)] += system_.contacts->push_on(vertex);
      }
    pin_reactions(system_, before_, state.velocities, force_, reactions);
  }

  std::string_view name_;
  System& system_;
  ForceSum forces_;
  ForceSumProducts products_;
  std::unique_ptr<StageSolver> solver_;
  StageAdjoint adjoint_;
  VectorArray force_;         ///< n×3, N.
  VectorArray inertial_;      ///< y - x, n×3, m.
  VectorArray unforced_;      ///< h v, n×3, m.
  VectorArray displacement_;  ///< x' - x, n×3, m.
  VectorArray before_;        ///< v, n×3, m/s.
  // Of backward steps.
  VectorArray right_hand_side_;  ///< Of the adjoint solve, n×3.
  VectorArray by_force_;         ///< ∂ℒ/∂f, n×3.
};

}  // namespace

std::unique_ptr<Integrator> make_imex(System& system, const IntegratorOptions& options) {
  return std::make_unique<Imex>(system, options, "imex");
}

std::unique_ptr<Integrator> make_newton(System& system, const IntegratorOptions& options) {
  IntegratorOptions by_newton = options;
  if (by_newton.elastic_solver == "auto") by_newton.elastic_solver = "newton_cg";
  return std::make_unique<Imex>(system, by_newton, "newton");
}

}  // namespace electret
