#include <array>

#include <electret/core/stopwatch.hpp>
#include <electret/core/vertex_loops.hpp>
#include <electret/dynamics/elastic_inputs.hpp>
#include <electret/dynamics/methods/elastic_flow.hpp>
#include <electret/dynamics/methods/kick_midpoint.hpp>
#include <electret/dynamics/pins.hpp>
#include <electret/dynamics/stage/stage_adjoint.hpp>
#include <electret/dynamics/stage/stage_solver.hpp>
#include <electret/dynamics/vector_arrays.hpp>

namespace electret {
namespace {

/// A kick v₊ = w + h/2 M⁻¹f, then the implicit midpoint rule: with z = (x + x')/2, (x' - x)/h = (v₊ + v₊₊)/2,
/// v₊₊ - v₊ = -h M⁻¹∇E(z).
class Midpoint final : public ElasticFlow {
 public:
  Midpoint(System& system, const IntegratorOptions& options)
      : system_(system),
        factor_(0.25 * system.time_step * system.time_step),
        solver_(make_stage_solver(system, factor_, options)),
        adjoint_(system, *solver_, factor_, options) {
    const auto n = static_cast<std::size_t>(system.vertex_count());
    for (auto* array : {&inertial_, &unforced_, &displacement_, &middle_, &gradient_, &kicked_, &by_middle_})
      array->resize(n);
    middle_pins_.resize(system.pins.size());
  }

  std::string_view name() const override { return "kick_midpoint"; }
  std::string_view description() const override {
    return "springs implicit and undamped, charges explicit; second order, conserves energy at steps that "
           "resolve the charges";
  }
  double memory_needed() const override { return solver_->memory_needed(); }
  std::vector<MemoryArray> memory_layout() const override { return solver_->memory_layout(); }
  Choice elastic_choice() const override { return solver_->choice(); }
  bool conserves_energy() const override { return true; }
  /// Of the midpoint, for the elastic energies.
  std::span<const double> stage_fractions() const override { return fractions; }

  bool force_is_source() const override { return false; }

  StepReport step(State& state, VectorView force, const StepInputs& inputs, StepTape*) override {
    const Stopwatch watch(system_.timings.elastic);
    const double h = system_.time_step;
    VectorArray &x = state.positions, &v = state.velocities;
    for_vertices(*system_.threads, x.size(), [&](std::size_t i) {
      unforced_[i] = (0.5 * h) * v[i];
      v[i] += (0.5 * h / system_.masses()[i]) * force[i];
      inertial_[i] = (0.5 * h) * v[i];
    });
    for (std::size_t k = 0; k < system_.pins.size(); ++k)
      middle_pins_[k] = 0.5 * (inputs.start.pin_positions[k] + inputs.end.pin_positions[k]);
    hold_pins(system_, inertial_);
    hold_pins(system_, unforced_);
    copy_rows(*system_.threads, inertial_, displacement_);
    const StepReport report = solver_->solve(
        {x, inertial_, factor_, inputs.stages.data(), &state.memory, unforced_, middle_pins_}, displacement_);
    for_vertices(*system_.threads, x.size(), [&](std::size_t i) {
      v[i] = (4.0 / h) * displacement_[i] - v[i];
      x[i] += 2.0 * displacement_[i];
    });
    place_pins(system_, inputs.end.pin_positions, x);
    return report;
  }

  VectorView mean_gradient() const override { return solver_->elastic_gradient(); }

  /// (x' - x)/h - h/2 M⁻¹∇E(z), and v₊ with +.
  void recompute_velocities(const BackwardStep& at, VectorSpan after) override {
    const double h = system_.time_step;
    find_middle(at);
    set_elastic_inputs(system_, at.inputs.stages[0]);
    set_zero(*system_.threads, gradient_);
    for (auto& energy : system_.elastic) energy->add_gradient(middle_, gradient_);
    for_vertices(*system_.threads, middle_.size(), [&](std::size_t i) {
      const Vec3 mean = (1.0 / h) * (at.end.positions[i] - at.start.positions[i]);
      const Vec3 half_change = (0.5 * h / system_.masses()[i]) * gradient_[i];
      kicked_[i] = mean + half_change;
      after[i] = mean - half_change;
    });
  }

