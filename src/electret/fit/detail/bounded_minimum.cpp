#include <algorithm>
#include <limits>
#include <utility>

#include <electret/fit/detail/bounded_minimum.hpp>
#include <electret/linear/dense_inverse.hpp>

namespace electret::detail {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

/// The first minimum of the model along the way that the steepest descent takes if each variable stops at its
/// bound (algorithm CP of the paper).
class CauchyPath {
 public:
  CauchyPath(const BfgsMatrix& matrix, const Vector& u, const Vector& gradient, const VariableBounds& bounds)
      : matrix_(matrix), gradient_(gradient), bounds_(bounds), start_(u), place_(u), direction_(u.size()) {
    for (std::size_t i = 0; i < u.size(); ++i) {
      const double bound = gradient[i] > 0.0 ? bounds.lower[i] : bounds.upper[i];
      const double until = gradient[i] == 0.0 ? infinity : (u[i] - bound) / gradient[i];
      if (!(until > 0.0)) continue;
      direction_[i] = -gradient[i];
      if (until < infinity) stops_.emplace_back(until, i);
    }
    std::sort(stops_.begin(), stops_.end());
  }

  void walk() {
    p_ = matrix_.transposed_times(direction_);
    moved_.assign(matrix_.columns(), 0.0);
    slope_ = -dot(direction_, direction_);
    curvature_ = -matrix_.theta() * slope_ - dot(p_, times(matrix_.middle(), p_));
    const double first_curvature = -matrix_.theta() * slope_;
    double time = 0.0;
    for (const auto& [until, i] : stops_) {
      if (!(slope_ < 0.0) || -slope_ < (until - time) * curvature_) break;
      stop(i, until - time);
      time = until;
      curvature_ = std::max(curvature_, std::numeric_limits<double>::epsilon() * first_curvature);
    }
    if (slope_ < 0.0 && curvature_ > 0.0) advance(-slope_ / curvature_, time);
  }

  [[nodiscard]] const Vector& place() const { return place_; }
  /// Wᵀ (place - u).
  [[nodiscard]] const Vector& moved() const { return moved_; }

 private:
  /// Goes on until variable `i` is at its bound, and stops it there.
  void stop(std::size_t i, double duration) {
    const double g = gradient_[i], theta = matrix_.theta();
    place_[i] = direction_[i] > 0.0 ? bounds_.upper[i] : bounds_.lower[i];
    detail::add(moved_, duration, p_);
    const Vector row = times(matrix_.middle(), matrix_.row(i));
    slope_ += duration * curvature_ + g * g + theta * g * (place_[i] - start_[i]) - g * dot(row, moved_);
    curvature_ += -theta * g * g - 2.0 * g * dot(row, p_) - g * g * dot(row, matrix_.row(i));
    detail::add(p_, g, matrix_.row(i));
    direction_[i] = 0.0;
  }

  /// The rest of the way, on which no further variable meets its bound.
  void advance(double duration, double time) {
    for (std::size_t i = 0; i < place_.size(); ++i)
      if (direction_[i] != 0.0)
        place_[i] =
            std::clamp(start_[i] + (time + duration) * direction_[i], bounds_.lower[i], bounds_.upper[i]);
    detail::add(moved_, duration, p_);
  }

