#pragma once
/// \file
/// The kernels, written once for any arch A of simd/ (see direct/kernel_bodies.hpp). Each kernels_*.cpp
/// includes this once, and everything lies in an unnamed namespace.

#include <electret/core/simd/inline.hpp>
#include <electret/field/ddef/kernels.hpp>

namespace electret::ddef {
namespace {

/// The number of sources that are summed in the kernel's own precision before their sum is added to the
/// double sums.
constexpr Count block_size = 128;

/// The sums of q K(r), q/ρ and q K'(r), in the lanes of one register each.
template <class A, bool Gradient>
struct LaneSums {
  using V = typename A::Vector;
  V x{}, y{}, z{}, potential{};
  V gradient[symmetric_size] = {};

  template <bool Masked>
  ELECTRET_INLINE void add(V dx, V dy, V dz, V rho2, V q) {
    if constexpr (!Gradient && !Masked) {
      const V s = A::template charge_over_cube<false, false>(q, rho2);
      add_field(dx, dy, dz, rho2, s);
    } else {
      const auto inverse = A::template inverse_cube_and_square<Masked>(rho2);
      const V s = q * inverse.cube;
      add_field(dx, dy, dz, rho2, s);
      if constexpr (Gradient) {
        const V t = A::broadcast(-3) * (s * inverse.square), tx = t * dx, ty = t * dy;
        gradient[0] = A::fma(tx, dx, gradient[0] + s);
        gradient[1] = A::fma(ty, dy, gradient[1] + s);
        gradient[2] = A::fma(t * dz, dz, gradient[2] + s);
        gradient[3] = A::fma(tx, dy, gradient[3]);
        gradient[4] = A::fma(tx, dz, gradient[4]);
        gradient[5] = A::fma(ty, dz, gradient[5]);
      }
    }
  }
  ELECTRET_INLINE void add_field(V dx, V dy, V dz, V rho2, V s) {
    x = A::fma(dx, s, x), y = A::fma(dy, s, y), z = A::fma(dz, s, z);
    potential = A::fma(rho2, s, potential);
  }
  template <bool Masked>
  static constexpr double unit() {
    if constexpr (!Gradient && !Masked) return A::template unit<false, false>();
    return 1.0;
  }
};

/// A RowKernel. The sources are in the lanes.
template <class A, bool Gradient, bool Masked>
void row_kernel(const RowTask<typename A::Scalar>& task, RowSums& sums) {
  using V = typename A::Vector;
  using Sums = LaneSums<A, Gradient>;
  const V x = A::broadcast(task.x), y = A::broadcast(task.y), z = A::broadcast(task.z);
  const V softening_squared = A::broadcast(task.softening_squared);
  sums = {};
  for (Count b = 0; b < task.source_count; b += block_size * A::width) {
    const Count rest = task.source_count - b;
    const Count end = b + (rest < block_size * A::width ? rest : block_size * A::width);
    Sums sum;
    for (Count j = b; j < end; j += A::width) {
      const V dx = x - A::load(task.sources.x + j), dy = y - A::load(task.sources.y + j);
      const V dz = z - A::load(task.sources.z + j);
      const V rho2 = A::fma(dz, dz, A::fma(dy, dy, A::fma(dx, dx, softening_squared)));
      sum.template add<Masked>(dx, dy, dz, rho2, A::load(task.charges + j));
    }
    constexpr double unit = Sums::template unit<Masked>();
    sums.vector[0] += unit * A::lane_sum(sum.x);
    sums.vector[1] += unit * A::lane_sum(sum.y);
    sums.vector[2] += unit * A::lane_sum(sum.z);
    sums.scalar += unit * A::lane_sum(sum.potential);
    if constexpr (Gradient)
      for (int k = 0; k < symmetric_size; ++k) sums.gradient[k] += A::lane_sum(sum.gradient[k]);
  }
}

template <class A>
ELECTRET_INLINE void add_to_group(const LaneSums<A, true>& sum, int lane, GradientSums& sums) {
  A::add_to(sums.vector[0] + lane, sum.x, 1.0);
  A::add_to(sums.vector[1] + lane, sum.y, 1.0);
  A::add_to(sums.vector[2] + lane, sum.z, 1.0);
  A::add_to(sums.scalar + lane, sum.potential, 1.0);
  for (int k = 0; k < symmetric_size; ++k) A::add_to(sums.gradient[k] + lane, sum.gradient[k], 1.0);
}

/// A GradientKernel. The targets are in the lanes.
template <class A, bool Track, bool Masked>
typename A::Scalar gradient_kernel(const FieldTask<typename A::Scalar>& task, Count first, int count,
                                   GradientSums& sums) {
  using V = typename A::Vector;
  const V softening_squared = A::broadcast(task.softening_squared);
  V closest = A::broadcast(1);
  sums = {};
  for (int lane = 0; lane < count; lane += A::width) {
    const Count i = first + lane;
    const V x = A::load(task.targets.x + i), y = A::load(task.targets.y + i), z = A::load(task.targets.z + i);
    for (Count b = 0; b < task.source_count; b += block_size) {
      const Count end = task.source_count - b < block_size ? task.source_count : b + block_size;
      LaneSums<A, true> sum;
      for (Count j = b; j < end; ++j) {
        const V dx = x - A::broadcast(task.sources.x[j]), dy = y - A::broadcast(task.sources.y[j]);
        const V dz = z - A::broadcast(task.sources.z[j]);
        const V rho2 = A::fma(dz, dz, A::fma(dy, dy, A::fma(dx, dx, softening_squared)));
        if constexpr (Track) closest = A::min(closest, rho2);
        sum.template add<Masked>(dx, dy, dz, rho2, A::broadcast(task.charges[j]));
      }
      add_to_group<A>(sum, lane, sums);
    }
  }
  typename A::Scalar lowest = closest[0];
  for (int l = 1; l < A::width; ++l) lowest = closest[l] < lowest ? closest[l] : lowest;
  return lowest;
}

/// Adds the contribution of one source to a register of targets; see MomentTask.
template <class A, bool Masked>
ELECTRET_INLINE void add_moment(const MomentTask& task, Count j, typename A::Vector dx, typename A::Vector dy,
                                typename A::Vector dz, typename A::Vector (&sum)[4]) {
  using V = typename A::Vector;
  const V rho2 = A::fma(dz, dz, A::fma(dy, dy, A::fma(dx, dx, A::broadcast(task.softening_squared))));
  const auto inverse = A::template inverse_cube_and_square<Masked>(rho2);
  const V wx = A::broadcast(task.weights.x[j]), wy = A::broadcast(task.weights.y[j]),
          wz = A::broadcast(task.weights.z[j]);
  const V xx = A::broadcast(task.moments[0][j]), yy = A::broadcast(task.moments[1][j]),
          zz = A::broadcast(task.moments[2][j]);
  const V xy = A::broadcast(task.moments[3][j]), xz = A::broadcast(task.moments[4][j]),
          yz = A::broadcast(task.moments[5][j]);
  const V px = A::fma(xz, dz, A::fma(xy, dy, xx * dx));
  const V py = A::fma(yz, dz, A::fma(yy, dy, xy * dx));
  const V pz = A::fma(zz, dz, A::fma(yz, dy, xz * dx));
  const V trace = xx + yy + zz;
  const V rw = A::fma(dz, wz, A::fma(dy, wy, dx * wx)), rp = A::fma(dz, pz, A::fma(dy, py, dx * px));
  const V square = inverse.square, cube = inverse.cube, three = A::broadcast(3);
  const V fifth = three * (cube * square);  // 3/ρ⁵
  // Along r: 3 (r·W)/ρ⁵ - 3 tr M/ρ⁵ + 15 (r·M r)/ρ⁷
  const V radial = fifth * A::fma(A::broadcast(5) * rp, square, rw - trace);
  const V minus_two_fifth = A::broadcast(-2) * fifth;
  sum[0] = sum[0] + A::fma(radial, dx, A::fma(minus_two_fifth, px, A::broadcast(-1) * (cube * wx)));
  sum[1] = sum[1] + A::fma(radial, dy, A::fma(minus_two_fifth, py, A::broadcast(-1) * (cube * wy)));
  sum[2] = sum[2] + A::fma(radial, dz, A::fma(minus_two_fifth, pz, A::broadcast(-1) * (cube * wz)));
  sum[3] = sum[3] + cube * (trace - rw - three * (rp * square));
}

/// A MomentKernel. The targets are in the lanes.
template <class A, bool Masked>
void moment_kernel(const MomentTask& task, Count first, int count, direct::GroupSums& sums) {
  using V = typename A::Vector;
  for (int lane = 0; lane < count; lane += A::width) {
    const Count i = first + lane;
    const V x = A::load(task.targets.x + i), y = A::load(task.targets.y + i), z = A::load(task.targets.z + i);
    V sum[4] = {};
    for (Count j = 0; j < task.source_count; ++j)
      add_moment<A, Masked>(task, j, x - A::broadcast(task.sources.x[j]), y - A::broadcast(task.sources.y[j]),
                            z - A::broadcast(task.sources.z[j]), sum);
    for (int k = 0; k < 4; ++k) {
      double* out = (k < 3 ? sums.vector[k] : sums.scalar) + lane;
      for (int l = 0; l < A::width; ++l) out[l] = 0.0;
      A::add_to(out, sum[k], 1.0);
    }
  }
}

/// The table of an instruction set, made from its float32 and float64 arch.
template <class A32, class A64>
constexpr Kernels kernels_of() {
  return {{row_kernel<A32, false, false>, row_kernel<A32, true, false>},
          {row_kernel<A64, false, false>, row_kernel<A64, true, false>},
          row_kernel<A64, true, true>,
          gradient_kernel<A32, true, false>,
          gradient_kernel<A64, false, false>,
          gradient_kernel<A64, false, true>,
          moment_kernel<A64, false>,
          moment_kernel<A64, true>};
}

}  // namespace
}  // namespace electret::ddef
