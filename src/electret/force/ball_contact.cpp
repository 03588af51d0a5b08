#include <algorithm>
#include <array>
#include <utility>

#include <electret/core/errors.hpp>
#include <electret/force/ball_contact.hpp>

namespace electret {
namespace {

/// Two balls that touch.
struct BallPair {
  std::size_t i, j;
  double distance, overlap;  ///< D and δ, m.
  Vec3 normal;               ///< n.
  double sign;               ///< σ of t = σ (-n_y, n_x, 0).

  /// t.
  [[nodiscard]] Vec3 tangent() const { return {-sign * normal.y, sign * normal.x, 0.0}; }
  /// The product of z with t, as a product with n: t·z = n·(that).
  [[nodiscard]] Vec3 along_tangent(const Vec3& z) const { return {sign * z.y, -sign * z.x, 0.0}; }
};

class BallContactForce final : public ExplicitForce {
 public:
  BallContactForce(BallContact law, std::vector<BallVertices> balls, Index vertex_count)
      : law_(std::move(law)),
        balls_(std::move(balls)),
        vertex_count_(static_cast<std::size_t>(vertex_count)),
        centres_(balls_.size()),
        velocities_(balls_.size()),
        on_balls_(balls_.size()),
        z_(balls_.size()),
        parameters_{
            {{"radius", "m", 1}, {"stiffnesses", "N/m", balls_.size()}, {"frictions", "", balls_.size()}}} {
    require(law_.stiffnesses.size() == balls_.size() && law_.frictions.size() == balls_.size(),
            "ball_contact: not one stiffness and friction per ball");
    for (const BallVertices& ball : balls_)
      require(ball.first >= 0 && ball.count > 0 && ball.first <= vertex_count - ball.count,
              "ball_contact: a ball without vertices, or of vertices that do not exist");
  }

  [[nodiscard]] std::string_view name() const override { return "ball_contact"; }
  [[nodiscard]] Dependence dependence() const override { return Dependence::velocity; }
  [[nodiscard]] bool does_field_work() const override { return true; }
  [[nodiscard]] std::span<const ForceParameter> parameters() const override { return parameters_; }

  void add_force(const ForcePoint& at, VectorSpan f) override {
    locate(at);
    std::fill(on_balls_.begin(), on_balls_.end(), Vec3{});
    for_pairs([&](const BallPair& pair) {
      for (const auto& [ball, side] : sides(pair))
        on_balls_[ball] += (side * law_.stiffnesses[ball] * pair.overlap) *
                           (pair.normal - law_.frictions[ball] * pair.tangent());
    });
    spread(on_balls_, f);
  }

  void add_transposed_jacobian_x(const ForcePoint& at, VectorView z, VectorSpan out) override {
    add_products(at, z, {out, {}, {}, {}});
  }
  void add_parameter_gradient(const ForcePoint& at, std::size_t parameter, VectorView z,
                              ScalarSpan out) override {
    std::array<ScalarSpan, 3> spans{};
    spans[parameter] = out;
    add_products(at, z, {{}, {}, {}, spans});
  }

  /// With z a ball's mean of z, the product is Σ_sides ±k δ (n·z - c t·z) = δ n·q.
  void add_products(const ForcePoint& at, VectorView z, const ForceProducts& out) override {
    require(out.parameters.empty() || out.parameters.size() == parameters_.size(),
            "ball_contact: not one span per parameter");
    locate(at);
    means(z, z_);
    std::fill(on_balls_.begin(), on_balls_.end(), Vec3{});
    for_pairs([&](const BallPair& pair) {
      Vec3 q;
      for (const auto& [ball, side] : sides(pair)) {
        const Vec3 along = z_[ball] - law_.frictions[ball] * pair.along_tangent(z_[ball]);
        q += (side * law_.stiffnesses[ball]) * along;
        add_numbers(pair, ball, side, along, out.parameters);
      }
      const double pushed = dot(pair.normal, q);
      if (!out.parameters.empty() && !out.parameters[0].empty()) out.parameters[0][0] += 2.0 * pushed;
      // ∂(δ n·q)/∂(c_j - c_i): ∂δ = -n, ∂n = (1 - nnᵀ)/D.
      const Vec3 slope = (pair.overlap / pair.distance) * (q - pushed * pair.normal) - pushed * pair.normal;
      on_balls_[pair.j] += slope;
      on_balls_[pair.i] -= slope;
    });
    if (!out.positions.empty()) spread(on_balls_, out.positions);
  }

 private:
  struct Side {
    std::size_t ball;
    double side;  ///< -1 for i, 1 for j: the force on j is along n.
  };
  static std::array<Side, 2> sides(const BallPair& pair) { return {{{pair.i, -1.0}, {pair.j, 1.0}}}; }

  void means(VectorView values, VectorSpan of_balls) const {
    require(values.size() == vertex_count_, "ball_contact: not one row per vertex");
    for (std::size_t b = 0; b < balls_.size(); ++b) {
      Vec3 sum;
      for (const Vec3& value : values.subspan(static_cast<std::size_t>(balls_[b].first),
                                              static_cast<std::size_t>(balls_[b].count)))
        sum += value;
      of_balls[b] = (1.0 / balls_[b].count) * sum;
    }
  }
  void locate(const ForcePoint& at) {
    means(at.positions, centres_);
    means(at.velocities, velocities_);
  }

  /// In equal parts on the balls' vertices.
  void spread(VectorView of_balls, VectorSpan out) const {
    require(out.size() == vertex_count_, "ball_contact: not one row per vertex");
    for (std::size_t b = 0; b < balls_.size(); ++b) {
      const Vec3 share = (1.0 / balls_[b].count) * of_balls[b];
      for (Vec3& value :
           out.subspan(static_cast<std::size_t>(balls_[b].first), static_cast<std::size_t>(balls_[b].count)))
        value += share;
    }
  }

  template <class Visit>
  void for_pairs(Visit&& visit) const {
    for (std::size_t i = 0; i < balls_.size(); ++i)
      for (std::size_t j = i + 1; j < balls_.size(); ++j) {
        const Vec3 apart = centres_[j] - centres_[i];
        const double distance = norm(apart), overlap = 2.0 * law_.radius - distance;
        if (!(overlap > 0.0) || distance == 0.0) continue;
        const Vec3 normal = (1.0 / distance) * apart, sliding = velocities_[i] - velocities_[j];
        const double across = sliding.x * normal.y - sliding.y * normal.x;
        visit(BallPair{i, j, distance, overlap, normal, across > 0.0 ? 1.0 : -1.0});
      }
  }

  void add_numbers(const BallPair& pair, std::size_t ball, double side, const Vec3& along,
                   std::span<const ScalarSpan> out) const {
    if (out.empty()) return;
    if (!out[1].empty()) out[1][ball] += side * pair.overlap * dot(pair.normal, along);
    if (!out[2].empty())
      out[2][ball] -= side * law_.stiffnesses[ball] * pair.overlap * dot(pair.tangent(), z_[ball]);
  }

  BallContact law_;
  std::vector<BallVertices> balls_;
  std::size_t vertex_count_;
  VectorArray centres_, velocities_, on_balls_, z_;  ///< One row per ball.
  std::array<ForceParameter, 3> parameters_;
};

}  // namespace

std::unique_ptr<ExplicitForce> make_ball_contact_force(BallContact law, std::vector<BallVertices> balls,
                                                       Index vertex_count) {
  return std::make_unique<BallContactForce>(std::move(law), std::move(balls), vertex_count);
}

}  // namespace electret
