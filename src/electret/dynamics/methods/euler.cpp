#include <electret/core/vertex_loops.hpp>
#include <electret/dynamics/force_products.hpp>
#include <electret/dynamics/force_sum.hpp>
#include <electret/dynamics/methods/euler.hpp>
#include <electret/dynamics/pins.hpp>
#include <electret/dynamics/vector_arrays.hpp>

namespace electret {
namespace {

/// Which of the two methods.
struct Explicit {
  static constexpr std::string_view name = "explicit_euler";
  static constexpr std::string_view description = "first order, gains energy at any step; a baseline";
  static constexpr double stability_limit = 0.0;
  static constexpr bool moves_by_new_velocity = false;
};

struct Symplectic {
  static constexpr std::string_view name = "symplectic_euler";
  static constexpr std::string_view description =
      "first order, energy bounded while the step resolves every oscillation";
  static constexpr double stability_limit = 2.0;
  static constexpr bool moves_by_new_velocity = true;
};

template <class Kind>
class Euler final : public Integrator {
 public:
  explicit Euler(System& system)
      : system_(system), forces_(system, ForceSet::all), products_(system, ForceSet::all) {
    const auto n = static_cast<std::size_t>(system.vertex_count());
    force_.resize(n);
    before_.resize(n);
    by_force_.resize(n);
  }

  std::string_view name() const override { return Kind::name; }
  int order() const override { return 1; }
  std::string_view description() const override { return Kind::description; }
  double stability_limit() const override { return Kind::stability_limit; }

  StepReport step(State& state, const StepInputs& inputs, VectorSpan reactions, StepTape*) override {
    const double h = system_.time_step;
    VectorArray& x = state.positions;
    VectorArray& v = state.velocities;
    forces_.evaluate(x, v, inputs.start, force_);
    copy_rows(*system_.threads, v, before_);
    for_vertices(*system_.threads, x.size(), [&](std::size_t i) {
      v[i] += (h / system_.masses()[i]) * force_[i];
      x[i] += h * (Kind::moves_by_new_velocity ? v[i] : before_[i]);
    });
    place_pins(system_, inputs.end.pin_positions, x);
    move_pins(system_, inputs.start.pin_positions, inputs.end.pin_positions, h, v);
    pin_reactions(system_, before_, v, force_, reactions);
    return {};
  }

  AdjointReport step_backward(const BackwardStep& at, StepCotangent& c, const StepGradients& out) override {
    const double h = system_.time_step;
    release_pin_places(system_, c.positions, out.inputs.end);
    release_pin_velocities(system_, h, c.velocities, out.inputs);
    for_vertices(*system_.threads, by_force_.size(), [&](std::size_t i) {
      const Vec3 by_move = h * c.positions[i];
      if (Kind::moves_by_new_velocity) c.velocities[i] += by_move;
      by_force_[i] = (h / system_.masses()[i]) * c.velocities[i];
      if (!Kind::moves_by_new_velocity) c.velocities[i] += by_move;
      // M⁻¹f = (v' - v)/h.
      out.parameters.masses[i] -= dot(by_force_[i], at.end.velocities[i] - at.start.velocities[i]) / h;
    });
    const PointGradients here{c.positions, c.velocities, out.inputs.start, out.parameters};
    products_.add_position_part(at.start.positions, at.inputs.start, by_force_, here);
    products_.add_velocity_part(at.start.positions, at.start.velocities, at.inputs.start, by_force_, here);
    return {};
  }

 private:
  System& system_;
  ForceSum forces_;
  ForceSumProducts products_;
  VectorArray force_;     ///< n×3, N.
  VectorArray before_;    ///< n×3, m/s: velocities at the start of the step.
  VectorArray by_force_;  ///< ∂ℒ/∂f, n×3.
};

}  // namespace

std::unique_ptr<Integrator> make_explicit_euler(System& system) {
  return std::make_unique<Euler<Explicit>>(system);
}

std::unique_ptr<Integrator> make_symplectic_euler(System& system) {
  return std::make_unique<Euler<Symplectic>>(system);
}

}  // namespace electret
