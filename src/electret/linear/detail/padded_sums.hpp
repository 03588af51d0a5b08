#pragma once
/// \file
/// Sums and updates of padded float32 vectors on a team of threads. Chunks have 512 rows, and their float64
/// partial sums are added in order, so that the bits are the same for any number of threads.

#include <electret/core/padded.hpp>
#include <electret/core/parallel.hpp>

namespace electret::detail {

/// Rows per chunk of every sum.
constexpr Count sum_chunk = 512;

/// Σ a·b.
double dot(Threads& threads, PaddedView32 a, PaddedView32 b);
/// The part of the sum over the rows begin … end-1.
double dot_rows(PaddedView32 a, PaddedView32 b, Count begin, Count end);
/// y += s x.
void add_scaled(Threads& threads, double s, PaddedView32 x, PaddedSpan32 y);
/// y = x + s y.
void scale_and_add(Threads& threads, double s, PaddedView32 x, PaddedSpan32 y);
/// x += s p and r -= s q; returns Σ r·r.
double step(Threads& threads, double s, PaddedView32 p, PaddedView32 q, PaddedSpan32 x, PaddedSpan32 r);

}  // namespace electret::detail
