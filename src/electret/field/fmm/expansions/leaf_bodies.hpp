#pragma once
/// \file
/// P2M and L2P: a leaf's moments, and its locals evaluated at its points. They are written once for any arch
/// A of simd/, with points in the lanes. Each translation unit of kernels includes this once.
///
/// The points' loops use reduced powers, because their recurrence has no special cases. Only sums over a
/// whole leaf are converted to harmonics.

#include <electret/field/fmm/expansions/lanes.hpp>
#include <electret/field/fmm/kernels.hpp>

namespace electret::fmm {
namespace {

/// Reduced powers are sorted by degree, then by z-power, then by y-power.
constexpr int plane(int degree, int z_power) {
  return degree * degree + (z_power == 0 ? 0 : degree + 1);
}

/// A vector of four elements, whatever the arch's width.
template <class T>
struct Four {
  typedef T Vector __attribute__((vector_size(4 * sizeof(T))));
};

/// Changes the basis of a group of up to `rows` coefficients: a sum of columns times coefficients.
template <class V, int rows, class T>
ELECTRET_INLINE void change_basis(const T* columns, const T* from, int step, int size, T* to, int to_step) {
  constexpr int registers = rows * sizeof(T) / sizeof(V);
  V sum[registers] = {};
  for (int c = 0; c < size; ++c, columns += basis_column)
#pragma GCC unroll 8
    for (int k = 0; k < registers; ++k) {
      V column;
      __builtin_memcpy(&column, columns + k * static_cast<int>(sizeof(V) / sizeof(T)), sizeof(V));
      sum[k] += column * from[c * step];
    }
  T out[rows];
  __builtin_memcpy(out, sum, sizeof out);
  for (int r = 0; r < size; ++r) to[r * to_step] = out[r];
}
template <class A>
ELECTRET_INLINE void change_group(const typename A::Scalar* columns, const typename A::Scalar* from, int step,
                                  int size, typename A::Scalar* to, int to_step) {
  using T = typename A::Scalar;
  if (size <= 4)
    change_basis<typename Four<T>::Vector, 4>(columns, from, step, size, to, to_step);
  else
    change_basis<typename A::Vector, basis_column>(columns, from, step, size, to, to_step);
}

/// A group's powers are every second one from the first.
constexpr int first_power(int degree, int group) {
  return plane(degree, basis_z_power(degree, group)) + basis_y_power(group);
}

template <class A>
ELECTRET_INLINE void harmonics_of_powers(const typename A::Scalar* powers, int order,
                                         typename A::Scalar* harmonics) {
  const auto& tables = harmonic_tables<typename A::Scalar>();
  for (int n = 0; n <= order; ++n)
    for (int g = 0; g < 4; ++g)
      change_group<A>(tables.to_harmonics + basis_start(n, g), powers + first_power(n, g), 2,
                      group_size(n, g), harmonics + group_start(n, g), 1);
}
/// For locals: φ = Σ L_a H_a = Σ (Bᵀ L)_b h_b.
template <class A>
ELECTRET_INLINE void powers_of_locals(const typename A::Scalar* locals, int order,
                                      typename A::Scalar* powers) {
  const auto& tables = harmonic_tables<typename A::Scalar>();
  for (int n = 0; n <= order; ++n)
    for (int g = 0; g < 4; ++g)
      change_group<A>(tables.to_powers + basis_start(n, g), locals + group_start(n, g), 1, group_size(n, g),
                      powers + first_power(n, g), 2);
}

/// The reduced powers of one degree. Zeros around them spare the recurrence special cases. Starts with degree
/// 0.
template <class A>
struct DegreeRow {
  typename A::Vector value[2][max_order + 6];
  ELECTRET_INLINE DegreeRow() {
    at(0, -1) = at(1, -2) = at(1, -1) = typename A::Vector{};
    at(0, 0) = A::broadcast(1);
    end(0);
  }
  /// Writes zeros after the elements of a degree.
  ELECTRET_INLINE void end(int degree) {
    at(0, degree + 1) = at(1, degree) = at(1, degree + 1) = typename A::Vector{};
  }
  ELECTRET_INLINE typename A::Vector& at(int k, int j) { return value[k][j + 2]; }
  ELECTRET_INLINE typename A::Vector at(int k, int j) const { return value[k][j + 2]; }
};

/// out = (x ξ_x + y ξ_y + z ξ_z) · row, of degree n, with ξ_z² = -ξ_x² - ξ_y².
template <class A>
ELECTRET_INLINE void raise(typename A::Vector x, typename A::Vector y, typename A::Vector z, int n,
                           const DegreeRow<A>& row, DegreeRow<A>& out) {
  for (int j = 0; j <= n; ++j)
    out.at(0, j) = A::fma(x, row.at(0, j), y * row.at(0, j - 1)) - z * (row.at(1, j) + row.at(1, j - 2));
  for (int j = 0; j < n; ++j)
    out.at(1, j) = A::fma(z, row.at(0, j), A::fma(x, row.at(1, j), y * row.at(1, j - 1)));
  out.end(n);
}

/// Computes h_n from h_{n-1}.
template <class A>
ELECTRET_INLINE void next_degree(typename A::Vector x, typename A::Vector y, typename A::Vector z, int n,
                                 const DegreeRow<A>& row, DegreeRow<A>& out) {
  const auto factor = A::broadcast(typename A::Scalar{1} / static_cast<typename A::Scalar>(n));
  raise<A>(x * factor, y * factor, z * factor, n, row, out);
}

/// One register of a leaf's points: (x - centre)/σ.
template <class A>
struct LocalPoint {
  typename A::Vector x, y, z;
  ELECTRET_INLINE LocalPoint(const LeafPoints<typename A::Scalar>& leaf, int first) {
    const auto s = A::broadcast(leaf.inverse_scale);
    const auto& p = leaf.points;
    x = A::load(p.x + first) - A::broadcast(leaf.centre[0]);
    y = A::load(p.y + first) - A::broadcast(leaf.centre[1]);
    z = A::load(p.z + first) - A::broadcast(leaf.centre[2]);
    if constexpr (sizeof(typename A::Scalar) == sizeof(float)) {
      x = x + (A::load(p.x_low + first) - A::broadcast(leaf.centre_low[0]));
      y = y + (A::load(p.y_low + first) - A::broadcast(leaf.centre_low[1]));
      z = z + (A::load(p.z_low + first) - A::broadcast(leaf.centre_low[2]));
    }
    x = x * s, y = y * s, z = z * s;
  }
};

template <class A>
void p2m(const MomentTask<typename A::Scalar>& task) {
  using V = typename A::Vector;
  const int numbers = coefficients(task.order);
  const bool dipoles = task.dipoles.x != nullptr;
  V sum[expansion_room], dipole_sum[expansion_room];
  for (int c = 0; c < numbers + A::width; ++c) sum[c] = V{};
  if (dipoles)
    for (int c = 0; c < numbers + A::width; ++c) dipole_sum[c] = V{};
  for (int first = 0; first < task.leaf.count; first += A::width) {
    const V mask = lane_mask<A>(task.leaf.count - first);
    const LocalPoint<A> p(task.leaf, first);
    const V x = -p.x * mask, y = -p.y * mask, z = -p.z * mask, q = A::load(task.charges + first) * mask;
    V ux{}, uy{}, uz{};
    if (dipoles) {
      const V s = mask * A::broadcast(-task.leaf.inverse_scale);
      ux = A::load(task.dipoles.x + first) * s;
      uy = A::load(task.dipoles.y + first) * s;
      uz = A::load(task.dipoles.z + first) * s;
    }
    DegreeRow<A> rows[2], raised;
    sum[0] = sum[0] + q;
    for (int n = 1; n <= task.order; ++n) {
      DegreeRow<A>&row = rows[(n - 1) & 1], &next = rows[n & 1];
      next_degree<A>(x, y, z, n, row, next);
      for (int j = 0; j <= n; ++j) sum[plane(n, 0) + j] = A::fma(q, next.at(0, j), sum[plane(n, 0) + j]);
      for (int j = 0; j < n; ++j) sum[plane(n, 1) + j] = A::fma(q, next.at(1, j), sum[plane(n, 1) + j]);
      if (!dipoles) continue;
      raise<A>(ux, uy, uz, n, row, raised);
      for (int j = 0; j <= n; ++j)
        dipole_sum[plane(n, 0) + j] = dipole_sum[plane(n, 0) + j] + raised.at(0, j);
      for (int j = 0; j < n; ++j) dipole_sum[plane(n, 1) + j] = dipole_sum[plane(n, 1) + j] + raised.at(1, j);
    }
  }
  alignas(64) typename A::Scalar powers[expansion_room];
  sum_lanes<A>(sum, numbers, powers);
  harmonics_of_powers<A>(powers, task.order, task.moments);
  if (!dipoles) return;
  sum_lanes<A>(dipole_sum, numbers, powers);
  harmonics_of_powers<A>(powers, task.order, task.dipole_moments);
}

/// Locals with z-powers up to 2, in rows that the evaluation reads in order.
template <class T>
struct FullLocals {
  T value[max_order + 1][3][max_order + 1];
  template <class A>
  ELECTRET_INLINE void set(const T* harmonics, int order) {
    T locals[expansion_room];
    powers_of_locals<A>(harmonics, order, locals);
    for (int n = 0; n <= order; ++n) {
      for (int j = 0; j <= n; ++j) value[n][0][j] = locals[plane(n, 0) + j];
      for (int j = 0; j < n; ++j) value[n][1][j] = locals[plane(n, 1) + j];
      for (int j = 0; j <= n - 2; ++j) value[n][2][j] = -(value[n][0][j] + value[n][0][j + 2]);
    }
  }
};

/// The gradient of one expansion at one register of points and, if requested, its value and second
/// derivatives.
template <class A, bool Value, bool Second>
struct Evaluation {
  using V = typename A::Vector;
  V value{}, x{}, y{}, z{}, xx{}, xy{}, xz{}, yy{}, yz{};

