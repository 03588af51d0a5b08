#include <algorithm>
#include <limits>

#include <electret/core/stopwatch.hpp>
#include <electret/dynamics/elastic_solver.hpp>
#include <electret/dynamics/force_products.hpp>
#include <electret/dynamics/force_sum.hpp>
#include <electret/dynamics/imex.hpp>
#include <electret/dynamics/pins.hpp>

namespace electret {
namespace {

class Imex final : public Integrator {
 public:
  Imex(System& system, const IntegratorOptions& options, std::string_view name)
      : name_(name),
        system_(system),
        forces_(system, ForceSet::explicit_only),
        products_(system, ForceSet::explicit_only),
        adjoint_tolerance_(std::min(1e-10, options.tolerance)),
        solver_(make_elastic_solver(system, system.time_step * system.time_step, options)) {
    const auto n = static_cast<std::size_t>(system.vertex_count());
    for (auto* array : {&force_, &inertial_, &next_, &before_}) array->resize(n);
  }

  std::string_view name() const override { return name_; }
  int order() const override { return 1; }
  std::string_view description() const override {
    return "springs implicit, charges explicit; stable at large steps, but damps oscillations faster than "
           "the step";
  }
  double stability_limit() const override { return std::numeric_limits<double>::infinity(); }

  StepReport step(State& state, const StepInputs& inputs, VectorSpan reactions, StepTape*) override {
    forces_.evaluate(state.positions, state.velocities, inputs.start, force_);
    place_inertial(state, inputs.end);
    next_ = inertial_;
    const StepReport report = solve(state, inputs.end);
    advance(state, inputs);
    react(state, reactions);
    return report;
  }

  AdjointReport step_backward(const BackwardStep& at, StepCotangent& c, const StepGradients& out) override {
    const double h = system_.time_step;
    release_pin_velocities(system_.pins, h, c.velocities, out.inputs);
    const AdjointReport report = solve_adjoint(at.end, c);
    // What the springs at a pin pull on the free vertices depends on the pin's place.
    for (const Index pin : system_.pins)
      c.positions[static_cast<std::size_t>(pin)] -= product_[static_cast<std::size_t>(pin)];
    release_pin_places(system_.pins, c.positions, out.inputs.end);
    for (std::size_t i = 0; i < z_.size(); ++i) {
      const double m = system_.masses()[i];
      const Vec3 inertia = at.end.positions[i] - at.start.positions[i] - h * at.start.velocities[i];
      out.parameters.masses[i] -= dot(z_[i], inertia);
      c.positions[i] = m * z_[i] - (1.0 / h) * c.velocities[i];
      c.velocities[i] = (h * m) * z_[i];
      by_force_[i] = (h * h) * z_[i];
    }
    add_elastic_parameters(at.end, out.parameters);
    const PointGradients here{c.positions, c.velocities, out.inputs.start, out.parameters};
    products_.add_position_part(at.start.positions, at.inputs.start, by_force_, here);
    products_.add_velocity_part(at.start.positions, at.start.velocities, at.inputs.start, by_force_, here);
    return report;
  }

 private:
  /// (M + h²∇²E(x')) z = a + b/h on the free vertices; `product_` is that matrix times z, pinned rows too.
  AdjointReport solve_adjoint(const State& end, const StepCotangent& c) {
    for (auto* array : {&z_, &product_, &by_force_, &right_hand_side_}) array->resize(next_.size());
    for (std::size_t i = 0; i < z_.size(); ++i)
      right_hand_side_[i] = c.positions[i] + (1.0 / system_.time_step) * c.velocities[i];
    const HessianSolve solved =
        solver_->solve_hessian(end.positions, right_hand_side_, adjoint_tolerance_, z_);
    solver_->hessian_product_unmasked(z_, product_);
    return {solved.iterations, solved.residual, solved.which};
  }

  /// -h² zᵀ∂∇E(x')/∂θ.
  void add_elastic_parameters(const State& end, ParameterGradients& out) {
    for (std::size_t i = 0; i < z_.size(); ++i) product_[i] = -by_force_[i];
    for (std::size_t k = 0; k < system_.elastic.size(); ++k) {
      spans_.assign(out.elastic[k].begin(), out.elastic[k].end());
      system_.elastic[k]->add_gradient_parameter_products(end.positions, product_, spans_);
    }
  }

  /// y = x + h v + h² M⁻¹f, at pins p(t_{n+1}).
  void place_inertial(const State& state, const Inputs& end) {
    const double h = system_.time_step;
    for (std::size_t i = 0; i < inertial_.size(); ++i)
      inertial_[i] = state.positions[i] + h * state.velocities[i] + (h * h / system_.masses()[i]) * force_[i];
    place_pins(system_.pins, end.pin_positions, inertial_);
  }

  StepReport solve(State& state, const Inputs& end) {
    const Stopwatch watch(system_.timings.elastic);
    const double h = system_.time_step;
    return solver_->minimise({state.positions, inertial_, h * h, &end, &state.memory}, next_);
  }

  /// v' = (x' - x)/h, x ← x'.
  void advance(State& state, const StepInputs& inputs) {
    const double h = system_.time_step;
    before_ = state.velocities;
    for (std::size_t i = 0; i < next_.size(); ++i) {
      const Vec3 d = next_[i] - state.positions[i];
      state.velocities[i] = {d.x / h, d.y / h, d.z / h};
    }
    state.positions = next_;
    move_pins(system_.pins, inputs.start.pin_positions, inputs.end.pin_positions, h, state.velocities);
  }

  /// At pins M(x' - x - h v)/h² - f_explicit + ∇E(x'): springs pull where they end, as the method has it.
  void react(const State& state, VectorSpan reactions) {
    const VectorView pull = solver_->elastic_gradient();
    for (const Index pin : system_.pins)
      force_[static_cast<std::size_t>(pin)] -= pull[static_cast<std::size_t>(pin)];
    pin_reactions(system_, before_, state.velocities, force_, reactions);
  }

  std::string_view name_;
  System& system_;
  ForceSum forces_;
  ForceSumProducts products_;
  double adjoint_tolerance_;
  std::unique_ptr<ElasticSolver> solver_;
  VectorArray force_;     ///< n×3, N.
  VectorArray inertial_;  ///< y, n×3, m.
  VectorArray next_;      ///< x', n×3, m.
  VectorArray before_;    ///< v, n×3, m/s.
  // Of backward steps.
  VectorArray right_hand_side_, z_, product_;  ///< Of the adjoint solve, n×3.
  VectorArray by_force_;                       ///< ∂ℒ/∂f, n×3.
  std::vector<ScalarSpan> spans_;
};

}  // namespace

std::unique_ptr<Integrator> make_imex(System& system, const IntegratorOptions& options) {
  return std::make_unique<Imex>(system, options, "imex");
}

std::unique_ptr<Integrator> make_newton(System& system, IntegratorOptions options) {
  if (options.elastic_solver == "auto") options.elastic_solver = "newton_cg";
  return std::make_unique<Imex>(system, options, "newton");
}

}  // namespace electret
