#pragma once
/// \file
/// The kernels, written once for any arch A (one of kernels_*.cpp). Targets are in the lanes of a few
/// registers; the sources are broadcast to all lanes, one after the other. Each kernels_*.cpp includes this
/// once. Everything lies in an unnamed namespace, so that the linker shares nothing compiled for a wider
/// instruction set with code that must run on every processor.
///
/// An arch supplies the types Scalar and Vector (with the operators of GNU vector types) and the constants
/// width (lanes), registers (of targets summed together) and derivative_chunk (derivative_bodies.hpp). Its
/// static functions are load, broadcast, fma, min (float32), add_to (adds lanes to double sums),
/// charge_over_cube<masked, compensated> = q ρ⁻³/unit and derivative_factors<masked, compensated> = q
/// ρ⁻³/derivative_unit, -3 ρ⁻²; for float64 also count_if_zero.

#include <electret/core/simd/inline.hpp>
#include <electret/field/direct/kernels.hpp>

namespace electret::direct {
namespace {

/// The number of sources that are summed in the kernel's own precision before their sum is added to the
/// double sums.
constexpr Count block_size = 128;

/// A table with a single 1. A kernel loads it at the offset that puts the 1 in the lane that meets its own
/// charge, and 0 in the others.
template <class T>
struct SelfTable {
  T value[3 * group_size] = {};
  constexpr SelfTable() { value[group_size] = T{1}; }
};
template <class T>
constexpr SelfTable<T> self_table{};

/// What a field kernel does in addition to summing the field.
struct Variant {
  bool potential = false;
  bool compensated = false;    ///< Takes differences of unevaluated sums x + x_low.
  bool track_closest = false;  ///< Returns the smallest ρ².
  bool masked = false;         ///< Pairs at ρ = 0 are only counted; uses square root and division.
};

/// One register of targets: their coordinates and, if compensated, what float32 loses of them.
template <class A, Variant M>
struct FieldTarget {
  using V = typename A::Vector;
  V x, y, z, x_low, y_low, z_low;

