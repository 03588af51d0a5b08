#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include <electret/core/disjoint_sets.hpp>
#include <electret/dynamics/stage/diagonal_sink.hpp>
#include <electret/dynamics/stage/rigid_motions.hpp>

namespace electret {
namespace {

/// In one group, whose motions are solved as a dense system.
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

RigidMotions::RigidMotions(const System& system, double factor)
    : masses_(system.masses()), free_part_of_(masses_.size(), -1) {
  if (!system.contacts && !system.body_contacts) return;
  const std::vector<char> is_stiff = stiff_vertices(system, factor), is_solid = solid_vertices(system);
  const auto among = [](const std::vector<char>& marks) {
    return [&marks](Index v) { return marks[static_cast<std::size_t>(v)] != 0; };
  };
  joined_of_.resize(masses_.size());
  for (const JoinedPart& part : joined_parts(system)) {
    const auto begin = part.vertices.begin(), last = part.vertices.end();
    for (const Index v : part.vertices)
      joined_of_[static_cast<std::size_t>(v)] = static_cast<Index>(ranges_.size());
    ranges_.push_back({part.vertices.front(), part.vertices.back() + 1});
    if (!std::all_of(begin, last, among(is_solid)) || std::none_of(begin, last, among(is_stiff))) continue;
    for (auto v = begin; v != last && part.pins.empty(); ++v)
      free_part_of_[static_cast<std::size_t>(*v)] = static_cast<Index>(parts_.size());
    parts_.push_back({part});
    parts_.back().joined = ranges_.size() - 1;
    set_pivot(system, parts_.back());
  }
}

void RigidMotions::set_pivot(const System& system, Part& part) {
  if (part.pins.empty()) return;
  const auto has = [&](const std::vector<Index>& all) {
    return std::find(all.begin(), all.end(), part.pins.front());
  };
  part.may_turn = part.turns = part.pins.size() == 1 && has(system.fixed) != system.fixed.end();
  part.pivot = part.pins.front();
  part.pin = static_cast<std::size_t>(has(system.pins) - system.pins.begin());
}

void RigidMotions::begin_step(VectorView start, VectorView pin_places) {
  for (Part& part : parts_)
    part.turns = part.may_turn && (part.pivot < 0 || pin_places.empty() ||
                                   pin_places[part.pin] == start[static_cast<std::size_t>(part.pivot)]);
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

/// Parts that are coupled are one group, and so are those whose vertices lie among each other.
void RigidMotions::find_groups(const StencilMatrix* pairs) {
  DisjointSets sets(static_cast<Index>(ranges_.size()));
  const auto joined = [&](Index v) { return joined_of_[static_cast<std::size_t>(v)]; };
  if (pairs != nullptr)
    pairs->for_blocks([&](Index row, Index column, const Mat3&) { sets.join(joined(row), joined(column)); });
  std::vector<RowRange> whole(ranges_.size(), {static_cast<Index>(masses_.size()), 0});
  const auto set_of = [&](std::size_t part) {
    return static_cast<std::size_t>(sets.of(static_cast<Index>(part)));
  };
  for (std::size_t p = 0; p < ranges_.size(); ++p) {
    RowRange& range = whole[set_of(p)];
    range = {std::min(range.first, ranges_[p].first), std::max(range.end, ranges_[p].end)};
  }
  std::vector<std::size_t> order(parts_.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  const auto range_of = [&](std::size_t part) { return whole[set_of(parts_[part].joined)]; };
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return range_of(a).first < range_of(b).first; });
  slow_.groups.clear();
  groups_.resize(parts_.size());
  for (const std::size_t part : order) {
    const RowRange range = range_of(part);
    if (slow_.groups.empty() || range.first >= slow_.groups.back().end)
      slow_.groups.push_back(range);
    else
      slow_.groups.back().end = std::max(slow_.groups.back().end, range.end);
    groups_[part] = slow_.groups.size() - 1;
  }
}

const SlowMotions& RigidMotions::at(VectorView x, const StencilMatrix* pairs) {
  find_groups(pairs);
  std::vector<std::size_t> sizes(slow_.groups.size());
  for (const std::size_t group : groups_) ++sizes[group];
  slow_.motions.clear();
  for (std::size_t p = 0; p < parts_.size(); ++p) {
    const Part& part = parts_[p];
    // What a moving pin drags along is far from its place at first, and stretched.
    const bool is_dragged = part.may_turn && !part.turns;
    if (is_dragged || sizes[groups_[p]] > most_coupled_parts) continue;
    const Vec3 centre = centre_of_mass(part, masses_, x);
    const Index first = part.vertices.front();
    for (int k = 0; k < 6; ++k) {
      SlowMotion motion{first, VectorArray(static_cast<std::size_t>(part.vertices.back() + 1 - first)),
                        groups_[p]};
      for (const Index i : part.vertices)
        motion.rows[static_cast<std::size_t>(i - first)] =
            k < 3 ? axis_vector(k) : cross(axis_vector(k - 3), x[static_cast<std::size_t>(i)] - centre);
      slow_.motions.push_back(std::move(motion));
    }
  }
  return slow_;
}

void RigidMotions::shift(VectorView shifts, VectorSpan moved) const {
  for (std::size_t p = 0; p < parts_.size(); ++p)
    for (const Index v : parts_[p].vertices) moved[static_cast<std::size_t>(v)] += shifts[p];
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

std::vector<double> RigidMotions::extents(VectorView x) const {
  std::vector<double> extents(masses_.size());
  for (const Part& part : parts_) {
    Vec3 low = x[static_cast<std::size_t>(part.vertices.front())], high = low;
    for (const Index v : part.vertices)
      for (int axis = 0; axis < 3; ++axis) {
        low[axis] = std::min(low[axis], x[static_cast<std::size_t>(v)][axis]);
        high[axis] = std::max(high[axis], x[static_cast<std::size_t>(v)][axis]);
      }
    const Vec3 size = high - low;
    for (const Index v : part.vertices)
      extents[static_cast<std::size_t>(v)] = std::max({size.x, size.y, size.z});
  }
  return extents;
}

void RigidMotions::turn(VectorView x, VectorView direction, double length, VectorSpan moved) const {
  for (const Part& part : parts_) {
    if (!part.turns) continue;
    const Vec3 centre =
        part.pivot < 0 ? centre_of_mass(part, masses_, x) : x[static_cast<std::size_t>(part.pivot)];
    const Vec3 turn = length * turn_of(part, x, direction, centre);
    for (const Index v : part.vertices) {
      const auto i = static_cast<std::size_t>(v);
      moved[i] += bend_of(turn, x[i] - centre);
    }
  }
}

}  // namespace electret
