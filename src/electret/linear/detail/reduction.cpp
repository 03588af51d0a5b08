#include <algorithm>
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

/// Calls body(element) for each in chunks.
template <class Element, class Body>
void for_each(Threads& threads, const std::vector<Element>& elements, Body&& body) {
  threads.for_chunks(static_cast<Count>(elements.size()), 512, [&](Count begin, Count end) {
    for (auto k = static_cast<std::size_t>(begin); k < static_cast<std::size_t>(end); ++k) body(elements[k]);
  });
}

template <class Rows>
void clear(Threads& threads, const std::vector<Index>& pins, Rows x) {
  for_each(threads, pins, [&](Index pin) { x[static_cast<std::size_t>(pin)] = {}; });
}

template <class Row>
void test_row(const VertexConstraint& c, const Row& x, Row& y) {
  write(y, products(c.test, c.columns, read(y)) + diagonal_product(c, read(x)));
}

std::size_t row_of(const VertexConstraint& c) {
  return static_cast<std::size_t>(c.vertex);
}

}  // namespace

void Reduction::set(std::span<const VertexConstraint> constraints, std::span<const Index> pins,
                    bool transposed) {
  constraints_.clear();
  pins_.assign(pins.begin(), pins.end());
  for (const VertexConstraint& c : constraints) {
    if (c.columns == 0)
      pins_.push_back(c.vertex);
    else
      constraints_.push_back(transposed ? transpose(c) : c);
  }
  std::sort(pins_.begin(), pins_.end());
  std::sort(constraints_.begin(), constraints_.end(),
            [](const VertexConstraint& a, const VertexConstraint& b) { return a.vertex < b.vertex; });
}

void Reduction::expand(Threads& threads, VectorSpan x) const {
  clear(threads, pins_, x);
  for_each(threads, constraints_,
           [&](const VertexConstraint& c) { x[row_of(c)] = combination(c.trial, c.columns, x[row_of(c)]); });
}

PaddedView32 Reduction::expanded(Threads& threads, PaddedView32 x, std::vector<Padded32>& work) const {
  if (has_pins_only()) return x;
  work.assign(x.begin(), x.end());
  clear(threads, pins_, PaddedSpan32(work));
  for_each(threads, constraints_, [&](const VertexConstraint& c) {
    work[row_of(c)] = padded32(combination(c.trial, c.columns, unpadded(work[row_of(c)])));
  });
  return work;
}

VectorView Reduction::expanded(Threads& threads, VectorView x, VectorArray& work) const {
  if (has_pins_only()) return x;
  work.assign(x.begin(), x.end());
  expand(threads, work);
  return work;
}

void Reduction::test(Threads& threads, PaddedView32 x, PaddedSpan32 y) const {
  clear(threads, pins_, y);
  for_each(threads, constraints_,
           [&](const VertexConstraint& c) { test_row(c, x[row_of(c)], y[row_of(c)]); });
}

void Reduction::test(Threads& threads, VectorView x, VectorSpan y) const {
  clear(threads, pins_, y);
  for_each(threads, constraints_,
           [&](const VertexConstraint& c) { test_row(c, x[row_of(c)], y[row_of(c)]); });
}

void Reduction::test_rows(PaddedSpan32 y, Count begin, Count end) const {
  clear_rows(pins_, y, begin, end);
}

void Reduction::trim(Threads& threads, VectorSpan x) const {
  clear(threads, pins_, x);
  for_each(threads, constraints_, [&](const VertexConstraint& c) {
    for (int k = c.columns; k < 3; ++k) x[row_of(c)][k] = 0.0;
  });
}

void clear_rows(std::span<const Index> pins, PaddedSpan32 y, Count begin, Count end) {
  for (auto pin = std::lower_bound(pins.begin(), pins.end(), begin); pin != pins.end() && *pin < end; ++pin)
    y[static_cast<std::size_t>(*pin)] = {};
}

}  // namespace electret::detail
