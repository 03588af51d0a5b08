#pragma once
/// \file
/// Searches for the numbers of two filmed balls by the gradient of the loss of their clip.

#include <limits>
#include <string>
#include <vector>

#include "ball_clip.hpp"

namespace electret::experiments {

/// Numbers that were drawn within their bounds, and their losses.
struct BallSamples {
  std::vector<std::vector<double>> values;
  std::vector<double> losses;  ///< Mean squares, px²; +∞ where a run had no value.

  /// The best of the first `count`.
  [[nodiscard]] std::size_t best(std::size_t count) const;
  /// The mean of the first `count` that have a value.
  [[nodiscard]] double mean(std::size_t count) const;
};

/// One search from one start.
struct BallSearch {
  std::string model, start;
  std::vector<double> from, found;
  double first = 0.0;                                      ///< The loss at the start, px²,
  double least = std::numeric_limits<double>::infinity();  ///< and the least one,
  std::vector<double> losses;                              ///< of these; +∞ where a run had no value.
  std::string end;
  Count capped = 0;      ///< Steps of all runs that missed their tolerance.
  double seconds = 0.0;  ///< Of a run with its gradient, on average.
};

class BallSearcher {
 public:
  /// All must outlive the searcher.
  BallSearcher(const Context& context, const BallScene& scene, const Clip& clip);

  struct Evaluation {
    double loss = 0.0;
    std::vector<double> gradient;
    Count capped = 0;
  };
  [[nodiscard]] Evaluation evaluated(const Assembly& assembly, const std::vector<double>& values) const;
  /// +∞ where the run has no value.
  [[nodiscard]] double loss_of(const Assembly& assembly) const;
  [[nodiscard]] double loss_at(const std::vector<double>& values) const {
    return loss_of(scene_.with(values));
  }

  /// `count` uniform draws after one that does not count; NumPy's numbers of seed 0.
  [[nodiscard]] BallSamples sampled(std::size_t count, const std::string& what, double part) const;

  /// Minimises over the numbers in `free` within their bounds, with `evaluations` runs at most.
  [[nodiscard]] BallSearch search(const std::string& model, const std::string& start,
                                  const std::vector<double>& from, const std::vector<std::size_t>& free,
                                  Count evaluations, double part) const;

  /// The relative difference between derivatives of the loss by the numbers `which` at `values`, and
  /// differences of it, in a run of `steps` steps at `tolerance`.
  [[nodiscard]] double difference_miss(const std::vector<double>& values,
                                       const std::vector<std::size_t>& which, Count steps,
                                       double tolerance) const;

 private:
  const Context& context_;
  const BallScene& scene_;
  std::unique_ptr<Loss> loss_;
};

}  // namespace electret::experiments
