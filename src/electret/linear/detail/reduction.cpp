#include <utility>

#include <electret/linear/detail/reduction.hpp>

namespace electret::detail {
namespace {

using Basis = std::array<Vec3, 3>;

Vec3 read(const Padded32& row) {
  return unpadded(row);
}
const Vec3& read(const Vec3& row) {
  return row;
}
void write(Padded32& row, const Vec3& value) {
  row = padded32(value);
}
void write(Vec3& row, const Vec3& value) {
  row = value;
}

Vec3 combination(const Basis& basis, int columns, const Vec3& x) {
  Vec3 sum;
  for (int k = 0; k < columns; ++k) sum += x[k] * basis[static_cast<std::size_t>(k)];
  return sum;
}

Vec3 products(const Basis& basis, int columns, const Vec3& x) {
  Vec3 result;
  for (int k = 0; k < columns; ++k) result[k] = dot(basis[static_cast<std::size_t>(k)], x);
  return result;
}

/// D x.
Vec3 diagonal_product(const VertexConstraint& c, const Vec3& x) {
  Vec3 result;
  for (int row = 0; row < c.columns; ++row)
    for (int column = 0; column < c.columns; ++column)
      result[row] += c.diagonal[static_cast<std::size_t>(c.columns * row + column)] * x[column];
  return result;
}

VertexConstraint transpose(VertexConstraint c) {
  std::swap(c.trial, c.test);
  for (int row = 0; row < c.columns; ++row)
    for (int column = 0; column < row; ++column)
      std::swap(c.diagonal[static_cast<std::size_t>(c.columns * row + column)],
                c.diagonal[static_cast<std::size_t>(c.columns * column + row)]);
  return c;
}

}  // namespace

void Reduction::set(std::span<const VertexConstraint> constraints, bool transposed) {
  constraints_.assign(constraints.begin(), constraints.end());
  pins_only_ = true;
  for (VertexConstraint& c : constraints_) {
    pins_only_ = pins_only_ && c.columns == 0;
    if (transposed) c = transpose(c);
  }
}

template <class Body>
void Reduction::for_constraints(Threads& threads, Body&& body) const {
  threads.for_chunks(static_cast<Count>(constraints_.size()), 512, [&](Count begin, Count end) {
    for (auto k = static_cast<std::size_t>(begin); k < static_cast<std::size_t>(end); ++k)
      body(constraints_[k], static_cast<std::size_t>(constraints_[k].vertex));
  });
}

void Reduction::expand(Threads& threads, VectorSpan x) const {
  for_constraints(threads, [&](const VertexConstraint& c, std::size_t i) {
    x[i] = combination(c.trial, c.columns, x[i]);
  });
}

PaddedView32 Reduction::expanded(Threads& threads, PaddedView32 x, std::vector<Padded32>& work) const {
  if (pins_only_) return x;
  work.assign(x.begin(), x.end());
  for_constraints(threads, [&](const VertexConstraint& c, std::size_t i) {
    work[i] = padded32(combination(c.trial, c.columns, unpadded(work[i])));
  });
  return work;
}

VectorView Reduction::expanded(Threads& threads, VectorView x, VectorArray& work) const {
  if (pins_only_) return x;
  work.assign(x.begin(), x.end());
  expand(threads, work);
  return work;
}

void Reduction::project(Threads& threads, PaddedSpan32 y) const {
  for_constraints(threads, [&](const VertexConstraint& c, std::size_t i) {
    write(y[i], products(c.trial, c.columns, read(y[i])));
  });
}

namespace {

template <class Row>
void test_row(const VertexConstraint& c, const Row& x, Row& y) {
  write(y, products(c.test, c.columns, read(y)) + diagonal_product(c, read(x)));
}

}  // namespace

void Reduction::test(Threads& threads, PaddedView32 x, PaddedSpan32 y) const {
  for_constraints(threads, [&](const VertexConstraint& c, std::size_t i) { test_row(c, x[i], y[i]); });
}

void Reduction::test(Threads& threads, VectorView x, VectorSpan y) const {
  for_constraints(threads, [&](const VertexConstraint& c, std::size_t i) { test_row(c, x[i], y[i]); });
}

void Reduction::trim(Threads& threads, VectorSpan x) const {
  for_constraints(threads, [&](const VertexConstraint& c, std::size_t i) {
    for (int k = c.columns; k < 3; ++k) x[i][k] = 0.0;
  });
}

}  // namespace electret::detail
