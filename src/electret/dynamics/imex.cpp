#include <limits>

#include <electret/core/stopwatch.hpp>
#include <electret/dynamics/elastic_solver.hpp>
#include <electret/dynamics/force_sum.hpp>
#include <electret/dynamics/imex.hpp>
#include <electret/dynamics/pins.hpp>

namespace electret {
namespace {

class Imex final : public Integrator {
 public:
  Imex(System& system, const IntegratorOptions& options)
      : system_(system),
        forces_(system, ForceSet::explicit_only),
        solver_(make_elastic_solver(system, system.time_step * system.time_step, options)) {
    const auto n = static_cast<std::size_t>(system.vertex_count());
    for (auto* array : {&force_, &inertial_, &next_, &before_}) array->resize(n);
  }

  std::string_view name() const override { return "imex"; }
  int order() const override { return 1; }
  std::string_view description() const override {
    return "springs implicit, charges explicit; stable at large steps, but damps oscillations faster than "
           "the step";
  }
  double stability_limit() const override { return std::numeric_limits<double>::infinity(); }

  StepReport step(State& state, const StepInputs& inputs, VectorSpan reactions) override {
    forces_.evaluate(state.positions, state.velocities, inputs.start, force_);
    place_inertial(state, inputs.end);
    next_ = inertial_;
    const StepReport report = solve(state, inputs.end);
    advance(state, inputs);
    react(state, reactions);
    return report;
  }

 private:
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

  System& system_;
  ForceSum forces_;
  std::unique_ptr<ElasticSolver> solver_;
  VectorArray force_;     ///< n×3, N.
  VectorArray inertial_;  ///< y, n×3, m.
  VectorArray next_;      ///< x', n×3, m.
  VectorArray before_;    ///< v, n×3, m/s.
};

}  // namespace

std::unique_ptr<Integrator> make_imex(System& system, const IntegratorOptions& options) {
  return std::make_unique<Imex>(system, options);
}

}  // namespace electret
