#pragma once
/// \file
/// Whole n×3 arrays, by all threads.

#include <algorithm>
#include <atomic>

#include <electret/core/parallel.hpp>
#include <electret/core/same_bits.hpp>
#include <electret/core/types.hpp>

namespace electret {

/// Calls part(first, count) for parts of n rows, concurrently. One thread takes all rows at once, because a
/// whole array is copied past the caches.
template <class Part>
void for_parts(Threads& threads, std::size_t n, Part&& part) {
  const Count chunk =
      threads.count() == 1 ? std::max<Count>(static_cast<Count>(n), 1) : Threads::default_chunk;
  threads.for_chunks(static_cast<Count>(n), chunk, [&](Count begin, Count end) {
    part(static_cast<std::size_t>(begin), static_cast<std::size_t>(end - begin));
  });
}

/// out ← 0.
inline void set_zero(Threads& threads, VectorSpan out) {
  for_parts(threads, out.size(), [&](std::size_t first, std::size_t count) {
    std::ranges::fill(out.subspan(first, count), Vec3{});
  });
}

/// out ← in, which has as many rows.
inline void copy_rows(Threads& threads, VectorView in, VectorSpan out) {
  for_parts(threads, in.size(), [&](std::size_t first, std::size_t count) {
    std::ranges::copy(in.subspan(first, count), out.begin() + static_cast<std::ptrdiff_t>(first));
  });
}

/// As `same_bits(a, b)`.
inline bool same_bits(Threads& threads, VectorView a, VectorView b) {
  if (a.size() != b.size()) return false;
  std::atomic<bool> same{true};
  for_parts(threads, a.size(), [&](std::size_t first, std::size_t count) {
    if (same.load(std::memory_order_relaxed) && !same_bits(a.subspan(first, count), b.subspan(first, count)))
      same.store(false, std::memory_order_relaxed);
  });
  return same.load(std::memory_order_relaxed);
}

}  // namespace electret
