#pragma once
/// \file
/// The kernels of derivative products, written once over an arch A as those of the field (kernel_bodies.hpp).

#include <electret/field/direct/kernel_bodies.hpp>

namespace electret::direct {
namespace {

/// Three components of a vector at one register of targets; in float32 also what it loses of them, where
/// `Low`. Differences keep then what cancels in the components: close charges, smooth vectors.
template <class A, bool Low>
struct Components {
  using V = typename A::Vector;
  V x, y, z, x_low, y_low, z_low;

  ELECTRET_INLINE void load(const Coordinates<typename A::Scalar>& c, Count i) {
    x = A::load(c.x + i), y = A::load(c.y + i), z = A::load(c.z + i);
    if constexpr (Low)
      x_low = A::load(c.x_low + i), y_low = A::load(c.y_low + i), z_low = A::load(c.z_low + i);
  }
  /// These less source j's.
  ELECTRET_INLINE void subtract(const Coordinates<typename A::Scalar>& c, Count j, V (&difference)[3]) const {
    difference[0] = x - A::broadcast(c.x[j]);
    difference[1] = y - A::broadcast(c.y[j]);
    difference[2] = z - A::broadcast(c.z[j]);
    if constexpr (!Low) return;
    difference[0] = difference[0] + (x_low - A::broadcast(c.x_low[j]));
    difference[1] = difference[1] + (y_low - A::broadcast(c.y_low[j]));
    difference[2] = difference[2] + (z_low - A::broadcast(c.z_low[j]));
  }
};

/// Differences of vectors may cancel where those of coordinates do not: float32 always compensates them.
template <class A>
constexpr bool low_vectors = sizeof(typename A::Scalar) == sizeof(float);

/// One register of targets; M as of a field kernel, M.potential: field and potential besides.
template <class A, Variant M>
struct DerivativeTarget {
  Components<A, M.compensated> point;
  Components<A, low_vectors<A>> vector;
};

/// Of one source at one register of targets: what its product needs of its field.
template <class A>
struct DerivativeTerm {
  typename A::Vector d[3];
  typename A::DerivativeFactors factors;
};

/// The term of source j, its field added; `own` is the index of the first target as a source.
template <class A, Variant M, bool Diagonal>
ELECTRET_INLINE DerivativeTerm<A> derivative_term(const DerivativeTask<typename A::Scalar>& task, Count j,
                                                  Count own, const DerivativeTarget<A, M>& target,
                                                  FieldSum<A>& field, typename A::Vector& closest) {
  using V = typename A::Vector;
  DerivativeTerm<A> term;
  const auto& d = term.d;
  target.point.subtract(task.pairs.sources, j, term.d);
  const V softening_squared = A::broadcast(task.pairs.softening_squared);
  V rho2 = A::fma(d[2], d[2], A::fma(d[1], d[1], A::fma(d[0], d[0], softening_squared)));
  V q = A::broadcast(task.pairs.charges[j]);
  if constexpr (Diagonal) {  // the self pair: any finite ρ, no charge
    const V self = A::load(self_table<typename A::Scalar>.value + group_size + own - j);
    rho2 = rho2 + self;
    q = q - q * self;
  }
  if constexpr (M.track_closest) closest = A::min(closest, rho2);
  term.factors = A::template derivative_factors<M.masked, M.compensated>(q, rho2);
  if constexpr (M.potential) {
    const V s = term.factors.charge_over_cube;
    field.x = A::fma(s, d[0], field.x);
    field.y = A::fma(s, d[1], field.y);
    field.z = A::fma(s, d[2], field.z);
    field.potential = A::fma(s, rho2, field.potential);
  }
  return term;
}

/// Adds source j's products: s (w - 3 d (d·w)/ρ²) and s d·w with s = q_j ρ⁻³, w = z - u_j.
template <class A, Variant M>
ELECTRET_INLINE void add_products(const DerivativeTask<typename A::Scalar>& task, Count j,
                                  const DerivativeTarget<A, M>& target, const DerivativeTerm<A>& term,
                                  FieldSum<A>& sum) {
  using V = typename A::Vector;
  const auto& d = term.d;
  V w[3];
  target.vector.subtract(task.source_vectors, j, w);
  const V s = term.factors.charge_over_cube;
  const V dw = A::fma(d[2], w[2], A::fma(d[1], w[1], d[0] * w[0]));
  const V t = dw * term.factors.minus_three_over_square;
  sum.x = A::fma(s, A::fma(t, d[0], w[0]), sum.x);
  sum.y = A::fma(s, A::fma(t, d[1], w[1]), sum.y);
  sum.z = A::fma(s, A::fma(t, d[2], w[2]), sum.z);
  sum.potential = A::fma(s, dw, sum.potential);
}

/// Adds sources [begin, end) to the sums of one register of targets. With few registers (A::derivative_chunk
/// above 1) the terms of some sources first, then their products: sums, targets and temporaries would not fit
/// at once, nor would the processor see far enough ahead to fill the wait for so long a chain.
template <class A, Variant M, bool Diagonal>
ELECTRET_INLINE void add_derivative_sources(const DerivativeTask<typename A::Scalar>& task, Count begin,
                                            Count end, Count own, const DerivativeTarget<A, M>& target,
                                            FieldSum<A>& sum, FieldSum<A>& field,
                                            typename A::Vector& closest) {
  constexpr Count chunk = A::derivative_chunk;
  if constexpr (chunk == 1) {
    for (Count j = begin; j < end; ++j)
      add_products<A, M>(task, j, target,
                         derivative_term<A, M, Diagonal>(task, j, own, target, field, closest), sum);
  } else {
    DerivativeTerm<A> terms[chunk];
    for (Count first = begin; first < end; first += chunk) {
      const Count count = end - first < chunk ? end - first : chunk;
      for (Count k = 0; k < count; ++k)
        terms[k] = derivative_term<A, M, Diagonal>(task, first + k, own, target, field, closest);
      for (Count k = 0; k < count; ++k) add_products<A, M>(task, first + k, target, terms[k], sum);
    }
  }
}

/// As add_derivative_sources for any number of sources, in blocks whose sums are added in double.
template <class A, Variant M, bool Diagonal>
ELECTRET_INLINE void add_derivative_blocks(const DerivativeTask<typename A::Scalar>& task, Count begin,
                                           Count end, Count own, const DerivativeTarget<A, M>& target,
                                           GroupSums& sums, int lane, typename A::Vector& closest) {
  constexpr double unit = A::template derivative_unit<M.masked, M.compensated>();
  for (Count b = begin; b < end; b += block_size) {
    FieldSum<A> sum, field;
    add_derivative_sources<A, M, Diagonal>(task, b, end - b < block_size ? end : b + block_size, own, target,
                                           sum, field, closest);
    A::add_to(sums.vector[0] + lane, sum.x, unit);
    A::add_to(sums.vector[1] + lane, sum.y, unit);
    A::add_to(sums.vector[2] + lane, sum.z, unit);
    A::add_to(sums.scalar + lane, sum.potential, unit);
    if constexpr (!M.potential) continue;
    A::add_to(sums.field[0] + lane, field.x, unit);
    A::add_to(sums.field[1] + lane, field.y, unit);
    A::add_to(sums.field[2] + lane, field.z, unit);
    A::add_to(sums.potential + lane, field.potential, unit);
  }
}

/// All sources for one register of targets from `first + lane`.
template <class A, Variant M>
ELECTRET_INLINE void sum_derivative_register(const DerivativeTask<typename A::Scalar>& task, Count first,
                                             int lane, GroupSums& sums, typename A::Vector& closest) {
  const Count n = task.pairs.source_count, own = first + lane;
  DerivativeTarget<A, M> target;
  target.point.load(task.pairs.targets, own);
  target.vector.load(task.target_vectors, own);
  if (!task.pairs.targets_are_sources) {
    add_derivative_blocks<A, M, false>(task, 0, n, own, target, sums, lane, closest);
    return;
  }
  const Count end = own + A::width < n ? own + A::width : n;
  add_derivative_blocks<A, M, false>(task, 0, own, own, target, sums, lane, closest);
  add_derivative_blocks<A, M, true>(task, own, end, own, target, sums, lane, closest);
  add_derivative_blocks<A, M, false>(task, end, n, own, target, sums, lane, closest);
}

/// A DerivativeKernel.
template <class A, Variant M>
typename A::Scalar derivative_kernel(const DerivativeTask<typename A::Scalar>& task, Count first, int count,
                                     GroupSums& sums) {
  clear(sums);
  for (int l = 0; M.potential && l < group_size; ++l)
    sums.field[0][l] = sums.field[1][l] = sums.field[2][l] = sums.potential[l] = 0.0;
  typename A::Vector closest = A::broadcast(1);
  for (int lane = 0; lane < count; lane += A::width)
    sum_derivative_register<A, M>(task, first, lane, sums, closest);
  return lowest_lane<A>(closest);
}

}  // namespace
}  // namespace electret::direct
