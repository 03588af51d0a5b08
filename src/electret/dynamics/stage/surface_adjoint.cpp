#include <algorithm>
#include <utility>

#include <electret/contact/body_contacts.hpp>
#include <electret/contact/pair_hessian.hpp>
#include <electret/core/vertex_loops.hpp>
#include <electret/dynamics/stage/pair_memory.hpp>
#include <electret/dynamics/stage/surface_adjoint.hpp>

namespace electret {

void SurfaceAdjoint::begin(const BackwardStep& at, StepCotangent& by_end) {
  start_ = at.start.positions;
  end_ = at.end.positions;
  read_anchors(at.start.memory, start_.size(), anchors_);
  potential_.begin_step(start_, end_, anchors_);
  moved_.resize(end_.size());
  for_vertices(*system_.threads, end_.size(), [&](std::size_t i) { moved_[i] = end_[i] - start_[i]; });
  potential_.evaluate(end_, moved_);
  const auto friction = potential_.friction().pairs();
  by_kept_.assign(friction.size(), {});
  const std::span<const double> kept = by_end.memory.find(pair_memory_name);
  if (kept.size() != numbers_per_anchor * friction.size()) return;  // Nothing depends on the anchors.
  for (std::size_t k = 0; k < friction.size(); ++k) {
    const FrictionPair& own = friction[k];
    by_kept_[k] = slip_of(kept, k);
    const auto slope = return_map_slope(own.slip, own.constants.stiffness, own.limit);
    Vec3 pull;
    for (std::size_t r = 0; r < 2; ++r)
      pull += ((slope[0][r] * by_kept_[k][0] + slope[1][r] * by_kept_[k][1]) / own.constants.stiffness) *
              own.frame[r];
    for (std::size_t i = 0; i < 4; ++i)
      by_end.positions[static_cast<std::size_t>(own.constants.pair.vertices[i])] += own.at.weights[i] * pull;
  }
}

void SurfaceAdjoint::linearise(VectorView x) {
  potential_.assemble(PairHessian::exact, factor_, x.size(), pairs_);
  // E_c may curve downwards at vertices that obstacles hold.
  is_clamped_made_ = false;
  hessian_.add(&pairs_, [this, n = x.size()] {
    if (!is_clamped_made_) potential_.assemble(PairHessian::clamped, factor_, n, clamped_pairs_);
    is_clamped_made_ = true;
    return &clamped_pairs_;
  });
  hessian_.linearise(x);
}

HessianSolve SurfaceAdjoint::solve(VectorView x, VectorView rhs, double tolerance, VectorSpan z) {
  linearise(x);
  SolveOptions options;
  options.tolerance = tolerance;
  const SolveReport report = hessian_.solve(rhs, options, z);
  take(z);
  return {report.iterations, report.residual, hessian_.preconditioner(), report.converged,
          report.negative_curvature};
}

void SurfaceAdjoint::add(VectorSpan by_start, const StepGradients& out) {
  for (Vec3& z : solution_) z *= factor_;
  by_anchors_.assign(anchors_.size(), {});
  add_frictions(by_start, out.parameters);
  add_repulsion_stiffnesses(out.parameters);
}

void SurfaceAdjoint::add_frictions(VectorSpan by_start, ParameterGradients& out) {
  const auto friction = potential_.friction().pairs();
  double by_spread = 0.0;  // ∂ℒ/∂(the spread) of the pairs that have it in common.
  for (std::size_t k = 0; k < friction.size(); ++k) {
    const FrictionPair& own = friction[k];
    const SurfacePair& pair = own.constants.pair;
    const FrictionDerivatives by = friction_derivatives(own, places_of(pair, start_), places_of(pair, end_),
                                                        {places_of(pair, solution_), by_kept_[k]});
    for (std::size_t i = 0; i < 4; ++i)
      by_start[static_cast<std::size_t>(pair.vertices[i])] += by.by_start[i];
    out.body_frictions[own.constants.friction_kind][0] += by.by_friction;
    BodyContacts& contacts = *system_.body_contacts;
    contacts.add_scale_gradient(pair, by.by_stiffness, out.body_scales);
    contacts.add_scale_gradient(pair, parts_of(own, potential_.friction().parts()),
                                by.by_normal * own.spread * own.push, out.body_scales);
    if (own.spread > 0.0) by_spread += by.by_normal * (own.normal / own.spread);
    const bool is_last = k + 1 == friction.size() || friction[k + 1].terms == 0 ||
                         friction[k + 1].first_term != own.first_term;
    if (is_last || own.terms == 0) add_spread(own, std::exchange(by_spread, 0.0), by_start, out);
    if (own.source != FrictionPair::none) add_transport(own, by.by_anchor, by_start, out);
  }
}

/// The spread is Σ λ_j over all terms of the vertex with the body / Σ λ_k over those that rub; ∂λ/∂x = -κ b''
/// w n.
void SurfaceAdjoint::add_spread(const FrictionPair& own, double by_spread, VectorSpan by_start,
                                ParameterGradients& out) {
  if (own.terms == 0 || !(own.spread > 0.0) || by_spread == 0.0) return;
  const auto terms = potential_.friction().terms().subspan(own.first_term, own.terms);
  const VertexPushes sums = vertex_pushes(terms);
  for (const TouchingPair& t : terms) {
    const double by_push = by_spread * (1.0 - (has_friction(t) ? own.spread : 0.0)) / sums.rubbing;
    const SurfacePair& pair = t.constants.pair;
    for (std::size_t i = 0; i < 4; ++i)
      by_start[static_cast<std::size_t>(pair.vertices[i])] -=
          (by_push * t.stiffness() * t.repulsion.bend * t.at.weights[i]) * t.at.normal;
    system_.body_contacts->add_scale_gradient(pair, parts_of(t, potential_.friction().parts()),
                                              by_push * t.repulsion.pressure, out.body_scales);
  }
}

void SurfaceAdjoint::add_transport(const FrictionPair& own, const InFrame& by_anchor, VectorSpan by_start,
                                   ParameterGradients& out) {
  const SurfacePair& pair = own.constants.pair;
  const PairAnchor& from = anchors_[own.source];
  const TransportDerivatives by =
      transport_derivatives(own, places_of(pair, start_), from, places_of(from.pair, start_), by_anchor);
  for (std::size_t i = 0; i < 4; ++i) {
    by_start[static_cast<std::size_t>(pair.vertices[i])] += by.by_own[i];
    by_start[static_cast<std::size_t>(from.pair.vertices[i])] += by.by_source[i];
  }
  for (std::size_t c = 0; c < 2; ++c) by_anchors_[own.source][c] += by.by_slip[c];
  if (from.pair != pair) add_share(own, from.pair, by.by_share, out);
}

/// The share is √(κ_from/κ) times a constant.
void SurfaceAdjoint::add_share(const FrictionPair& own, const SurfacePair& from, double by_logarithm,
                               ParameterGradients& out) {
  BodyContacts& contacts = *system_.body_contacts;
  const double half = 0.5 * by_logarithm;
  contacts.add_scale_gradient(from, half / contacts.constants(from).stiffness, out.body_scales);
  contacts.add_scale_gradient(own.constants.pair, -half / own.constants.stiffness, out.body_scales);
}

/// κ multiplies the gradient of m b: ∂ℒ/∂κ = -z·∇(m b).
void SurfaceAdjoint::add_repulsion_stiffnesses(ParameterGradients& out) {
  for (const TouchingPair& t : potential_.repulsion().touching()) {
    if (t.mollifier.value == 0.0) continue;  // A sum of stiffnesses that is 0 has derivatives by each.
    const PairConstants& constants = t.constants;
    const StencilVectors by_edges = mollifier_gradient(t.mollifier);
    double product = 0.0;
    for (std::size_t i = 0; i < 4; ++i) {
      const Vec3& z = solution_[static_cast<std::size_t>(constants.pair.vertices[i])];
      product += (t.mollifier.value * t.repulsion.pressure * t.at.weights[i]) * dot(z, t.at.normal) -
                 (t.mollifier.is_one ? 0.0 : t.repulsion.value * dot(z, by_edges[i]));
    }
    system_.body_contacts->add_scale_gradient(constants.pair, parts_of(t, potential_.repulsion().parts()),
                                              product, out.body_scales);
  }
}

void SurfaceAdjoint::end(StepCotangent& by_start) const {
  const ScalarSpan rows = by_start.memory.values(pair_memory_name, numbers_per_anchor * by_anchors_.size());
  std::fill(rows.begin(), rows.end(), 0.0);
  for (std::size_t k = 0; k < by_anchors_.size(); ++k) set_slip(rows, k, by_anchors_[k]);
}

}  // namespace electret