  AdjointReport step_backward(const BackwardStep& at, VectorView w, StepCotangent& c, VectorSpan by_force,
                              const StepGradients& out) override {
    const AdjointReport report = transpose_midpoint(at, c, out);
    for_vertices(*system_.threads, by_force.size(), [&](std::size_t i) {
      by_force[i] = (0.5 * system_.time_step / system_.masses()[i]) * c.velocities[i];
      out.parameters.masses[i] -= (2.0 / system_.time_step) * dot(by_force[i], kicked_[i] - w[i]);
    });
    return report;
  }

 private:
  static constexpr std::array<double, 1> fractions = {0.5};

  /// Turns ∂ℒ/∂(x', v₊₊) into ∂ℒ/∂(x, v₊).
  AdjointReport transpose_midpoint(const BackwardStep& at, StepCotangent& c, const StepGradients& out) {
    const double h = system_.time_step;
    find_middle(at);
    for_vertices(*system_.threads, by_middle_.size(),
                 [&](std::size_t i) { by_middle_[i] = 2.0 * c.positions[i] + (4.0 / h) * c.velocities[i]; });
    const AdjointReport report =
        adjoint_.solve(middle_, by_middle_, at.inputs.stages[0], {at.end.memory, &at.tape});
    release_pins(out);
    const VectorView w = adjoint_.solution();
    for_vertices(*system_.threads, by_middle_.size(), [&](std::size_t i) {
      const Vec3 by_inertial = system_.masses()[i] * w[i];
      const Vec3 inertia = -(factor_ / system_.masses()[i]) * gradient_[i];  // z - y
      out.parameters.masses[i] -= dot(w[i], inertia);
      c.positions[i] = by_inertial - c.positions[i] - (4.0 / h) * c.velocities[i];
      c.velocities[i] = (0.5 * h) * by_inertial - c.velocities[i];
    });
    adjoint_.add_elastic_parameters(middle_, out.inputs.stages[0], out.parameters);
    return report;
  }

  /// z of a step taken before: halfway, at pins too.
  void find_middle(const BackwardStep& at) {
    for_vertices(*system_.threads, middle_.size(),
                 [&](std::size_t i) { middle_[i] = 0.5 * (at.start.positions[i] + at.end.positions[i]); });
  }

  /// z_P = (p(t) + p(t+h))/2.
  void release_pins(const StepGradients& out) {
    for (const Index pin : system_.pins) by_middle_[static_cast<std::size_t>(pin)] = {};
    adjoint_.add_pin_places(by_middle_);
    for (std::size_t k = 0; k < system_.pins.size(); ++k) {
      const Vec3 half = 0.5 * by_middle_[static_cast<std::size_t>(system_.pins[k])];
      out.inputs.start.pin_positions[k] += half;
      out.inputs.end.pin_positions[k] += half;
    }
  }

  System& system_;
  double factor_;  ///< h²/4.
  std::unique_ptr<StageSolver> solver_;
  StageAdjoint adjoint_;
  VectorArray inertial_, unforced_;  ///< y - x, and without the kick, n×3, m.
  VectorArray displacement_;         ///< z - x, n×3, m.
  VectorArray middle_pins_;          ///< z at the pins, pins×3, m.
  // Of backward steps, n×3.
  VectorArray middle_;                ///< z, m.
  VectorArray gradient_, by_middle_;  ///< ∇E(z), ∂ℒ/∂z.
  VectorArray kicked_;                ///< v₊, m/s.
};

}  // namespace

std::unique_ptr<Integrator> make_kick_midpoint(System& system, const IntegratorOptions& options) {
  return make_kick(system, std::make_unique<Midpoint>(system, options));
}

}  // namespace electret
