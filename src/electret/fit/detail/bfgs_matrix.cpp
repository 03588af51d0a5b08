#include <limits>

#include <electret/fit/detail/bfgs_matrix.hpp>
#include <electret/linear/dense_inverse.hpp>

namespace electret::detail {

Vector times(const Rows& matrix, const Vector& v) {
  Vector result(matrix.size());
  for (std::size_t i = 0; i < matrix.size(); ++i) result[i] = dot(matrix[i], v);
  return result;
}

void BfgsMatrix::add(const Vector& step, const Vector& change) {
  const double curvature = dot(step, change), square = dot(change, change), size = length(step);
  if (!(curvature > std::numeric_limits<double>::epsilon() * size * std::sqrt(square))) return;
  Vector s(step.size()), y(step.size());
  detail::add(s, 1.0 / size, step);
  detail::add(y, 1.0 / size, change);
  steps_.push_back(std::move(s));
  changes_.push_back(std::move(y));
  if (steps_.size() > most_pairs) steps_.pop_front(), changes_.pop_front();
  theta_ = square / curvature;
  renew();
}

void BfgsMatrix::forget() {
  steps_.clear();
  changes_.clear();
  middle_.clear();
  for (Vector& row : rows_) row.clear();
}

/// [-D Lᵀ; L θSᵀS], where D has the products s·y of the pairs, and L those of s with the y of earlier pairs.
Rows BfgsMatrix::inverse_of_middle() const {
  const std::size_t pairs = steps_.size();
  Rows result(2 * pairs, Vector(2 * pairs));
  for (std::size_t i = 0; i < pairs; ++i) {
    result[i][i] = -dot(steps_[i], changes_[i]);
    for (std::size_t j = 0; j < i; ++j)
      result[pairs + i][j] = result[j][pairs + i] = dot(steps_[i], changes_[j]);
    for (std::size_t j = 0; j < pairs; ++j) result[pairs + i][pairs + j] = theta_ * dot(steps_[i], steps_[j]);
  }
  return result;
}

void BfgsMatrix::renew() {
  auto inverted = dense_inverse(inverse_of_middle());
  if (!inverted) return forget();
  middle_ = std::move(*inverted);
  for (std::size_t i = 0; i < rows_.size(); ++i) {
    rows_[i].clear();
    for (const Vector& change : changes_) rows_[i].push_back(change[i]);
    for (const Vector& step : steps_) rows_[i].push_back(theta_ * step[i]);
  }
}

Vector BfgsMatrix::transposed_times(const Vector& v) const {
  Vector result(columns());
  for (std::size_t i = 0; i < rows_.size(); ++i) detail::add(result, v[i], rows_[i]);
  return result;
}

}  // namespace electret::detail
