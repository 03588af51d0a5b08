#include <algorithm>
#include <cmath>

#include <electret/dynamics/newton_direction.hpp>
#include <electret/dynamics/vector_sums.hpp>

namespace electret {
namespace {

// Beyond this a Newton step costs more than it can gain before the next one has a better model.
constexpr int most_products = 300;

}  // namespace

NewtonDirection::NewtonDirection(std::size_t n) {
  for (auto* array : {&residual_, &preconditioned_, &search_, &product_}) array->resize(n);
}

void NewtonDirection::compute(StageObjective& objective, ConstantHessian& preconditioner, VectorView x,
                              VectorView gradient, double accuracy, VectorSpan direction) {
  Threads& threads = objective.threads();
  objective.linearise(x);
  std::fill(direction.begin(), direction.end(), Vec3{});
  std::transform(gradient.begin(), gradient.end(), residual_.begin(), [](const Vec3& g) { return -g; });
  preconditioner.solve(residual_, preconditioned_);
  std::copy(preconditioned_.begin(), preconditioned_.end(), search_.begin());
  double size = dot(threads, residual_, preconditioned_);
  const double enough = accuracy * accuracy * size;
  for (int k = 0; k < most_products && size > enough; ++k) {
    objective.hessian_product(search_, product_);
    const double curvature = dot(threads, search_, product_);
    // Rounding makes tiny curvatures of either sign: those directions are left to the constant matrix too.
    if (!(curvature > 1e-12 * dot(threads, search_, search_) * objective.smallest_mass())) {
      if (k == 0) std::copy(search_.begin(), search_.end(), direction.begin());
      return;
    }
    const double length = size / curvature;
    add_scaled(threads, direction, length, search_, direction);
    add_scaled(threads, residual_, -length, product_, residual_);
    preconditioner.solve(residual_, preconditioned_);
    const double next = dot(threads, residual_, preconditioned_);
    add_scaled(threads, preconditioned_, next / size, search_, search_);
    size = next;
  }
}

}  // namespace electret
