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

/// Derivatives of ψ = e·φ(s), e = ā/k - Qᵀ Σ w_i z_i. The closest feature, the places at the end and the edge
/// of the frame are held.
struct FrictionDerivatives {
  PairPlaces by_start;        ///< By the places at the start of the step, in w, Q, λ and s.
  InFrame by_anchor{};        ///< By a.
  double by_friction = 0.0;   ///< By μ.
  double by_stiffness = 0.0;  ///< By κ, in k and in λ.
};

/// `own` as it was evaluated at the end of the step, `start` and `end` the places of its vertices. The normal
/// force is that of the thickness `thickness`.
FrictionDerivatives friction_derivatives(const FrictionPair& own, const PairPlaces& start,
                                         const PairPlaces& end, const FrictionAdjoint& adjoint,
                                         double thickness);

}  // namespace electret
