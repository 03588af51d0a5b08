#pragma once
/// \file
/// P2M, M2M, M2L, L2L and L2P of Taylor series of 1/ρ (taylor.hpp), written once for any arch A of simd/.
/// With w^b = w_x^i w_y^j w_z^k and b! = i! j! k!,
///
///   moments M_b = Σ_s q_s ((c - x_s)/σ)^b/b!,     locals L_a with φ(x) = Σ_a L_a ((x - c)/σ)^a/a!,
///   L_a = σ_A^|a| Σ_b σ_B^|b| M_b ∂^{a+b} (1/ρ),  |a| + |b| ≤ p.
///
/// Each translation unit of kernels includes this once.

#include <electret/field/fmm/expansions/leaf_bodies.hpp>
#include <electret/field/fmm/expansions/rotation_bodies.hpp>
#include <electret/field/fmm/expansions/taylor.hpp>

namespace electret::fmm {
namespace {

constexpr int taylor_room = powers(max_taylor_order) + max_lanes;

/// One register per power, by its place in the rows.
template <class A>
using TaylorRows = typename A::Vector[taylor_room];

/// x^i/i! up to the order, with zeros before the first. The derivative of an element is the element before
/// it.
template <class A>
struct PowersOverFactorials {
  using V = typename A::Vector;
  V value[max_taylor_order + 3];
  ELECTRET_INLINE PowersOverFactorials(V x, int order) {
    value[0] = value[1] = V{};
    value[2] = A::broadcast(1);
    for (int n = 1; n <= order; ++n)
      value[n + 2] =
          value[n + 1] * (x * A::broadcast(typename A::Scalar{1} / static_cast<typename A::Scalar>(n)));
  }
  ELECTRET_INLINE V operator[](int n) const { return value[n + 2]; }
};

/// Calls visit(j, k, row) for every row of a series of this order. A row has the powers x^0 … x^{order-j-k}.
template <class T, class Visit>
ELECTRET_INLINE void for_rows(const TaylorTables<T>& tables, int order, Visit visit) {
  for (int k = 0; k <= order; ++k)
    for (int j = 0; j + k <= order; ++j) visit(j, k, tables.row[j][k]);
}
/// Calls visit(n, c) for every coefficient c, of degree n.
template <class Visit>
ELECTRET_INLINE void for_numbers(int order, Visit visit) {
  for (int n = 0, c = 0; n <= order; ++n)
    for (; c < powers(n); ++c) visit(n, c);
}

template <class A>
ELECTRET_INLINE void clear_rows(const TaylorTables<typename A::Scalar>& tables, int order,
                                TaylorRows<A>& rows) {
  for_numbers(order, [&](int, int c) { rows[tables.place[c]] = typename A::Vector{}; });
}

/// Sums the lanes of each coefficient in rows. The result is in the order in which a cell's coefficients are
/// stored.
template <class A>
ELECTRET_INLINE void sum_rows(const TaylorTables<typename A::Scalar>& tables, int order,
                              const TaylorRows<A>& rows, typename A::Scalar* out) {
  TaylorRows<A> numbers;
  for_numbers(order, [&](int, int c) { numbers[c] = rows[tables.place[c]]; });
  for (int c = powers(order); c < powers(order) + A::width; ++c) numbers[c] = typename A::Vector{};
  sum_lanes<A>(numbers, powers(order), out);
}

template <class A>
void taylor_p2m(const MomentTask<typename A::Scalar>& task) {
  using V = typename A::Vector;
  const auto& tables = taylor_tables<typename A::Scalar>();
  const bool dipoles = task.dipoles.x != nullptr;
  TaylorRows<A> sum, dipole_sum;
  clear_rows<A>(tables, task.order, sum);
  if (dipoles) clear_rows<A>(tables, task.order, dipole_sum);
  for (int first = 0; first < task.leaf.count; first += A::width) {
    const V mask = lane_mask<A>(task.leaf.count - first);
    const LocalPoint<A> p(task.leaf, first);
    const PowersOverFactorials<A> x(-p.x * mask, task.order), y(-p.y * mask, task.order),
        z(-p.z * mask, task.order);
    const V q = A::load(task.charges + first) * mask;
    for_rows(tables, task.order, [&](int j, int k, int row) {
      const V factor = q * (y[j] * z[k]);
      for (int i = 0; i <= task.order - j - k; ++i) sum[row + i] = A::fma(factor, x[i], sum[row + i]);
    });
    if (!dipoles) continue;
    const V s = mask * A::broadcast(-task.leaf.inverse_scale);
    const V ux = A::load(task.dipoles.x + first) * s, uy = A::load(task.dipoles.y + first) * s,
            uz = A::load(task.dipoles.z + first) * s;
    for_rows(tables, task.order, [&](int j, int k, int row) {
      const V along = ux * (y[j] * z[k]), across = uy * (y[j - 1] * z[k]) + uz * (y[j] * z[k - 1]);
      for (int i = 0; i <= task.order - j - k; ++i)
        dipole_sum[row + i] = A::fma(along, x[i - 1], A::fma(across, x[i], dipole_sum[row + i]));
    });
  }
  sum_rows<A>(tables, task.order, sum, task.moments);
  if (dipoles) sum_rows<A>(tables, task.order, dipole_sum, task.dipole_moments);
}

/// ∂^a (1/ρ) at ρ = 1, in rows. With T_a = ∂^a (1/ρ)/a! and R in units of ρ,
///   n T_a = -(2n-1) Σ_d R_d T_{a-e_d} - (n-1) Σ_d T_{a-2e_d},   n = |a|, d an axis.
template <class A>
ELECTRET_INLINE void inverse_derivatives(const TaylorTables<typename A::Scalar>& tables, int order,
                                         const typename A::Vector (&r)[3], TaylorRows<A>& out) {
  using V = typename A::Vector;
  using T = typename A::Scalar;
  TaylorRows<A> t;
  t[tables.size] = V{};
  t[0] = out[tables.place[0]] = A::broadcast(1);
  for (int n = 1, c = 1; n <= order; ++n) {
    const T inverse = T{1} / static_cast<T>(n);
    const V first = A::broadcast(-static_cast<T>(2 * n - 1) * inverse),
            second = A::broadcast(-static_cast<T>(n - 1) * inverse);
    const V x = r[0] * first, y = r[1] * first, z = r[2] * first;
    for (; c < powers(n); ++c) {
      const auto &one = tables.one_less[c], &two = tables.two_less[c];
      V sum = second * ((t[two[0]] + t[two[1]]) + t[two[2]]);
      sum = A::fma(x, t[one[0]], A::fma(y, t[one[1]], A::fma(z, t[one[2]], sum)));
      t[c] = sum;
      out[tables.place[c]] = sum * A::broadcast(tables.factorial[c]);
    }
  }
}

/// Adds the products of a row of moments with a row of derivatives to a row of locals. The products form a
/// triangle, because the x-powers of moment and local add up to `Left` - 1 at most.
template <class A, int Left, int Size>
ELECTRET_INLINE void add_triangle(const typename A::Vector* moments, const typename A::Vector* derivatives,
                                  typename A::Vector (&sum)[Size]) {
#pragma GCC unroll 16
  for (int b = 0; b < Left; ++b) {
    const typename A::Vector moment = moments[b];
#pragma GCC unroll 16
    for (int i = 0; i < Left - b; ++i) sum[i] = A::fma(moment, derivatives[i + b], sum[i]);
  }
}

/// Computes the row x^i y^j z^k, i < Size, of the locals. Goes through the moments' rows from the longest to
/// those of one coefficient.
template <class A, int Size>
void locals_of_row(const TaylorTables<typename A::Scalar>& tables, int j, int k, const TaylorRows<A>& moments,
                   const TaylorRows<A>& derivatives, TaylorRows<A>& locals) {
  typename A::Vector sum[Size] = {};
  const auto add = [&]<int Left>(std::integral_constant<int, Left>) {
    constexpr int others = Size - Left;  // The y-power plus the z-power of the moments' row.
    for (int z = 0; z <= others; ++z)
      add_triangle<A, Left>(moments + tables.row[others - z][z],
                            derivatives + tables.row[j + others - z][k + z], sum);
  };
  [&]<int... Others>(std::integer_sequence<int, Others...>) {
    (add(std::integral_constant<int, Size - Others>{}), ...);
  }
  (std::make_integer_sequence<int, Size>{});
  typename A::Vector* const to = locals + tables.row[j][k];
#pragma GCC unroll 16
  for (int i = 0; i < Size; ++i) to[i] = sum[i];
}

template <class A, int... Shorter>
ELECTRET_INLINE void locals_of_moments(const TaylorTables<typename A::Scalar>& tables, int order,
                                       const TaylorRows<A>& moments, const TaylorRows<A>& derivatives,
                                       TaylorRows<A>& locals, std::integer_sequence<int, Shorter...>) {
  static constexpr decltype(&locals_of_row<A, 1>) of_size[] = {locals_of_row<A, Shorter + 1>...};
  for_rows(tables, order,
           [&](int j, int k, int) { of_size[order - j - k](tables, j, k, moments, derivatives, locals); });
}

/// Adds rows, degree n times `weights`[n], to the cells, from coefficient `first` of each.
template <class A>
ELECTRET_INLINE void add_rows_to_cells(const TaylorTables<typename A::Scalar>& tables, int order,
                                       const Powers<A>& weights, const TaylorRows<A>& rows, int count,
                                       typename A::Scalar* const* cells, std::int64_t first) {
  alignas(64) typename A::Scalar out[taylor_room * A::width];
  for_numbers(order, [&](int n, int c) { store<A>(out + c * A::width, rows[tables.place[c]] * weights[n]); });
  add_to_cells<A>(out, powers(order), count, cells, first);
}
/// Loads the cells' coefficients into rows, degree n times `weights`[n].
template <class A>
ELECTRET_INLINE void load_rows(const TaylorTables<typename A::Scalar>& tables, int order,
                               const Powers<A>& weights, const typename A::Scalar* const* cells, int count,
                               std::int64_t first, TaylorRows<A>& rows) {
  TaylorRows<A> numbers;
  load_cells<A>(cells, first, count, powers(order), numbers);
  for_numbers(order, [&](int n, int c) { rows[tables.place[c]] = numbers[c] * weights[n]; });
}

/// M2L. In units of ρ everything is of order one, as for harmonics (translation_bodies.hpp). Does not support
/// `sums`.
template <class A>
void taylor_m2l(const FarBatch<typename A::Scalar>& batch) {
  using V = typename A::Vector;
  const auto& tables = taylor_tables<typename A::Scalar>();
  V r[3];
  V square = A::broadcast(batch.softening_squared);
  for (int axis = 0; axis < 3; ++axis) {
    r[axis] = A::load(batch.offset[axis]);
    square = A::fma(r[axis], r[axis], square);
  }
  const V inverse = A::broadcast(1) / A::square_root(square);
  for (V& axis : r) axis = axis * inverse;
  const Powers<A> of_source(A::load(batch.source_scale) * inverse, inverse * lane_mask<A>(batch.count),
                            batch.order);
  const Powers<A> of_target(A::load(batch.target_scale) * inverse, A::broadcast(1), batch.order);
  TaylorRows<A> derivatives, moments, locals;
  inverse_derivatives<A>(tables, batch.order, r, derivatives);
  for (int set = 0; set < batch.sets; ++set) {
    const std::int64_t first = set * batch.set_stride;
    load_rows<A>(tables, batch.order, of_source, batch.moments, batch.count, first, moments);
    locals_of_moments<A>(tables, batch.order, moments, derivatives, locals,
                         std::make_integer_sequence<int, max_taylor_order + 1>{});
    add_rows_to_cells<A>(tables, batch.order, of_target, locals, batch.count, batch.locals, first);
  }
}

/// M2M or L2L along one axis. The coefficient of power n is a sum of those of power n - t (moments) or n + t
/// (locals), times d^t/t!. It works in place: moments from the highest power down, locals from the lowest up.
/// number(n) returns a register.
template <class A, bool Moments, class Number>
ELECTRET_INLINE void shift_along(int highest, const PowersOverFactorials<A>& d, Number number) {
  for (int count = 0; count <= highest; ++count) {
    const int n = Moments ? highest - count : count;
    typename A::Vector sum = number(n);
    for (int t = 1; t <= (Moments ? n : highest - n); ++t)
      sum = A::fma(d[t], number(Moments ? n - t : n + t), sum);
    number(n) = sum;
  }
}

/// M2M or L2L: children's moments move to their parent's centre and scale, or a parent's locals to its
/// children's.
template <class A, bool Moments>
void taylor_shift(const ShiftBatch<typename A::Scalar>& batch) {
  using V = typename A::Vector;
  const auto& tables = taylor_tables<typename A::Scalar>();
  // A moment's points are at (centre - x), so they move in the opposite direction.
  const V along = A::broadcast(Moments ? -1 : 1);
  const PowersOverFactorials<A> x(along * A::load(batch.offset[0]), batch.order),
      y(along * A::load(batch.offset[1]), batch.order), z(along * A::load(batch.offset[2]), batch.order);
  const Powers<A> ratio(A::load(batch.ratio), A::broadcast(1), batch.order);
  const Powers<A> none(A::broadcast(1), A::broadcast(1), batch.order);
  TaylorRows<A> rows;
  for (int set = 0; set < batch.sets; ++set) {
    const std::int64_t first = set * batch.set_stride;
    load_rows<A>(tables, batch.order, Moments ? ratio : none, batch.from, batch.count, first, rows);
    const auto at = [&](int i, int j, int k) -> V& { return rows[tables.row[j][k] + i]; };
    const auto planes = [&](auto shift_line) {
      for (int b = 0; b <= batch.order; ++b)
        for (int a = 0; a + b <= batch.order; ++a) shift_line(a, b, batch.order - a - b);
    };
    planes([&](int j, int k, int highest) {
      shift_along<A, Moments>(highest, x, [&](int i) -> V& { return at(i, j, k); });
    });
    planes([&](int i, int k, int highest) {
      shift_along<A, Moments>(highest, y, [&](int j) -> V& { return at(i, j, k); });
    });
    planes([&](int i, int j, int highest) {
      shift_along<A, Moments>(highest, z, [&](int k) -> V& { return at(i, j, k); });
    });
    add_rows_to_cells<A>(tables, batch.order, Moments ? none : ratio, rows, batch.count, batch.to, first);
  }
}

/// L2P: value, gradient and second derivatives of a series at one register of points.
template <class A, bool Second>
struct TaylorValues {
  using V = typename A::Vector;
  V value{}, x{}, y{}, z{}, xx{}, xy{}, xz{}, yy{}, yz{}, zz_sum{};

