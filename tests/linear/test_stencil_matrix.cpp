// Sums of stencils' matrices, against the same sums stencil by stencil.

#include <gtest/gtest.h>

#include <electret/linear/stencil_matrix.hpp>

#include "support/differences.hpp"

namespace electret::test {
namespace {

constexpr std::size_t vertex_count = 40;

struct Stencils {
  std::vector<StencilVertices> vertices;
  std::vector<StencilBlocks> blocks;
};

/// Some stencils have fewer than four vertices, and vertices above 30 have none.
Stencils random_stencils(std::size_t count, unsigned seed) {
  Random random(seed);
  Stencils stencils;
  for (std::size_t s = 0; s < count; ++s) {
    StencilVertices v;
    for (std::size_t i = 0; i < 4; ++i)
      v[i] = static_cast<Index>(7 * i) + static_cast<Index>(random.uniform(0.0, 7.0));
    if (s % 3 == 0) v[s % 4] = no_vertex;
    StencilBlocks b;
    for (Mat3& block : b.upper) block = {{random.in_cube(1.0), random.in_cube(1.0), random.in_cube(1.0)}};
    for (std::size_t i = 0; i < 4; ++i) {
      Mat3& own = b.at(i, i);
      for (std::size_t r = 0; r < 3; ++r)
        for (std::size_t c = 0; c < r; ++c)
          own.rows[r][static_cast<int>(c)] = own.rows[c][static_cast<int>(r)];
    }
    stencils.vertices.push_back(v);
    stencils.blocks.push_back(b);
  }
  return stencils;
}

VectorArray expected_product(const Stencils& stencils, const VectorArray& d) {
  VectorArray out(d.size());
  for (std::size_t s = 0; s < stencils.vertices.size(); ++s)
    for (std::size_t i = 0; i < 4; ++i)
      for (std::size_t j = 0; j < 4; ++j) {
        const Index row = stencils.vertices[s][i], column = stencils.vertices[s][j];
        if (row == no_vertex || column == no_vertex) continue;
        const Vec3& x = d[static_cast<std::size_t>(column)];
        const StencilBlocks& b = stencils.blocks[s];
        out[static_cast<std::size_t>(row)] += i <= j ? b.at(i, j) * x : transposed_product(b.at(j, i), x);
      }
  return out;
}

TEST(StencilMatrix, IsTheSumOfItsStencils) {
  Threads threads(1);
  StencilMatrix matrix;
  for (const std::size_t count : {60U, 5U, 80U}) {
    const Stencils stencils = random_stencils(count, 3);
    matrix.assemble(threads, vertex_count, stencils.vertices, stencils.blocks);
    const VectorArray d = random_vectors(vertex_count, 5);
    const VectorArray expected = expected_product(stencils, d);
    VectorArray out(vertex_count);
    matrix.add_product(threads, d, out);
    EXPECT_LT(distance(out, expected), 1e-13 * norm(expected));

    std::vector<Padded32> d32, out32(vertex_count);
    for (const Vec3& v : d) d32.push_back(padded32(v));
    for (const Count begin : {0, 13, 26})
      matrix.add_product_rows(2.0F, d32, out32, begin, std::min<Count>(begin + 13, vertex_count));
    matrix.add_product_rows(2.0F, d32, out32, 39, vertex_count);
    for (std::size_t i = 0; i < vertex_count; ++i)
      EXPECT_LT(norm(unpadded(out32[i]) - 2.0 * expected[i]), 1e-5) << i;

    std::vector<float> diagonal(9 * vertex_count, 0.0F);
    matrix.add_diagonal(3.0F, diagonal);
    for (std::size_t i = 0; i < vertex_count; ++i) {
      VectorArray unit(vertex_count);
      for (int c = 0; c < 3; ++c) {
        unit[i] = {};
        unit[i][c] = 1.0;
        const VectorArray column = expected_product(stencils, unit);
        for (int r = 0; r < 3; ++r)
          EXPECT_NEAR(diagonal[9 * i + static_cast<std::size_t>(3 * c + r)], 3.0 * column[i][r], 1e-4);
      }
    }
  }
  matrix.clear();
  EXPECT_TRUE(matrix.is_zero());
  VectorArray out(vertex_count);
  matrix.add_product(threads, random_vectors(vertex_count, 5), out);
  EXPECT_EQ(norm(out), 0.0);
}

TEST(StencilMatrix, TakesOtherValuesForTheSameStencils) {
  Threads threads(1);
  StencilMatrix matrix;
  Stencils stencils = random_stencils(50, 3);
  matrix.assemble(threads, vertex_count, stencils.vertices, stencils.blocks);
  stencils.blocks = random_stencils(50, 4).blocks;
  matrix.assemble(threads, vertex_count, stencils.vertices, stencils.blocks);
  const VectorArray d = random_vectors(vertex_count, 5), expected = expected_product(stencils, d);
  VectorArray out(vertex_count);
  matrix.add_product(threads, d, out);
  EXPECT_LT(distance(out, expected), 1e-13 * norm(expected));
}

TEST(StencilRows, AddsVectorsByVertex) {
  Threads threads(1);
  const Stencils stencils = random_stencils(50, 6);
  StencilRows rows;
  rows.build(vertex_count, stencils.vertices);
  Random random(7);
  std::vector<StencilVectors> vectors(50);
  VectorArray expected(vertex_count), out(vertex_count);
  for (std::size_t s = 0; s < 50; ++s)
    for (std::size_t i = 0; i < 4; ++i) {
      vectors[s][i] = random.in_cube(1.0);
      if (stencils.vertices[s][i] != no_vertex)
        expected[static_cast<std::size_t>(stencils.vertices[s][i])] += 0.5 * vectors[s][i];
    }
  rows.add(threads, 0.5, vectors, out);
  EXPECT_LT(distance(out, expected), 1e-14 * norm(expected));
}

}  // namespace
}  // namespace electret::test
