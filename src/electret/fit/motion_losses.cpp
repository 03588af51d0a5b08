/// Losses that ask how far or how fast a body gets.

#include <cmath>
#include <utility>

#include <electret/core/arguments.hpp>
#include <electret/core/direction.hpp>
#include <electret/fit/losses.hpp>
#include <electret/fit/mass_centre.hpp>

namespace electret {
namespace {

Vec3 unit_of(const Vec3& direction) {
  require_argument(is_finite(direction) && direction != Vec3{},
                   "a loss's direction is [0, 0, 0] or not finite");
  return direction_of(direction);
}

class Forward final : public Loss {
 public:
  explicit Forward(const Vec3& direction) : unit_(unit_of(direction)) {}

  [[nodiscard]] bool reads(Count step, Count last_step) const override { return step == last_step; }
  void start() override { value_ = 0.0; }
  void observe(const LossPoint& at) override { value_ = -dot(unit_, centre_of(at).place()); }
  [[nodiscard]] double value() const override { return value_; }
  void add_derivatives(const LossPoint& at, double factor, const LossGradients& out) override {
    centre_of(at).add_derivatives(-factor * unit_, out);
  }

 private:
  static MassCentre centre_of(const LossPoint& at) { return {at, 0, at.state.positions.size()}; }

  Vec3 unit_;
  double value_ = 0.0;
};

class Speed final : public Loss {
 public:
  Speed(const Vec3& direction, double sideways, std::vector<Index> vertices)
      : unit_(unit_of(direction)), sideways_(sideways), vertices_(std::move(vertices)) {
    require_argument(std::isfinite(sideways), "a loss's weight of the sideways speed is not finite");
  }

  [[nodiscard]] bool reads(Count step, Count last_step) const override {
    return step >= 1 && step <= last_step;
  }
  void start() override { value_ = 0.0; }
  void observe(const LossPoint& at) override {
    const Vec3 v = mean(at);
    value_ += -dot(unit_, v) + sideways_ * squared_norm(across(v));
  }
  [[nodiscard]] double value() const override { return value_; }

  void add_derivatives(const LossPoint& at, double factor, const LossGradients& out) override {
    const double share = factor / static_cast<double>(count(at));
    const Vec3 slope = share * (-1.0 * unit_ + (2.0 * sideways_) * across(mean(at)));
    if (vertices_.empty())
      for (Vec3& by_velocity : out.velocities) by_velocity += slope;
    for (const Index i : vertices_) out.velocities[static_cast<std::size_t>(i)] += slope;
  }

 private:
  [[nodiscard]] std::size_t count(const LossPoint& at) const {
    return vertices_.empty() ? at.state.velocities.size() : vertices_.size();
  }
  [[nodiscard]] Vec3 mean(const LossPoint& at) const {
    const VectorView v = at.state.velocities;
    Vec3 sum;
    if (vertices_.empty())
      for (const Vec3& each : v) sum += each;
    for (const Index i : vertices_) {
      require_argument(i >= 0 && static_cast<std::size_t>(i) < v.size(),
                       "a speed of vertices that the run does not have");
      sum += v[static_cast<std::size_t>(i)];
    }
    return (1.0 / static_cast<double>(count(at))) * sum;
  }
  [[nodiscard]] Vec3 across(const Vec3& v) const { return v - dot(unit_, v) * unit_; }

  Vec3 unit_;
  double sideways_;
  std::vector<Index> vertices_;  ///< Empty: all.
  double value_ = 0.0;
};

}  // namespace

std::unique_ptr<Loss> forward_loss(const Vec3& direction) {
  return std::make_unique<Forward>(direction);
}

std::unique_ptr<Loss> speed_loss(const Vec3& direction, double sideways, std::vector<Index> vertices) {
  return std::make_unique<Speed>(direction, sideways, std::move(vertices));
}

}  // namespace electret
