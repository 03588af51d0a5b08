#include "perceptron.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include <electret/core/errors.hpp>

#include "numpy_random.hpp"

namespace electret::experiments {
namespace {

constexpr double tanh_gain = 5.0 / 3.0;

double product(const std::vector<double>& a, const std::vector<double>& b) {
  double sum = 0.0;
  for (std::size_t k = 0; k < a.size(); ++k) sum += a[k] * b[k];
  return sum;
}

/// `count` random unit vectors of `size` ≥ `count` numbers, orthogonal to each other: Gram and Schmidt's,
/// done twice, because once leaves rounding errors that grow with the condition of what was drawn.
std::vector<std::vector<double>> orthonormal(std::size_t count, std::size_t size, NumpyRandom& random) {
  std::vector<std::vector<double>> result;
  while (result.size() < count) {
    std::vector<double> next(size);
    for (double& number : next) number = random.normal();
    for (int pass = 0; pass < 2; ++pass)
      for (const auto& earlier : result) {
        const double along = product(next, earlier);
        for (std::size_t k = 0; k < size; ++k) next[k] -= along * earlier[k];
      }
    const double length = std::sqrt(product(next, next));
    for (double& number : next) number /= length;
    result.push_back(std::move(next));
  }
  return result;
}

}  // namespace

Perceptron::Perceptron(std::vector<std::size_t> widths) : widths_(std::move(widths)) {
  require(widths_.size() >= 2, "a network has inputs and outputs");
  parameters_.resize(first(layers()));
}

std::size_t Perceptron::first(std::size_t layer) const {
  std::size_t sum = 0;
  for (std::size_t l = 0; l < layer; ++l) sum += (widths_[l] + 1) * widths_[l + 1];
  return sum;
}

void Perceptron::begin(std::uint32_t seed) {
  NumpyRandom random(seed);
  std::fill(parameters_.begin(), parameters_.end(), 0.0);
  for (std::size_t l = 0; l < layers(); ++l) {
    const std::size_t columns = widths_[l], rows = widths_[l + 1];
    const auto vectors = orthonormal(std::min(rows, columns), std::max(rows, columns), random);
    double* weights = parameters_.data() + first(l);
    for (std::size_t i = 0; i < rows; ++i)
      for (std::size_t j = 0; j < columns; ++j)
        weights[i * columns + j] = tanh_gain * (rows <= columns ? vectors[i][j] : vectors[j][i]);
  }
}

Perceptron::Values Perceptron::evaluate(ScalarView input) const {
  require(input.size() == inputs(), "a network is given as many numbers as it has inputs");
  Values values{{input.begin(), input.end()}};
  for (std::size_t l = 0; l < layers(); ++l) {
    const std::size_t columns = widths_[l], rows = widths_[l + 1];
    const double* weights = parameters_.data() + first(l);
    const double* biases = weights + rows * columns;
    std::vector<double> next(rows);
    for (std::size_t i = 0; i < rows; ++i) {
      double sum = biases[i];
      for (std::size_t j = 0; j < columns; ++j) sum += weights[i * columns + j] * values[l][j];
      next[i] = std::tanh(sum);
    }
    values.push_back(std::move(next));
  }
  return values;
}

void Perceptron::pull(const Values& values, ScalarView by_output, ScalarSpan by_parameters,
                      ScalarSpan by_input) const {
  std::vector<double> by_next(by_output.begin(), by_output.end());
  for (std::size_t l = layers(); l-- > 0;) {
    const std::size_t columns = widths_[l], rows = widths_[l + 1];
    const double* weights = parameters_.data() + first(l);
    double* by_weights = by_parameters.data() + first(l);
    double* by_biases = by_weights + rows * columns;
    std::vector<double> by_values(columns, 0.0);
    for (std::size_t i = 0; i < rows; ++i) {
      const double slope = by_next[i] * (1.0 - values[l + 1][i] * values[l + 1][i]);
      by_biases[i] += slope;
      for (std::size_t j = 0; j < columns; ++j) {
        by_weights[i * columns + j] += slope * values[l][j];
        by_values[j] += slope * weights[i * columns + j];
      }
    }
    by_next = std::move(by_values);
  }
  for (std::size_t j = 0; j < by_input.size(); ++j) by_input[j] += by_next[j];
}

}  // namespace electret::experiments
