#pragma once
/// \file
/// How far surfaces may move before parts of them meet (additive continuous collision detection: Li, Kaufman
/// and Jiang 2021).

#include <span>

#include <electret/contact/surface_pair.hpp>
#include <electret/core/parallel.hpp>

namespace electret {

/// A θ ≤ `most` such that the pair's parts do not meet on the way from `x` to x + θ `way` (n×3, m). Their
/// distance d is at least 0.02 of that at `x` on the way and 0.2 of it at its end. The way is at least 0.8
/// d/l, where l is the sum of the parts' longest ways, relative to the mean way. It is 0 if the parts meet at
/// `x`.
double collision_bound(const SurfacePair& pair, VectorView x, VectorView way, double most = 1.0);

/// The smallest of all pairs, at most 1. It has the same bits at any number of threads.
double collision_bound(std::span<const SurfacePair> pairs, VectorView x, VectorView way, Threads& threads);

/// Shortens the way (n×3, m) of each vertex of a pair to 0.45 of the smallest distance that one of its pairs
/// has at `x`: then no parts of pairs can meet. `distances` is room for one number per vertex.
void shorten_ways(std::span<const SurfacePair> pairs, VectorView x, VectorSpan way, ScalarSpan distances,
                  Threads& threads);

}  // namespace electret
