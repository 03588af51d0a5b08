#include <electret/core/transverse.hpp>
#include <electret/core/vertex_loops.hpp>
#include <electret/force/detail/obstacle_products.hpp>
#include <electret/force/penalty_friction.hpp>

namespace electret {
namespace {

/// The number of parameters before those of the surface.
constexpr std::size_t friction_own = 3;

class PenaltyFrictionForce final : public ExplicitForce {
 public:
  PenaltyFrictionForce(const ForceObstacle& obstacle, double friction, double friction_stiffness,
                       Threads& threads)
      : obstacle_(obstacle),
        penalty_(obstacle_.penalty),
        friction_(friction),
        friction_stiffness_(friction_stiffness),
        parameters_(detail::with_surface_parameters(
            {{"stiffness", "", 1}, {"friction", "", 1}, {"friction_stiffness", "N s/m", 1}}, obstacle)),
        threads_(threads) {}

  [[nodiscard]] std::string_view name() const override { return "penalty_friction"; }
  [[nodiscard]] Dependence dependence() const override { return Dependence::velocity; }
  [[nodiscard]] bool dissipates() const override { return true; }
  [[nodiscard]] std::span<const ForceParameter> parameters() const override { return parameters_; }

  void add_force(const ForcePoint& at, VectorSpan f) override {
    const PlacedSurface surface = detail::placed(obstacle_, at);
    for_vertices(threads_, at.positions.size(), [&](std::size_t i) {
      if (!surface.may_hold(at.positions[i])) return;
      if (const SurfaceView s = surface.view(at.positions[i]); s.distance < 0.0)
        f[i] -= friction(contact(surface, s, at, i));
    });
  }

  double driving_power(const ForcePoint& at) override {
    const PlacedSurface surface = detail::placed(obstacle_, at);
    if (!surface.moves()) return 0.0;
    return sum_over_vertices(threads_, at.positions.size(), [&](std::size_t i) {
      if (!surface.may_hold(at.positions[i])) return 0.0;
      const SurfaceView s = surface.view(at.positions[i]);
      if (!(s.distance < 0.0)) return 0.0;
      return -dot(friction(contact(surface, s, at, i)), surface.velocity(at.positions[i]));
    });
  }

  void add_transposed_jacobian_x(const ForcePoint& at, VectorView z, VectorSpan out) override {
    add_products(at, z, {out, {}, {}, {}});
  }
  void add_transposed_jacobian_v(const ForcePoint& at, VectorView z, VectorSpan out) override {
    add_products(at, z, {{}, out, {}, {}});
  }
  void add_parameter_gradient(const ForcePoint& at, std::size_t parameter, VectorView z,
                              ScalarSpan out) override {
    spans_.assign(parameters_.size(), {});
    spans_[parameter] = out;
    add_products(at, z, {{}, {}, {}, spans_});
  }

  /// With u = T r, r = v - v_s and T = I - nnᵀ: (∂u/∂n)ᵀ w = -((n·w) r + (n·r) w), (∂u/∂v)ᵀ w = T w.
  void add_products(const ForcePoint& at, VectorView z, const ForceProducts& out) override {
    require(out.parameters.empty() || out.parameters.size() == parameters_.size(),
            "penalty friction: not one span per parameter");
    const PlacedSurface surface = detail::placed(obstacle_, at);
    const auto sums = sums_.over_touching(
        threads_, at.positions, surface, [&](std::size_t i, const SurfaceView& s, ObstacleSums::Sums& sum) {
          const Contact c = contact(surface, s, at, i);
          const Vec3& n = s.normal;
          const Vec3 w = by_sliding_velocity(c, z[i]);
          const double by_distance =
              c.creeps ? 0.0 : friction_ * penalty_.slope(c.depth) * dot(c.direction, z[i]);
          const Vec3 by_normal = -(dot(n, w) * c.relative + dot(n, c.relative) * w);
          const Vec3 by_velocity = transverse(n, w);
          const Vec3 by_x =
              surface.add(at.positions[i], s, {by_distance, by_normal, -by_velocity}, sum.surface);
          if (!out.positions.empty()) out.positions[i] += by_x;
          if (!out.velocities.empty()) out.velocities[i] += by_velocity;
          add_own(c, z[i], sum);
        });
    detail::add_sums(sums, surface, obstacle_, friction_own, out.parameters);
  }

 private:
  using ObstacleSums = detail::ObstacleSums;

  /// A vertex that touches the surface.
  struct Contact {
    double depth = 0.0;         ///< m, > 0.
    double normal_force = 0.0;  ///< f_n, N.
    Vec3 relative;              ///< v - v_s, m/s.
    Vec3 sliding;               ///< u, m/s.
    double speed = 0.0;         ///< |u|, m/s.
    Vec3 direction;             ///< u/|u|; 0 at rest.
    bool creeps = false;        ///< k_f |u| < μ f_n: the damping acts, not Coulomb's friction.
  };

  [[nodiscard]] Contact contact(const PlacedSurface& surface, const SurfaceView& seen, const ForcePoint& at,
                                std::size_t i) const {
    Contact c;
    c.depth = -seen.distance;
    c.normal_force = penalty_.push(c.depth);
    c.relative = at.velocities[i];
    if (surface.moves()) c.relative -= surface.velocity(at.positions[i]);
    c.sliding = transverse(seen.normal, c.relative);
    c.speed = norm(c.sliding);
    if (c.speed > 0.0) c.direction = (1.0 / c.speed) * c.sliding;
    c.creeps = friction_stiffness_ * c.speed < friction_ * c.normal_force;
    return c;
  }

  /// -f.
  [[nodiscard]] Vec3 friction(const Contact& c) const {
    if (c.creeps) return friction_stiffness_ * c.sliding;
    return (friction_ * c.normal_force) * c.direction;
  }

  /// (∂f/∂u)ᵀ z, f_n held: -k_f z, or -μ f_n/|u| (I - ûûᵀ) z.
  [[nodiscard]] Vec3 by_sliding_velocity(const Contact& c, const Vec3& z) const {
    if (c.creeps) return -friction_stiffness_ * z;
    if (c.speed == 0.0) return {};
    return -(friction_ * c.normal_force / c.speed) * transverse(c.direction, z);
  }

  void add_own(const Contact& c, const Vec3& z, ObstacleSums::Sums& sum) const {
    if (c.creeps) {
      sum.own[2] -= dot(z, c.sliding);
      return;
    }
    const double along = dot(z, c.direction);
    sum.own[0] -= friction_ * penalty_.push_per_stiffness(c.depth) * along;
    sum.own[1] -= c.normal_force * along;
  }

  ForceObstacle obstacle_;
  const Penalty& penalty_;
  double friction_, friction_stiffness_;
  std::vector<ForceParameter> parameters_;
  Threads& threads_;
  ObstacleSums sums_;
  std::vector<ScalarSpan> spans_;
};

}  // namespace

std::unique_ptr<ExplicitForce> make_penalty_friction_force(const ForceObstacle& obstacle, double friction,
                                                           double friction_stiffness, Threads& threads) {
  return std::make_unique<PenaltyFrictionForce>(obstacle, friction, friction_stiffness, threads);
}

}  // namespace electret
