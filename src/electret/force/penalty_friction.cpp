#include <electret/core/transverse.hpp>
#include <electret/core/vertex_loops.hpp>
#include <electret/force/penalty_friction.hpp>

namespace electret {
namespace {

constexpr ForceParameter friction_parameters[] = {
    {"stiffness", "", 1}, {"friction", "", 1}, {"friction_stiffness", "N s/m", 1}};

class PenaltyFrictionForce final : public ExplicitForce {
 public:
  PenaltyFrictionForce(const Penalty& penalty, double friction, double friction_stiffness, Threads& threads)
      : penalty_(penalty), friction_(friction), friction_stiffness_(friction_stiffness), threads_(threads) {}

  [[nodiscard]] std::string_view name() const override { return "penalty_friction"; }
  [[nodiscard]] Dependence dependence() const override { return Dependence::velocity; }
  [[nodiscard]] bool dissipates() const override { return true; }
  [[nodiscard]] std::span<const ForceParameter> parameters() const override { return friction_parameters; }

  void add_force(const ForcePoint& at, VectorSpan f) override {
    for_touching(at, [&](std::size_t i, const Contact& c) {
      if (c.creeps)
        f[i] -= friction_stiffness_ * c.sliding;
      else
        f[i] -= (friction_ * c.normal_force) * c.direction;
    });
  }

  /// With u = T v, T = I - nnᵀ: (∂u/∂x)ᵀ w = -κ T ((n·w) v + (n·v) w).
  void add_transposed_jacobian_x(const ForcePoint& at, VectorView z, VectorSpan out) override {
    for_touching(at, [&](std::size_t i, const Contact& c) {
      const Vec3& n = c.surface.normal;
      const Vec3 by_sliding = by_sliding_velocity(c, z[i]);
      out[i] -= c.surface.curvature *
                transverse(n, dot(n, by_sliding) * at.velocities[i] + dot(n, at.velocities[i]) * by_sliding);
      if (!c.creeps) out[i] += (friction_ * penalty_.slope(c.depth()) * dot(c.direction, z[i])) * n;
    });
  }

  void add_transposed_jacobian_v(const ForcePoint& at, VectorView z, VectorSpan out) override {
    for_touching(at, [&](std::size_t i, const Contact& c) {
      out[i] += transverse(c.surface.normal, by_sliding_velocity(c, z[i]));
    });
  }

  void add_parameter_gradient(const ForcePoint& at, std::size_t parameter, VectorView z,
                              ScalarSpan out) override {
    out[0] -= sum_over_vertices(threads_, at.positions.size(), [&](std::size_t i) {
      const Contact c = contact(at, i);
      if (!c.touches()) return 0.0;
      if (parameter == 2) return c.creeps ? dot(z[i], c.sliding) : 0.0;
      if (c.creeps) return 0.0;
      const double slope =
          parameter == 1 ? c.normal_force : friction_ * penalty_.push_per_stiffness(c.depth());
      return slope * dot(z[i], c.direction);
    });
  }

 private:
  /// A vertex and the surface as seen from it.
  struct Contact {
    SurfaceView surface;
    double normal_force = 0.0;  ///< f_n, N.
    Vec3 sliding;               ///< u, m/s.
    double speed = 0.0;         ///< |u|, m/s.
    Vec3 direction;             ///< u/|u|; 0 at rest.
    bool creeps = false;        ///< k_f |u| < μ f_n: the damping acts, not Coulomb's friction.

    [[nodiscard]] bool touches() const { return surface.distance < 0.0; }
    [[nodiscard]] double depth() const { return -surface.distance; }
  };

  [[nodiscard]] Contact contact(const ForcePoint& at, std::size_t i) const {
    Contact c;
    c.surface = view(penalty_.surface, at.positions[i]);
    if (!c.touches()) return c;
    c.normal_force = penalty_.push(c.depth());
    c.sliding = transverse(c.surface.normal, at.velocities[i]);
    c.speed = norm(c.sliding);
    if (c.speed > 0.0) c.direction = (1.0 / c.speed) * c.sliding;
    c.creeps = friction_stiffness_ * c.speed < friction_ * c.normal_force;
    return c;
  }

  template <class Touching>
  void for_touching(const ForcePoint& at, Touching&& touching) {
    for_vertices(threads_, at.positions.size(), [&](std::size_t i) {
      if (const Contact c = contact(at, i); c.touches()) touching(i, c);
    });
  }

  /// (∂f/∂u)ᵀ z, f_n held: -k_f z, or -μ f_n/|u| (I - ûûᵀ) z.
  [[nodiscard]] Vec3 by_sliding_velocity(const Contact& c, const Vec3& z) const {
    if (c.creeps) return -friction_stiffness_ * z;
    if (c.speed == 0.0) return {};
    return -(friction_ * c.normal_force / c.speed) * transverse(c.direction, z);
  }

  Penalty penalty_;
  double friction_, friction_stiffness_;
  Threads& threads_;
};

}  // namespace

std::unique_ptr<ExplicitForce> make_penalty_friction_force(const Penalty& penalty, double friction,
                                                           double friction_stiffness, Threads& threads) {
  return std::make_unique<PenaltyFrictionForce>(penalty, friction, friction_stiffness, threads);
}

}  // namespace electret
