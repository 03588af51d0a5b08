#pragma once
/// \file
/// The symmetric kernel, written once for any arch A like those of kernel_bodies.hpp. It computes each
/// unordered pair once, adds its force to one charge and subtracts it from the other (Newton's third law).
///
/// A few rows (charges broadcast to all lanes, their sums in registers) meet one register of columns after
/// the other; the sums of the columns stay in the first-level cache. The kernel sums forces, not fields,
/// because forces are cheaper: a term costs one multiplication and two additions. With fields, each side
/// would have its own charge, and a term would cost two fused multiply-adds and one more multiplication. In
/// addition to the functions for kernel_bodies.hpp, the arch supplies `lane_sum`.

#include <electret/field/direct/kernel_bodies.hpp>

namespace electret::direct {
namespace {

/// A table that is loaded at offset `width` - r, which gives 0 in the lanes below r and 1 in the others.
template <class A>
struct TriangleTable {
  typename A::Scalar value[2 * A::width] = {};
  constexpr TriangleTable() {
    for (int l = A::width; l < 2 * A::width; ++l) value[l] = 1;
  }
};
template <class A>
constexpr TriangleTable<A> triangle_table{};

/// The sums of a block's columns, in the kernel's own precision.
template <class A>
struct ColumnSums {
  alignas(64) typename A::Scalar vector[3][pair_block_size];
  alignas(64) typename A::Scalar scalar[pair_block_size];
};

template <class A>
ELECTRET_INLINE void store(typename A::Scalar* p, typename A::Vector a) {
  __builtin_memcpy(p, &a, sizeof a);
}

/// Adds R rows from `row` with the register of columns from `column`; the sums of the columns are at `at`. On
/// the diagonal, only the columns before each row count.
template <class A, Variant M, int R, bool Diagonal>
ELECTRET_INLINE void add_register(const PairTask<typename A::Scalar>& task, Count row, Count column, Count at,
                                  ColumnSums<A>& columns, FieldSum<A> (&sum)[R],
                                  typename A::Vector& closest) {
  using V = typename A::Vector;
  const auto& p = task.points;
  FieldTarget<A, M> own;
  own.load(p, column);
  const V charges = A::load(task.charges + column);
  V fx = A::load(columns.vector[0] + at), fy = A::load(columns.vector[1] + at);
  V fz = A::load(columns.vector[2] + at), energy{};
  if constexpr (M.potential) energy = A::load(columns.scalar + at);
#pragma GCC unroll 8
  for (int r = 0; r < R; ++r) {
    const Count i = row + r;
    V dx = own.x - A::broadcast(p.x[i]), dy = own.y - A::broadcast(p.y[i]), dz = own.z - A::broadcast(p.z[i]);
    if constexpr (M.compensated) {
      dx = dx + (own.x_low - A::broadcast(p.x_low[i]));
      dy = dy + (own.y_low - A::broadcast(p.y_low[i]));
      dz = dz + (own.z_low - A::broadcast(p.z_low[i]));
    }
    V rho2 = A::fma(dz, dz, A::fma(dy, dy, A::fma(dx, dx, A::broadcast(task.softening_squared))));
    V q = A::broadcast(task.charges[i]) * charges;
    if constexpr (Diagonal) {  // the charge itself and those after it: any finite ρ, no charge
      const V after = A::load(triangle_table<A>.value + A::width - (i - column));
      rho2 = rho2 + after;
      q = q - q * after;
    }
    if constexpr (M.track_closest) closest = A::min(closest, rho2);
    const V s = A::template charge_over_cube<false, M.compensated>(q, rho2);
    const V x = s * dx, y = s * dy, z = s * dz;
    sum[r].x = sum[r].x - x, sum[r].y = sum[r].y - y, sum[r].z = sum[r].z - z;
    fx = fx + x, fy = fy + y, fz = fz + z;
    if constexpr (M.potential) {
      const V u = s * rho2;
      sum[r].potential = sum[r].potential + u;
      energy = energy + u;
    }
  }
  store<A>(columns.vector[0] + at, fx), store<A>(columns.vector[1] + at, fy);
  store<A>(columns.vector[2] + at, fz);
  if constexpr (M.potential) store<A>(columns.scalar + at, energy);
}

/// Adds R rows from `row` with the columns from `first` to `end`. If the block meets itself (`own`), only
/// with the columns before the rows.
template <class A, Variant M, int R>
ELECTRET_INLINE void add_rows(const PairTask<typename A::Scalar>& task, Count row, Count first, Count end,
                              bool own, ColumnSums<A>& columns, const PairSums& sums,
                              typename A::Vector& closest) {
  constexpr double unit = A::template unit<false, M.compensated>();
  FieldSum<A> sum[R];
  const Count last = own ? first + (row - first) / A::width * A::width : end;
  for (Count c = first; c < last; c += A::width)
    add_register<A, M, R, false>(task, row, c, c - first, columns, sum, closest);
  if (own) add_register<A, M, R, true>(task, row, last, last - first, columns, sum, closest);
#pragma GCC unroll 8
  for (int r = 0; r < R; ++r) {
    sums.vector[0][row + r] += unit * A::lane_sum(sum[r].x);
    sums.vector[1][row + r] += unit * A::lane_sum(sum[r].y);
    sums.vector[2][row + r] += unit * A::lane_sum(sum[r].z);
    if constexpr (M.potential) sums.scalar[row + r] += unit * A::lane_sum(sum[r].potential);
  }
}

/// A PairKernel.
template <class A, Variant M>
typename A::Scalar pair_kernel(const PairTask<typename A::Scalar>& task, const PairBlocks& blocks,
                               const PairSums& sums) {
  constexpr int rows = A::pair_rows;
  constexpr double unit = A::template unit<false, M.compensated>();
  const bool own = blocks.first_row == blocks.first_column;
  const Count column_count = (blocks.columns + A::width - 1) / A::width * A::width;
  const Count first = blocks.first_column, end = first + column_count;
  ColumnSums<A> columns;
  for (Count c = 0; c < column_count; ++c) {
    columns.vector[0][c] = columns.vector[1][c] = columns.vector[2][c] = 0;
    if constexpr (M.potential) columns.scalar[c] = 0;
  }
  typename A::Vector closest = A::broadcast(1);
  Count row = blocks.first_row;
  const Count row_end = row + blocks.rows;
  for (; row + rows <= row_end; row += rows)
    add_rows<A, M, rows>(task, row, first, end, own, columns, sums, closest);
  for (; row < row_end; ++row) add_rows<A, M, 1>(task, row, first, end, own, columns, sums, closest);
  for (Count c = 0; c < column_count; c += A::width) {
    for (int axis = 0; axis < 3; ++axis)
      A::add_to(sums.vector[axis] + first + c, A::load(columns.vector[axis] + c), unit);
    if constexpr (M.potential) A::add_to(sums.scalar + first + c, A::load(columns.scalar + c), unit);
  }
  typename A::Scalar lowest = closest[0];
  for (int l = 1; l < A::width; ++l) lowest = closest[l] < lowest ? closest[l] : lowest;
  return lowest;
}

}  // namespace
}  // namespace electret::direct