  [[nodiscard]] ELECTRET_INLINE V zz() const { return -(xx + yy); }
  /// Adds the terms of h_a of degree n.
  ELECTRET_INLINE void add(const FullLocals<typename A::Scalar>& locals, int n, int order,
                           const DegreeRow<A>& h) {
    for (int k = 0; k < (n > 0 ? 2 : 1); ++k)
      for (int j = 0; j <= n - k; ++j) {
        const V factor = h.at(k, j);
        if constexpr (Value) value = A::fma(factor, A::broadcast(locals.value[n][k][j]), value);
        if (n == order) continue;
        const auto &first = locals.value[n + 1][k], &first_z = locals.value[n + 1][k + 1];
        x = A::fma(factor, A::broadcast(first[j]), x);
        y = A::fma(factor, A::broadcast(first[j + 1]), y);
        z = A::fma(factor, A::broadcast(first_z[j]), z);
        if constexpr (Second) {
          if (n + 1 == order) continue;
          const auto &second = locals.value[n + 2][k], &second_z = locals.value[n + 2][k + 1];
          xx = A::fma(factor, A::broadcast(second[j]), xx);
          xy = A::fma(factor, A::broadcast(second[j + 1]), xy);
          yy = A::fma(factor, A::broadcast(second[j + 2]), yy);
          xz = A::fma(factor, A::broadcast(second_z[j]), xz);
          yz = A::fma(factor, A::broadcast(second_z[j + 1]), yz);
        }
      }
  }
};

template <class A>
ELECTRET_INLINE void add_at(typename A::Scalar* p, typename A::Vector a) {
  store<A>(p, A::load(p) + a);
}

/// Adds the values of the charges' series `c` and of the dipoles' series `d` at the register of points from
/// `first`.
template <class A, bool Value, bool Products, class OfCharges, class OfDipoles>
ELECTRET_INLINE void add_values(const LocalTask<typename A::Scalar>& task, int first, const OfCharges& c,
                                const OfDipoles& d) {
  using V = typename A::Vector;
  const V inverse = A::broadcast(task.leaf.inverse_scale);
  const V ex = -c.x * inverse, ey = -c.y * inverse, ez = -c.z * inverse;
  const auto& s = task.sums;
  if (s.field[0]) {
    add_at<A>(s.field[0] + first, ex);
    add_at<A>(s.field[1] + first, ey);
    add_at<A>(s.field[2] + first, ez);
  }
  if (Value && s.potential) add_at<A>(s.potential + first, c.value);
  if constexpr (Products) {
    const V zx = A::load(task.z.x + first), zy = A::load(task.z.y + first), zz = A::load(task.z.z + first);
    const V square = inverse * inverse;
    add_at<A>(s.product[0] + first, -(c.xx * zx + c.xy * zy + c.xz * zz) * square - d.x * inverse);
    add_at<A>(s.product[1] + first, -(c.xy * zx + c.yy * zy + c.yz * zz) * square - d.y * inverse);
    add_at<A>(s.product[2] + first, -(c.xz * zx + c.yz * zy + c.zz() * zz) * square - d.z * inverse);
    add_at<A>(s.charge_product + first, zx * ex + zy * ey + zz * ez - d.value);
  }
}

template <class A, bool Value, bool Products>
ELECTRET_INLINE void evaluate_leaf(const LocalTask<typename A::Scalar>& task) {
  FullLocals<typename A::Scalar> locals, dipole_locals;
  locals.template set<A>(task.locals, task.order);
  if constexpr (Products) dipole_locals.template set<A>(task.dipole_locals, task.order);
  for (int first = 0; first < task.leaf.count; first += A::width) {
    const LocalPoint<A> p(task.leaf, first);
    Evaluation<A, Value, Products> of_charges;
    Evaluation<A, true, false> of_dipoles;
    DegreeRow<A> rows[2];
    // The highest degree contributes only to the value.
    const int highest = Value ? task.order : task.order - 1;
    for (int n = 0; n <= highest; ++n) {
      if (n > 0) next_degree<A>(p.x, p.y, p.z, n, rows[(n - 1) & 1], rows[n & 1]);
      of_charges.add(locals, n, task.order, rows[n & 1]);
      if constexpr (Products) of_dipoles.add(dipole_locals, n, task.order, rows[n & 1]);
    }
    add_values<A, Value, Products>(task, first, of_charges, of_dipoles);
  }
}

template <class A>
void l2p(const LocalTask<typename A::Scalar>& task) {
  if (task.dipole_locals)
    evaluate_leaf<A, true, true>(task);
  else if (task.sums.potential)
    evaluate_leaf<A, true, false>(task);
  else
    evaluate_leaf<A, false, false>(task);
}

}  // namespace
}  // namespace electret::fmm
