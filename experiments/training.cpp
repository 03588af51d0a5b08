#include "training.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <memory>
#include <numbers>
#include <utility>

#include <fmt/format.h>

#include <electret/core/errors.hpp>
#include <electret/dynamics/simulator.hpp>

#include "adam.hpp"

namespace electret::experiments {
namespace {

constexpr std::size_t hidden = 64;

Perceptron network_of(const SwimmerBody& body) {
  return Perceptron({body.senses.size(), hidden, hidden, body.outputs});
}

/// One network with a simulator of its own, which one thread uses.
class Trainee {
 public:
  Trainee(const SwimmerBody& body, std::uint32_t seed, const TrainingPlan& plan)
      : plan_(plan),
        simulator_(compile(assembled(body.scene), 1)),
        controls_(simulator_.system(), std::vector{body.control}),
        rollout_(simulator_, controls_, {.steps = plan.frames, .control = {}}),
        loss_(body.loss()),
        network_(network_of(body)),
        loop_(body.senses, body.cords, network_, *loss_),
        adam_(network_.parameters().size(), {.rate = plan.rate}) {
    network_.begin(seed);
    result_.seed = seed;
  }

  /// Takes steps until `epochs` are done.
  void train(const Context& context, int epochs) {
    try {
      if (result_.rewards.empty()) look();
      while (done_ < epochs && !result_.failed) {
        context.check_stop();
        loop_.backward(rollout_);
        result_.last_norm = Adam::norm_of(loop_.by_parameters());
        adam_.step(network_.parameters(), loop_.by_parameters(),
                   1.0 - static_cast<double>(done_) / plan_.epochs);
        ++done_;
        look();
      }
    } catch (const DivergenceError& error) {
      result_.fail(error.cause());
    }
  }

  [[nodiscard]] const Training& result() const { return result_; }

 private:
  /// A run, whose states a step may use afterwards.
  void look() { result_.note(-loop_.forward(rollout_), network_); }

  const TrainingPlan& plan_;
  Simulator simulator_;
  Controls controls_;
  Rollout rollout_;
  std::unique_ptr<Loss> loss_;
  Perceptron network_;
  ClosedLoop loop_;
  Adam adam_;
  int done_ = 0;
  Training result_;
};

/// Every trainee of `chosen` to `epochs`, a few epochs at a time, so that what is done can be told.
void train_all(const Context& context, const std::vector<Trainee*>& chosen, int from, int epochs, double part,
               double share) {
  constexpr int at_once = 5;
  for (int done = from; done < epochs || done == from;) {
    const int next = std::min(done + at_once, epochs);
    context.progress(fmt::format("{} networks, epoch {} of {}", chosen.size(), done, epochs),
                     part + share * (done - from) / std::max(epochs - from, 1));
    context.threads().for_chunks(static_cast<Count>(chosen.size()), 1, [&](Count begin, Count end) {
      for (Count k = begin; k < end; ++k) chosen[static_cast<std::size_t>(k)]->train(context, next);
    });
    if (next == done) return;
    done = next;
  }
}

}  // namespace

std::vector<Training> train(const Context& context, const SwimmerBody& body, const TrainingPlan& plan,
                            double part, double share) {
  std::vector<std::unique_ptr<Trainee>> trainees;
  std::vector<Trainee*> chosen;
  for (int seed = 0; seed < plan.networks; ++seed) {
    trainees.push_back(std::make_unique<Trainee>(body, static_cast<std::uint32_t>(seed), plan));
    chosen.push_back(trainees.back().get());
  }
  train_all(context, chosen, 0, plan.first_epochs, part, 0.5 * share);
  std::stable_sort(chosen.begin(), chosen.end(),
                   [](const Trainee* a, const Trainee* b) { return a->result().best > b->result().best; });
  chosen.resize(std::min(chosen.size(), static_cast<std::size_t>(plan.kept)));
  train_all(context, chosen, plan.first_epochs, plan.epochs, part + 0.5 * share, 0.5 * share);
  std::vector<Training> results;
  for (const auto& trainee : trainees) results.push_back(trainee->result());
  return results;
}

SwimmingRun swim(const SwimmerBody& body, const Perceptron& network, Count frames) {
  Simulator simulator(compile(assembled(body.scene), 1));
  const Controls controls(simulator.system(), std::vector{body.control});
  Rollout rollout(simulator, controls, {.steps = frames, .control = {}});
  const std::unique_ptr<Loss> loss = body.loss();
  ClosedLoop loop(body.senses, body.cords, network, *loss);
  SwimmingRun run;
  run.reward = -loop.forward(rollout, false);
  run.outputs = loop.outputs();
  run.actions = rollout.actions();
  return run;
}

std::vector<double> prescribed_actions(const SwimmerBody& body, Count frames) {
  DelayLines lines(body.cords);
  const auto muscles =
      static_cast<std::size_t>(std::count(body.is_muscle.begin(), body.is_muscle.end(), char{1}));
  std::vector<double> actions(static_cast<std::size_t>(frames) * muscles);
  for (Count frame = 0; frame < frames; ++frame) {
    const std::vector<double> outputs(
        body.outputs, 0.5 * std::sin(2.0 * std::numbers::pi * static_cast<double>(frame) / 20.0));
    lines.advance(outputs, ScalarSpan(actions).subspan(static_cast<std::size_t>(frame) * muscles, muscles));
  }
  return actions;
}

void follow(const Context& context, const SwimmerBody& body, const std::vector<double>& actions,
            const std::function<void(const State& state)>& look) {
  Simulator simulator(compiled(context, body.scene));
  const Controls controls(simulator.system(), std::vector{body.control});
  const auto fractions = std::as_const(simulator).integrator().stage_fractions();
  DrivenSteps driven(simulator.system(), controls, fractions);
  look(simulator.state());
  for (std::size_t first = 0; first < actions.size(); first += controls.size()) {
    context.check_stop();
    simulator.step(driven.inputs(simulator.state(), ScalarView(actions).subspan(first, controls.size())));
    look(simulator.state());
  }
}

}  // namespace electret::experiments
