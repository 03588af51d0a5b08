#pragma once
/// \file
/// What the experiments of swimmers have in common: networks learn, and the best one is shown.

#include <string>
#include <vector>

#include "training.hpp"

namespace electret::experiments {

/// A point of a published learning curve.
struct Learnt {
  int epoch;
  double reward;
};

/// What one experiment asks for.
struct Swim {
  std::string name;  ///< "snake".
  SwimmerBody body;
  std::string description;  ///< Of the body, for the settings.
  TrainingPlan plan;
  std::vector<Learnt> published;  ///< By the paper's gradients; last one: where it ends.
  double goal = 0.0;              ///< The reward that counts as reached,
  double start_factor = 0.0;      ///< and this times the best start's as well; 0: not asked.
  ViewDirection view{};
};

/// Trains, shows and judges. `part` is how much of the experiment was done before.
void swim_experiment(const Context& context, Report& report, Swim swim, double part);

}  // namespace electret::experiments
