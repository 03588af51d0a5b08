#include <electret/core/vertex_loops.hpp>
#include <electret/force/drag.hpp>

namespace electret {
namespace {

constexpr ForceParameter drag_parameters[] = {{"damping.drag", "1/s", 1}};

class DragForce final : public ExplicitForce {
 public:
  DragForce(double coefficient, Threads& threads) : coefficient_(coefficient), threads_(threads) {}

  [[nodiscard]] std::string_view name() const override { return "drag"; }
  [[nodiscard]] ForceRole role() const override { return ForceRole::drag; }
  [[nodiscard]] Dependence dependence() const override { return Dependence::velocity; }
  [[nodiscard]] bool dissipates() const override { return true; }
  [[nodiscard]] std::span<const ForceParameter> parameters() const override { return drag_parameters; }

  void add_force(const ForcePoint& at, VectorSpan f) override {
    for_vertices(threads_, f.size(),
                 [&](std::size_t i) { f[i] -= (coefficient_ * at.masses[i]) * at.velocities[i]; });
  }

  /// The force does not depend on positions.
  void add_transposed_jacobian_x(const ForcePoint&, VectorView, VectorSpan) override {}

  void add_transposed_jacobian_v(const ForcePoint& at, VectorView z, VectorSpan out) override {
    for_vertices(threads_, out.size(),
                 [&](std::size_t i) { out[i] -= (coefficient_ * at.masses[i]) * z[i]; });
  }

  void add_mass_gradient(const ForcePoint& at, VectorView z, ScalarSpan out) override {
    for_vertices(threads_, out.size(),
                 [&](std::size_t i) { out[i] -= coefficient_ * dot(z[i], at.velocities[i]); });
  }

  void add_parameter_gradient(const ForcePoint& at, std::size_t, VectorView z, ScalarSpan out) override {
    out[0] -= sum_over_vertices(threads_, z.size(),
                                [&](std::size_t i) { return at.masses[i] * dot(z[i], at.velocities[i]); });
  }

 private:
  double coefficient_;
  Threads& threads_;
};

}  // namespace

std::unique_ptr<ExplicitForce> make_drag_force(double coefficient, Threads& threads) {
  return std::make_unique<DragForce>(coefficient, threads);
}

}  // namespace electret
