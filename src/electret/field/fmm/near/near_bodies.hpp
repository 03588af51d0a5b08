#pragma once
/// \file
/// P2P, written once for any arch A of simd/. The sources are in the lanes; a few points of the leaf are
/// broadcast. Each translation unit of kernels includes this once.

#include <electret/field/fmm/expansions/lanes.hpp>
#include <electret/field/fmm/kernels.hpp>

namespace electret::fmm {
namespace {

/// What a near kernel computes besides the field.
struct NearVariant {
  bool potential = false, products = false;
  bool compensated = false;    ///< Takes differences of unevaluated sums x + x_low.
  bool track_closest = false;  ///< Returns the smallest ρ².
  bool mutual = false;         ///< Sums each pair for both sides: NearTask::columns.
  bool estimate = false;  ///< Uses the processor's estimate of 1/ρ. Mutual kernels only, so that both sides
                          ///< have the same error.
};

/// The sums of one point, over the lanes.
template <class A>
struct NearSum {
  typename A::Vector x{}, y{}, z{}, potential{}, px{}, py{}, pz{}, charge{};

  /// Adds the term of one pair: k times the difference and, for the potential, k times ρ².
  template <NearVariant M>
  ELECTRET_INLINE void add_pair(typename A::Vector k, typename A::Vector dx, typename A::Vector dy,
                                typename A::Vector dz, typename A::Vector rho2) {
    x = A::fma(dx, k, x), y = A::fma(dy, k, y), z = A::fma(dz, k, z);
    if constexpr (M.potential) potential = A::fma(rho2, k, potential);
  }
  ELECTRET_INLINE void add_products(typename A::Vector k, typename A::Vector vx, typename A::Vector vy,
                                    typename A::Vector vz, typename A::Vector scalar) {
    px = A::fma(k, vx, px), py = A::fma(k, vy, py), pz = A::fma(k, vz, pz);
    charge = A::fma(k, scalar, charge);
  }
  template <NearVariant M>
  ELECTRET_INLINE void add(const NearSum& other) {
    x = x + other.x, y = y + other.y, z = z + other.z;
    if constexpr (M.potential) potential = potential + other.potential;
    if constexpr (M.products) {
      px = px + other.px, py = py + other.py, pz = pz + other.pz;
      charge = charge + other.charge;
    }
  }
};

/// A table with a single 1. A kernel loads it at the offset that puts the 1 in the lane that meets the point
/// itself, and 0 in the others.
template <class A>
struct OwnTable {
  typename A::Scalar value[2 * A::width] = {};
  constexpr OwnTable() { value[A::width] = 1; }
};
template <class A>
constexpr OwnTable<A> own_table{};

/// The sums at one register of sources, caused by a leaf's points.
template <class A>
struct Column : NearSum<A> {
  template <NearVariant M>
  ELECTRET_INLINE void load(const LeafSums<typename A::Scalar>& columns, int s) {
    each<M>(columns, [s](typename A::Vector& lanes, const auto* numbers) { lanes = A::load(numbers + s); });
  }
  template <NearVariant M>
  ELECTRET_INLINE void put(const LeafSums<typename A::Scalar>& columns, int s) {
    each<M>(columns, [s](const typename A::Vector& lanes, auto* numbers) { store<A>(numbers + s, lanes); });
  }

