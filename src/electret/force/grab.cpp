#include <algorithm>

#include <electret/force/grab.hpp>

namespace electret {
namespace {

/// Its size is that of the inputs: 5 per grab.
constexpr ForceParameter grab_parameters[] = {{"grabs", "", 0, ParameterOwner::grabs}};

/// Σ w_i a_i over a grab's vertices.
Vec3 mean_of(const PlacedGrab& grab, VectorView a) {
  Vec3 sum;
  for (std::size_t k = 0; k < grab.vertices.size(); ++k)
    sum += grab.weights[k] * a[static_cast<std::size_t>(grab.vertices[k])];
  return sum;
}

/// d = Σ w_i (p - x_i).
Vec3 pull_of(const PlacedGrab& grab, VectorView x) {
  Vec3 sum;
  for (std::size_t k = 0; k < grab.vertices.size(); ++k)
    sum += grab.weights[k] * (grab.target - x[static_cast<std::size_t>(grab.vertices[k])]);
  return sum;
}

double sum_of_weights(const PlacedGrab& grab) {
  double sum = 0.0;
  for (const double weight : grab.weights) sum += weight;
  return sum;
}

/// out_i += w_i a.
void spread(const PlacedGrab& grab, const Vec3& a, VectorSpan out) {
  for (std::size_t k = 0; k < grab.vertices.size(); ++k)
    out[static_cast<std::size_t>(grab.vertices[k])] += grab.weights[k] * a;
}

/// Adds to the derivatives by a grab's target.
void add_by_target(const Vec3& by, std::size_t grab, ScalarSpan out) {
  for (int axis = 0; axis < 3; ++axis) out[5 * grab + static_cast<std::size_t>(axis)] += by[axis];
}

class GrabForce final : public ExplicitForce {
 public:
  [[nodiscard]] std::string_view name() const override { return "grab"; }
  [[nodiscard]] EnergyColumn column() const override { return EnergyColumn::external; }
  [[nodiscard]] std::span<const ForceParameter> parameters() const override { return grab_parameters; }
  [[nodiscard]] bool acts(const Inputs& inputs) const override {
    return std::any_of(inputs.grabs.begin(), inputs.grabs.end(),
                       [](const PlacedGrab& grab) { return grab.stiffness != 0.0; });
  }

  void add_force(const ForcePoint& at, VectorSpan f) override {
    for (const PlacedGrab& grab : at.inputs.grabs)
      if (grab.stiffness != 0.0) spread(grab, grab.stiffness * pull_of(grab, at.positions), f);
  }

  double potential_energy(const ForcePoint& at) override {
    double sum = 0.0;
    for (const PlacedGrab& grab : at.inputs.grabs)
      if (grab.stiffness != 0.0) sum += 0.5 * grab.stiffness * squared_norm(pull_of(grab, at.positions));
    return sum;
  }

  void add_transposed_jacobian_x(const ForcePoint& at, VectorView z, VectorSpan out) override {
    for (const PlacedGrab& grab : at.inputs.grabs)
      if (grab.stiffness != 0.0) spread(grab, -grab.stiffness * mean_of(grab, z), out);
  }

  void add_parameter_gradient(const ForcePoint& at, std::size_t, VectorView z, ScalarSpan out) override {
    const auto& grabs = at.inputs.grabs;
    for (std::size_t g = 0; g < grabs.size(); ++g) {
      const Vec3 mean = mean_of(grabs[g], z);
      add_by_target(grabs[g].stiffness * sum_of_weights(grabs[g]) * mean, g, out);
      out[5 * g + 3] += dot(mean, pull_of(grabs[g], at.positions));
    }
  }

  void add_potential_gradient(const ForcePoint& at, VectorSpan out) override {
    for (const PlacedGrab& grab : at.inputs.grabs)
      if (grab.stiffness != 0.0) spread(grab, -grab.stiffness * pull_of(grab, at.positions), out);
  }

  void add_potential_parameter_gradient(const ForcePoint& at, std::size_t, ScalarSpan out) override {
    const auto& grabs = at.inputs.grabs;
    for (std::size_t g = 0; g < grabs.size(); ++g) {
      const Vec3 pull = pull_of(grabs[g], at.positions);
      add_by_target(grabs[g].stiffness * sum_of_weights(grabs[g]) * pull, g, out);
      out[5 * g + 3] += 0.5 * squared_norm(pull);
    }
  }
};

class GrabDampingForce final : public ExplicitForce {
 public:
  [[nodiscard]] std::string_view name() const override { return "grab_damping"; }
  [[nodiscard]] Dependence dependence() const override { return Dependence::velocity; }
  [[nodiscard]] bool dissipates() const override { return true; }
  [[nodiscard]] std::span<const ForceParameter> parameters() const override { return grab_parameters; }
  [[nodiscard]] bool acts(const Inputs& inputs) const override {
    return std::any_of(inputs.grabs.begin(), inputs.grabs.end(),
                       [](const PlacedGrab& grab) { return grab.damping != 0.0; });
  }

  void add_force(const ForcePoint& at, VectorSpan f) override {
    for (const PlacedGrab& grab : at.inputs.grabs)
      if (grab.damping != 0.0) spread(grab, -grab.damping * mean_of(grab, at.velocities), f);
  }

  /// The force does not depend on positions.
  void add_transposed_jacobian_x(const ForcePoint&, VectorView, VectorSpan) override {}

  void add_transposed_jacobian_v(const ForcePoint& at, VectorView z, VectorSpan out) override {
    for (const PlacedGrab& grab : at.inputs.grabs)
      if (grab.damping != 0.0) spread(grab, -grab.damping * mean_of(grab, z), out);
  }

  void add_parameter_gradient(const ForcePoint& at, std::size_t, VectorView z, ScalarSpan out) override {
    const auto& grabs = at.inputs.grabs;
    for (std::size_t g = 0; g < grabs.size(); ++g)
      out[5 * g + 4] -= dot(mean_of(grabs[g], z), mean_of(grabs[g], at.velocities));
  }
};

}  // namespace

std::unique_ptr<ExplicitForce> make_grab_force() {
  return std::make_unique<GrabForce>();
}

std::unique_ptr<ExplicitForce> make_grab_damping_force() {
  return std::make_unique<GrabDampingForce>();
}

}  // namespace electret
