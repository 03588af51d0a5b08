#pragma once
/// \file
/// The expansions' kernels, written once over an arch A of simd/: cells, pairs of cells or points in the
/// lanes. Included once by each translation unit of kernels.

#include <electret/field/fmm/kernels.hpp>
#include <electret/field/fmm/lanes.hpp>

namespace electret::fmm {
namespace {

/// Room for an expansion, whole registers of the widest kind included.
constexpr int expansion_room = coefficients(max_order) + max_lanes;

constexpr int plane(int degree, int z_power) {
  return degree * degree + (z_power == 0 ? 0 : degree + 1);
}

/// A power's coefficients of one degree, with zeros around them: the recurrence needs no cases.
template <class A>
struct DegreeRow {
  typename A::Vector value[2][max_order + 6] = {};
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
}

/// h_n from h_{n-1}.
template <class A>
ELECTRET_INLINE void next_degree(typename A::Vector x, typename A::Vector y, typename A::Vector z, int n,
                                 const DegreeRow<A>& row, DegreeRow<A>& out) {
  const auto factor = A::broadcast(typename A::Scalar{1} / static_cast<typename A::Scalar>(n));
  raise<A>(x * factor, y * factor, z * factor, n, row, out);
}

/// All of h(x) up to `order`, in the layout of moments.
template <class A>
ELECTRET_INLINE void powers(typename A::Vector x, typename A::Vector y, typename A::Vector z, int order,
                            typename A::Vector* h) {
  DegreeRow<A> rows[2];
  rows[0].at(0, 0) = A::broadcast(1);
  h[0] = A::broadcast(1);
  for (int n = 1; n <= order; ++n) {
    DegreeRow<A>&row = rows[(n - 1) & 1], &next = rows[n & 1];
    next_degree<A>(x, y, z, n, row, next);
    for (int j = 0; j <= n; ++j) h[plane(n, 0) + j] = next.at(0, j);
    for (int j = 0; j < n; ++j) h[plane(n, 1) + j] = next.at(1, j);
  }
}

/// The degree of each number of an expansion, and of what fills the last register.
struct Degrees {
  unsigned char of[expansion_room] = {};
  constexpr Degrees() {
    for (int n = 0, c = 0; c < expansion_room; ++c) {
      if (c == (n + 1) * (n + 1) && n < max_order) ++n;
      of[c] = static_cast<unsigned char>(n);
    }
  }
};
constexpr Degrees degrees;

/// `first` times s^n for the numbers of degree n.
template <class A>
struct DegreePowers {
  typename A::Vector power[max_order + 3];
  ELECTRET_INLINE DegreePowers(typename A::Vector s, typename A::Vector first, int order) {
    power[0] = first;
    // Two more for what fills the last register.
    for (int n = 1; n <= order + 2; ++n) power[n] = power[n - 1] * s;
  }
  ELECTRET_INLINE typename A::Vector operator()(int number) const { return power[degrees.of[number]]; }
};

/// One register of a leaf's points, relative to its centre over its scale.
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
void leaf_moments(const MomentTask<typename A::Scalar>& task) {
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
    rows[0].at(0, 0) = A::broadcast(1);
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
  sum_lanes<A>(sum, numbers, task.moments);
  if (dipoles) sum_lanes<A>(dipole_sum, numbers, task.dipole_moments);
}

/// out += M ⊗ h, up to `order`: products of degrees modulo ξ_z² = -ξ_x² - ξ_y².
template <class A>
ELECTRET_INLINE void multiply(int order, const typename A::Vector* m, const typename A::Vector* h,
                              typename A::Vector* out) {
  using V = typename A::Vector;
  for (int n = 0; n <= order; ++n)
    for (int k = 0; k < (n > 0 ? 2 : 1); ++k)
      for (int j = 0; j <= n - k; ++j) {
        const V factor = m[plane(n, k) + j];
        for (int d = 0; d <= order - n; ++d)
          for (int e = 0; e < (d > 0 ? 2 : 1); ++e) {
            const V* from = h + plane(d, e);
            V* to = out + plane(n + d, (k + e) & 1) + j;
            for (int i = 0; i <= d - e; ++i) {
              if (k + e < 2) {
                to[i] = A::fma(factor, from[i], to[i]);
              } else {
                to[i] = to[i] - factor * from[i];
                to[i + 2] = to[i + 2] - factor * from[i];
              }
            }
          }
      }
}

template <class A>
void shift_moments(const ShiftBatch<typename A::Scalar>& batch) {
  using V = typename A::Vector;
  const int numbers = coefficients(batch.order);
  V h[expansion_room], m[expansion_room], out[expansion_room];
  powers<A>(-A::load(batch.offset[0]), -A::load(batch.offset[1]), -A::load(batch.offset[2]), batch.order, h);
  const DegreePowers<A> ratio(A::load(batch.ratio), A::broadcast(1), batch.order);
  for (int set = 0; set < batch.sets; ++set) {
    load_cells<A>(batch.from, set * batch.set_stride, batch.count, numbers, ratio, m);
    for (int c = 0; c < numbers + A::width; ++c) out[c] = V{};
    multiply<A>(batch.order, m, h, out);
    add_to_cells<A>(reinterpret_cast<const typename A::Scalar*>(out), numbers, batch.count, batch.to,
                    set * batch.set_stride);
  }
}

/// Locals with z-powers up to 3, in rows that the evaluation reads in order.
template <class T>
struct FullLocals {
  T value[max_order + 1][4][max_order + 1];
  void set(const T* locals, int order) {
    for (int n = 0; n <= order; ++n) {
      for (int j = 0; j <= n; ++j) value[n][0][j] = locals[plane(n, 0) + j];
      for (int j = 0; j < n; ++j) value[n][1][j] = locals[plane(n, 1) + j];
      for (int k = 2; k < 4; ++k)
        for (int j = 0; j <= n - k; ++j) value[n][k][j] = -(value[n][k - 2][j] + value[n][k - 2][j + 2]);
    }
  }
};

/// Value and gradient of one expansion at one register of points, and its second derivatives where asked.
template <class A, bool Second>
struct Evaluation {
  using V = typename A::Vector;
  V value{}, x{}, y{}, z{}, xx{}, xy{}, xz{}, yy{}, yz{};