  [[nodiscard]] ELECTRET_INLINE V zz() const { return zz_sum; }
  ELECTRET_INLINE TaylorValues(const TaylorTables<typename A::Scalar>& tables, int order,
                               const typename A::Scalar* rows, const PowersOverFactorials<A>& px,
                               const PowersOverFactorials<A>& py, const PowersOverFactorials<A>& pz) {
    for_rows(tables, order, [&](int j, int k, int row) {
      V sum{}, first{}, second{};
      for (int i = 0; i <= order - j - k; ++i) {
        const V number = A::broadcast(rows[row + i]);
        sum = A::fma(number, px[i], sum);
        first = A::fma(number, px[i - 1], first);
        if constexpr (Second) second = A::fma(number, px[i - 2], second);
      }
      const V across = py[j] * pz[k], along_y = py[j - 1] * pz[k], along_z = py[j] * pz[k - 1];
      value = A::fma(sum, across, value);
      x = A::fma(first, across, x), y = A::fma(sum, along_y, y), z = A::fma(sum, along_z, z);
      if constexpr (Second) {
        xx = A::fma(second, across, xx);
        xy = A::fma(first, along_y, xy), xz = A::fma(first, along_z, xz);
        yy = A::fma(sum, py[j - 2] * pz[k], yy), zz_sum = A::fma(sum, py[j] * pz[k - 2], zz_sum);
        yz = A::fma(sum, py[j - 1] * pz[k - 1], yz);
      }
    });
  }
};

template <class A, bool Products>
ELECTRET_INLINE void taylor_evaluate_leaf(const LocalTask<typename A::Scalar>& task) {
  const auto& tables = taylor_tables<typename A::Scalar>();
  typename A::Scalar rows[taylor_room], dipole_rows[taylor_room];
  for_numbers(task.order, [&](int, int c) {
    rows[tables.place[c]] = task.locals[c];
    if constexpr (Products) dipole_rows[tables.place[c]] = task.dipole_locals[c];
  });
  for (int first = 0; first < task.leaf.count; first += A::width) {
    const LocalPoint<A> p(task.leaf, first);
    const PowersOverFactorials<A> x(p.x, task.order), y(p.y, task.order), z(p.z, task.order);
    const TaylorValues<A, Products> of_charges(tables, task.order, rows, x, y, z);
    if constexpr (Products)
      add_values<A, true, true>(task, first, of_charges,
                                TaylorValues<A, false>(tables, task.order, dipole_rows, x, y, z));
    else
      add_values<A, true, false>(task, first, of_charges, of_charges);
  }
}

template <class A>
void taylor_l2p(const LocalTask<typename A::Scalar>& task) {
  if (task.dipole_locals)
    taylor_evaluate_leaf<A, true>(task);
  else
    taylor_evaluate_leaf<A, false>(task);
}

}  // namespace
}  // namespace electret::fmm
