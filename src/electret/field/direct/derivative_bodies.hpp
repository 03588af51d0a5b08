#pragma once
/// \file
/// The kernels of derivative products, written once for any arch A like the field kernels
/// (kernel_bodies.hpp).

#include <electret/field/direct/kernel_bodies.hpp>

namespace electret::direct {
namespace {

/// Three components of a vector for one register of targets. With `Low`, it also holds what float32 loses of
/// them. Differences then keep their digits when the components cancel: for close charges and smooth vectors.
template <class A, bool Low>
struct Components {
  using V = typename A::Vector;
  V x, y, z, x_low, y_low, z_low;

  ELECTRET_INLINE void load(const Coordinates<typename A::Scalar>& c, Count i) {
    x = A::load(c.x + i), y = A::load(c.y + i), z = A::load(c.z + i);
    if constexpr (Low)
      x_low = A::load(c.x_low + i), y_low = A::load(c.y_low + i), z_low = A::load(c.z_low + i);
  }
  /// The difference: these components minus those of source j.
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

/// The difference of two vectors may cancel even if that of the coordinates does not, so float32 always
/// compensates vectors.
template <class A>
constexpr bool low_vectors = sizeof(typename A::Scalar) == sizeof(float);

/// One register of targets. M is as for a field kernel; with M.potential, the kernel sums field and potential
/// too.
template <class A, Variant M>
struct DerivativeTarget {
  Components<A, M.compensated> point;
  Components<A, low_vectors<A>> vector;
};

/// The part of the field of one source at one register of targets that its product needs.
template <class A>
struct DerivativeTerm {
  typename A::Vector d[3];
  typename A::DerivativeFactors factors;
};

/// The term of source j. Its field is added to `field`. `own` is the index of the first target as a source.
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

/// Adds the products of source j: s (w - 3 d (d·w)/ρ²) and s d·w with s = q_j ρ⁻³, w = z - u_j.
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

/// Adds sources [begin, end) to the sums of one register of targets. If there are few registers
/// (A::derivative_chunk above 1), it computes the terms of several sources first and then their products. The
/// sums, targets and temporaries of both would not fit into the registers together, and the processor could
/// not see far enough ahead to fill the wait in so long a chain.
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

/// Does what add_derivative_sources does for any number of sources, in blocks whose sums are added in double.
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

/// Sums all sources for one register of targets from `first + lane`.
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
