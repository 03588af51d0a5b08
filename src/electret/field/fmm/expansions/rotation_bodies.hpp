#pragma once
/// \file
/// The rotations of M2L, M2M and L2L, which turn expansions until a direction lies along z, and back. Each
/// consists of rotations about z and exchanges of x and z. A rotation about z costs two products per
/// coefficient. The matrix of an exchange is three quarters empty. Pairs of cells are in the lanes. Each
/// translation unit of kernels includes this once.

#include <utility>

#include <electret/field/fmm/expansions/harmonics.hpp>
#include <electret/field/fmm/expansions/lanes.hpp>

namespace electret::fmm {
namespace {

/// cos mα and sin mα for all m.
template <class A>
struct Turns {
  using V = typename A::Vector;
  V cosine[max_order + 1], sine[max_order + 1];

  ELECTRET_INLINE void set(V c, V s, int order) {
    cosine[0] = A::broadcast(1), sine[0] = V{};
    for (int m = 1; m <= order; ++m) {
      cosine[m] = A::fma(cosine[m - 1], c, -(sine[m - 1] * s));
      sine[m] = A::fma(sine[m - 1], c, cosine[m - 1] * s);
    }
  }
};

/// `first` · s^n for all n.
template <class A>
struct Powers {
  typename A::Vector value[max_order + 1];
  ELECTRET_INLINE Powers(typename A::Vector s, typename A::Vector first, int order) {
    value[0] = first;
    for (int n = 1; n <= order; ++n) value[n] = value[n - 1] * s;
  }
  ELECTRET_INLINE typename A::Vector operator[](int n) const { return value[n]; }
};

/// The rotation of a direction to the z axis. `first` rotates about z until x = 0. After x and z are
/// exchanged, `second` rotates the direction to the x axis, which a second exchange makes the z axis.
template <class A>
struct Direction {
  using V = typename A::Vector;
  V length;
  Turns<A> first, second;

  ELECTRET_INLINE Direction(V x, V y, V z, int order) {
    const V none{}, one = A::broadcast(1), least = A::broadcast(static_cast<typename A::Scalar>(1e-36));
    const V length_squared = A::fma(z, z, A::fma(y, y, x * x));
    length = A::square_root(length_squared);
    const V inverse = one / length;
    // A zero vector counts as the direction z, and so does one that underflows. Any angle about z serves for
    // a direction so close to z.
    const V ux = length_squared > least ? x * inverse : none,
            uy = length_squared > least ? y * inverse : none, uz = length_squared > least ? z * inverse : one;
    const V square = A::fma(uy, uy, ux * ux), radius = A::square_root(square);
    first.set(square > least ? uy / radius : one, square > least ? ux / radius : none, order);
    second.set(uz, -radius, order);
  }
};

/// Coefficients by order m and degree n: cosines and sines.
template <class A>
struct AxialNumbers {
  typename A::Vector value[2][max_order + 1][max_order + 1];
};

/// The groups of one degree. Within each, coefficients are equally far apart.
template <class A>
struct Groups {
  typename A::Vector* first[4];
};
template <class A>
ELECTRET_INLINE Groups<A> groups_of(AxialNumbers<A>& numbers, int n) {
  return {
      {&numbers.value[0][0][n], &numbers.value[1][2][n], &numbers.value[0][1][n], &numbers.value[1][1][n]}};
}
constexpr int axial_stride = 2 * (max_order + 1);

/// The coefficients of degree N with even m (Odd = 0) or odd m: cosines and sines.
template <class A, int N, int Odd>
struct HalfDegree {
  using V = typename A::Vector;
  using T = typename A::Scalar;
  static constexpr int cosines = group_size(N, 2 * Odd), sines = group_size(N, 2 * Odd + 1);
  V cosine[cosines > 0 ? cosines : 1], sine[sines > 0 ? sines : 1];

  template <bool Back>
  ELECTRET_INLINE void turn(const Turns<A>& turns) {
#pragma GCC unroll 16
    for (int i = 1 - Odd; i < cosines; ++i) {
      const int m = 2 * i + Odd, j = Odd ? i : i - 1;
      const V c = cosine[i], s = sine[j], of_c = turns.cosine[m],
              of_s = Back ? -turns.sine[m] : turns.sine[m];
      cosine[i] = A::fma(c, of_c, -(s * of_s));
      sine[j] = A::fma(s, of_c, c * of_s);
    }
  }