  const BfgsMatrix& matrix_;
  const Vector& gradient_;
  const VariableBounds& bounds_;
  const Vector& start_;
  Vector place_, direction_, p_, moved_;
  double slope_ = 0.0, curvature_ = 0.0;
  std::vector<std::pair<double, std::size_t>> stops_;  ///< When each variable meets its bound, ascending.
};

/// The variables that no bound holds at `place`.
std::vector<std::size_t> free_at(const Vector& place, const VariableBounds& bounds) {
  std::vector<std::size_t> free;
  for (std::size_t i = 0; i < place.size(); ++i)
    if (place[i] > bounds.lower[i] && place[i] < bounds.upper[i]) free.push_back(i);
  return free;
}

/// The slopes r of the model at the Cauchy point, of the free variables (eq. 5.4).
Vector reduced_gradient(const BfgsMatrix& matrix, const Vector& u, const Vector& gradient,
                        const CauchyPath& cauchy, const std::vector<std::size_t>& free) {
  const Vector middle = times(matrix.middle(), cauchy.moved());
  Vector slopes;
  for (const std::size_t i : free)
    slopes.push_back(gradient[i] + matrix.theta() * (cauchy.place()[i] - u[i]) - dot(matrix.row(i), middle));
  return slopes;
}

/// The step of the free variables from slopes r to the model's minimum, -(ZᵀBZ)⁻¹ r, by the formula of
/// Sherman, Morrison and Woodbury (direct primal method, eq. 5.11). Empty if rounding leaves no such minimum.
Vector newton_step(const BfgsMatrix& matrix, const Vector& slopes, const std::vector<std::size_t>& free) {
  const std::size_t columns = matrix.columns();
  Rows squares(columns, Vector(columns)), system(columns);
  Vector v(columns), step(free.size());
  for (std::size_t k = 0; k < free.size(); ++k) {
    const Vector& row = matrix.row(free[k]);
    detail::add(v, slopes[k], row);
    for (std::size_t c = 0; c < columns; ++c) detail::add(squares[c], row[c] / matrix.theta(), row);
  }
  for (std::size_t c = 0; c < columns; ++c) {
    system[c] = times(squares, matrix.middle()[c]);  // Both are symmetric.
    for (double& entry : system[c]) entry = -entry;
    system[c][c] += 1.0;
  }
  const auto inverse = dense_inverse(system);
  if (!inverse) return {};
  v = times(*inverse, times(matrix.middle(), v));
  for (std::size_t k = 0; k < free.size(); ++k)
    step[k] = -(slopes[k] + dot(matrix.row(free[k]), v) / matrix.theta()) / matrix.theta();
  return step;
}

/// The largest part of `step`, at most all of it, that stays within the bounds.
double inner_part(const Vector& place, const Vector& step, const std::vector<std::size_t>& free,
                  const VariableBounds& bounds) {
  double part = 1.0;
  for (std::size_t k = 0; k < free.size(); ++k) {
    const std::size_t i = free[k];
    const double room = (step[k] > 0.0 ? bounds.upper[i] : bounds.lower[i]) - place[i];
    if (std::abs(part * step[k]) > std::abs(room)) part = room / step[k];
  }
  return part;
}

Vector moved_by(Vector place, double part, const Vector& step, const std::vector<std::size_t>& free,
                const VariableBounds& bounds) {
  for (std::size_t k = 0; k < free.size(); ++k) {
    const std::size_t i = free[k];
    place[i] = std::clamp(place[i] + part * step[k], bounds.lower[i], bounds.upper[i]);
  }
  return place;
}

}  // namespace

Vector bounded_minimum(const BfgsMatrix& matrix, const Vector& u, const Vector& gradient,
                       const VariableBounds& bounds) {
  CauchyPath cauchy(matrix, u, gradient, bounds);
  cauchy.walk();
  if (matrix.columns() == 0) return cauchy.place();  // Of θI, the Cauchy point is the minimum.
  const std::vector<std::size_t> free = free_at(cauchy.place(), bounds);
  const Vector step = newton_step(matrix, reduced_gradient(matrix, u, gradient, cauchy, free), free);
  if (step.empty()) return cauchy.place();
  // The projected minimum is the better step, but not always one downwards (Morales and Nocedal, 2011).
  Vector minimum = moved_by(cauchy.place(), 1.0, step, free, bounds);
  if (dot(difference(minimum, u), gradient) < 0.0) return minimum;
  return moved_by(cauchy.place(), inner_part(cauchy.place(), step, free, bounds), step, free, bounds);
}

}  // namespace electret::detail
