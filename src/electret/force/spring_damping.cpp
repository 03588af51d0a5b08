#include <electret/core/errors.hpp>
#include <electret/core/transverse.hpp>
#include <electret/core/vertex_loops.hpp>
#include <electret/force/spring_damping.hpp>
#include <electret/linear/incidence.hpp>

namespace electret {
namespace {

constexpr ForceParameter spring_damping_parameters[] = {{"damping.spring", "N s/m", 1}};

std::vector<Index> flattened(const std::vector<Edge>& springs) {
  std::vector<Index> ends;
  ends.reserve(2 * springs.size());
  for (const Edge& e : springs) ends.insert(ends.end(), {e[0], e[1]});
  return ends;
}

class SpringDampingForce final : public ExplicitForce {
 public:
  SpringDampingForce(double coefficient, const std::vector<Edge>& springs, Index vertex_count,
                     Threads& threads)
      : coefficient_(coefficient),
        threads_(threads),
        springs_(springs),
        incidence_(vertex_count, flattened(springs)),
        buffer_(springs.size()) {}

  [[nodiscard]] std::string_view name() const override { return "spring_damping"; }
  [[nodiscard]] ForceRole role() const override { return ForceRole::spring_damping; }
  [[nodiscard]] Dependence dependence() const override { return Dependence::velocity; }
  [[nodiscard]] bool dissipates() const override { return true; }
  [[nodiscard]] std::span<const ForceParameter> parameters() const override {
    return spring_damping_parameters;
  }

  void add_force(const ForcePoint& at, VectorSpan f) override {
    add(f, [&](std::size_t s) { return -coefficient_ * force_per_coefficient(at, s); });
  }

  /// With w = v_i - v_j and ζ = z_i - z_j: -(c/|β|) [(β̂·ζ) P w + (w·β̂) P ζ] at i, the opposite at j.
  void add_transposed_jacobian_x(const ForcePoint& at, VectorView z, VectorSpan out) override {
    add(out, [&](std::size_t s) {
      const Direction d = direction(at, s);
      if (d.length == 0.0) return Vec3{};
      const Vec3 w = difference(at.velocities, s), zeta = difference(z, s);
      return -(coefficient_ / d.length) *
             (dot(d.unit, zeta) * transverse(d.unit, w) + dot(w, d.unit) * transverse(d.unit, zeta));
    });
  }

  /// -c (ζ·β̂) β̂ at i, the opposite at j.
  void add_transposed_jacobian_v(const ForcePoint& at, VectorView z, VectorSpan out) override {
    add(out, [&](std::size_t s) {
      const Vec3 unit = direction(at, s).unit;
      return (-coefficient_ * dot(difference(z, s), unit)) * unit;
    });
  }

  void add_parameter_gradient(const ForcePoint& at, std::size_t, VectorView z, ScalarSpan out) override {
    out[0] -= sum_over_vertices(threads_, springs_.size(), [&](std::size_t s) {
      return dot(difference(z, s), force_per_coefficient(at, s));
    });
  }

 private:
  struct Direction {
    Vec3 unit;  ///< 0 for a spring of zero length.
    double length = 0.0;
  };

  [[nodiscard]] Vec3 difference(VectorView values, std::size_t s) const {
    const Edge& e = springs_[s];
    return values[static_cast<std::size_t>(e[0])] - values[static_cast<std::size_t>(e[1])];
  }

  [[nodiscard]] Direction direction(const ForcePoint& at, std::size_t s) const {
    const Vec3 beta = difference(at.positions, s);
    const double length = norm(beta);
    return length > 0.0 ? Direction{(1.0 / length) * beta, length} : Direction{};
  }

  /// (w·β̂) β̂.
  [[nodiscard]] Vec3 force_per_coefficient(const ForcePoint& at, std::size_t s) const {
    const Vec3 unit = direction(at, s).unit;
    return dot(difference(at.velocities, s), unit) * unit;
  }

  /// Adds vector(s) to the first end of every spring s and subtracts it from the second. One thread sums each
  /// row, over its springs in ascending order.
  template <class Vector>
  void add(VectorSpan out, Vector&& vector) {
    require(out.size() + 1 == incidence_.offsets.size(), "spring damping: not one row per vertex");
    for_vertices(threads_, springs_.size(), [&](std::size_t s) { buffer_[s] = vector(s); });
    for_vertices(threads_, out.size(), [&](std::size_t v) {
      Vec3 sum;
      for (const Count slot : incidence_[static_cast<Count>(v)]) {
        const Vec3& b = buffer_[static_cast<std::size_t>(slot / 2)];
        slot % 2 == 0 ? sum += b : sum -= b;
      }
      out[v] += sum;
    });
  }

  double coefficient_;
  Threads& threads_;
  std::vector<Edge> springs_;
  Incidence incidence_;
  VectorArray buffer_;
};

}  // namespace

std::unique_ptr<ExplicitForce> make_spring_damping_force(double coefficient, const std::vector<Edge>& springs,
                                                         Index vertex_count, Threads& threads) {
  return std::make_unique<SpringDampingForce>(coefficient, springs, vertex_count, threads);
}

}  // namespace electret