  ELECTRET_INLINE void load(const Coordinates<typename A::Scalar>& c, Count i) {
    x = A::load(c.x + i), y = A::load(c.y + i), z = A::load(c.z + i);
    if constexpr (M.compensated)
      x_low = A::load(c.x_low + i), y_low = A::load(c.y_low + i), z_low = A::load(c.z_low + i);
  }
};

/// The sums so far at one register of targets.
template <class A>
struct FieldSum {
  typename A::Vector x{}, y{}, z{}, potential{}, coincident{};
};

/// Adds sources [begin, end) to the sums of R registers of targets. If the block holds the targets
/// themselves, `own` is the index of the first target as a source.
template <class A, Variant M, int R, bool Diagonal>
ELECTRET_INLINE void add_sources(const FieldTask<typename A::Scalar>& task, Count begin, Count end, Count own,
                                 const FieldTarget<A, M> (&target)[R], FieldSum<A> (&sum)[R],
                                 typename A::Vector& closest) {
  using V = typename A::Vector;
  const auto& source = task.sources;
  const V softening_squared = A::broadcast(task.softening_squared);
  for (Count j = begin; j < end; ++j) {
    const V x = A::broadcast(source.x[j]), y = A::broadcast(source.y[j]), z = A::broadcast(source.z[j]);
    const V charge = A::broadcast(task.charges[j]);
#pragma GCC unroll 8
    for (int r = 0; r < R; ++r) {
      V dx = target[r].x - x, dy = target[r].y - y, dz = target[r].z - z;
      if constexpr (M.compensated) {
        dx = dx + (target[r].x_low - A::broadcast(source.x_low[j]));
        dy = dy + (target[r].y_low - A::broadcast(source.y_low[j]));
        dz = dz + (target[r].z_low - A::broadcast(source.z_low[j]));
      }
      V rho2 = A::fma(dz, dz, A::fma(dy, dy, A::fma(dx, dx, softening_squared)));
      V q = charge;
      if constexpr (Diagonal) {  // the self pair: any finite ρ, no charge
        const V self = A::load(self_table<typename A::Scalar>.value + group_size + own + r * A::width - j);
        rho2 = rho2 + self;
        q = q - q * self;
      }
      if constexpr (M.track_closest) closest = A::min(closest, rho2);
      if constexpr (M.masked) sum[r].coincident = sum[r].coincident + A::count_if_zero(rho2, q);
      const V s = A::template charge_over_cube<M.masked, M.compensated>(q, rho2);
      sum[r].x = A::fma(dx, s, sum[r].x);
      sum[r].y = A::fma(dy, s, sum[r].y);
      sum[r].z = A::fma(dz, s, sum[r].z);
      if constexpr (M.potential) sum[r].potential = A::fma(rho2, s, sum[r].potential);
    }
  }
}

/// Does what add_sources does for any number of sources, in blocks whose sums are added in double.
template <class A, Variant M, int R, bool Diagonal>
ELECTRET_INLINE void add_blocks(const FieldTask<typename A::Scalar>& task, Count begin, Count end, Count own,
                                const FieldTarget<A, M> (&target)[R], GroupSums& sums, int lane,
                                typename A::Vector& closest) {
  for (Count b = begin; b < end; b += block_size) {
    const Count e = end - b < block_size ? end : b + block_size;
    FieldSum<A> sum[R];
    add_sources<A, M, R, Diagonal>(task, b, e, own, target, sum, closest);
#pragma GCC unroll 8
    for (int r = 0; r < R; ++r) {
      const int l = lane + r * A::width;
      constexpr double unit = A::template unit<M.masked, M.compensated>();
      A::add_to(sums.vector[0] + l, sum[r].x, unit);
      A::add_to(sums.vector[1] + l, sum[r].y, unit);
      A::add_to(sums.vector[2] + l, sum[r].z, unit);
      if constexpr (M.potential) A::add_to(sums.scalar + l, sum[r].potential, unit);
      if constexpr (M.masked) A::add_to(sums.coincident + l, sum[r].coincident, 1.0);
    }
  }
}

/// Sums all sources for R registers of targets from `first + lane`.
template <class A, Variant M, int R>
ELECTRET_INLINE void sum_registers(const FieldTask<typename A::Scalar>& task, Count first, int lane,
                                   GroupSums& sums, typename A::Vector& closest) {
  FieldTarget<A, M> target[R];
#pragma GCC unroll 8
  for (int r = 0; r < R; ++r) target[r].load(task.targets, first + lane + r * A::width);
  const Count n = task.source_count, own = first + lane;
  if (!task.targets_are_sources) {
    add_blocks<A, M, R, false>(task, 0, n, own, target, sums, lane, closest);
    return;
  }
  const Count end = own + R * A::width < n ? own + R * A::width : n;
  add_blocks<A, M, R, false>(task, 0, own, own, target, sums, lane, closest);
  add_blocks<A, M, R, true>(task, own, end, own, target, sums, lane, closest);
  add_blocks<A, M, R, false>(task, end, n, own, target, sums, lane, closest);
}

ELECTRET_INLINE void clear(GroupSums& sums) {
  for (int l = 0; l < group_size; ++l) {
    sums.vector[0][l] = sums.vector[1][l] = sums.vector[2][l] = 0.0;
    sums.scalar[l] = sums.coincident[l] = 0.0;
  }
}

template <class A>
ELECTRET_INLINE typename A::Scalar lowest_lane(typename A::Vector a) {
  typename A::Scalar lowest = a[0];
  for (int l = 1; l < A::width; ++l) lowest = a[l] < lowest ? a[l] : lowest;
  return lowest;
}

/// A FieldKernel.
template <class A, Variant M>
typename A::Scalar field_kernel(const FieldTask<typename A::Scalar>& task, Count first, int count,
                                GroupSums& sums) {
  constexpr int step = A::registers * A::width;
  typename A::Vector closest = A::broadcast(1);
  clear(sums);
  int lane = 0;
  for (; lane + step - A::width < count; lane += step)
    sum_registers<A, M, A::registers>(task, first, lane, sums, closest);
  for (; lane < count; lane += A::width) sum_registers<A, M, 1>(task, first, lane, sums, closest);
  return lowest_lane<A>(closest);
}

}  // namespace
}  // namespace electret::direct
