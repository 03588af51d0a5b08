#pragma once
/// \file
/// How a network learnt.

#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "perceptron.hpp"

namespace electret::experiments {

/// A network and how it learnt.
struct Training {
  static constexpr double none = -std::numeric_limits<double>::infinity();

  std::uint32_t seed = 0;
  /// Before each epoch's step, and after the last one. It has at least one: `none` if the first run failed.
  std::vector<double> rewards{};
  double best = none;
  Perceptron best_network{{1, 1}};
  double last_norm = 0.0;               ///< Of the last gradient by the network's parameters.
  std::optional<std::string> failed{};  ///< Why a run of it ended; it does not go on.

  /// Its outputs hardly react to anything any more.
  [[nodiscard]] bool is_saturated() const { return rewards.size() > 1 && last_norm < 1e-4; }

  /// A run of `network` had this reward.
  void note(double reward, const Perceptron& network) {
    if (!std::isfinite(reward)) return fail("the reward is not finite");
    rewards.push_back(reward);
    if (reward <= best) return;
    best = reward;
    best_network = network;
  }
  /// A run ended early.
  void fail(std::string why) {
    failed = std::move(why);
    if (rewards.empty()) rewards.push_back(none);
  }
};

}  // namespace electret::experiments
