#include "elastic_solves/measure_gradient.hpp"

#include <chrono>
#include <random>

#include <time.h>

#include <electret/adjoint/gradient.hpp>

#include "elastic_solves/apart.hpp"

namespace electret::bench {
namespace {

/// Wall and processor time of this process, s.
struct Now {
  double wall, processor;
  static Now read() {
    timespec used{};
    ::clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &used);
    return {std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count(),
            static_cast<double>(used.tv_sec) + 1e-9 * static_cast<double>(used.tv_nsec)};
  }
};

/// w·x of the last state; notes when the forward run ends.
class RandomLoss final : public Loss {
 public:
  explicit RandomLoss(std::size_t vertices) : weights_(vertices) {
    std::mt19937 bits(42);
    std::normal_distribution<double> normal;
    for (Vec3& weight : weights_) weight = {normal(bits), normal(bits), normal(bits)};
  }
  [[nodiscard]] bool reads(Count step, Count last) const override { return step == last; }
  void start() override { value_ = 0.0; }
  void observe(const LossPoint& at) override {
    for (std::size_t i = 0; i < weights_.size(); ++i) value_ += dot(weights_[i], at.state.positions[i]);
    forward_ended = Now::read();
  }
  [[nodiscard]] double value() const override { return value_; }
  void add_derivatives(const LossPoint&, double factor, const LossGradients& out) override {
    for (std::size_t i = 0; i < weights_.size(); ++i) out.positions[i] += factor * weights_[i];
  }

  Now forward_ended{};

 private:
  VectorArray weights_;
  double value_ = 0.0;
};

}  // namespace

GradientMeasured measure_gradient(Assembly assembly, double tolerance, int threads, bool by_rest_positions) {
  assembly.scene.integrator.tolerance = tolerance;
  assembly.scene.integrator.max_iterations = 300;
  RandomLoss loss(assembly.masses.size());
  Simulator simulator(compile(std::move(assembly), threads));
  GradientOptions options;
  options.rest_positions = by_rest_positions;
  const Now start = Now::read();
  const LossAndGradient got = loss_and_gradient(simulator, loss, options);
  const Now end = Now::read(), &middle = loss.forward_ended;
  const double share = 1e3 / static_cast<double>(got.report.steps);
  return {.forward_ms = share * (middle.wall - start.wall),
          .backward_ms = share * (end.wall - middle.wall),
          .forward_processor_ms = share * (middle.processor - start.processor),
          .backward_processor_ms = share * (end.processor - middle.processor),
          .iterations = static_cast<double>(got.report.iterations) / static_cast<double>(got.report.steps),
          .worst_residual = got.report.worst_residual,
          .peak_megabytes = peak_megabytes()};
}

}  // namespace electret::bench
