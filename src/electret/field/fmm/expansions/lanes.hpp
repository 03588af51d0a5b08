#pragma once
/// \file
/// Moves coefficients between the memory of cells, where one cell's coefficients are neighbours, and
/// registers, whose lanes hold one coefficient of several cells. Each translation unit of kernels includes
/// this once.

#include <cstdint>
#include <utility>

#include <electret/core/simd/inline.hpp>
#include <electret/field/fmm/kernels.hpp>

namespace electret::fmm {
namespace {

/// Room for one expansion, up to a whole register of the widest kind.
constexpr int expansion_room = coefficients(max_order) + max_lanes;

template <class A>
ELECTRET_INLINE void store(typename A::Scalar* p, typename A::Vector a) {
  __builtin_memcpy(p, &a, sizeof a);
}

template <class A, int... I>
ELECTRET_INLINE typename A::Vector interleave_low(typename A::Vector a, typename A::Vector b,
                                                  std::integer_sequence<int, I...>) {
  return __builtin_shufflevector(a, b, ((I & 1) ? A::width + I / 2 : I / 2)...);
}
template <class A, int... I>
ELECTRET_INLINE typename A::Vector interleave_high(typename A::Vector a, typename A::Vector b,
                                                   std::integer_sequence<int, I...>) {
  return __builtin_shufflevector(a, b, ((I & 1) ? A::width + A::width / 2 + I / 2 : A::width / 2 + I / 2)...);
}

/// Transposes the rows. It takes one perfect shuffle per bit of the width.
template <class A>
ELECTRET_INLINE void transpose(typename A::Vector (&rows)[A::width]) {
  using Lanes = std::make_integer_sequence<int, A::width>;
  constexpr int half = A::width / 2;
#pragma GCC unroll 8
  for (int stage = 1; stage < A::width; stage *= 2) {
    typename A::Vector out[A::width];
#pragma GCC unroll 16
    for (int i = 0; i < half; ++i) {
      out[2 * i] = interleave_low<A>(rows[i], rows[i + half], Lanes{});
      out[2 * i + 1] = interleave_high<A>(rows[i], rows[i + half], Lanes{});
    }
#pragma GCC unroll 16
    for (int i = 0; i < A::width; ++i) rows[i] = out[i];
  }
}

/// Transposes within each 16 bytes, by perfect shuffles.
template <class A, int... I>
ELECTRET_INLINE typename A::Vector interleave_low_within(typename A::Vector a, typename A::Vector b,
                                                         std::integer_sequence<int, I...>) {
  constexpr int size = 16 / sizeof(typename A::Scalar);
  return __builtin_shufflevector(a, b, (I / size * size + I % size / 2 + (I & 1) * A::width)...);
}
template <class A, int... I>
ELECTRET_INLINE typename A::Vector interleave_high_within(typename A::Vector a, typename A::Vector b,
                                                          std::integer_sequence<int, I...>) {
  constexpr int size = 16 / sizeof(typename A::Scalar);
  return __builtin_shufflevector(a, b, (I / size * size + size / 2 + I % size / 2 + (I & 1) * A::width)...);
}

/// values[c] is a register with coefficient c of each cell. Lanes beyond `count` repeat the last cell. The
/// memory of cells is padded to whole registers. Pieces of 16 bytes are loaded into their final places, so
/// that the shuffles stay within 16 bytes.
template <class A>
ELECTRET_INLINE void load_cells(const typename A::Scalar* const* cells, std::int64_t from, int count,
                                int numbers, typename A::Vector* values) {
  using Lanes = std::make_integer_sequence<int, A::width>;
  constexpr int size = 16 / sizeof(typename A::Scalar);
  const typename A::Scalar* rows[A::width];
  for (int l = 0; l < A::width; ++l) rows[l] = cells[l < count ? l : count - 1] + from;
  for (int c = 0; c < numbers; c += size) {
    typename A::Vector piece[size], out[size];
#pragma GCC unroll 4
    for (int i = 0; i < size; ++i) piece[i] = A::load_pieces(rows + i, size, c);
#pragma GCC unroll 2
    for (int stage = 1; stage < size; stage *= 2) {
#pragma GCC unroll 2
      for (int i = 0; i < size / 2; ++i) {
        out[2 * i] = interleave_low_within<A>(piece[i], piece[i + size / 2], Lanes{});
        out[2 * i + 1] = interleave_high_within<A>(piece[i], piece[i + size / 2], Lanes{});
      }
#pragma GCC unroll 4
      for (int i = 0; i < size; ++i) piece[i] = out[i];
    }
#pragma GCC unroll 4
    for (int i = 0; i < size; ++i) values[c + i] = piece[i];
  }
}

/// Adds values to the cells, one cell after another. A cell may be in several lanes, which are mostly
/// neighbours.
template <class A>
ELECTRET_INLINE void add_to_cells(const typename A::Scalar* values, int numbers, int count,
                                  typename A::Scalar* const* cells, std::int64_t from) {
  for (int c = 0; c < numbers; c += A::width) {
    typename A::Vector rows[A::width];
#pragma GCC unroll 16
    for (int l = 0; l < A::width; ++l)
      rows[l] = c + l < numbers ? A::load(values + (c + l) * A::width) : typename A::Vector{};
    transpose<A>(rows);
    // Goes through memory, because a register cannot be chosen by a variable index.
    alignas(64) typename A::Scalar out[A::width][A::width];
#pragma GCC unroll 16
    for (int l = 0; l < A::width; ++l) store<A>(out[l], rows[l]);
    for (int l = 0; l < count;) {
      typename A::Scalar* const cell = cells[l];
      typename A::Vector sum = A::load(out[l]);
      while (++l < count && cells[l] == cell) sum = sum + A::load(out[l]);
      store<A>(cell + from + c, A::load(cell + from + c) + sum);
    }
  }
}

/// Within each `part` lanes, takes the first (or second) of every two neighbours of `size` lanes: those of a,
/// then those of b.
template <class A, int size, int part, int second, int... I>
ELECTRET_INLINE typename A::Vector every_second(typename A::Vector a, typename A::Vector b,
                                                std::integer_sequence<int, I...>) {
  constexpr int half = part / 2;
  return __builtin_shufflevector(
      a, b,
      (I % part / half * A::width + I / part * part + (2 * (I % half / size) + second) * size + I % size)...);
}
/// Adds every two neighbours of `size` lanes: those of a, then those of b.
template <class A, int size, int part>
ELECTRET_INLINE typename A::Vector add_neighbours(typename A::Vector a, typename A::Vector b) {
  using Lanes = std::make_integer_sequence<int, A::width>;
  return every_second<A, size, part, 0>(a, b, Lanes{}) + every_second<A, size, part, 1>(a, b, Lanes{});
}

/// Lane l is the sum of the lanes of rows[l]. Each step halves the number of registers. It first adds pieces
/// of 16 bytes, then the elements within them.
template <class A>
ELECTRET_INLINE typename A::Vector sum_of_lanes(const typename A::Vector (&rows)[A::width]) {
  constexpr int size = 16 / sizeof(typename A::Scalar), pieces = A::width / size;
  static_assert(pieces <= 4 && size <= 4);
  // In this order the sums end up in their lanes.
  typename A::Vector sums[A::width];
#pragma GCC unroll 16
  for (int i = 0; i < A::width; ++i) sums[pieces * (i % size) + i / size] = rows[i];
  if constexpr (pieces == 4) {
#pragma GCC unroll 8
    for (int i = 0; i < 2 * size; ++i)
      sums[i] = add_neighbours<A, size, A::width>(sums[2 * i], sums[2 * i + 1]);
  }
  if constexpr (pieces >= 2) {
#pragma GCC unroll 4
    for (int i = 0; i < size; ++i) sums[i] = add_neighbours<A, size, A::width>(sums[2 * i], sums[2 * i + 1]);
  }
  if constexpr (size == 4) {
#pragma GCC unroll 2
    for (int i = 0; i < 2; ++i) sums[i] = add_neighbours<A, 2, size>(sums[2 * i], sums[2 * i + 1]);
  }
  return add_neighbours<A, 1, size>(sums[0], sums[1]);
}

/// out[c] is the sum of the lanes of values[c].
template <class A>
ELECTRET_INLINE void sum_lanes(const typename A::Vector* values, int numbers, typename A::Scalar* out) {
  for (int c = 0; c < numbers; c += A::width) {
    typename A::Vector rows[A::width];
#pragma GCC unroll 16
    for (int l = 0; l < A::width; ++l) rows[l] = values[c + l];
    store<A>(out + c, sum_of_lanes<A>(rows));
  }
}

/// 1 in the first `remaining` lanes, 0 in the others.
template <class A>
ELECTRET_INLINE typename A::Vector lane_mask(int remaining) {
  struct Table {
    typename A::Scalar value[2 * A::width] = {};
    constexpr Table() {
      for (int l = 0; l < A::width; ++l) value[l] = 1;
    }
  };
  static constexpr Table table;
  return A::load(table.value + (remaining >= A::width ? 0 : A::width - remaining));
}

}  // namespace
}  // namespace electret::fmm
