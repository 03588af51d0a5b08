#pragma once
/// \file
/// The second derivative of one pair's energy κ m b(d).

#include <electret/contact/pair_potential.hpp>

namespace electret {

/// The vertices on which the pair's distance and mollifier depend.
StencilVertices stencil_of(const SurfacePair& pair, const TouchingPair& touching);

/// factor ∇²(m b). Exact: m b'' ∇d∇dᵀ - m p ∇²d - p(∇d∇mᵀ + ∇m∇dᵀ) + b ∇²m. Clamped: m b'' ∇d∇dᵀ and the
/// positive part of -m p ∇²d or, where m is not 1 or the factor negative, the positive part of the whole.
StencilBlocks pair_hessian(const TouchingPair& touching, const PairPlaces& places, PairHessian kind,
                           double factor);

/// ∇m by the vertices of two edges.
StencilVectors mollifier_gradient(const EdgeMollifier& mollifier);

}  // namespace electret