 private:
  template <NearVariant M, class Do>
  ELECTRET_INLINE void each(const LeafSums<typename A::Scalar>& columns, Do what) {
    what(this->x, columns.field[0]), what(this->y, columns.field[1]), what(this->z, columns.field[2]);
    if constexpr (M.potential) what(this->potential, columns.potential);
    if constexpr (M.products) {
      what(this->px, columns.product[0]), what(this->py, columns.product[1]);
      what(this->pz, columns.product[2]), what(this->charge, columns.charge_product);
    }
  }
};

/// Adds R points from `first` with the register of sources at `s`. With `Own` the sources are the leaf's own
/// points from number s. Mutual kernels read `reaction`: minus the points' charges, in the kernel's unit.
template <class A, NearVariant M, int R, bool Own>
ELECTRET_INLINE void add_register(const NearTask<typename A::Scalar>& task, int first, int s,
                                  const typename A::Scalar (&reaction)[R], NearSum<A> (&sum)[R],
                                  typename A::Vector& closest) {
  using V = typename A::Vector;
  const auto &p = task.sources, &t = task.targets;
  const V x = A::load(p.x + s), y = A::load(p.y + s), z = A::load(p.z + s),
          charges = A::load(task.charges + s);
  V x_low{}, y_low{}, z_low{}, ux{}, uy{}, uz{};
  if constexpr (M.compensated)
    x_low = A::load(p.x_low + s), y_low = A::load(p.y_low + s), z_low = A::load(p.z_low + s);
  if constexpr (M.products)
    ux = A::load(task.u.x + s), uy = A::load(task.u.y + s), uz = A::load(task.u.z + s);
  Column<A> column;
  if constexpr (M.mutual && !Own) column.template load<M>(task.columns, s);
  const V softening = A::broadcast(task.softening_squared);
#pragma GCC unroll 8
  for (int r = 0; r < R; ++r) {
    const int i = first + r;
    V dx = A::broadcast(t.x[i]) - x, dy = A::broadcast(t.y[i]) - y, dz = A::broadcast(t.z[i]) - z;
    if constexpr (M.compensated) {
      dx = dx + (A::broadcast(t.x_low[i]) - x_low);
      dy = dy + (A::broadcast(t.y_low[i]) - y_low);
      dz = dz + (A::broadcast(t.z_low[i]) - z_low);
    }
    V rho2 = A::fma(dz, dz, A::fma(dy, dy, A::fma(dx, dx, softening)));
    V q = charges;
    if constexpr (Own) {
      const int lane = i - s;
      if (lane >= 0 && lane < A::width) {
        const V self = A::load(own_table<A>.value + A::width - lane);
        rho2 = rho2 + self;
        q = q - q * self;
      }
    }
    if constexpr (M.track_closest) closest = A::min(closest, rho2);
    if constexpr (M.products) {
      const auto inverse = A::template inverse_cube_and_square<false>(rho2);
      const V wx = A::broadcast(task.z.x[i]) - ux, wy = A::broadcast(task.z.y[i]) - uy,
              wz = A::broadcast(task.z.z[i]) - uz;
      const V rw = A::fma(dz, wz, A::fma(dy, wy, dx * wx));
      const V f = A::broadcast(-3) * (rw * inverse.square);
      const V px = A::fma(f, dx, wx), py = A::fma(f, dy, wy), pz = A::fma(f, dz, wz);
      const V k = q * inverse.cube;
      sum[r].template add_pair<M>(k, dx, dy, dz, rho2);
      sum[r].add_products(k, px, py, pz, rw);
      if constexpr (M.mutual && !Own) {
        const V back = A::broadcast(reaction[r]) * inverse.cube;
        column.template add_pair<M>(back, dx, dy, dz, rho2);
        column.add_products(back, px, py, pz, rw);
      }
    } else if constexpr (M.mutual) {
      const V cube = A::template inverse_cube<M.estimate, M.compensated>(rho2);
      sum[r].template add_pair<M>(q * cube, dx, dy, dz, rho2);
      if constexpr (!Own) column.template add_pair<M>(A::broadcast(reaction[r]) * cube, dx, dy, dz, rho2);
    } else {
      sum[r].template add_pair<M>(A::template charge_over_cube<false, M.compensated>(q, rho2), dx, dy, dz,
                                  rho2);
    }
  }
  if constexpr (M.mutual && !Own) column.template put<M>(task.columns, s);
}

template <class A, NearVariant M>
constexpr double unit_of() {
  if constexpr (M.products) return 1.0;
  if constexpr (M.mutual) return A::template cube_unit<M.estimate, M.compensated>();
  return A::template unit<false, M.compensated>();
}

/// Adds R points from `first` with the sources [begin, end). They are summed in parts, because each addition
/// to a large sum rounds: after a close pair, or if many points are at one place.
template <class A, NearVariant M, int R, bool Own>
ELECTRET_INLINE void add_parts(const NearTask<typename A::Scalar>& task, int first, int begin, int end,
                               const typename A::Scalar (&reaction)[R], NearSum<A> (&sum)[R],
                               typename A::Vector& closest) {
  constexpr int part_size = 32 * A::width;
  for (; begin < end; begin += part_size) {
    const int part_end = begin + part_size < end ? begin + part_size : end;
    NearSum<A> part[R];
    for (int s = begin; s < part_end; s += A::width)
      add_register<A, M, R, Own>(task, first, s, reaction, part, closest);
#pragma GCC unroll 8
    for (int r = 0; r < R; ++r) sum[r].template add<M>(part[r]);
  }
}

template <class A, NearVariant M, int R>
ELECTRET_INLINE void sum_points(const NearTask<typename A::Scalar>& task, int first,
                                typename A::Vector& closest) {
  using T = typename A::Scalar;
  constexpr double unit = unit_of<A, M>();
  T reaction[R] = {};
  if constexpr (M.mutual)
    for (int r = 0; r < R; ++r) reaction[r] = static_cast<T>(-unit) * task.target_charges[first + r];
  NearSum<A> sum[R];
  add_parts<A, M, R, true>(task, first, 0, task.own, reaction, sum, closest);
  add_parts<A, M, R, false>(task, first, task.own, task.source_count, reaction, sum, closest);
  const auto& out = task.sums;
  const auto add = [](T* to, typename A::Vector lanes) { *to += static_cast<T>(unit * A::lane_sum(lanes)); };
#pragma GCC unroll 8
  for (int r = 0; r < R; ++r) {
    const int i = first + r;
    if (!M.products || out.field[0]) {
      add(out.field[0] + i, sum[r].x), add(out.field[1] + i, sum[r].y), add(out.field[2] + i, sum[r].z);
    }
    if constexpr (M.potential) add(out.potential + i, sum[r].potential);
    if constexpr (M.products) {
      add(out.product[0] + i, sum[r].px), add(out.product[1] + i, sum[r].py);
      add(out.product[2] + i, sum[r].pz), add(out.charge_product + i, sum[r].charge);
    }
  }
}

template <class A, NearVariant M>
typename A::Scalar near_sums(const NearTask<typename A::Scalar>& task) {
  // As many rows as fit the 32 or 16 registers. Coordinates of two floats need twice as many registers.
  constexpr bool many = A::width == 16 || (A::width == 8 && sizeof(typename A::Scalar) == 8);
  constexpr int rows = (many ? 4 : 2) / (M.products || M.compensated ? 2 : 1);
  typename A::Vector closest = A::broadcast(1);
  int i = 0;
  for (; i + rows <= task.count; i += rows) sum_points<A, M, rows>(task, i, closest);
  for (; i < task.count; ++i) sum_points<A, M, 1>(task, i, closest);
  typename A::Scalar lowest = closest[0];
  for (int l = 1; l < A::width; ++l) lowest = closest[l] < lowest ? closest[l] : lowest;
  return lowest;
}

/// MutualKernels::add and add_columns. Kernels process whole registers. Beyond the last element they add 0,
/// even if what is stored there is not finite.
template <class A, bool Columns>
void add_sums(const LeafSums<typename A::Scalar>& from, int count, const LeafSums<typename A::Scalar>& to) {
  using T = typename A::Scalar;
  for (int k = 0; k < count; k += A::width) {
    const typename A::Vector zero{}, mask = lane_mask<A>(count - k);
    const auto part = [&](const T* numbers) { return mask != zero ? A::load(numbers + k) : zero; };
    const auto add = [&](T* numbers, typename A::Vector more) {
      store<A>(numbers + k, A::load(numbers + k) + more);
    };
    const auto signed_part = [&](const T* numbers) { return Columns ? -part(numbers) : part(numbers); };
    for (int axis = 0; axis < 3; ++axis) add(to.field[axis], part(from.field[axis]));
    if (to.potential) add(to.potential, signed_part(from.potential));
    if (!to.charge_product) continue;
    for (int axis = 0; axis < 3; ++axis) add(to.product[axis], part(from.product[axis]));
    add(to.charge_product, signed_part(from.charge_product));
  }
}

/// Copies points [begin, end) relative to a centre, rounded once, and their charges if the task has them.
/// Writes `out` from its first element, up to a whole register. One loop serves all of them, because ranges
/// are short and the processor predicts the end of a short loop badly.
template <class A>
void centre_points(const CentringTask<typename A::Scalar>& task, Index begin, Index end,
                   const CentredPoints<typename A::Scalar>& out) {
  using V = typename A::Vector;
  const auto& p = task.points;
  const auto& c = task.centre;
  const auto& c_low = task.centre_low;
  const V x = A::broadcast(c[0]), y = A::broadcast(c[1]), z = A::broadcast(c[2]);
  const V x_low = A::broadcast(c_low[0]), y_low = A::broadcast(c_low[1]), z_low = A::broadcast(c_low[2]);
  for (Index i = begin, to = 0; i < end; i += A::width, to += A::width) {
    store<A>(out.x + to, (A::load(p.x + i) - x) + (A::load(p.x_low + i) - x_low));
    store<A>(out.y + to, (A::load(p.y + i) - y) + (A::load(p.y_low + i) - y_low));
    store<A>(out.z + to, (A::load(p.z + i) - z) + (A::load(p.z_low + i) - z_low));
    if (task.charges) store<A>(out.charges + to, A::load(task.charges + i));
  }
}

}  // namespace
}  // namespace electret::fmm
