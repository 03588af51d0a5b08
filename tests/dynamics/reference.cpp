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

VectorArray Reference::explicit_force(const VectorArray& x, const VectorArray& v) const {
  VectorArray f = force_without_drag(x, v);
  for (std::size_t i = 0; i < x.size(); ++i)
    f[i] -= (assembly_.scene.damping.drag * assembly_.masses[i]) * v[i];
  return f;
}

VectorArray Reference::force_without_drag(const VectorArray& x, const VectorArray& v) const {
  VectorArray f(x.size());
  const Scene& scene = assembly_.scene;
  for (std::size_t i = 0; i < x.size(); ++i) {
    if (scene.gravity) f[i] += assembly_.masses[i] * *scene.gravity;
    if (!scene.coulomb) continue;
    for (std::size_t j = 0; j < x.size(); ++j) {
      if (j == i) continue;
      const Vec3 r = x[i] - x[j];
      const double rho = std::hypot(norm(r), scene.coulomb->softening);
      f[i] += (scene.coulomb->constant * assembly_.charges[i] * assembly_.charges[j] / (rho * rho * rho)) * r;
    }
  }
  for (const Spring& s : assembly_.springs) {
    const auto i = static_cast<std::size_t>(s.i), j = static_cast<std::size_t>(s.j);
    const Vec3 beta = x[i] - x[j];
    if (norm(beta) == 0.0) continue;
    const Vec3 unit = (1.0 / norm(beta)) * beta;
    const Vec3 pull = (-scene.damping.spring * dot(v[i] - v[j], unit)) * unit;
    f[i] += pull;
    f[j] -= pull;
  }
  return f;
}

VectorArray Reference::total_force(const VectorArray& x, const VectorArray& v) const {
  VectorArray f = explicit_force(x, v);
  const VectorArray g = elastic_gradient(x);
  for (std::size_t i = 0; i < x.size(); ++i) f[i] -= g[i];
  return f;
}

VectorArray Reference::places(double time) const {
  VectorArray result = assembly_.initial_positions;
  for (const auto& track : assembly_.pin_tracks)
    if (!track.offsets.empty())
      for (const Index i : track.vertices)
        result[static_cast<std::size_t>(i)] += evaluate(track.offsets, time, assembly_.scene.time.step);
  return result;
}

void Reference::hold(State& state, Count from_step) const {
  const double h = assembly_.scene.time.step;
  const VectorArray now = places(static_cast<double>(from_step) * h);
  const VectorArray next = places(static_cast<double>(from_step + 1) * h);
  for (std::size_t i = 0; i < pinned_.size(); ++i) {
    if (pinned_[i] == 0) continue;
    state.positions[i] = next[i];
    state.velocities[i] = (1.0 / h) * (next[i] - now[i]);
  }
}