  /// out[r] = Σ_j rows[r][j] from[j] for `count` rows.
  template <int Size>
  static ELECTRET_INLINE void multiply(const T* rows, const V* from, int count, V* out, int stride) {
    for (int r = 0; r < count; ++r, rows += Size, out += stride) {
      V sum = A::broadcast(rows[0]) * from[0];
#pragma GCC unroll 16
      for (int j = 1; j < Size; ++j) sum = A::fma(A::broadcast(rows[j]), from[j], sum);
      *out = sum;
    }
  }
  /// sums[r] = Σ_j rows[j][r] from[j] over `count` rows.
  template <int Size>
  static ELECTRET_INLINE void multiply_transposed(const T* rows, const V* from, int count, int stride,
                                                  V* sums) {
#pragma GCC unroll 16
    for (int r = 0; r < Size; ++r) sums[r] = V{};
    for (int j = 0; j < count; ++j, rows += Size, from += stride) {
      const V factor = *from;
#pragma GCC unroll 16
      for (int r = 0; r < Size; ++r) sums[r] = A::fma(A::broadcast(rows[r]), factor, sums[r]);
    }
  }

  /// Rotates by `turns`, exchanges x and z, and keeps m up to `highest`. Multiplies everything by `weight`.
  static ELECTRET_INLINE void turn_and_swap(const T* swap, const Turns<A>& turns, const V* in, V weight,
                                            int highest, const Groups<A>& out, int stride) {
    constexpr int of_cosines = partner(N, 2 * Odd), of_sines = partner(N, 2 * Odd + 1);
    HalfDegree half;
#pragma GCC unroll 16
    for (int i = 0; i < cosines; ++i) half.cosine[i] = in[group_start(N, 2 * Odd) - N * N + i] * weight;
#pragma GCC unroll 16
    for (int i = 0; i < sines; ++i) half.sine[i] = in[group_start(N, 2 * Odd + 1) - N * N + i] * weight;
    half.template turn<false>(turns);
    if constexpr (cosines > 0)
      multiply<cosines>(swap + swap_start(N, 2 * Odd), half.cosine, group_size(highest, of_cosines),
                        out.first[of_cosines], stride);
    if constexpr (sines > 0)
      multiply<sines>(swap + swap_start(N, 2 * Odd + 1), half.sine, group_size(highest, of_sines),
                      out.first[of_sines], stride);
  }

