#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <limits>

#include <electret/core/errors.hpp>
#include <electret/elastic/detail/volume_projection.hpp>
#include <electret/elastic/material.hpp>

namespace electret {
namespace {

using Matrix = Eigen::Matrix3d;
using Vector = Eigen::Vector3d;

Matrix eigen_of(const Mat3& a) {
  Matrix m;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) m(i, j) = a.rows[static_cast<std::size_t>(i)][j];
  return m;
}

Mat3 mat3_of(const Matrix& m) {
  Mat3 a;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) a.rows[static_cast<std::size_t>(i)][j] = m(i, j);
  return a;
}

/// F = U diag(s) Vᵀ with rotations U and V; the smallest s has the sign of det F.
struct SignedSvd {
  Matrix u, v;
  Vector s;

  explicit SignedSvd(const Mat3& f) {
    const Eigen::JacobiSVD<Matrix> svd(eigen_of(f), Eigen::ComputeFullU | Eigen::ComputeFullV);
    u = svd.matrixU(), v = svd.matrixV(), s = svd.singularValues();
    if (u.determinant() < 0.0) u.col(2) *= -1.0, s[2] *= -1.0;
    if (v.determinant() < 0.0) v.col(2) *= -1.0, s[2] *= -1.0;
  }
};

/// Ψ as a function of the singular values, and its derivatives. For the pair of indices other than k, `twist`
/// is (Ψ_i + Ψ_j)/(s_i + s_j) and `flip` is (Ψ_i - Ψ_j)/(s_i - s_j), by formulas that do not cancel.
struct Principal {
  double energy = 0.0;
  Vector first = Vector::Zero();
  Matrix second = Matrix::Zero();
  Vector twist = Vector::Zero(), flip = Vector::Zero();
};

/// Keeps away from 0, where the rotation has no derivative.
double sum_of_others(const Vector& s, int k) {
  constexpr double smallest = 1e-12;
  const double sum = s[(k + 1) % 3] + s[(k + 2) % 3];
  return std::abs(sum) > smallest ? sum : smallest;
}

/// `weight`/2 |F - R|².
void add_rotation_part(double weight, const Vector& s, Principal& p) {
  const Vector away = s - Vector::Ones();
  p.energy += 0.5 * weight * away.squaredNorm();
  p.first += weight * away;
  p.second += weight * Matrix::Identity();
  for (int k = 0; k < 3; ++k) {
    p.twist[k] += weight * (1.0 - 2.0 / sum_of_others(s, k));
    p.flip[k] += weight;
  }
}

/// A function of I = |F|² and J, given by its derivatives.
void add_invariants_part(double by_i, double by_ii, double by_j, double by_jj, const Vector& s,
                         Principal& p) {
  const Vector cofactors(s[1] * s[2], s[2] * s[0], s[0] * s[1]);
  p.first += 2.0 * by_i * s + by_j * cofactors;
  p.second += 2.0 * by_i * Matrix::Identity() + 4.0 * by_ii * s * s.transpose() +
              by_jj * cofactors * cofactors.transpose();
  for (int k = 0; k < 3; ++k) {
    const int i = (k + 1) % 3, j = (k + 2) % 3;
    p.second(i, j) += by_j * s[k];
    p.second(j, i) += by_j * s[k];
    p.twist[k] += 2.0 * by_i + by_j * s[k];
    p.flip[k] += 2.0 * by_i - by_j * s[k];
  }
}

/// `weight`/2 |F - N|², from the multiplier τ of s = t + τ/t, where t are the singular values of N.
void add_projection_part(double weight, const Vector& s, Principal& p) {
  const detail::VolumeProjection n = detail::project_to_unit_volume({s[0], s[1], s[2]});
  Vector slopes, d;
  double q = 0.0;
  for (int i = 0; i < 3; ++i) {
    const double t = n.values[i];
    p.energy += 0.5 * weight * (s[i] - t) * (s[i] - t);
    p.first[i] += weight * (s[i] - t);
    d[i] = 1.0 - n.multiplier / (t * t);
    slopes[i] = 1.0 / (t * d[i]);
    q += slopes[i] / t;
  }
  p.second += weight / q * slopes * slopes.transpose();
  for (int k = 0; k < 3; ++k) {
    p.second(k, k) += weight * (1.0 - 1.0 / d[k]);
    const double turned = n.multiplier * n.values[k];
    p.twist[k] += weight * turned / (1.0 + turned);
    p.flip[k] -= weight * turned / (1.0 - turned);
  }
}

void add_trace_part(double lambda, const Vector& s, Principal& p) {
  const double away = s.sum() - 3.0;
  p.energy += 0.5 * lambda * away * away;
  p.first += lambda * away * Vector::Ones();
  p.second += lambda * Matrix::Ones();
  for (int k = 0; k < 3; ++k) p.twist[k] += 2.0 * lambda * away / sum_of_others(s, k);
}