  /// Adds the terms h_a of degree n.
  ELECTRET_INLINE void add(const FullLocals<typename A::Scalar>& locals, int n, int order,
                           const DegreeRow<A>& h) {
    for (int k = 0; k < (n > 0 ? 2 : 1); ++k)
      for (int j = 0; j <= n - k; ++j) {
        const V factor = h.at(k, j);
        value = A::fma(factor, A::broadcast(locals.value[n][k][j]), value);
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

template <class A, bool Products>
ELECTRET_INLINE void evaluate_leaf(const LocalTask<typename A::Scalar>& task) {
  using V = typename A::Vector;
  using T = typename A::Scalar;
  FullLocals<T> locals, dipole_locals;
  locals.set(task.locals, task.order);
  if constexpr (Products) dipole_locals.set(task.dipole_locals, task.order);
  const V inverse = A::broadcast(task.leaf.inverse_scale);
  for (int first = 0; first < task.leaf.count; first += A::width) {
    const LocalPoint<A> p(task.leaf, first);
    Evaluation<A, Products> of_charges;
    Evaluation<A, false> of_dipoles;
    DegreeRow<A> rows[2];
    rows[0].at(0, 0) = A::broadcast(1);
    for (int n = 0; n <= task.order; ++n) {
      if (n > 0) next_degree<A>(p.x, p.y, p.z, n, rows[(n - 1) & 1], rows[n & 1]);
      of_charges.add(locals, n, task.order, rows[n & 1]);
      if constexpr (Products) of_dipoles.add(dipole_locals, n, task.order, rows[n & 1]);
    }
    const auto& c = of_charges;
    const V ex = -c.x * inverse, ey = -c.y * inverse, ez = -c.z * inverse;
    const auto& s = task.sums;
    if (s.field[0]) {
      add_at<A>(s.field[0] + first, ex);
      add_at<A>(s.field[1] + first, ey);
      add_at<A>(s.field[2] + first, ez);
    }
    if (s.potential) add_at<A>(s.potential + first, c.value);
    if constexpr (Products) {
      const V zx = A::load(task.z.x + first), zy = A::load(task.z.y + first), zz = A::load(task.z.z + first);
      const V square = inverse * inverse, c_zz = -(c.xx + c.yy);
      const auto& d = of_dipoles;
      add_at<A>(s.product[0] + first, -(c.xx * zx + c.xy * zy + c.xz * zz) * square - d.x * inverse);
      add_at<A>(s.product[1] + first, -(c.xy * zx + c.yy * zy + c.yz * zz) * square - d.y * inverse);
      add_at<A>(s.product[2] + first, -(c.xz * zx + c.yz * zy + c_zz * zz) * square - d.z * inverse);
      add_at<A>(s.charge_product + first, zx * ex + zy * ey + zz * ez - d.value);
    }
  }
}

template <class A>
void evaluate(const LocalTask<typename A::Scalar>& task) {
  if (task.dipole_locals)
    evaluate_leaf<A, true>(task);
  else
    evaluate_leaf<A, false>(task);
}

}  // namespace
}  // namespace electret::fmm
