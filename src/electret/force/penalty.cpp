#include <electret/core/vertex_loops.hpp>
#include <electret/force/detail/obstacle_products.hpp>
#include <electret/force/penalty.hpp>

namespace electret {
namespace {

/// The number of parameters before those of the surface: the stiffness.
constexpr std::size_t penalty_own = 1;

class PenaltyForce final : public ExplicitForce {
 public:
  PenaltyForce(const ForceObstacle& obstacle, Threads& threads)
      : obstacle_(obstacle),
        penalty_(obstacle_.penalty),
        parameters_(detail::with_surface_parameters({{"stiffness", "", 1}}, obstacle)),
        threads_(threads) {}

  [[nodiscard]] std::string_view name() const override { return "penalty"; }
  [[nodiscard]] EnergyColumn column() const override { return EnergyColumn::external; }
  [[nodiscard]] std::span<const ForceParameter> parameters() const override { return parameters_; }

  void add_force(const ForcePoint& at, VectorSpan f) override {
    for_touching(at,
                 [&](std::size_t i, const SurfaceView& s) { f[i] += penalty_.push(-s.distance) * s.normal; });
  }

  double potential_energy(const ForcePoint& at) override {
    return penalty_.stiffness * energy_per_stiffness(at);
  }

  void add_transposed_jacobian_x(const ForcePoint& at, VectorView z, VectorSpan out) override {
    add_products(at, z, {out, {}, {}, {}});
  }

  void add_parameter_gradient(const ForcePoint& at, std::size_t parameter, VectorView z,
                              ScalarSpan out) override {
    spans_.assign(parameters_.size(), {});
    spans_[parameter] = out;
    add_products(at, z, {{}, {}, {}, spans_});
  }

  /// f = f_n n depends on φ by -f_n' n and on n by f_n. ∂f/∂x = f_n K - f_n' nnᵀ is symmetric.
  void add_products(const ForcePoint& at, VectorView z, const ForceProducts& out) override {
    require(out.parameters.empty() || out.parameters.size() == parameters_.size(),
            "penalty: not one span per parameter");
    const PlacedSurface surface = detail::placed(obstacle_, at);
    const auto sums = sums_.over_touching(
        threads_, at.positions, surface, [&](std::size_t i, const SurfaceView& s, ObstacleSums::Sums& sum) {
          const double depth = -s.distance, along = dot(s.normal, z[i]);
          const Vec3 by_x =
              surface.add(at.positions[i], s,
                          {-penalty_.slope(depth) * along, penalty_.push(depth) * z[i], {}}, sum.surface);
          if (!out.positions.empty()) out.positions[i] += by_x;
          sum.own[0] += penalty_.push_per_stiffness(depth) * along;
        });
    detail::add_sums(sums, surface, obstacle_, penalty_own, out.parameters);
  }

  void add_potential_gradient(const ForcePoint& at, VectorSpan out) override {
    for_touching(
        at, [&](std::size_t i, const SurfaceView& s) { out[i] -= penalty_.push(-s.distance) * s.normal; });
  }

  void add_potential_parameter_gradient(const ForcePoint& at, std::size_t parameter,
                                        ScalarSpan out) override {
    if (parameter == 0) {
      out[0] += energy_per_stiffness(at);
      return;
    }
    spans_.assign(parameters_.size(), {});
    spans_[parameter] = out;
    const PlacedSurface surface = detail::placed(obstacle_, at);
    const auto sums = sums_.over_touching(
        threads_, at.positions, surface, [&](std::size_t i, const SurfaceView& s, ObstacleSums::Sums& sum) {
          surface.add(at.positions[i], s, {-penalty_.push(-s.distance), {}, {}}, sum.surface);
        });
    detail::add_sums(sums, surface, obstacle_, penalty_own, spans_);
  }

 private:
  using ObstacleSums = detail::ObstacleSums;

  template <class Touching>
  void for_touching(const ForcePoint& at, Touching&& touching) {
    const PlacedSurface surface = detail::placed(obstacle_, at);
    for_vertices(threads_, at.positions.size(), [&](std::size_t i) {
      if (!surface.may_hold(at.positions[i])) return;
      const SurfaceView s = surface.view(at.positions[i]);
      if (s.distance < 0.0) touching(i, s);
    });
  }

  double energy_per_stiffness(const ForcePoint& at) {
    const PlacedSurface surface = detail::placed(obstacle_, at);
    return sum_over_vertices(threads_, at.positions.size(), [&](std::size_t i) {
      if (!surface.may_hold(at.positions[i])) return 0.0;
      const SurfaceView s = surface.view(at.positions[i]);
      return s.distance < 0.0 ? penalty_.energy_per_stiffness(-s.distance) : 0.0;
    });
  }

  ForceObstacle obstacle_;
  const Penalty& penalty_;
  std::vector<ForceParameter> parameters_;
  Threads& threads_;
  ObstacleSums sums_;
  std::vector<ScalarSpan> spans_;
};

}  // namespace

std::unique_ptr<ExplicitForce> make_penalty_force(const ForceObstacle& obstacle, Threads& threads) {
  return std::make_unique<PenaltyForce>(obstacle, threads);
}

}  // namespace electret
