#include <algorithm>
#include <cmath>
#include <limits>

#include <electret/contact/collision_bound.hpp>
#include <electret/core/errors.hpp>
#include <electret/core/vertex_loops.hpp>
#include <electret/dynamics/stage/surface_potential.hpp>
#include <electret/scene/words.hpp>

namespace electret {
namespace {

/// Of its constants, places, stencils and their rows in the matrix, and of the candidates around it.
/// Measured: stacks of 4 and 5 blocks, with 1700 to 9900 pairs that touch.
constexpr double bytes_per_pair = 6e3;

/// A pair has one row, whose gap is that of its first term.
void add_push(const TouchingPair& t, double push, std::vector<PairForce>& forces) {
  const SurfacePair& pair = t.constants.pair;
  if (forces.empty() || forces.back().pair != pair) {
    forces.push_back({pair, t.at.distance, push, 0.0, false, t.at.normal, {}});
    return;
  }
  PairForce& own = forces.back();
  const Vec3 sum = own.normal * own.direction + push * t.at.normal;
  own.normal = norm(sum);
  own.direction = own.normal > 0.0 ? (1.0 / own.normal) * sum : Vec3{};
}

}  // namespace

SurfacePotential::SurfacePotential(BodyContacts& contacts, Threads& threads)
    : contacts_(contacts),
      threads_(threads),
      repulsion_(
          contacts.thickness(), threads,
          [&contacts](const SurfacePair& pair) { return contacts.reach(pair); },
          [&contacts](const SurfacePair& pair) { return contacts.constants(pair); }),
      friction_(contacts.surface(), threads,
                [&contacts](const SurfacePair& pair) { return contacts.constants(pair).stiffness; }) {}

void SurfacePotential::find(VectorView from, VectorView to) {
  contacts_.pairs().find(from, to);
  repulsion_.set_pairs(candidates());
}

bool SurfacePotential::cover(VectorView from, VectorView to) {
  if (covers(from) && covers(to)) return false;
  find(from, to);
  return true;
}

double SurfacePotential::free_part(VectorView place, VectorView way) const {
  return collision_bound(candidates(), place, way, threads_);
}

void SurfacePotential::refuse(const std::string& what, const std::string& instead, Index vertex) const {
  const SurfacePair* closest = nullptr;
  double least = repulsion_.thickness();
  for (const TouchingPair& touching : repulsion_.touching())
    if (touching.at.distance < least) {
      least = touching.at.distance;
      closest = &touching.constants.pair;
    }
  std::string text = what + " press surfaces into each other";
  if (closest != nullptr)
    text += ": vertices " + std::to_string(closest->vertices[0]) + ", " +
            std::to_string(closest->vertices[1]) + ", " + std::to_string(closest->vertices[2]) + " and " +
            std::to_string(closest->vertices[3]) + " are " + brief_text(least) + " m apart";
  throw DivergenceError(0, closest != nullptr ? closest->vertices[0] : vertex, text, instead);
}

bool SurfacePotential::has_friction() const {
  const std::vector<double>& all = contacts_.frictions().values;
  return std::any_of(all.begin(), all.end(), [](double friction) { return friction > 0.0; });
}

double SurfacePotential::memory_needed() const {
  return bytes_per_pair * contacts_.expected_pairs();
}

void SurfacePotential::begin_step(VectorView start, VectorView end, std::span<const PairAnchor> anchors) {
  find(start, end);
  repulsion_.evaluate(start);
  friction_.begin_step(start, repulsion_.touching(), anchors, repulsion_.parts());
}

double SurfacePotential::evaluate(VectorView place, VectorView moved) {
  const double repulsion = repulsion_.evaluate(place);
  const double value = repulsion + friction_.evaluate(moved);
  return obstacles_ == nullptr ? value : value + obstacles_->evaluate(place);
}

/// Each pair as a spring of its present stiffness, whose ends have the rounding of their coordinates.
double SurfacePotential::rounding(VectorView place) const {
  double squares = 0.0;
  for (const TouchingPair& t : repulsion_.touching()) {
    const PairConstants& pair = t.constants;
    const double stiffness = t.stiffness() * t.mollifier.value * t.repulsion.bend;
    squares += stiffness * stiffness * squared_norm(place[static_cast<std::size_t>(pair.pair.vertices[0])]);
  }
  return 4.0 * std::numeric_limits<double>::epsilon() * std::sqrt(squares);
}

void SurfacePotential::report(VectorView place, VectorView moved, BodyContactState& out) const {
  out.forces.clear();
  out.energy = out.stored = out.work = 0.0;
  out.smallest_gap = out.mean_gap = contacts_.thickness();
  double pushes = 0.0, moment = 0.0;
  for (const TouchingPair& t : repulsion_.touching()) {
    const double share = t.stiffness() * t.mollifier.value;
    out.smallest_gap = std::min(out.smallest_gap, t.at.distance);
    if (share == 0.0) continue;
    out.energy += share * t.repulsion.value;
    pushes += share * t.repulsion.pressure;
    moment += share * t.repulsion.pressure * t.at.distance;
    add_push(t, share * t.repulsion.pressure, out.forces);
  }
  if (pushes > 0.0) out.mean_gap = moment / pushes;
  const std::size_t touching = out.forces.size();
  auto force = out.forces.begin();
  for (const FrictionPair& own : friction_.pairs()) {
    const SurfacePair& pair = own.constants.pair;
    Vec3 slide;
    for (std::size_t i = 0; i < 4; ++i)
      slide += own.at.weights[i] * moved[static_cast<std::size_t>(pair.vertices[i])];
    const auto& [first, second] = own.map.force;
    const Vec3 push = first * own.frame[0] + second * own.frame[1];
    out.work += first * dot(own.frame[0], slide) + second * dot(own.frame[1], slide);
    out.stored += 0.5 * (first * first + second * second) / own.constants.stiffness;
    const auto end = out.forces.begin() + static_cast<std::ptrdiff_t>(touching);
    while (force != end && force->pair < pair) ++force;
    if (force != end && force->pair == pair) {
      force->tangential = std::hypot(first, second);
      force->slips = own.map.slips;
      force->friction = -push;
    } else {
      const auto at = force - out.forces.begin();
      const double gap = pair_distance(pair.kind, places_of(pair, place)).distance;
      out.forces.push_back({pair, gap, 0.0, std::hypot(first, second), own.map.slips, {}, -push});
      force = out.forces.begin() + at;
    }
  }
  if (out.forces.size() > touching)
    std::sort(out.forces.begin(), out.forces.end(),
              [](const PairForce& a, const PairForce& b) { return a.pair < b.pair; });
}

void SurfacePotential::add_gradient(double factor, VectorSpan out) const {
  repulsion_.add_gradient(factor, out);
  friction_.add_gradient(factor, out);
  if (obstacles_ != nullptr) obstacles_->add_gradient(factor, out);
}

void SurfacePotential::assemble(PairHessian kind, double factor, std::size_t vertices, StencilMatrix& out) {
  vertices_.clear();
  blocks_.clear();
  repulsion_.append_hessian(kind, factor, vertices_, blocks_);
  friction_.append_hessian(factor, vertices_, blocks_);
  if (obstacles_ != nullptr)
    obstacles_->append_hessian(kind == PairHessian::clamped, factor, vertices_, blocks_);
  out.assemble(threads_, vertices, vertices_, blocks_);
}

}  // namespace electret
