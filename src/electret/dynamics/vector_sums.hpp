#pragma once
/// \file
/// Sums over n×3 arrays in a fixed order, so that the bits are the same for any number of threads.

#include <electret/core/vertex_loops.hpp>

namespace electret {

/// Σ_k a_k b_k over flat arrays, in eight interleaved partial sums, which fixes the order and suits the
/// vector unit.
inline double dot_range(const double* a, const double* b, Count count) {
  constexpr int lanes = 8;
  double part[lanes] = {};
  Count k = 0;
  for (; k + lanes <= count; k += lanes)
    for (int l = 0; l < lanes; ++l) part[l] += a[k + l] * b[k + l];
  for (int l = 0; k < count; ++k, ++l) part[l] += a[k] * b[k];
  return ((part[0] + part[4]) + (part[1] + part[5])) + ((part[2] + part[6]) + (part[3] + part[7]));
}

/// Σ_i a_i·b_i.
inline double dot(Threads& threads, VectorView a, VectorView b) {
  return threads.sum(static_cast<Count>(a.size()), [&](Count begin, Count end) {
    return dot_range(&a[static_cast<std::size_t>(begin)].x, &b[static_cast<std::size_t>(begin)].x,
                     3 * (end - begin));
  });
}

/// ‖a‖.
inline double norm(Threads& threads, VectorView a) {
  return std::sqrt(dot(threads, a, a));
}

/// out ← a + s b; `out` may be `a`.
inline void add_scaled(Threads& threads, VectorView a, double s, VectorView b, VectorSpan out) {
  for_vertices(threads, a.size(), [&](std::size_t i) { out[i] = a[i] + s * b[i]; });
}

}  // namespace electret
