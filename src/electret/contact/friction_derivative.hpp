#pragma once
/// \file
/// The transpose of one pair's friction in a step.

#include <electret/contact/pair_friction.hpp>

namespace electret {

/// What a pair's friction at the end of a step acts on, backwards.
struct FrictionAdjoint {
  PairPlaces by_force;  ///< z: ∂ℒ/∂(the force on each vertex).
  InFrame by_kept{};    ///< ∂ℒ/∂a' of the anchor that the pair keeps.
};

/// Derivatives of ψ = e·φ(s), e = ā/k - Qᵀ Σ w_i z_i. The closest feature, the places at the end, a and the
/// edge of the frame are held.
struct FrictionDerivatives {
  PairPlaces by_start;        ///< By the places at the start of the step, in w, Q, λ and s.
  InFrame by_anchor{};        ///< By a.
  double by_friction = 0.0;   ///< By μ.
  double by_stiffness = 0.0;  ///< By κ, in k.
  double by_normal = 0.0;     ///< By λ.
};

/// `own` as it was evaluated at the end of the step, `start` and `end` the places of its vertices.
FrictionDerivatives friction_derivatives(const FrictionPair& own, const PairPlaces& start,
                                         const PairPlaces& end, const FrictionAdjoint& adjoint);

/// Derivatives of a = w Q_newᵀ Q_old a_old, w being the share, by the places at the start of the step, on
/// which both frames hang, and by what the last step has left.
struct TransportDerivatives {
  PairPlaces by_own;      ///< By the places of the pair, in Q_new.
  PairPlaces by_source;   ///< By those of the pair whose slip it was, in Q_old.
  InFrame by_slip{};      ///< By a_old.
  double by_share = 0.0;  ///< w ∂ℒ/∂w: by the logarithm of the share.
};

/// `from` is the anchor that `own` has taken, `places` and `there` are the places of its and of the anchor's
/// vertices, `by_anchor` ∂ℒ/∂a.
TransportDerivatives transport_derivatives(const FrictionPair& own, const PairPlaces& places,
                                           const PairAnchor& from, const PairPlaces& there,
                                           const InFrame& by_anchor);

}  // namespace electret
