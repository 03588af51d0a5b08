#pragma once
/// \file
/// Training of networks that move a swimmer, several beginnings side by side ([DiffPD] §7.4).

#include <functional>
#include <vector>

#include "experiment.hpp"
#include "learning.hpp"
#include "swimmer_body.hpp"

namespace electret::experiments {

struct TrainingPlan {
  int networks = 16;      ///< Seeds 0, 1, …
  int first_epochs = 20;  ///< Of each of them; then
  int kept = 4;           ///< the best of them, by the best reward so far, go on
  int epochs = 100;       ///< to this number in all. The rate falls linearly to 0 over them.
  double rate = 1e-3;     ///< Adam's.
  Count frames = 200;
};

/// By ascending seed. The same bits at any number of threads, each of which trains networks of its own.
/// Throws Cancelled.
[[nodiscard]] std::vector<Training> train(const Context& context, const SwimmerBody& body,
                                          const TrainingPlan& plan, double part, double share);

/// What a network's outputs and activations were: frames × outputs, frames × muscles.
struct SwimmingRun {
  double reward = 0.0;
  std::vector<double> outputs, actions;
};
[[nodiscard]] SwimmingRun swim(const SwimmerBody& body, const Perceptron& network, Count frames);

/// The actions of w_t = ½ sin(2πt/20) on every output, frame by frame.
[[nodiscard]] std::vector<double> prescribed_actions(const SwimmerBody& body, Count frames);

/// Steps through `actions`, and shows every state, the first one included. Throws Cancelled.
void follow(const Context& context, const SwimmerBody& body, const std::vector<double>& actions,
            const std::function<void(const State& state)>& look);

}  // namespace electret::experiments
