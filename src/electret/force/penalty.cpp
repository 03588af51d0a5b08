#include <electret/core/transverse.hpp>
#include <electret/core/vertex_loops.hpp>
#include <electret/force/penalty.hpp>

namespace electret {
namespace {

constexpr ForceParameter penalty_parameters[] = {{"stiffness", "", 1}};

class PenaltyForce final : public ExplicitForce {
 public:
  PenaltyForce(const Penalty& penalty, Threads& threads) : penalty_(penalty), threads_(threads) {}

  [[nodiscard]] std::string_view name() const override { return "penalty"; }
  [[nodiscard]] EnergyColumn column() const override { return EnergyColumn::external; }
  [[nodiscard]] std::span<const ForceParameter> parameters() const override { return penalty_parameters; }

  void add_force(const ForcePoint& at, VectorSpan f) override {
    for_touching(at,
                 [&](std::size_t i, const SurfaceView& s) { f[i] += penalty_.push(-s.distance) * s.normal; });
  }

  double potential_energy(const ForcePoint& at) override {
    return penalty_.stiffness * energy_per_stiffness(at);
  }

  /// The Jacobian f_n κ (I - nnᵀ) - f_n' nnᵀ is symmetric.
  void add_transposed_jacobian_x(const ForcePoint& at, VectorView z, VectorSpan out) override {
    for_touching(at, [&](std::size_t i, const SurfaceView& s) {
      const double depth = -s.distance;
      out[i] += (penalty_.push(depth) * s.curvature) * transverse(s.normal, z[i]) -
                (penalty_.slope(depth) * dot(s.normal, z[i])) * s.normal;
    });
  }

  void add_parameter_gradient(const ForcePoint& at, std::size_t, VectorView z, ScalarSpan out) override {
    out[0] += sum_over_touching(at, [&](std::size_t i, const SurfaceView& s) {
      return penalty_.push_per_stiffness(-s.distance) * dot(s.normal, z[i]);
    });
  }

  void add_potential_gradient(const ForcePoint& at, VectorSpan out) override {
    for_touching(
        at, [&](std::size_t i, const SurfaceView& s) { out[i] -= penalty_.push(-s.distance) * s.normal; });
  }

  void add_potential_parameter_gradient(const ForcePoint& at, std::size_t, ScalarSpan out) override {
    out[0] += energy_per_stiffness(at);
  }

 private:
  template <class Touching>
  void for_touching(const ForcePoint& at, Touching&& touching) {
    for_vertices(threads_, at.positions.size(), [&](std::size_t i) {
      const SurfaceView s = view(penalty_.surface, at.positions[i]);
      if (s.distance < 0.0) touching(i, s);
    });
  }

  template <class Term>
  double sum_over_touching(const ForcePoint& at, Term&& term) {
    return sum_over_vertices(threads_, at.positions.size(), [&](std::size_t i) {
      const SurfaceView s = view(penalty_.surface, at.positions[i]);
      return s.distance < 0.0 ? term(i, s) : 0.0;
    });
  }

  double energy_per_stiffness(const ForcePoint& at) {
    return sum_over_touching(
        at, [&](std::size_t, const SurfaceView& s) { return penalty_.energy_per_stiffness(-s.distance); });
  }

  Penalty penalty_;
  Threads& threads_;
};

}  // namespace

std::unique_ptr<ExplicitForce> make_penalty_force(const Penalty& penalty, Threads& threads) {
  return std::make_unique<PenaltyForce>(penalty, threads);
}

}  // namespace electret