State Reference::start() const {
  State state;
  state.positions = assembly_.initial_positions;
  state.velocities = assembly_.initial_velocities;
  hold(state, 0);
  state.positions = places(0.0);
  return state;
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

void Reference::slow(VectorArray& v) const {
  for (std::size_t i = 0; i < v.size(); ++i)
    if (pinned_[i] == 0) v[i] *= std::exp(-0.5 * assembly_.scene.damping.drag * assembly_.scene.time.step);
}

void Reference::half_kick(const VectorArray& x, VectorArray& v) const {
  const VectorArray f = force_without_drag(x, v);
  for (std::size_t i = 0; i < v.size(); ++i)
    v[i] += (0.5 * assembly_.scene.time.step / assembly_.masses[i]) * f[i];
}

template <class Flow>
void Reference::kicked_step(State& state, Flow&& flow) const {
  const Count from = state.step - 1;
  slow(state.velocities);
  half_kick(state.positions, state.velocities);
  flow(state);
  hold(state, from);
  half_kick(state.positions, state.velocities);
  slow(state.velocities);
  hold(state, from);
}

void Reference::midpoint(State& state, Count from) const {
  const double h = assembly_.scene.time.step;
  const VectorArray now = places(static_cast<double>(from) * h),
                    next = places(static_cast<double>(from + 1) * h);
  VectorArray y = state.positions;
  for (std::size_t i = 0; i < y.size(); ++i)
    y[i] = pinned_[i] != 0 ? 0.5 * (now[i] + next[i]) : y[i] + (0.5 * h) * state.velocities[i];
  const VectorArray z = minimise(y, 0.25 * h * h);
  for (std::size_t i = 0; i < y.size(); ++i) {
    state.velocities[i] = (4.0 / h) * (z[i] - state.positions[i]) - state.velocities[i];
    state.positions[i] = 2.0 * z[i] - state.positions[i];
  }
}

void Reference::trbdf2(State& state, Count from) const {
  const double h = assembly_.scene.time.step, root = std::sqrt(2.0);
  const double g = 2.0 - root, alpha = 0.5 * (root + 1.0), beta = 0.5 * (root - 1.0);
  const double a = 0.25 * g * g * h * h;
  const auto& x = state.positions;
  const auto& v = state.velocities;
  const VectorArray slope = elastic_gradient(x);
  const VectorArray between = places((static_cast<double>(from) + g) * h),
                    next = places(static_cast<double>(from + 1) * h);
  VectorArray y = x;
  for (std::size_t i = 0; i < x.size(); ++i)
    y[i] = pinned_[i] != 0 ? between[i] : x[i] + (g * h) * v[i] - (a / assembly_.masses[i]) * slope[i];
  const VectorArray stage = minimise(y, a);
  for (std::size_t i = 0; i < x.size(); ++i) {
    const Vec3 velocity = (2.0 / (g * h)) * (stage[i] - x[i]) - v[i];
    y[i] = pinned_[i] != 0
               ? next[i]
               : alpha * stage[i] - beta * x[i] + (0.5 * g * h) * (alpha * velocity - beta * v[i]);
  }
  const VectorArray end = minimise(y, a);
  for (std::size_t i = 0; i < x.size(); ++i)
    state.velocities[i] = (2.0 / (g * h)) * (end[i] - alpha * stage[i] + beta * x[i]);
  state.positions = end;
}

void Reference::linear_implicit(State& state, Count from) const {
  const double h = assembly_.scene.time.step;
  const auto size = static_cast<Eigen::Index>(3 * state.positions.size());
  const VectorArray& x = state.positions;
  const VectorArray f = total_force(x, state.velocities);
  State held = state;
  hold(held, from);
  Eigen::MatrixXd a = Eigen::MatrixXd::Zero(size, size);
  Eigen::VectorXd rhs(size);
  for (std::size_t i = 0; i < x.size(); ++i) {
    const auto r = static_cast<Eigen::Index>(3 * i);
    a.block<3, 3>(r, r) += assembly_.masses[i] * Eigen::Matrix3d::Identity();
    rhs.segment<3>(r) = eigen(assembly_.masses[i] * state.velocities[i] + h * f[i]);
  }
  for (const Spring& s : assembly_.springs) {
    const auto i = static_cast<Eigen::Index>(3 * s.i), j = static_cast<Eigen::Index>(3 * s.j);
    const Eigen::Vector3d beta = eigen(x[static_cast<std::size_t>(s.i)] - x[static_cast<std::size_t>(s.j)]);
    const Eigen::Matrix3d axial = beta * beta.transpose() / beta.squaredNorm();
    const double transverse = std::max(0.0, 1.0 - s.rest_length / beta.norm());
    const Eigen::Matrix3d block =
        h * h * s.stiffness * (axial + transverse * (Eigen::Matrix3d::Identity() - axial));
    a.block<3, 3>(i, i) += block;
    a.block<3, 3>(j, j) += block;
    a.block<3, 3>(i, j) -= block;
    a.block<3, 3>(j, i) -= block;
  }
  for (std::size_t i = 0; i < x.size(); ++i) {
    if (pinned_[i] == 0) continue;
    const auto r = static_cast<Eigen::Index>(3 * i);
    a.middleRows(r, 3).setZero();
    a.block<3, 3>(r, r).setIdentity();
    rhs.segment<3>(r) = eigen(held.velocities[i]);
  }
  const Eigen::VectorXd u = a.partialPivLu().solve(rhs);
  for (std::size_t i = 0; i < x.size(); ++i)
    for (int k = 0; k < 3; ++k) {
      state.velocities[i][k] = u[static_cast<Eigen::Index>(3 * i) + k];
      state.positions[i][k] += h * state.velocities[i][k];
    }
  hold(state, from);
}

void Reference::step(State& state) const {
  const std::string& method = assembly_.scene.integrator.method;
  const double h = assembly_.scene.time.step;
  const Count from = state.step++;
  const std::size_t n = state.positions.size();
  const auto& m = assembly_.masses;
  const State old = state;
  if (method == "imex" || method == "newton") {
    const VectorArray f = explicit_force(old.positions, old.velocities);
    for (std::size_t i = 0; i < n; ++i)
      state.positions[i] = old.positions[i] + h * old.velocities[i] + (h * h / m[i]) * f[i];
    hold(state, from);
    state.positions = minimise(state.positions, h * h);
    for (std::size_t i = 0; i < n; ++i)
      state.velocities[i] = (1.0 / h) * (state.positions[i] - old.positions[i]);
    hold(state, from);
    return;
  }
  if (method == "kick_midpoint") return kicked_step(state, [&](State& inner) { midpoint(inner, from); });
  if (method == "kick_trbdf2") return kicked_step(state, [&](State& inner) { trbdf2(inner, from); });
  if (method == "linear_implicit") return linear_implicit(state, from);
  const VectorArray f = total_force(old.positions, old.velocities);
  const double kick = method == "verlet" ? 0.5 * h : h;
  for (std::size_t i = 0; i < n; ++i) {
    state.velocities[i] = old.velocities[i] + (kick / m[i]) * f[i];
    state.positions[i] =
        old.positions[i] + h * (method == "explicit_euler" ? old.velocities[i] : state.velocities[i]);
  }
  hold(state, from);
  if (method != "verlet") return;
  const VectorArray second = total_force(state.positions, state.velocities);
  for (std::size_t i = 0; i < n; ++i) state.velocities[i] += (kick / m[i]) * second[i];
  hold(state, from);
}

}  // namespace electret::test
