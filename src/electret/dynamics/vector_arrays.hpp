#pragma once
/// \file
/// Whole n×3 arrays, by all threads.

#include <electret/core/vertex_loops.hpp>

namespace electret {

/// out ← 0.
inline void set_zero(Threads& threads, VectorSpan out) {
  for_vertices(threads, out.size(), [&](std::size_t i) { out[i] = {}; });
}

/// out ← in, which has as many rows.
inline void copy_rows(Threads& threads, VectorView in, VectorSpan out) {
  for_vertices(threads, in.size(), [&](std::size_t i) { out[i] = in[i]; });
}

}  // namespace electret
