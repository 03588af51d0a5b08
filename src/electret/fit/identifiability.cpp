#include <algorithm>
#include <cmath>
#include <random>
#include <utility>

#include <electret/adjoint/gradient.hpp>
#include <electret/core/arguments.hpp>
#include <electret/fit/detail/vectors.hpp>
#include <electret/fit/identifiability.hpp>
#include <electret/linear/symmetric_eigen.hpp>

namespace electret {
namespace {

using detail::add;
using detail::dot;
using detail::length;
using detail::Vector;

constexpr double difference_step = 1e-5;  // step of the difference of two gradients, in variables of order 1

/// ∂ℒ/∂u anywhere.
class Slope {
 public:
  Slope(const Assembly& assembly, const std::vector<FitParameter>& parameters, Loss& loss,
        const FitOptions& options)
      : assembly_(assembly), variables_(assembly, parameters), loss_(loss), options_(options) {}

  [[nodiscard]] const FitVariables& variables() const { return variables_; }

  Vector at(const Vector& u) {
    const std::vector<double> values = variables_.to_values(u);
    Vector gradient(u.size());
    Assembly changed = assembly_;
    write_values(changed, variables_.parameters(), values);
    Simulator simulator(compile(std::move(changed), options_.threads, IdleForces::kept));
    GradientOptions how;
    how.rest_positions = false;
    how.memory = options_.memory;
    how.control.stop = options_.stop;
    how.control.progress = options_.progress;
    variables_.pull(loss_and_gradient(simulator, loss_, how).gradient, values, gradient);
    variables_.add_priors(u, gradient);
    return gradient;
  }

 private:
  const Assembly& assembly_;
  FitVariables variables_;
  Loss& loss_;
  const FitOptions& options_;
};

/// Whether a variable may move by `difference_step`; the others are held by limits.
std::vector<bool> free_of(const VariableBounds& bounds, const Vector& u) {
  std::vector<bool> free(u.size());
  for (std::size_t i = 0; i < u.size(); ++i)
    free[i] = u[i] - difference_step > bounds.lower[i] && u[i] + difference_step < bounds.upper[i];
  return free;
}

void keep_free(Vector& v, const std::vector<bool>& free) {
  for (std::size_t i = 0; i < v.size(); ++i)
    if (!free[i]) v[i] = 0.0;
}

Vector random_direction(const std::vector<bool>& free) {
  std::mt19937_64 engine(11);
  Vector direction(free.size());
  for (double& value : direction) value = engine() % 2 == 0 ? 1.0 : -1.0;
  keep_free(direction, free);
  return direction;
}

/// Removes from `v` its part in the space of `basis`, whose vectors have length 1 and are orthogonal. It does
/// so twice, because rounding would bring that part back.
void orthogonalise(Vector& v, const std::vector<Vector>& basis) {
  for (int pass = 0; pass < 2; ++pass)
    for (const Vector& b : basis) add(v, -dot(b, v), b);
}

void normalise(Vector& v) {
  const double size = length(v);
  for (double& value : v) value /= size;
}

/// The next vector of a Krylov space, to which `product`, the product with the last one, leads. Empty if none
/// is left.
Vector next_direction(const Vector& product, const std::vector<Vector>& basis,
                      const std::vector<bool>& free) {
  Vector next = product;
  orthogonalise(next, basis);
  // The space is invariant: go on with any direction that is left.
  if (!(length(next) > 1e-9 * length(product))) {
    next = random_direction(free);
    normalise(next);
    next[basis.size() % next.size()] += 1.0;
    keep_free(next, free);
    orthogonalise(next, basis);
    if (!(length(next) > 1e-9)) return {};
  }
  normalise(next);
  return next;
}

/// The least and the largest curvature in the space of `basis`, and the direction of the least.
void tell_curvatures(Identifiability& result, const std::vector<Vector>& basis,
                     const std::vector<Vector>& products) {
  Rows projected(basis.size());
  for (std::size_t i = 0; i < basis.size(); ++i)
    for (const Vector& product : products) projected[i].push_back(dot(basis[i], product));
  const SymmetricEigen curvatures = symmetric_eigen(projected);
  result.largest = curvatures.values.back();
  result.smallest = curvatures.values.front();
  result.weakest.assign(basis.front().size(), 0.0);
  for (std::size_t k = 0; k < basis.size(); ++k) add(result.weakest, curvatures.vectors.front()[k], basis[k]);
}

}  // namespace

Identifiability identifiability(const Assembly& assembly, const std::vector<FitParameter>& parameters,
                                Loss& loss, const std::vector<double>& values, Count products,
                                const FitOptions& options, const Control& control) {
  require_argument(products >= 1, "curvatures need at least one product");
  Identifiability result;
  Slope slope(assembly, parameters, loss, options);
  const Vector u = slope.variables().to_variables(values);
  const std::vector<bool> free = free_of(slope.variables().bounds(), u);
  const auto free_count = static_cast<Count>(std::count(free.begin(), free.end(), true));
  const auto most = static_cast<std::size_t>(std::min(products, free_count));
  if (most == 0) return result;
  const Vector here = slope.at(u);
  std::vector<Vector> basis, products_of;
  Vector next = random_direction(free);
  normalise(next);
  while (!next.empty() && basis.size() < most) {
    Vector moved = u;
    add(moved, difference_step, next);
    try {
      Vector change = slope.at(moved);
      for (std::size_t i = 0; i < change.size(); ++i) change[i] = (change[i] - here[i]) / difference_step;
      keep_free(change, free);
      products_of.push_back(std::move(change));
    } catch (const DivergenceError&) {
      break;
    }
    basis.push_back(std::move(next));
    if (control.progress) control.progress({static_cast<Count>(basis.size()), static_cast<Count>(most)});
    next = next_direction(products_of.back(), basis, free);
  }
  if (basis.empty()) return result;
  result.products = static_cast<Count>(basis.size());
  result.is_whole = result.products >= free_count;
  tell_curvatures(result, basis, products_of);
  result.slope = std::abs(dot(here, result.weakest));
  return result;
}

}  // namespace electret
