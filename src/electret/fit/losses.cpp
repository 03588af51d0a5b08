#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include <electret/core/arguments.hpp>
#include <electret/dynamics/energies.hpp>
#include <electret/dynamics/energy_gradient.hpp>
#include <electret/fit/losses.hpp>
#include <electret/fit/mass_centre.hpp>

namespace electret {
namespace {

void check_size(VectorView positions, VectorView target) {
  require_argument(positions.size() == target.size(),
                   "the loss's target and the run differ in the number of vertices");
}

void check_finite(VectorView target) {
  require_argument(std::all_of(target.begin(), target.end(), is_finite),
                   "the loss's target has a number that is not finite");
}

/// Σ_i |x_i - x*_i|².
double squared_distance(VectorView positions, VectorView target) {
  check_size(positions, target);
  double sum = 0.0;
  for (std::size_t i = 0; i < positions.size(); ++i) sum += squared_norm(positions[i] - target[i]);
  return sum;
}

/// A loss of the final state alone.
class FinalLoss : public Loss {
 public:
  [[nodiscard]] bool reads(Count step, Count last_step) const override { return step == last_step; }
  void start() override { value_ = 0.0; }
  void observe(const LossPoint& at) override { value_ = of(at); }
  [[nodiscard]] double value() const override { return value_; }

 private:
  virtual double of(const LossPoint& at) = 0;
  double value_ = 0.0;
};

class Trajectory final : public Loss {
 public:
  explicit Trajectory(std::vector<TargetFrame> target) : target_(std::move(target)) {
    require_argument(!target_.empty(), "a trajectory loss needs at least one frame");
    const auto not_ascending = [](const TargetFrame& a, const TargetFrame& b) { return a.step >= b.step; };
    require_argument(target_.front().step >= 0 &&
                         std::adjacent_find(target_.begin(), target_.end(), not_ascending) == target_.end(),
                     "the frames of a trajectory loss must ascend from step 0 or later");
    for (const TargetFrame& frame : target_) check_finite(frame.positions);
  }

  [[nodiscard]] bool reads(Count step, Count last_step) const override {
    return step <= last_step && find(step) != nullptr;
  }
  void start() override { value_ = 0.0; }
  void observe(const LossPoint& at) override {
    value_ += squared_distance(at.state.positions, find(at.state.step)->positions) * share(at);
  }
  [[nodiscard]] double value() const override { return value_; }
  [[nodiscard]] double rounding(const Assembly& assembly) const override {
    return rounding_of_squared_distance(assembly);
  }

  void add_derivatives(const LossPoint& at, double factor, const LossGradients& out) override {
    const VectorView target = find(at.state.step)->positions;
    check_size(at.state.positions, target);
    const double scale = 2.0 * factor * share(at);
    for (std::size_t i = 0; i < target.size(); ++i)
      out.positions[i] += scale * (at.state.positions[i] - target[i]);
  }

 private:
  static bool before(const TargetFrame& a, const TargetFrame& b) { return a.step < b.step; }
  [[nodiscard]] const TargetFrame* find(Count step) const {
    const auto place = std::lower_bound(target_.begin(), target_.end(), TargetFrame{step, {}}, before);
    return place != target_.end() && place->step == step ? &*place : nullptr;
  }
  /// 1 / (frames within the run · vertices).
  [[nodiscard]] double share(const LossPoint& at) const {
    const auto end = std::upper_bound(target_.begin(), target_.end(), TargetFrame{at.last_step, {}}, before);
    return 1.0 /
           (static_cast<double>(end - target_.begin()) * static_cast<double>(at.state.positions.size()));
  }

  std::vector<TargetFrame> target_;
  double value_ = 0.0;
};

class FinalPosition final : public FinalLoss {
 public:
  explicit FinalPosition(VectorArray target) : target_(std::move(target)) { check_finite(target_); }

  [[nodiscard]] double rounding(const Assembly& assembly) const override {
    return rounding_of_squared_distance(assembly);
  }

  void add_derivatives(const LossPoint& at, double factor, const LossGradients& out) override {
    check_size(at.state.positions, target_);
    const double scale = 2.0 * factor / static_cast<double>(target_.size());
    for (std::size_t i = 0; i < target_.size(); ++i)
      out.positions[i] += scale * (at.state.positions[i] - target_[i]);
  }

