#include <algorithm>
#include <cmath>

#include <electret/core/vertex_loops.hpp>
#include <electret/dynamics/stage/surface_potential.hpp>

namespace electret {

SurfacePotential::SurfacePotential(BodyContacts& contacts, Threads& threads)
    : contacts_(contacts),
      threads_(threads),
      repulsion_(contacts.thickness(), threads),
      friction_(contacts.surface(), threads) {}

void SurfacePotential::find(VectorView from, VectorView to) {
  contacts_.pairs().find(from, to);
  const auto pairs = candidates();
  constants_.resize(pairs.size());
  for_vertices(threads_, pairs.size(), [&](std::size_t k) { constants_[k] = contacts_.constants(pairs[k]); });
  repulsion_.set_pairs(constants_);
}

void SurfacePotential::begin_step(VectorView start, VectorView end, std::span<const PairAnchor> anchors) {
  find(start, end);
  repulsion_.evaluate(start);
  friction_.begin_step(start, constants_, repulsion_.touching(), anchors);
}

double SurfacePotential::evaluate(VectorView place, VectorView moved) {
  const double repulsion = repulsion_.evaluate(place);
  return repulsion + friction_.evaluate(moved);
}

void SurfacePotential::report(VectorView moved, BodyContactState& out) const {
  out.forces.clear();
  out.energy = out.stored = out.work = 0.0;
  out.smallest_gap = contacts_.thickness();
  for (const TouchingPair& t : repulsion_.touching()) {
    const PairConstants& pair = constants_[t.number];
    const double share = pair.stiffness * t.mollifier.value;
    out.smallest_gap = std::min(out.smallest_gap, t.at.distance);
    if (share == 0.0) continue;
    out.energy += share * t.repulsion.value;
    out.forces.push_back({pair.pair, t.at.distance, share * t.repulsion.pressure, 0.0, false});
  }
  auto force = out.forces.begin();
  for (const FrictionPair& own : friction_.pairs()) {
    Vec3 slide;
    for (std::size_t i = 0; i < 4; ++i)
      slide += own.at.weights[i] * moved[static_cast<std::size_t>(own.constants.pair.vertices[i])];
    const auto& [first, second] = own.map.force;
    out.work += first * dot(own.frame[0], slide) + second * dot(own.frame[1], slide);
    out.stored += 0.5 * (first * first + second * second) / own.constants.stiffness;
    while (force != out.forces.end() && force->pair < own.constants.pair) ++force;
    if (force == out.forces.end() || force->pair != own.constants.pair) continue;
    force->tangential = std::hypot(first, second);
    force->slips = own.map.slips;
  }
}

void SurfacePotential::add_gradient(double factor, VectorSpan out) const {
  repulsion_.add_gradient(factor, out);
  friction_.add_gradient(factor, out);
}

void SurfacePotential::assemble(PairHessian kind, double factor, std::size_t vertices, StencilMatrix& out) {
  vertices_.clear();
  blocks_.clear();
  repulsion_.append_hessian(kind, factor, vertices_, blocks_);
  friction_.append_hessian(factor, vertices_, blocks_);
  out.assemble(threads_, vertices, vertices_, blocks_);
}

}  // namespace electret
