#pragma once
/// \file
/// Signals that run along muscles: from a cord's head they go on by a cell a frame ([DiffPD] §7.4).

#include <vector>

#include <electret/core/types.hpp>

namespace electret::experiments {

/// A row of muscle cells on one side of a body. Of a pair of cords, the one with `side` = -1 follows
/// max(-w, 0), the other one, with `side` = 1, max(w, 0).
struct Cord {
  std::size_t output = 0;  ///< w is this output of the network.
  double side = 1.0;
  /// The numbers of the action that each cell sets, from the head on.
  std::vector<std::vector<std::size_t>> cells = {};
};

/// y_t = (μ_t, y_{t-1}[0 … L-2]) of each cord, y_{-1} = 0, where μ_t is what the cord follows. Each cell's
/// activation is 1 - y_t.
class DelayLines {
 public:
  explicit DelayLines(std::vector<Cord> cords);

  /// Empties all cords.
  void restart();
  /// Lets the signals go on, with `outputs` at the heads, and writes the activations into `action`.
  void advance(ScalarView outputs, ScalarSpan action);

  /// Forgets the derivatives by the cords after the last frame.
  void restart_back();
  /// The transpose of `advance`, frame by frame from the last one: adds the derivatives by that frame's
  /// `outputs` to `by_outputs`, and keeps those by the cords before it.
  void pull(ScalarView outputs, ScalarView by_action, ScalarSpan by_outputs);

 private:
  std::vector<Cord> cords_;
  std::vector<std::vector<double>> signals_, by_signals_;  ///< Cord by cord, cell by cell.
};

}  // namespace electret::experiments