  /// The inverse: exchanges x and z in the coefficients with m up to `highest`, and rotates by minus `turns`.
  ELECTRET_INLINE void swap_and_turn(const T* swap, const Turns<A>& turns, const Groups<A>& in, int stride,
                                     int highest) {
    constexpr int of_cosines = partner(N, 2 * Odd), of_sines = partner(N, 2 * Odd + 1);
    if constexpr (cosines > 0)
      multiply_transposed<cosines>(swap + swap_start(N, 2 * Odd), in.first[of_cosines],
                                   group_size(highest, of_cosines), stride, cosine);
    if constexpr (sines > 0)
      multiply_transposed<sines>(swap + swap_start(N, 2 * Odd + 1), in.first[of_sines],
                                 group_size(highest, of_sines), stride, sine);
    turn<true>(turns);
  }
};

template <class A, int N>
ELECTRET_INLINE Groups<A> groups_side_by_side(typename A::Vector* numbers) {
  return {{numbers, numbers + (group_start(N, 1) - N * N), numbers + (group_start(N, 2) - N * N),
           numbers + (group_start(N, 3) - N * N)}};
}

/// Rotates the coefficients of degree N, which begin at `in`, until the direction lies along z. Keeps m up to
/// `highest`.
template <class A, int N>
__attribute__((noinline)) void degree_to_axis(const HarmonicTables<typename A::Scalar>& tables,
                                              const Direction<A>& direction, const typename A::Vector* in,
                                              typename A::Vector weight, int highest, const Groups<A>& out) {
  typename A::Vector swapped[2 * N + 1];
  const Groups<A> middle = groups_side_by_side<A, N>(swapped);
  HalfDegree<A, N, 0>::turn_and_swap(tables.swap, direction.first, in, weight, N, middle, 1);
  HalfDegree<A, N, 1>::turn_and_swap(tables.swap, direction.first, in, weight, N, middle, 1);
  HalfDegree<A, N, 0>::turn_and_swap(tables.swap, direction.second, swapped, A::broadcast(1), highest, out,
                                     axial_stride);
  HalfDegree<A, N, 1>::turn_and_swap(tables.swap, direction.second, swapped, A::broadcast(1), highest, out,
                                     axial_stride);
}

/// The inverse rotation. Adds to `out`, which holds one register per coefficient in memory.
template <class A, int N>
__attribute__((noinline)) void degree_from_axis(const HarmonicTables<typename A::Scalar>& tables,
                                                const Direction<A>& direction, const Groups<A>& in,
                                                int highest, typename A::Scalar* out) {
  using V = typename A::Vector;
  V swapped[2 * N + 1];
  const Groups<A> middle = groups_side_by_side<A, N>(swapped);
  const auto back = [&]<int Odd>(std::integral_constant<int, Odd>) {
    HalfDegree<A, N, Odd> half;
    half.swap_and_turn(tables.swap, direction.second, in, axial_stride, highest);
#pragma GCC unroll 16
    for (int i = 0; i < half.cosines; ++i) middle.first[2 * Odd][i] = half.cosine[i];
#pragma GCC unroll 16
    for (int i = 0; i < half.sines; ++i) middle.first[2 * Odd + 1][i] = half.sine[i];
  };
  back(std::integral_constant<int, 0>{});
  back(std::integral_constant<int, 1>{});
  const auto finish = [&]<int Odd>(std::integral_constant<int, Odd>) {
    HalfDegree<A, N, Odd> half;
    half.swap_and_turn(tables.swap, direction.first, middle, 1, N);
    const auto add = [&](int number, V value) {
      auto* at = out + (number - N * N) * A::width;
      store<A>(at, A::load(at) + value);
    };
#pragma GCC unroll 16
    for (int i = 0; i < half.cosines; ++i) add(group_start(N, 2 * Odd) + i, half.cosine[i]);
#pragma GCC unroll 16
    for (int i = 0; i < half.sines; ++i) add(group_start(N, 2 * Odd + 1) + i, half.sine[i]);
  };
  finish(std::integral_constant<int, 0>{});
  finish(std::integral_constant<int, 1>{});
}

/// Calls visit with every degree up to `order` as a compile-time constant.
template <class Visit, int... N>
ELECTRET_INLINE void for_degrees(int order, Visit visit, std::integer_sequence<int, N...>) {
  ((N <= order ? visit(std::integral_constant<int, N>{}) : void()), ...);
}
using AllDegrees = std::make_integer_sequence<int, max_order + 1>;

/// The largest m of degree n that is needed. M2L needs m ≤ k only, with n + k ≤ order.
template <bool Far>
ELECTRET_INLINE int highest_needed(int n, int order) {
  return Far && order - n < n ? order - n : n;
}

template <class A, bool Far>
ELECTRET_INLINE void to_axis(const HarmonicTables<typename A::Scalar>& tables, const Direction<A>& direction,
                             int order, const typename A::Vector* in, const Powers<A>& weights,
                             AxialNumbers<A>& out) {
  for_degrees(
      order,
      [&]<int N>(std::integral_constant<int, N>) {
        degree_to_axis<A, N>(tables, direction, in + N * N, weights[N], highest_needed<Far>(N, order),
                             groups_of(out, N));
      },
      AllDegrees{});
}
template <class A, bool Far>
ELECTRET_INLINE void from_axis(const HarmonicTables<typename A::Scalar>& tables,
                               const Direction<A>& direction, int order, AxialNumbers<A>& in,
                               typename A::Scalar* out) {
  for_degrees(
      order,
      [&]<int N>(std::integral_constant<int, N>) {
        degree_from_axis<A, N>(tables, direction, groups_of(in, N), highest_needed<Far>(N, order),
                               out + N * N * A::width);
      },
      AllDegrees{});
}

}  // namespace
}  // namespace electret::fmm
