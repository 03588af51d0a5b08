#pragma once
/// \file
/// M2L, M2M and L2L: translations of expansions from one centre to another. Each rotates the expansion so
/// that the translation lies along z. M2L turns a cell's moments into locals of a well-separated cell. M2M
/// adds children's moments to their parent's. L2L adds a parent's locals to its children's. Each translation
/// unit of kernels includes this once.

#include <electret/field/fmm/expansions/rotation_bodies.hpp>
#include <electret/field/fmm/kernels.hpp>

namespace electret::fmm {
namespace {

/// M2L along z, for all degrees n + k ≤ order. Multiplies the locals of degree n by `of_target`[n].
template <class A>
ELECTRET_INLINE void far_along_axis(const HarmonicTables<typename A::Scalar>& tables, int order,
                                    const Powers<A>& of_target, const AxialNumbers<A>& in,
                                    AxialNumbers<A>& out) {
  using V = typename A::Vector;
  for (int m = 0; 2 * m <= order; ++m) {
    const V *const cosine = in.value[0][m], *const sine = in.value[1][m];
    for (int n = m; n <= order - m; ++n) {
      const auto* factors = tables.far[m][n];
      V c{}, s{};
      for (int k = m; k <= order - n; ++k) {
        const V factor = A::broadcast(factors[k]);
        c = A::fma(factor, cosine[k], c);
        if (m > 0) s = A::fma(factor, sine[k], s);
      }
      out.value[0][m][n] = c * of_target[n];
      if (m > 0) out.value[1][m][n] = s * of_target[n];
    }
  }
}

/// M2M or L2L along z. Coefficients of degree n are sums of those of degree k, times d^{|n-k|}: M2M has k ≤
/// n, L2L has k ≥ n.
template <class A, bool Moments>
ELECTRET_INLINE void shift_along_axis(const HarmonicTables<typename A::Scalar>& tables, int order,
                                      const Powers<A>& distance, const Powers<A>& ratio,
                                      const AxialNumbers<A>& in, AxialNumbers<A>& out) {
  using V = typename A::Vector;
  for (int m = 0; m <= order; ++m) {
    const V *const cosine = in.value[0][m], *const sine = in.value[1][m];
    for (int n = m; n <= order; ++n) {
      V c{}, s{};
      for (int k = Moments ? m : n; k <= (Moments ? n : order); ++k) {
        const V factor = A::broadcast(Moments ? tables.shift[m][n][k] : tables.shift[m][k][n]) *
                         distance[Moments ? n - k : k - n];
        c = A::fma(factor, cosine[k], c);
        if (m > 0) s = A::fma(factor, sine[k], s);
      }
      out.value[0][m][n] = Moments ? c : c * ratio[n];
      if (m > 0) out.value[1][m][n] = Moments ? s : s * ratio[n];
    }
  }
}

/// Rotates back and adds to the cells, from coefficient `first` of each.
template <class A, bool Far>
ELECTRET_INLINE void add_to_cells_from_axis(const HarmonicTables<typename A::Scalar>& tables,
                                            const Direction<A>& direction, int order, int count,
                                            AxialNumbers<A>& in, typename A::Scalar* const* cells,
                                            std::int64_t first) {
  const int numbers = coefficients(order);
  alignas(64) typename A::Scalar out[expansion_room * A::width];
  for (int c = 0; c < numbers; ++c) store<A>(out + c * A::width, typename A::Vector{});
  from_axis<A, Far>(tables, direction, order, in, out);
  add_to_cells<A>(out, numbers, count, cells, first);
}

/// In units of the distance R everything is of order one, whatever the cells' sizes. Moments are multiplied
/// by (σ_B/R)^k/R, locals by (σ_A/R)^n.
template <class A>
void m2l(const FarBatch<typename A::Scalar>& batch) {
  using V = typename A::Vector;
  using T = typename A::Scalar;
  const auto& tables = harmonic_tables<T>();
  const int numbers = coefficients(batch.order);
  const Direction<A> direction(A::load(batch.offset[0]), A::load(batch.offset[1]), A::load(batch.offset[2]),
                               batch.order);
  const V inverse = A::broadcast(1) / direction.length;
  const Powers<A> of_source(A::load(batch.source_scale) * inverse, inverse * lane_mask<A>(batch.count),
                            batch.order);
  const Powers<A> of_target(A::load(batch.target_scale) * inverse, A::broadcast(1), batch.order);
  V moments[expansion_room];
  AxialNumbers<A> from, to;
  for (int set = 0; set < batch.sets; ++set) {
    load_cells<A>(batch.moments, set * batch.set_stride, batch.count, numbers, moments);
    to_axis<A, true>(tables, direction, batch.order, moments, of_source, from);
    far_along_axis<A>(tables, batch.order, of_target, from, to);
    if (batch.sums) {
      from_axis<A, true>(tables, direction, batch.order, to, batch.sums + set * lane_sums_stride * A::width);
      continue;
    }
    add_to_cells_from_axis<A, true>(tables, direction, batch.order, batch.count, to, batch.locals,
                                    set * batch.set_stride);
  }
}

/// Adds the lanes of `sums`, which M2L filled, to the cell's locals. Clears the sums.
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

/// M2M or L2L: children's moments move to their parent's centre and scale, or a parent's locals to its
/// children's.
template <class A, bool Moments>
void shift(const ShiftBatch<typename A::Scalar>& batch) {
  using V = typename A::Vector;
  using T = typename A::Scalar;
  const auto& tables = harmonic_tables<T>();
  const int numbers = coefficients(batch.order);
  // A moment's points are at (centre - x), so they move in the opposite direction.
  const V along = A::broadcast(Moments ? -1 : 1);
  const Direction<A> direction(along * A::load(batch.offset[0]), along * A::load(batch.offset[1]),
                               along * A::load(batch.offset[2]), batch.order);
  const Powers<A> distance(direction.length, A::broadcast(1), batch.order);
  const Powers<A> ratio(A::load(batch.ratio), A::broadcast(1), batch.order);
  const Powers<A> none(A::broadcast(1), A::broadcast(1), batch.order);
  V numbers_from[expansion_room];
  AxialNumbers<A> from, to;
  for (int set = 0; set < batch.sets; ++set) {
    load_cells<A>(batch.from, set * batch.set_stride, batch.count, numbers, numbers_from);
    to_axis<A, false>(tables, direction, batch.order, numbers_from, Moments ? ratio : none, from);
    shift_along_axis<A, Moments>(tables, batch.order, distance, ratio, from, to);
    add_to_cells_from_axis<A, false>(tables, direction, batch.order, batch.count, to, batch.to,
                                     set * batch.set_stride);
  }
}

}  // namespace
}  // namespace electret::fmm
