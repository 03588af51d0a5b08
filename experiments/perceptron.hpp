#pragma once
/// \file
/// A small neural network with its derivatives, as the closed loops of [DiffPD] §7.4 have it.

#include <cstdint>
#include <vector>

#include <electret/core/types.hpp>

namespace electret::experiments {

/// y_l = tanh(W_l y_{l-1} + b_l) for every layer l, the last one included. Its parameters are one flat
/// vector: layer by layer W_l (outputs × inputs, row by row), then b_l.
///
/// \code
///   Perceptron network({129, 64, 64, 1});
///   network.begin(7);
///   const Perceptron::Values values = network.evaluate(observation);
///   network.pull(values, by_output, by_parameters, by_observation);
/// \endcode
class Perceptron {
 public:
  /// `widths`: the number of inputs, then that of each layer's outputs; at least two numbers.
  explicit Perceptron(std::vector<std::size_t> widths);

  [[nodiscard]] std::size_t inputs() const { return widths_.front(); }
  [[nodiscard]] std::size_t outputs() const { return widths_.back(); }
  [[nodiscard]] const std::vector<double>& parameters() const { return parameters_; }
  [[nodiscard]] std::vector<double>& parameters() { return parameters_; }

  /// Draws orthogonal weights times 5/3, the gain of tanh, and sets biases to 0: W Wᵀ or WᵀW, whichever is
  /// smaller, is (5/3)² I. The numbers are those of NumpyRandom(seed).
  void begin(std::uint32_t seed);

  /// The inputs, then the outputs of each layer.
  using Values = std::vector<std::vector<double>>;
  [[nodiscard]] Values evaluate(ScalarView input) const;
  /// Adds the derivatives by parameters and inputs to the last two arguments: the transpose of `evaluate`'s
  /// derivative at `values`, applied to `by_output`.
  void pull(const Values& values, ScalarView by_output, ScalarSpan by_parameters, ScalarSpan by_input) const;

 private:
  [[nodiscard]] std::size_t layers() const { return widths_.size() - 1; }
  /// The index of layer l's first parameter.
  [[nodiscard]] std::size_t first(std::size_t layer) const;

  std::vector<std::size_t> widths_;
  std::vector<double> parameters_;
};

}  // namespace electret::experiments
