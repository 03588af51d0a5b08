#include <electret/dynamics/force_sum.hpp>
#include <electret/dynamics/pins.hpp>
#include <electret/dynamics/verlet.hpp>

namespace electret {
namespace {

class Verlet final : public Integrator {
 public:
  explicit Verlet(System& system) : system_(system), forces_(system, ForceSet::all) {
    const auto n = static_cast<std::size_t>(system.vertex_count());
    half_step_.reserve(n);
    for (const double m : system.masses()) half_step_.push_back(0.5 * system.time_step / m);
    force_.resize(n);
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

  StepReport step(State& state, const StepInputs& inputs, VectorSpan reactions) override {
    const double h = system_.time_step;
    VectorArray& x = state.positions;
    VectorArray& v = state.velocities;
    forces_.evaluate(x, v, inputs.start, force_);
    remember_pins(v);
    kick(v);
    for (std::size_t i = 0; i < x.size(); ++i) x[i] += h * v[i];
    place_pins(system_.pins, inputs.end.pin_positions, x);
    move_pins(system_.pins, inputs.start.pin_positions, inputs.end.pin_positions, h, v);
    forces_.evaluate(x, v, inputs.end, force_);
    react(v, reactions);
    kick(v);
    move_pins(system_.pins, inputs.start.pin_positions, inputs.end.pin_positions, h, v);
    return {};
  }

 private:
  /// v += h/2 M⁻¹f.
  void kick(VectorArray& v) {
    for (std::size_t i = 0; i < v.size(); ++i) v[i] += half_step_[i] * force_[i];
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
    for (std::size_t k = 0; k < system_.pins.size(); ++k) {
      const auto i = static_cast<std::size_t>(system_.pins[k]);
      reactions[k] =
          (system_.masses()[i] / system_.time_step) * (v[i] - before_[k]) - 0.5 * (first_[k] + force_[i]);
    }
  }

  System& system_;
  ForceSum forces_;
  std::vector<double> half_step_;  ///< n, h/(2 m_i), s/kg.
  VectorArray force_;              ///< n×3, N.
  VectorArray before_, first_;     ///< Pins' velocities and forces at the start of the step.
};

}  // namespace

std::unique_ptr<Integrator> make_verlet(System& system) {
  return std::make_unique<Verlet>(system);
}

}  // namespace electret