Principal principal(MaterialModel model, const Lame& c, const Vector& s) {
  Principal p;
  const double i = s.squaredNorm(), j = s.prod();
  switch (model) {
    case MaterialModel::projective:
      add_rotation_part(2.0 * c.mu, s, p);
      add_projection_part(c.lambda, s, p);
      break;
    case MaterialModel::corotated:
      add_rotation_part(2.0 * c.mu, s, p);
      add_trace_part(c.lambda, s, p);
      break;
    case MaterialModel::fixed_corotated:
      add_rotation_part(2.0 * c.mu, s, p);
      p.energy += 0.5 * c.lambda * (j - 1.0) * (j - 1.0);
      add_invariants_part(0.0, 0.0, c.lambda * (j - 1.0), c.lambda, s, p);
      break;
    case MaterialModel::neo_hookean: {
      if (!(j > 0.0)) {
        p.energy = std::numeric_limits<double>::infinity();
        break;
      }
      const double log = std::log(j);
      p.energy = 0.5 * c.mu * (i - 3.0) - c.mu * log + 0.5 * c.lambda * log * log;
      add_invariants_part(0.5 * c.mu, 0.0, (c.lambda * log - c.mu) / j,
                          (c.mu + c.lambda - c.lambda * log) / (j * j), s, p);
      break;
    }
    case MaterialModel::stable_neo_hookean: {
      const double mu = 4.0 / 3.0 * c.mu, lambda = c.lambda + 5.0 / 6.0 * c.mu, more = 1.0 / (i + 1.0);
      p.energy = 0.5 * mu * (i - 3.0 - std::log1p((i - 3.0) / 4.0)) - 0.75 * mu * (j - 1.0) +
                 0.5 * lambda * (j - 1.0) * (j - 1.0);
      add_invariants_part(0.5 * mu * (1.0 - more), 0.5 * mu * more * more, lambda * (j - 1.0) - 0.75 * mu,
                          lambda, s, p);
      break;
    }
    case MaterialModel::linear:
      throw InternalError("the linear material is no function of singular values");
  }
  return p;
}

double linear_stress(const Lame& c, const Mat3& f, Mat3& stress) {
  const Matrix gradient = eigen_of(f);
  const Matrix strain = 0.5 * (gradient + gradient.transpose()) - Matrix::Identity();
  const double trace = strain.trace();
  stress = mat3_of(2.0 * c.mu * strain + c.lambda * trace * Matrix::Identity());
  return c.mu * strain.squaredNorm() + 0.5 * c.lambda * trace * trace;
}

using Matrix9 = Eigen::Matrix<double, 9, 9, Eigen::RowMajor>;
using Vector9 = Eigen::Matrix<double, 9, 1>;

/// a bᵀ as a vector of F's entries, row after row.
Vector9 entries(const Vector& a, const Vector& b) {
  Vector9 v;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) v[3 * i + j] = a[i] * b[j];
  return v;
}

void linear_tangent(const Lame& c, HessianKind kind, Matrix9& out) {
  // The eigenvalues are 0 for rotations, 2μ for shear and 2μ + 3λ for volume.
  const double shear = kind == HessianKind::clamped ? std::max(0.0, 2.0 * c.mu) : 2.0 * c.mu;
  double volume = 2.0 * c.mu + 3.0 * c.lambda;
  if (kind == HessianKind::clamped) volume = std::max(0.0, volume);
  out.setZero();
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) {
      out(3 * i + j, 3 * i + j) += 0.5 * shear;
      out(3 * i + j, 3 * j + i) += 0.5 * shear;
      out(4 * i, 4 * j) += (volume - shear) / 3.0;
    }
}

}  // namespace

std::optional<MaterialModel> material_model(std::string_view name) {
  const auto found = std::find(material_models.begin(), material_models.end(), name);
  if (found == material_models.end()) return std::nullopt;
  return static_cast<MaterialModel>(found - material_models.begin());
}

Lame lame(double e, double nu) {
  return {e / (2.0 * (1.0 + nu)), e * nu / ((1.0 + nu) * (1.0 - 2.0 * nu))};
}

Lame lame_by_youngs_modulus(double nu) {
  return lame(1.0, nu);
}

Lame lame_by_poissons_ratio(double e, double nu) {
  const double whole = (1.0 + nu) * (1.0 - 2.0 * nu);
  return {-e / (2.0 * (1.0 + nu) * (1.0 + nu)), e * (1.0 + 2.0 * nu * nu) / (whole * whole)};
}

double point_energy(MaterialModel model, const Lame& c, const Mat3& f) {
  Mat3 unused;
  return point_stress(model, c, f, unused);
}

double point_stress(MaterialModel model, const Lame& c, const Mat3& f, Mat3& stress) {
  if (model == MaterialModel::linear) return linear_stress(c, f, stress);
  const SignedSvd svd(f);
  const Principal p = principal(model, c, svd.s);
  stress = mat3_of(svd.u * p.first.asDiagonal() * svd.v.transpose());
  return p.energy;
}

void point_tangent(MaterialModel model, const Lame& c, const Mat3& f, HessianKind kind, Tangent& tangent) {
  Eigen::Map<Matrix9> out(tangent.data());
  Matrix9 sum = Matrix9::Zero();
  if (model == MaterialModel::linear) {
    linear_tangent(c, kind, sum);
    out = sum;
    return;
  }
  const SignedSvd svd(f);
  Principal p = principal(model, c, svd.s);
  if (kind == HessianKind::clamped) {
    p.twist = p.twist.cwiseMax(0.0);
    p.flip = p.flip.cwiseMax(0.0);
    const Eigen::SelfAdjointEigenSolver<Matrix> stretches(p.second);
    p.second = stretches.eigenvectors() * stretches.eigenvalues().cwiseMax(0.0).asDiagonal() *
               stretches.eigenvectors().transpose();
  }
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j)
      sum += p.second(i, j) * entries(svd.u.col(i), svd.v.col(i)) *
             entries(svd.u.col(j), svd.v.col(j)).transpose();
  for (int k = 0; k < 3; ++k) {
    const int i = (k + 1) % 3, j = (k + 2) % 3;
    const Vector9 one = entries(svd.u.col(i), svd.v.col(j)), other = entries(svd.u.col(j), svd.v.col(i));
    sum += 0.5 * p.twist[k] * (one - other) * (one - other).transpose() +
           0.5 * p.flip[k] * (one + other) * (one + other).transpose();
  }
  out = sum;
}

}  // namespace electret
