
#include <electret/core/vertex_loops.hpp>
#include <electret/dynamics/force_products.hpp>
#include <electret/dynamics/force_sum.hpp>
#include <electret/dynamics/methods/verlet.hpp>
#include <electret/dynamics/pins.hpp>
#include <electret/dynamics/vector_arrays.hpp>

namespace electret {
namespace {

class Verlet final : public Integrator {
 public:
  explicit Verlet(System& system)
      : system_(system), forces_(system, ForceSet::all), products_(system, ForceSet::all) {
    const auto n = static_cast<std::size_t>(system.vertex_count());
    half_step_.reserve(n);
    for (const double m : system.masses()) half_step_.push_back(0.5 * system.time_step / m);
    for (auto* array : {&force_, &inner_, &by_force_}) array->resize(n);
    before_.resize(system.pins.size());
    first_.resize(system.pins.size());
  }

  std::string_view name() const override { return "verlet"; }
  int order() const override { return 2; }
  std::string_view description() const override {
    return "second order, conserves energy while the step resolves every oscillation";
  }
  double stability_limit() const override { return 2.0; }
  bool conserves_energy() const override { return true; }

  StepReport step(State& state, const StepInputs& inputs, VectorSpan reactions, StepTape*) override {
    const double h = system_.time_step;
    VectorArray& x = state.positions;
    VectorArray& v = state.velocities;
    forces_.evaluate(x, v, inputs.start, force_);
    remember_pins(v);
    kick(v);
    for_vertices(*system_.threads, x.size(), [&](std::size_t i) { x[i] += h * v[i]; });
    place_pins(system_, inputs.end.pin_positions, x);
    move_pins(system_, inputs.start.pin_positions, inputs.end.pin_positions, h, v);
    forces_.evaluate(x, v, inputs.end, force_);
    react(v, reactions);
    kick(v);
    move_pins(system_, inputs.start.pin_positions, inputs.end.pin_positions, h, v);
    return {};
  }

  AdjointReport step_backward(const BackwardStep& at, StepCotangent& c, const StepGradients& out) override {
    const double h = system_.time_step;
    const State &start = at.start, &end = at.end;
    inner_velocities(at);
    // v' = v½ + h/2 M⁻¹f(x', v½). The position part is multiplied together with the share that the next step
    // left.
    release_pin_velocities(system_, h, c.velocities, out.inputs);
    transpose_kick(c.velocities, end.velocities, inner_, out.parameters);
    for_vertices(*system_.threads, by_force_.size(),
                 [&](std::size_t i) { c.position_force[i] += by_force_[i]; });
    const PointGradients there{c.positions, c.velocities, out.inputs.end, out.parameters};
    products_.add_position_part(end.positions, at.inputs.end, c.position_force, there);
    products_.add_velocity_part(end.positions, inner_, at.inputs.end, by_force_, there);
    // x' = x + h v½.
    release_pin_places(system_, c.positions, out.inputs.end);
    release_pin_velocities(system_, h, c.velocities, out.inputs);
    for_vertices(*system_.threads, by_force_.size(),
                 [&](std::size_t i) { c.velocities[i] += h * c.positions[i]; });
    // v½ = v + h/2 M⁻¹f(x, v). The position part is left to the step before.
    transpose_kick(c.velocities, inner_, start.velocities, out.parameters);
    copy_rows(*system_.threads, by_force_, c.position_force);
    const PointGradients here{c.positions, c.velocities, out.inputs.start, out.parameters};
    products_.add_velocity_part(start.positions, start.velocities, at.inputs.start, by_force_, here);
    return {};
  }

  void finish_backward(const State& start, const Inputs& inputs, StepCotangent& c, InputGradients& by_inputs,
                       ParameterGradients& by_parameters) override {
    products_.add_position_part(start.positions, inputs, c.position_force,
                                {c.positions, {}, by_inputs, by_parameters});
    set_zero(*system_.threads, c.position_force);
  }

 private:
  /// v½ = (x' - x)/h, at pins as `step` sets it.
  void inner_velocities(const BackwardStep& at) {
    const double h = system_.time_step;
    for_vertices(*system_.threads, inner_.size(), [&](std::size_t i) {
      inner_[i] = (1.0 / h) * (at.end.positions[i] - at.start.positions[i]);
    });
    move_pins(system_, at.inputs.start.pin_positions, at.inputs.end.pin_positions, h, inner_);
  }

  /// The transpose of after = before + h/2 M⁻¹f: writes ∂ℒ/∂f to `by_force_` and adds the masses' derivatives
  /// through M⁻¹.
  void transpose_kick(VectorView by_after, VectorView after, VectorView before, ParameterGradients& out) {
    for_vertices(*system_.threads, by_force_.size(), [&](std::size_t i) {
      by_force_[i] = half_step_[i] * by_after[i];
      out.masses[i] -= (2.0 / system_.time_step) * dot(by_force_[i], after[i] - before[i]);
    });
  }

  /// v += h/2 M⁻¹f.
  void kick(VectorArray& v) {
    for_vertices(*system_.threads, v.size(), [&](std::size_t i) { v[i] += half_step_[i] * force_[i]; });
  }

  void remember_pins(const VectorArray& v) {
    for (std::size_t k = 0; k < system_.pins.size(); ++k) {
      const auto i = static_cast<std::size_t>(system_.pins[k]);
      before_[k] = v[i];
      first_[k] = force_[i];
    }
  }

  /// m (v' - v)/h - ½ (f(x, v, t) + f(x', v½, t+h)) at the pins; `v` holds their v' already.
  void react(const VectorArray& v, VectorSpan reactions) {
    for_pins(system_, [&](const PinRow& at) {
      const std::size_t i = at.vertex, k = at.pin;
      reactions[k] = at.share((system_.masses()[i] / system_.time_step) * (v[i] - before_[k]) -
                              0.5 * (first_[k] + force_[i]));
    });
  }

  System& system_;
  ForceSum forces_;
  ForceSumProducts products_;
  std::vector<double> half_step_;  ///< n, h/(2 m_i), s/kg.
  VectorArray force_;              ///< n×3, N.
  VectorArray inner_;              ///< v½, n×3, m/s: of a backward step.
  VectorArray by_force_;           ///< ∂ℒ/∂f, n×3.
  VectorArray before_, first_;     ///< Pins' velocities and forces at the start of the step.
};

}  // namespace

std::unique_ptr<Integrator> make_verlet(System& system) {
  return std::make_unique<Verlet>(system);
}

}  // namespace electret
