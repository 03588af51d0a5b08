#include "dynamics/reference.hpp"

#include <Eigen/Dense>
#include <cmath>
#include <stdexcept>

namespace electret::test {
namespace {

double objective(const Reference& model, const std::vector<double>& m, const VectorArray& y, double a,
                 const VectorArray& x) {
  double sum = a * model.elastic_energy(x);
  for (std::size_t i = 0; i < x.size(); ++i) sum += 0.5 * m[i] * squared_norm(x[i] - y[i]);
  return sum;
}

Eigen::Vector3d eigen(const Vec3& a) {
  return {a.x, a.y, a.z};
}

}  // namespace

Reference::Reference(Assembly assembly)
    : assembly_(std::move(assembly)), pinned_(assembly_.masses.size(), 0) {
  for (const auto& track : assembly_.pin_tracks)
    for (const Index i : track.vertices) pinned_[static_cast<std::size_t>(i)] = 1;
}

double Reference::elastic_energy(const VectorArray& x) const {
  double sum = 0.0;
  for (const Spring& s : assembly_.springs) {
    const double strain =
        norm(x[static_cast<std::size_t>(s.i)] - x[static_cast<std::size_t>(s.j)]) - s.rest_length;
    sum += 0.5 * s.stiffness * strain * strain;
  }
  return sum;
}

double Reference::coulomb_energy(const VectorArray& x) const {
  if (!assembly_.scene.coulomb) return 0.0;
  const auto& options = *assembly_.scene.coulomb;
  double sum = 0.0;
  for (std::size_t i = 0; i < x.size(); ++i)
    for (std::size_t j = 0; j < i; ++j)
      sum += options.constant * assembly_.charges[i] * assembly_.charges[j] /
             std::hypot(norm(x[i] - x[j]), options.softening);
  return sum;
}

VectorArray Reference::elastic_gradient(const VectorArray& x) const {
  VectorArray g(x.size());
  for (const Spring& s : assembly_.springs) {
    const auto i = static_cast<std::size_t>(s.i), j = static_cast<std::size_t>(s.j);
    const Vec3 beta = x[i] - x[j];
    const double length = norm(beta);
    const Vec3 p = length > 0.0 ? (s.rest_length / length) * beta : Vec3{s.rest_length, 0.0, 0.0};
    g[i] += s.stiffness * (beta - p);
    g[j] -= s.stiffness * (beta - p);
  }
  return g;
}

VectorArray Reference::minimise(const VectorArray& y, double a) const {
  const auto n = y.size();
  const auto size = static_cast<Eigen::Index>(3 * n);
  VectorArray x = y;
  for (int iteration = 0; iteration < 100; ++iteration) {
    Eigen::VectorXd g = Eigen::VectorXd::Zero(size);
    Eigen::MatrixXd exact = Eigen::MatrixXd::Zero(size, size), clamped = exact;
    const VectorArray elastic = elastic_gradient(x);
    for (std::size_t i = 0; i < n; ++i) {
      const auto r = static_cast<Eigen::Index>(3 * i);
      const double m = assembly_.masses[i];
      g.segment<3>(r) = m * eigen(x[i] - y[i]) + a * eigen(elastic[i]);
      exact.block<3, 3>(r, r) += m * Eigen::Matrix3d::Identity();
      clamped.block<3, 3>(r, r) += m * Eigen::Matrix3d::Identity();
    }
    for (const Spring& s : assembly_.springs) {
      const auto i = static_cast<Eigen::Index>(3 * s.i), j = static_cast<Eigen::Index>(3 * s.j);
      const Eigen::Vector3d beta = eigen(x[static_cast<std::size_t>(s.i)] - x[static_cast<std::size_t>(s.j)]);
      const Eigen::Matrix3d axial = beta * beta.transpose() / beta.squaredNorm();
      const Eigen::Matrix3d transverse = Eigen::Matrix3d::Identity() - axial;
      const double t = 1.0 - s.rest_length / beta.norm();
      for (auto* hessian : {&exact, &clamped}) {
        const Eigen::Matrix3d block =
            a * s.stiffness * (axial + (hessian == &exact ? t : std::max(0.0, t)) * transverse);
        hessian->block<3, 3>(i, i) += block;
        hessian->block<3, 3>(j, j) += block;
        hessian->block<3, 3>(i, j) -= block;
        hessian->block<3, 3>(j, i) -= block;
      }
    }
    for (std::size_t i = 0; i < n; ++i) {
      if (pinned_[i] == 0) continue;
      for (Eigen::Index r = static_cast<Eigen::Index>(3 * i), k = 0; k < 3; ++k) {
        g[r + k] = 0.0;
        for (auto* hessian : {&exact, &clamped}) {
          hessian->row(r + k).setZero();
          hessian->col(r + k).setZero();
          (*hessian)(r + k, r + k) = 1.0;
        }
      }
    }
    Eigen::LLT<Eigen::MatrixXd> factor(exact);
    if (factor.info() != Eigen::Success) factor.compute(clamped);
    const Eigen::VectorXd d = -factor.solve(g);
    const auto moved = [&](double length) {
      VectorArray result = x;
      for (std::size_t i = 0; i < n; ++i)
        for (int k = 0; k < 3; ++k) result[i][k] += length * d[static_cast<Eigen::Index>(3 * i) + k];
      return result;
    };
    double length = 1.0;
    const double here = objective(*this, assembly_.masses, y, a, x);
    const double slope = g.dot(d);
    while (objective(*this, assembly_.masses, y, a, moved(length)) >
           here * (1.0 + 1e-14) + 1e-4 * length * slope) {
      length *= 0.5;
      if (length < 1e-12) break;
    }
    if (length < 1e-12) return x;
    x = moved(length);
    if (d.norm() < 1e-14) return x;
  }
  throw std::runtime_error("the reference minimiser did not settle");
}

}  // namespace electret::test
