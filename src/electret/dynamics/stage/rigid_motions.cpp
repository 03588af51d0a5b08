#include <Eigen/Dense>
#include <algorithm>
#include <cmath>

#include <electret/dynamics/stage/diagonal_sink.hpp>
#include <electret/dynamics/stage/rigid_motions.hpp>

namespace electret {
namespace {

/// Of parts that touch each other: their motions are solved as one dense system.
constexpr std::size_t most_coupled_parts = 20;
/// A smaller turn, in radians, bends the way of a part by less than rounding.
constexpr double least_turn = 1e-12;

/// 1 at the vertices at which elements are stiff.
std::vector<char> stiff_vertices(const System& system, double factor) {
  std::vector<double> diagonal(system.masses().size());
  DiagonalSink sink(diagonal, factor);
  for (const auto& energy : system.elastic) energy->add_majoriser(sink);
  std::vector<char> is_stiff(diagonal.size());
  for (std::size_t i = 0; i < diagonal.size(); ++i)
    is_stiff[i] = diagonal[i] > RigidMotions::stiffest * system.masses()[i] ? 1 : 0;
  return is_stiff;
}

/// 1 at the corners of solid elements.
std::vector<char> solid_vertices(const System& system) {
  std::vector<char> is_solid(system.masses().size());
  for (const auto& energy : system.elastic)
    if (energy->is_solid())
      for (const Index v : energy->elements().connectivity()) is_solid[static_cast<std::size_t>(v)] = 1;
  return is_solid;
}

Vec3 axis_vector(int axis) {
  Vec3 vector;
  vector[axis] = 1.0;
  return vector;
}

/// R r - r - turn × r, where R turns by `turn` (Rodrigues).
Vec3 bend_of(const Vec3& turn, const Vec3& arm) {
  const double angle = norm(turn);
  if (angle < least_turn) return {};
  const double half = std::sin(0.5 * angle) / angle;
  const Vec3 across = cross(turn, arm);
  return (std::sin(angle) / angle - 1.0) * across + (2.0 * half * half) * cross(turn, across);
}

}  // namespace

RigidMotions::RigidMotions(const System& system, double factor) : masses_(system.masses()) {
  if (!system.contacts && !system.body_contacts) return;
  const std::vector<char> is_stiff = stiff_vertices(system, factor), is_solid = solid_vertices(system);
  const auto among = [](const std::vector<char>& marks) {
    return [&marks](Index v) { return marks[static_cast<std::size_t>(v)] != 0; };
  };
  Index group = -1, end = 0;
  for (const JoinedPart& part : joined_parts(system)) {
    const auto begin = part.vertices.begin(), last = part.vertices.end();
    if (!std::all_of(begin, last, among(is_solid)) || std::none_of(begin, last, among(is_stiff))) continue;
    if (part.vertices.front() >= end) ++group;
    parts_.push_back({part, group});
    set_pivot(system, parts_.back());
    end = std::max(end, part.vertices.back() + 1);
  }
}

void RigidMotions::set_pivot(const System& system, Part& part) {
  if (part.pins.empty()) return;
  const bool is_fixed =
      std::find(system.fixed.begin(), system.fixed.end(), part.pins.front()) != system.fixed.end();
  part.turns = part.pins.size() == 1 && is_fixed;
  part.pivot = part.pins.front();
}

Vec3 RigidMotions::centre_of(const Part& part, VectorView x) const {
  Vec3 sum;
  double mass = 0.0;
  for (const Index v : part.vertices) {
    const auto i = static_cast<std::size_t>(v);
    sum += masses_[i] * x[i];
    mass += masses_[i];
  }
  return (1.0 / mass) * sum;
}

/// The turn that comes closest to `direction`, weighted by masses.
Vec3 RigidMotions::turn_of(const Part& part, VectorView x, VectorView direction, const Vec3& centre) const {
  Eigen::Matrix3d inertia = Eigen::Matrix3d::Zero();
  Eigen::Vector3d spin = Eigen::Vector3d::Zero();
  for (const Index v : part.vertices) {
    const auto i = static_cast<std::size_t>(v);
    const Vec3 arm = x[i] - centre, moment = cross(arm, direction[i]);
    for (int a = 0; a < 3; ++a) {
      spin(a) += masses_[i] * moment[a];
      inertia(a, a) += masses_[i] * squared_norm(arm);
      for (int b = 0; b < 3; ++b) inertia(a, b) -= masses_[i] * arm[a] * arm[b];
    }
  }
  // A straight part has no turn about itself.
  const Eigen::Vector3d turn = inertia.completeOrthogonalDecomposition().solve(spin);
  return {turn(0), turn(1), turn(2)};
}

std::span<const SlowMotion> RigidMotions::at(VectorView x, bool are_coupled) {
  if (are_coupled && parts_.size() > most_coupled_parts) return {};
  motions_.resize(6 * parts_.size());
  for (std::size_t p = 0; p < parts_.size(); ++p) {
    const Part& part = parts_[p];
    const Vec3 centre = centre_of(part, x);
    const Index first = part.vertices.front();
    for (int k = 0; k < 6; ++k) {
      SlowMotion& motion = motions_[6 * p + static_cast<std::size_t>(k)];
      motion.first = first;
      motion.group = are_coupled ? 0 : part.group;
      motion.rows.assign(static_cast<std::size_t>(part.vertices.back() + 1 - first), Vec3{});
      for (const Index i : part.vertices)
        motion.rows[static_cast<std::size_t>(i - first)] =
            k < 3 ? axis_vector(k) : cross(axis_vector(k - 3), x[static_cast<std::size_t>(i)] - centre);
    }
  }
  return motions_;
}

void RigidMotions::limit_to_masses(ScalarSpan values) const {
  for (const Part& part : parts_) {
    double mass = 0.0;
    for (const Index i : part.vertices) mass += masses_[static_cast<std::size_t>(i)];
    for (const Index i : part.vertices) {
      double& value = values[static_cast<std::size_t>(i)];
      value = std::min(value, mass);
    }
  }
}

void RigidMotions::turn(VectorView x, VectorView direction, double length, VectorSpan moved) const {
  for (const Part& part : parts_) {
    if (!part.turns) continue;
    const Vec3 centre = part.pivot < 0 ? centre_of(part, x) : x[static_cast<std::size_t>(part.pivot)];
    const Vec3 turn = length * turn_of(part, x, direction, centre);
    for (const Index v : part.vertices) {
      const auto i = static_cast<std::size_t>(v);
      moved[i] += bend_of(turn, x[i] - centre);
    }
  }
}

}  // namespace electret