 private:
  double of(const LossPoint& at) override {
    return squared_distance(at.state.positions, target_) / static_cast<double>(target_.size());
  }
  VectorArray target_;
};

class CentreOfMass final : public FinalLoss {
 public:
  CentreOfMass(const Vec3& target, Count begin, Count end) : target_(target), begin_(begin), end_(end) {
    require_argument(begin >= 0 && (end == -1 || end > begin),
                     "a centre of mass needs begin ≥ 0, and end > begin or end = -1");
    check_finite({&target_, 1});
  }

  [[nodiscard]] double rounding(const Assembly& assembly) const override {
    return rounding_of_squared_distance(assembly);
  }
  void add_derivatives(const LossPoint& at, double factor, const LossGradients& out) override {
    const MassCentre centre(at, first(), end(at));
    centre.add_derivatives((2.0 * factor) * (centre.place() - target_), out);
  }

 private:
  double of(const LossPoint& at) override {
    return squared_norm(MassCentre(at, first(), end(at)).place() - target_);
  }
  [[nodiscard]] std::size_t first() const { return static_cast<std::size_t>(begin_); }
  [[nodiscard]] std::size_t end(const LossPoint& at) const {
    const std::size_t n = at.state.positions.size();
    const std::size_t end = end_ < 0 ? n : static_cast<std::size_t>(end_);
    require_argument(first() < end && end <= n, "a centre of mass of vertices that the run does not have");
    return end;
  }

  Vec3 target_;
  Count begin_, end_;
};

class FinalEnergy final : public FinalLoss {
 public:
  void add_derivatives(const LossPoint& at, double factor, const LossGradients& out) override {
    add_energy_gradient(at.system, at.state, at.inputs, factor, out);
  }

 private:
  double of(const LossPoint& at) override { return energies(at.system, at.state, at.inputs).total(); }
};

class Sum final : public Loss {
 public:
  explicit Sum(std::vector<WeightedLoss> terms) : terms_(std::move(terms)) {
    for (const WeightedLoss& term : terms_) {
      require_argument(term.loss != nullptr, "a sum with no loss in it");
      require_argument(std::isfinite(term.weight), "a loss's weight is not finite");
    }
  }

  [[nodiscard]] bool reads(Count step, Count last_step) const override {
    return std::any_of(terms_.begin(), terms_.end(),
                       [&](const WeightedLoss& term) { return term.loss->reads(step, last_step); });
  }
  void start() override {
    for (WeightedLoss& term : terms_) term.loss->start();
  }
  void observe(const LossPoint& at) override {
    for (WeightedLoss& term : terms_)
      if (term.loss->reads(at.state.step, at.last_step)) term.loss->observe(at);
  }
  [[nodiscard]] double value() const override {
    double sum = 0.0;
    for (const WeightedLoss& term : terms_) sum += term.weight * term.loss->value();
    return sum;
  }
  [[nodiscard]] double rounding(const Assembly& assembly) const override {
    double sum = 0.0;
    for (const WeightedLoss& term : terms_) {
      const double each = term.weight * term.loss->rounding(assembly);
      if (!(each > 0.0)) return 0.0;
      sum += each;
    }
    return sum;
  }
  void add_derivatives(const LossPoint& at, double factor, const LossGradients& out) override {
    for (WeightedLoss& term : terms_)
      if (term.loss->reads(at.state.step, at.last_step))
        term.loss->add_derivatives(at, factor * term.weight, out);
  }

 private:
  std::vector<WeightedLoss> terms_;
};

}  // namespace

double rounding_of_squared_distance(const Assembly& assembly) {
  constexpr double part = 4.0 * std::numeric_limits<double>::epsilon();
  double sum = 0.0;
  for (const Vec3& x : assembly.initial_positions)
    sum += squared_norm(part * x) / static_cast<double>(assembly.initial_positions.size());
  return std::max(sum, std::numeric_limits<double>::min());  // At the origin 0 itself.
}

std::unique_ptr<Loss> final_position_loss(VectorArray target) {
  return std::make_unique<FinalPosition>(std::move(target));
}

std::unique_ptr<Loss> trajectory_loss(std::vector<TargetFrame> target) {
  return std::make_unique<Trajectory>(std::move(target));
}

std::unique_ptr<Loss> centre_of_mass_loss(const Vec3& target, Count begin, Count end) {
  return std::make_unique<CentreOfMass>(target, begin, end);
}

std::unique_ptr<Loss> final_energy_loss() {
  return std::make_unique<FinalEnergy>();
}

std::unique_ptr<Loss> sum_of_losses(std::vector<WeightedLoss> terms) {
  return std::make_unique<Sum>(std::move(terms));
}

}  // namespace electret
