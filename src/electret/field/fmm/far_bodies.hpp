#pragma once
/// \file
/// Pairs of cells far enough apart, and the locals that a parent hands down: every product of degrees
/// |a| + |b| ≤ p of one expansion with derivatives of 1/r, pairs of cells in the lanes. Included once by each
/// translation unit of kernels.

#include <electret/field/fmm/expansion_bodies.hpp>

namespace electret::fmm {
namespace {

/// Derivatives are kept for z-powers 0, 1 and 2: 3n numbers of degree n.
constexpr int derivative_plane(int degree, int z_power) {
  const int start = degree == 0 ? 0 : 1 + 3 * (degree * (degree - 1)) / 2;
  return start + (z_power == 0 ? 0 : z_power == 1 ? degree + 1 : 2 * degree + 1);
}
constexpr int derivative_room = derivative_plane(max_order + 1, 0);

/// N neighbouring locals of one degree and z-power, while they are summed: in enough chains that an addition
/// need not wait for the last.
template <class A, int N>
struct CorrelatedBlock {
  static constexpr int chains = N == 1 ? 8 : N == 2 ? 4 : N < 5 ? 2 : 1;
  using V = typename A::Vector;
  V sums[chains][N] = {};
  const V *m, *d;
  int degree, z_power;

  /// A row of moments against a row of derivatives sliding past it: sums[r] += Σ_j m[j] d[j + r].
  template <int Taps>
  ELECTRET_INLINE void add_row(const V* row, const V* sliding) {
    // Keeps the compiler from working out every address of the block beforehand, which takes all registers.
    asm("" : "+r"(sliding));
#pragma GCC unroll 32
    for (int j = 0; j < Taps; ++j) {
      const V factor = row[j];
#pragma GCC unroll 8
      for (int r = 0; r < N; ++r) sums[j % chains][r] = A::fma(factor, sliding[j + r], sums[j % chains][r]);
    }
  }
  /// The moments of one degree.
  template <int Degree>
  ELECTRET_INLINE void add() {
    const V* at = d + derivative_plane(degree + Degree, 0);
    const int next = degree + Degree + 1;  // from z-power 0 to 1; from 1 to 2 it is one less
    add_row<Degree + 1>(m + plane(Degree, 0), at + (z_power == 0 ? 0 : next));
    if constexpr (Degree > 0)
      add_row<Degree>(m + plane(Degree, 1), at + (z_power == 0 ? next : 2 * next - 1));
  }
  /// out += power times the sums.
  ELECTRET_INLINE void add_to(V power, typename A::Scalar* out) const {
#pragma GCC unroll 8
    for (int r = 0; r < N; ++r) {
      V sum = sums[0][r];
#pragma GCC unroll 8
      for (int c = 1; c < chains; ++c) sum = sum + sums[c][r];
      store<A>(out + r * A::width, A::fma(sum, power, A::load(out + r * A::width)));
    }
  }
};

/// out[r] += power Σ_b m_b d_{a+b} for the N locals a from `d` on, of all moments b up to degree `residual`.
/// Straight-line code that all residuals share: the highest degree comes first.
template <class A, int N>
__attribute__((noinline)) void correlate_block(int residual, int degree, int z_power,
                                               const typename A::Vector* m, const typename A::Vector* d,
                                               typename A::Vector power, typename A::Scalar* out) {
  CorrelatedBlock<A, N> block{{}, m, d, degree, z_power};
  static_assert(max_order == 18);
  switch (residual) {
    case 18:
      block.template add<18>();
      [[fallthrough]];
    case 17:
      block.template add<17>();
      [[fallthrough]];
    case 16:
      block.template add<16>();
      [[fallthrough]];
    case 15:
      block.template add<15>();
      [[fallthrough]];
    case 14:
      block.template add<14>();
      [[fallthrough]];
    case 13:
      block.template add<13>();
      [[fallthrough]];
    case 12:
      block.template add<12>();
      [[fallthrough]];
    case 11:
      block.template add<11>();
      [[fallthrough]];
    case 10:
      block.template add<10>();
      [[fallthrough]];
    case 9:
      block.template add<9>();
      [[fallthrough]];
    case 8:
      block.template add<8>();
      [[fallthrough]];
    case 7:
      block.template add<7>();
      [[fallthrough]];
    case 6:
      block.template add<6>();
      [[fallthrough]];
    case 5:
      block.template add<5>();
      [[fallthrough]];
    case 4:
      block.template add<4>();
      [[fallthrough]];
    case 3:
      block.template add<3>();
      [[fallthrough]];
    case 2:
      block.template add<2>();
      [[fallthrough]];
    case 1:
      block.template add<1>();
      [[fallthrough]];
    case 0:
      block.template add<0>();
  }
  block.add_to(power, out);
}

/// out_a += scale^|a| Σ_b m_b d_{a+b} over |a| + |b| ≤ order; `out`: registers' worth in memory.
template <class A>
ELECTRET_INLINE void correlate(int order, const typename A::Vector* m, const typename A::Vector* d,
                               typename A::Vector scale, typename A::Scalar* out) {
  auto power = A::broadcast(1);
  for (int n = 0; n <= order; ++n, power = power * scale)
    for (int k = 0; k < (n > 0 ? 2 : 1); ++k) {
      constexpr int largest = sizeof(typename A::Vector) == 64 ? 6 : 4;
      const int row = n - k + 1, blocks = (row + largest - 1) / largest;
      auto* to = out + plane(n, k) * A::width;
      for (int b = 0, j = 0; b < blocks; ++b) {
        const int size = row / blocks + (b < row % blocks ? 1 : 0);
        switch (size) {
          case 1:
            correlate_block<A, 1>(order - n, n, k, m, d + j, power, to);
            break;
          case 2:
            correlate_block<A, 2>(order - n, n, k, m, d + j, power, to);
            break;
          case 3:
            correlate_block<A, 3>(order - n, n, k, m, d + j, power, to);
            break;
          case 4:
            correlate_block<A, 4>(order - n, n, k, m, d + j, power, to);
            break;
          case 5:
            if constexpr (largest > 4) correlate_block<A, 5>(order - n, n, k, m, d + j, power, to);
            break;
          default:
            correlate_block<A, largest>(order - n, n, k, m, d + j, power, to);
        }
        j += size;
        to += size * A::width;
      }
    }
}

/// The z-power 2 of degree n: D_{ij2} = -(D_{i+2,j,0} + D_{i,j+2,0}).
template <class A>
ELECTRET_INLINE void second_plane(int n, typename A::Vector* d) {
  const auto* zero = d + derivative_plane(n, 0);
  auto* two = d + derivative_plane(n, 2);
  for (int j = 0; j + 2 <= n; ++j) two[j] = -(zero[j] + zero[j + 2]);
}

/// The derivatives with y-power j from its column ∂_y^j f_m, m = 0 … Length: from row ∂_x^I to the next, in
/// registers. `at` points to D_{I,j,0}.
template <class A, int Length, int I>
ELECTRET_INLINE void derivative_rows(typename A::Vector x, typename A::Vector z, int j,
                                     const typename A::Vector* row, const typename A::Vector* before,
                                     typename A::Vector* at) {
  using V = typename A::Vector;
  const int degree = I + j, to_next_degree = degree == 0 ? 1 : 3 * degree;
  at[0] = row[0];
  if constexpr (I < Length) {
    at += to_next_degree;
    at[degree + 2] = z * row[1];  // D_{I,j,1}
    V next[Length - I];
#pragma GCC unroll 32
    for (int m = 0; m < Length - I; ++m)
      if constexpr (I == 0)
        next[m] = x * row[m + 1];
      else
        next[m] = A::fma(x, row[m + 1], A::broadcast(static_cast<typename A::Scalar>(I)) * before[m + 1]);
    derivative_rows<A, Length, I + 1>(x, z, j, next, row, at);
  }
}

template <class A, int Length>
ELECTRET_INLINE void derivative_column(typename A::Vector x, typename A::Vector z, int j,
                                       const typename A::Vector* column, typename A::Vector* d) {
  typename A::Vector row[Length + 1];
#pragma GCC unroll 32
  for (int m = 0; m <= Length; ++m) row[m] = column[m];
  derivative_rows<A, Length, 0>(x, z, j, row, row, d + derivative_plane(j, 0) + j);
}

/// Derivatives of 1/r at the unit vector (x, y, z) up to `order`, by an auxiliary index: with f_m =
/// (-1)^m (2m-1)!!/r^{2m+1}, ∂_x f_m = x f_{m+1}, so that ∂_x^{i+1} f_m = x ∂_x^i f_{m+1} + i ∂_x^{i-1}
/// f_{m+1}; the same along y.
template <class A>
__attribute__((noinline)) void derivatives(typename A::Vector x, typename A::Vector y, typename A::Vector z,
                                           int order, typename A::Vector* d) {
  using V = typename A::Vector;
  using T = typename A::Scalar;
  V columns[3][max_order + 2];
  V *column = columns[0], *before = columns[1], *next = columns[2];
  T f = 1;
  for (int m = 0; m <= order; ++m, f *= -static_cast<T>(2 * m - 1)) column[m] = A::broadcast(f);
  static_assert(max_order == 18);
  for (int j = 0; j <= order; ++j) {
    switch (order - j) {
      case 18:
        derivative_column<A, 18>(x, z, j, column, d);
        break;
      case 17:
        derivative_column<A, 17>(x, z, j, column, d);
        break;
      case 16:
        derivative_column<A, 16>(x, z, j, column, d);
        break;
      case 15:
        derivative_column<A, 15>(x, z, j, column, d);
        break;
      case 14:
        derivative_column<A, 14>(x, z, j, column, d);
        break;
      case 13:
        derivative_column<A, 13>(x, z, j, column, d);
        break;
      case 12:
        derivative_column<A, 12>(x, z, j, column, d);
        break;
      case 11:
        derivative_column<A, 11>(x, z, j, column, d);
        break;
      case 10:
        derivative_column<A, 10>(x, z, j, column, d);
        break;
      case 9:
        derivative_column<A, 9>(x, z, j, column, d);
        break;
      case 8:
        derivative_column<A, 8>(x, z, j, column, d);
        break;
      case 7:
        derivative_column<A, 7>(x, z, j, column, d);
        break;
      case 6:
        derivative_column<A, 6>(x, z, j, column, d);
        break;
      case 5:
        derivative_column<A, 5>(x, z, j, column, d);
        break;
      case 4:
        derivative_column<A, 4>(x, z, j, column, d);
        break;
      case 3:
        derivative_column<A, 3>(x, z, j, column, d);
        break;
      case 2:
        derivative_column<A, 2>(x, z, j, column, d);
        break;
      case 1:
        derivative_column<A, 1>(x, z, j, column, d);
        break;
      default:
        d[derivative_plane(j, 0) + j] = column[0];
    }
    const V factor = A::broadcast(static_cast<T>(j));
    if (j == 0)
      for (int m = 0; m < order; ++m) next[m] = y * column[m + 1];
    else
      for (int m = 0; m < order - j; ++m) next[m] = A::fma(y, column[m + 1], factor * before[m + 1]);
    V* const oldest = before;
    before = column, column = next, next = oldest;
  }
  for (int n = 2; n <= order; ++n) second_plane<A>(n, d);
}

/// In units of the distance R everything is of order one, whatever the cells' sizes: moments times (σ_B/R)^n,
/// derivatives at the unit vector, locals times (σ_A/R)^i / R.
template <class A>
void far_pairs(const FarBatch<typename A::Scalar>& batch) {
  using V = typename A::Vector;
  using T = typename A::Scalar;
  const int numbers = coefficients(batch.order);
  V d[derivative_room], m[expansion_room];
  alignas(64) T out[expansion_room * A::width];
  const V x = A::load(batch.offset[0]), y = A::load(batch.offset[1]), z = A::load(batch.offset[2]);
  const V inverse = A::broadcast(1) / A::square_root(A::fma(z, z, A::fma(y, y, x * x)));
  derivatives<A>(x * inverse, y * inverse, z * inverse, batch.order, d);
  const V target = A::load(batch.target_scale) * inverse, source = A::load(batch.source_scale) * inverse;
  const DegreePowers<A> weights(source, inverse * lane_mask<A>(batch.count), batch.order);
  for (int set = 0; set < batch.sets; ++set) {
    load_cells<A>(batch.moments, set * batch.set_stride, batch.count, numbers, weights, m);
    if (batch.sums) {
      correlate<A>(batch.order, m, d, target, batch.sums + set * lane_sums_stride * A::width);
      continue;
    }
    for (int c = 0; c < numbers; ++c) store<A>(out + c * A::width, V{});
    correlate<A>(batch.order, m, d, target, out);
    add_to_cells<A>(out, numbers, batch.count, batch.locals, set * batch.set_stride);
  }
}

/// Adds the lanes of what far pairs left in `sums` to the cell's locals, and clears them.
template <class A>
void collect_lanes(typename A::Scalar* sums, int order, int sets, typename A::Scalar* locals,
                   std::int64_t set_stride) {
  using V = typename A::Vector;
  const int numbers = coefficients(order);
  for (int set = 0; set < sets; ++set) {
    auto* from = sums + set * lane_sums_stride * A::width;
    auto* to = locals + set * set_stride;
    for (int c = 0; c < numbers; c += A::width) {
      V rows[A::width];
#pragma GCC unroll 16
      for (int l = 0; l < A::width; ++l) {
        rows[l] = A::load(from + (c + l) * A::width);
        store<A>(from + (c + l) * A::width, V{});
      }
      store<A>(to + c, A::load(to + c) + sum_of_lanes<A>(rows));
    }
  }
}

/// The child's L_a = Σ_b L_{a+b} h_b: a far pair with the parent's locals for derivatives and h for moments.
template <class A>
void shift_locals(const ShiftBatch<typename A::Scalar>& batch) {
  using V = typename A::Vector;
  using T = typename A::Scalar;
  const int numbers = coefficients(batch.order);
  V h[expansion_room], from[expansion_room], d[derivative_room];
  alignas(64) T out[expansion_room * A::width];
  powers<A>(A::load(batch.offset[0]), A::load(batch.offset[1]), A::load(batch.offset[2]), batch.order, h);
  for (int set = 0; set < batch.sets; ++set) {
    load_cells<A>(
        batch.from, set * batch.set_stride, batch.count, numbers, [](int) { return A::broadcast(1); }, from);
    for (int n = 0; n <= batch.order; ++n) {
      for (int j = 0; j <= n; ++j) d[derivative_plane(n, 0) + j] = from[plane(n, 0) + j];
      for (int j = 0; j < n; ++j) d[derivative_plane(n, 1) + j] = from[plane(n, 1) + j];
      second_plane<A>(n, d);
    }
    for (int c = 0; c < numbers; ++c) store<A>(out + c * A::width, V{});
    correlate<A>(batch.order, h, d, A::load(batch.ratio), out);
    add_to_cells<A>(out, numbers, batch.count, batch.to, set * batch.set_stride);
  }
}

}  // namespace
}  // namespace electret::fmm
