#include <algorithm>
#include <cmath>

#include <electret/core/errors.hpp>
#include <electret/linear/detail/padded_sums.hpp>
#include <electret/linear/gmres.hpp>

namespace electret {

KrylovReport Gmres::solve(LinearMap& a, LinearMap& b, PaddedView32 rhs, const KrylovOptions& options,
                          PaddedSpan32 x) {
  require(x.size() == rhs.size(), "GMRES: the arrays differ in size");
  size_ = rhs.size();
  basis_.resize(std::max(basis_.size(), height * size_));
  for (auto* work : {&r_, &w_, &z_}) work->resize(size_);
  std::fill(x.begin(), x.end(), Padded32{});
  std::copy(rhs.begin(), rhs.end(), r_.begin());
  KrylovReport report;
  const double size = std::sqrt(detail::dot(threads_, rhs, rhs));
  const double target = options.tolerance * size;
  double residual = size;
  bool gains = size > 0.0;
  while (gains && report.iterations < options.max_iterations) {
    const double before = residual;
    const int columns =
        cycle(a, b, std::min(restart, options.max_iterations - report.iterations), target, residual);
    report.iterations += std::max(columns, 1);
    correct(b, columns, x);
    if (residual <= target) break;
    a.apply(x, w_);
    std::copy(rhs.begin(), rhs.end(), r_.begin());
    detail::add_scaled(threads_, -1.0, w_, r_);
    residual = std::sqrt(detail::dot(threads_, r_, r_));
    gains = residual < 0.99 * before;
  }
  report.residual = size > 0.0 ? residual / size : 0.0;
  report.converged = residual <= target;
  return report;
}

int Gmres::cycle(LinearMap& a, LinearMap& b, int most, double target, double& residual) {
  std::fill(basis(0).begin(), basis(0).end(), Padded32{});
  detail::add_scaled(threads_, 1.0 / residual, r_, basis(0));
  rhs_.fill(0.0);
  rhs_[0] = residual;
  for (int column = 0; column < most; ++column) {
    b.apply(basis(column), z_);
    a.apply(z_, w_);
    const bool more = orthogonalise(column);
    const double next = rotate(column);
    if (!std::isfinite(next)) return column;
    residual = next;
    if (!more || residual <= target) return column + 1;
  }
  return most;
}

bool Gmres::orthogonalise(int column) {
  const double before = std::sqrt(detail::dot(threads_, w_, w_));
  for (int j = 0; j <= column; ++j) {
    hessenberg(j, column) = detail::dot(threads_, w_, basis(j));
    detail::add_scaled(threads_, -hessenberg(j, column), basis(j), w_);
  }
  const double left = std::sqrt(detail::dot(threads_, w_, w_));
  // If the vector is in the space already, float32's rounding leaves a remainder that is not a new direction.
  const bool more = left > 1e-6 * before;
  hessenberg(column + 1, column) = more || std::isnan(left) ? left : 0.0;
  if (!more) return false;
  const PaddedSpan32 next = basis(column + 1);
  std::fill(next.begin(), next.end(), Padded32{});
  detail::add_scaled(threads_, 1.0 / left, w_, next);
  return true;
}

double Gmres::rotate(int column) {
  const auto k = static_cast<std::size_t>(column);
  for (int j = 0; j < column; ++j) {
    const auto at = static_cast<std::size_t>(j);
    const double upper = hessenberg(j, column), lower = hessenberg(j + 1, column);
    hessenberg(j, column) = cosine_[at] * upper + sine_[at] * lower;
    hessenberg(j + 1, column) = cosine_[at] * lower - sine_[at] * upper;
  }
  const double size = std::hypot(hessenberg(column, column), hessenberg(column + 1, column));
  if (!(size > 0.0)) return std::nan("");
  cosine_[k] = hessenberg(column, column) / size;
  sine_[k] = hessenberg(column + 1, column) / size;
  hessenberg(column, column) = size;
  rhs_[k + 1] = -sine_[k] * rhs_[k];
  rhs_[k] *= cosine_[k];
  return std::abs(rhs_[k + 1]);
}

void Gmres::correct(LinearMap& b, int columns, PaddedSpan32 x) {
  std::array<double, restart> y{};
  for (int row = columns - 1; row >= 0; --row) {
    double sum = rhs_[static_cast<std::size_t>(row)];
    for (int column = row + 1; column < columns; ++column)
      sum -= hessenberg(row, column) * y[static_cast<std::size_t>(column)];
    y[static_cast<std::size_t>(row)] = sum / hessenberg(row, row);
  }
  std::fill(w_.begin(), w_.end(), Padded32{});
  for (int column = 0; column < columns; ++column)
    detail::add_scaled(threads_, y[static_cast<std::size_t>(column)], basis(column), w_);
  b.apply(w_, z_);
  detail::add_scaled(threads_, 1.0, z_, x);
}

}  // namespace electret
