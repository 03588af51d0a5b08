#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <random>

#include <electret/adjoint/gradient.hpp>
#include <electret/fit/identifiability.hpp>

namespace electret {
namespace {

using Vector = Eigen::VectorXd;

constexpr double step = 1e-5;  // of the difference of two gradients, in variables of order 1

/// ∂ℒ/∂u anywhere.
class Slope {
 public:
  Slope(const Assembly& assembly, const std::vector<FitParameter>& parameters, Loss& loss,
        const FitOptions& options)
      : assembly_(assembly), variables_(assembly, parameters), loss_(loss), options_(options) {}

  [[nodiscard]] const FitVariables& variables() const { return variables_; }

  Vector at(const Vector& u) {
    const std::vector<double> flat(u.begin(), u.end()), values = variables_.to_values(flat);
    std::vector<double> gradient(flat.size());
    Assembly changed = assembly_;
    write_values(changed, variables_.parameters(), values);
    Simulator simulator(compile(std::move(changed), options_.threads, IdleForces::kept));
    GradientOptions how;
    how.rest_positions = false;
    how.memory = options_.memory;
    how.control.stop = options_.stop;
    variables_.pull(loss_and_gradient(simulator, loss_, how).gradient, values, gradient);
    variables_.add_priors(flat, gradient);
    return Eigen::Map<const Vector>(gradient.data(), static_cast<Eigen::Index>(gradient.size()));
  }

 private:
  const Assembly& assembly_;
  FitVariables variables_;
  Loss& loss_;
  const FitOptions& options_;
};

/// 1 where a variable may move, 0 where limits hold it.
Vector free_of(const VariableBounds& bounds, const Vector& u) {
  Vector free = Vector::Ones(u.size());
  for (Eigen::Index k = 0; k < u.size(); ++k) {
    const auto i = static_cast<std::size_t>(k);
    if (u[k] <= bounds.lower[i] || u[k] >= bounds.upper[i]) free[k] = 0.0;
  }
  return free;
}

Vector random_direction(const Vector& free) {
  std::mt19937_64 engine(11);
  Vector direction(free.size());
  for (double& value : direction) value = engine() % 2 == 0 ? 1.0 : -1.0;
  return direction.cwiseProduct(free).normalized();
}

}  // namespace

Identifiability identifiability(const Assembly& assembly, const std::vector<FitParameter>& parameters,
                                Loss& loss, const std::vector<double>& values, Count products,
                                const FitOptions& options, const Control& control) {
  Identifiability result;
  Slope slope(assembly, parameters, loss, options);
  const std::vector<double> start = slope.variables().to_variables(values);
  const Vector u = Eigen::Map<const Vector>(start.data(), static_cast<Eigen::Index>(start.size()));
  const Vector free = free_of(slope.variables().bounds(), u);
  const auto most = static_cast<Eigen::Index>(std::min(static_cast<double>(products), free.sum()));
  if (most == 0) return result;
  const Vector here = slope.at(u);
  Eigen::MatrixXd basis(u.size(), most), products_of(u.size(), most);
  Vector next = random_direction(free);
  Eigen::Index count = 0;
  while (count < most) {
    basis.col(count) = next;
    try {
      products_of.col(count) = (slope.at(u + step * next) - here).cwiseProduct(free) / step;
    } catch (const DivergenceError&) {
      break;
    }
    ++count;
    if (control.progress) control.progress({static_cast<Count>(count), static_cast<Count>(most)});
    // Against all vectors so far, twice: rounding would bring them back.
    next = products_of.col(count - 1);
    const double size = next.norm();
    for (int pass = 0; pass < 2; ++pass)
      next -= basis.leftCols(count) * (basis.leftCols(count).transpose() * next).eval();
    // An invariant subspace: on with any direction that is left.
    if (!(next.norm() > 1e-9 * size)) {
      next = random_direction(free);
      next[count % next.size()] += 1.0;
      next = next.cwiseProduct(free);
      for (int pass = 0; pass < 2; ++pass)
        next -= basis.leftCols(count) * (basis.leftCols(count).transpose() * next).eval();
      if (!(next.norm() > 1e-9)) break;
    }
    next.normalize();
  }
  if (count == 0) return result;
  const Eigen::MatrixXd projected = basis.leftCols(count).transpose() * products_of.leftCols(count);
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> curvatures(0.5 * (projected + projected.transpose()));
  result.products = static_cast<Count>(count);
  result.is_whole = static_cast<double>(count) >= free.sum();
  result.largest = curvatures.eigenvalues()[count - 1];
  result.smallest = curvatures.eigenvalues()[0];
  const Vector weakest = basis.leftCols(count) * curvatures.eigenvectors().col(0);
  result.weakest.assign(weakest.begin(), weakest.end());
  return result;
}

}  // namespace electret
