#include <electret/core/vertex_loops.hpp>
#include <electret/force/gravity.hpp>

namespace electret {
namespace {

constexpr ForceParameter gravity_parameters[] = {{"gravity", "m/s²", 3}};

class GravityForce final : public ExplicitForce {
 public:
  GravityForce(const Vec3& gravity, Threads& threads) : gravity_(gravity), threads_(threads) {}

  [[nodiscard]] std::string_view name() const override { return "gravity"; }
  [[nodiscard]] EnergyColumn column() const override { return EnergyColumn::gravity; }
  [[nodiscard]] std::span<const ForceParameter> parameters() const override { return gravity_parameters; }

  void add_force(const ForcePoint& at, VectorSpan f) override {
    for_vertices(at, [&](std::size_t i) { f[i] += at.masses[i] * gravity_; });
  }

  double potential_energy(const ForcePoint& at) override {
    return -sum(at, [&](std::size_t i) { return at.masses[i] * dot(gravity_, at.positions[i]); });
  }

  /// The force is the same everywhere.
  void add_transposed_jacobian_x(const ForcePoint&, VectorView, VectorSpan) override {}

  void add_mass_gradient(const ForcePoint& at, VectorView z, ScalarSpan out) override {
    for_vertices(at, [&](std::size_t i) { out[i] += dot(gravity_, z[i]); });
  }

  void add_parameter_gradient(const ForcePoint& at, std::size_t, VectorView z, ScalarSpan out) override {
    for (int axis = 0; axis < 3; ++axis)
      out[static_cast<std::size_t>(axis)] +=
          sum(at, [&](std::size_t i) { return at.masses[i] * z[i][axis]; });
  }

  void add_potential_gradient(const ForcePoint& at, VectorSpan out) override {
    for_vertices(at, [&](std::size_t i) { out[i] -= at.masses[i] * gravity_; });
  }

  void add_potential_mass_gradient(const ForcePoint& at, ScalarSpan out) override {
    for_vertices(at, [&](std::size_t i) { out[i] -= dot(gravity_, at.positions[i]); });
  }

  void add_potential_parameter_gradient(const ForcePoint& at, std::size_t, ScalarSpan out) override {
    for (int axis = 0; axis < 3; ++axis)
      out[static_cast<std::size_t>(axis)] -=
          sum(at, [&](std::size_t i) { return at.masses[i] * at.positions[i][axis]; });
  }

 private:
  template <class Vertex>
  void for_vertices(const ForcePoint& at, Vertex&& vertex) {
    electret::for_vertices(threads_, at.positions.size(), vertex);
  }
  template <class Term>
  double sum(const ForcePoint& at, Term&& term) {
    return sum_over_vertices(threads_, at.positions.size(), term);
  }

  Vec3 gravity_;
  Threads& threads_;
};

}  // namespace

std::unique_ptr<ExplicitForce> make_gravity_force(const Vec3& gravity, Threads& threads) {
  return std::make_unique<GravityForce>(gravity, threads);
}

}  // namespace electret
