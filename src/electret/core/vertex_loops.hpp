#pragma once
/// \file
/// Loops over local rows: the vertices, charges or elements whose numbers this process holds. Every loop
/// whose rows are independent of each other is written with these functions.

#include <electret/core/parallel.hpp>
#include <electret/core/types.hpp>

namespace electret {

/// Calls vertex(i) for i = 0 … n-1, concurrently in chunks of `chunk`.
template <class Vertex>
void for_vertices(Threads& threads, std::size_t n, Vertex&& vertex, Count chunk = Threads::default_chunk) {
  threads.for_chunks(static_cast<Count>(n), chunk, [&](Count begin, Count end) {
    for (Count i = begin; i < end; ++i) vertex(static_cast<std::size_t>(i));
  });
}

/// Σ_i term(i), with the same bits for any number of threads.
template <class Term>
double sum_over_vertices(Threads& threads, std::size_t n, Term&& term) {
  return threads.sum(static_cast<Count>(n), [&](Count begin, Count end) {
    double sum = 0.0;
    for (Count i = begin; i < end; ++i) sum += term(static_cast<std::size_t>(i));
    return sum;
  });
}

}  // namespace electret
