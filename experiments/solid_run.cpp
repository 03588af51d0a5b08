#include "solid_run.hpp"

#include <algorithm>
#include <chrono>
#include <ctime>
#include <fstream>
#include <limits>

#include <electret/core/stopwatch.hpp>
#include <electret/dynamics/simulator.hpp>

namespace electret::experiments {

void forget_peak() {
  std::ofstream("/proc/self/clear_refs") << "5";
}

double peak_megabytes() {
  std::ifstream status("/proc/self/status");
  std::string word;
  double kilobytes = 0.0;
  while (status >> word)
    if (word == "VmHWM:") status >> kilobytes;
  return kilobytes / 1024.0;
}

double processor_time() {
  return static_cast<double>(std::clock()) / CLOCKS_PER_SEC;
}

namespace {

/// A loss that notes when the forward run has ended.
class WatchedLoss final : public Loss {
 public:
  explicit WatchedLoss(Loss& loss) : loss_(loss) {}

  [[nodiscard]] bool reads(Count step, Count last) const override {
    return step == last || loss_.reads(step, last);
  }
  void start() override { loss_.start(); }
  void observe(const LossPoint& at) override {
    if (loss_.reads(at.state.step, at.last_step)) loss_.observe(at);
    if (at.state.step != at.last_step) return;
    forward_ended_ = Clock::now();
    processor_at_end_ = processor_time();
  }
  [[nodiscard]] double value() const override { return loss_.value(); }
  void add_derivatives(const LossPoint& at, double factor, const LossGradients& out) override {
    if (loss_.reads(at.state.step, at.last_step)) loss_.add_derivatives(at, factor, out);
  }
  [[nodiscard]] double processor_since_forward() const { return processor_time() - processor_at_end_; }
  /// s.
  [[nodiscard]] double since_forward() const {
    return std::chrono::duration<double>(Clock::now() - forward_ended_).count();
  }

 private:
  using Clock = std::chrono::steady_clock;
  Loss& loss_;
  Clock::time_point forward_ended_;
  double processor_at_end_ = 0.0;
};

Assembly by(const SolidMethod& method, Assembly assembly) {
  assembly.scene.integrator.elastic_solver = method.solver;
  assembly.scene.integrator.tolerance = method.tolerance;
  return assembly;
}

/// One pass over all steps, timed; what the steps report is that of the last pass.
void run_forward(const Context& context, Simulator& simulator, Count frames, SolidRun& run) {
  simulator.restart();
  run.gradient_norm = run.newton = run.linear = 0.0;
  run.capped = 0;
  const double h = simulator.system().time_step;
  double seconds = 0.0, processor = 0.0;
  for (Count frame = 0; frame < frames; ++frame) {
    context.check_stop();
    StepReport report;
    {
      const double before = processor_time();
      const Stopwatch watch(seconds);
      report = simulator.step();
      processor += processor_time() - before;
    }
    run.gradient_norm = std::max(run.gradient_norm, report.residual / (h * h));
    run.newton += report.elastic_iterations / static_cast<double>(frames);
    run.linear += static_cast<double>(report.counts.of("linear_iterations")) / static_cast<double>(frames);
    run.capped += report.capped ? 1 : 0;
  }
  run.last_positions = simulator.state().positions;
  run.forward = std::min(run.forward, seconds);
  run.forward_processor = std::min(run.forward_processor, processor);
}

/// Fresh each time: the first step of a run makes matrices and factors, and that counts.
std::unique_ptr<Simulator> fresh(const Assembly& assembly, int threads) {
  return std::make_unique<Simulator>(compile(assembly, threads));
}

}  // namespace

SolidRun timed_forward_run(const Context& context, Assembly assembly, const SolidMethod& method,
                           int repeats) {
  assembly = by(method, std::move(assembly));
  SolidRun run;
  run.forward = run.forward_processor = std::numeric_limits<double>::infinity();
  forget_peak();
  for (int repeat = 0; repeat < repeats; ++repeat)
    run_forward(context, *fresh(assembly, method.threads), assembly.scene.time.steps, run);
  run.peak_megabytes = peak_megabytes();
  return run;
}

SolidRun timed_run(const Context& context, Assembly assembly, const SolidMethod& method, Loss& loss,
                   int repeats) {
  SolidRun run = timed_forward_run(context, assembly, method, repeats);
  assembly = by(method, std::move(assembly));
  run.backward = run.backward_processor = std::numeric_limits<double>::infinity();
  forget_peak();
  for (int repeat = 0; repeat < repeats; ++repeat) {
    const auto simulator = fresh(assembly, method.threads);
    WatchedLoss watched(loss);
    GradientOptions options;
    options.rest_positions = false;
    options.control.progress = [&](const Progress&) { context.check_stop(); };
    LossAndGradient got = loss_and_gradient(*simulator, watched, options);
    run.backward = std::min(run.backward, watched.since_forward());
    run.backward_processor = std::min(run.backward_processor, watched.processor_since_forward());
    run.loss = got.loss;
    run.gradient = std::move(got.gradient);
    run.report = got.report;
  }
  run.peak_megabytes = peak_megabytes();
  return run;
}

std::vector<VectorArray> positions_at(const Context& context, const SceneSource& scene,
                                      const std::vector<Count>& frames) {
  return positions_at(context, assembled(scene), frames);
}

std::vector<VectorArray> positions_at(const Context& context, const Assembly& assembly,
                                      const std::vector<Count>& frames) {
  Simulator simulator(compile(assembly, context.threads().count()));
  std::vector<VectorArray> result;
  for (const Count frame : frames) {
    while (simulator.state().step < frame) {
      context.check_stop();
      simulator.step();
    }
    result.push_back(simulator.state().positions);
  }
  return result;
}

}  // namespace electret::experiments
