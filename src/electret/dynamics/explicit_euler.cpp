#include <electret/dynamics/explicit_euler.hpp>
#include <electret/dynamics/force_sum.hpp>
#include <electret/dynamics/pins.hpp>

namespace electret {
namespace {

class ExplicitEuler final : public Integrator {
 public:
  explicit ExplicitEuler(System& system) : system_(system), forces_(system, ForceSet::all) {
    const auto n = static_cast<std::size_t>(system.vertex_count());
    force_.resize(n);
    before_.resize(n);
  }

  std::string_view name() const override { return "explicit_euler"; }
  int order() const override { return 1; }
  std::string_view description() const override {
    return "first order, gains energy at any step; a baseline";
  }
  double stability_limit() const override { return 0.0; }

  StepReport step(State& state, const StepInputs& inputs, VectorSpan reactions) override {
    const double h = system_.time_step;
    VectorArray& x = state.positions;
    VectorArray& v = state.velocities;
    forces_.evaluate(x, v, inputs.start, force_);
    before_ = v;
    for (std::size_t i = 0; i < x.size(); ++i) {
      x[i] += h * v[i];
      v[i] += (h / system_.masses()[i]) * force_[i];
    }
    place_pins(system_.pins, inputs.end.pin_positions, x);
    move_pins(system_.pins, inputs.start.pin_positions, inputs.end.pin_positions, h, v);
    pin_reactions(system_, before_, v, force_, reactions);
    return {};
  }

 private:
  System& system_;
  ForceSum forces_;
  VectorArray force_;   ///< n×3, N.
  VectorArray before_;  ///< n×3, m/s: velocities at the start of the step.
};

}  // namespace

std::unique_ptr<Integrator> make_explicit_euler(System& system) {
  return std::make_unique<ExplicitEuler>(system);
}

}  // namespace electret
