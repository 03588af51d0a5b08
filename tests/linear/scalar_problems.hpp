#pragma once
// The matrices every prefactored system is tried on, and a dense reference to compare with.

#include <random>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <electret/linear/sparse_matrix.hpp>

#include "support/random.hpp"

namespace electret::test {

struct Problem {
  std::string name;
  SparseMatrix matrix;
  std::vector<Index> pins;
};

/// M + aL of springs of random stiffness along `pairs`; masses 1 … 2.
inline SparseMatrix spring_matrix(Index n, const std::vector<Edge>& pairs, double a) {
  std::mt19937_64 random(7);
  std::uniform_real_distribution<double> uniform(0.5, 2.0);
  SparseMatrixBuilder builder(n);
  for (Index i = 0; i < n; ++i) builder.add(i, i, 1.0 + 0.5 * uniform(random));
  for (const Edge& e : pairs) {
    const double k = a * uniform(random);
    builder.add(e[0], e[0], k);
    builder.add(e[1], e[1], k);
    builder.add(e[0], e[1], -k);
    builder.add(e[1], e[0], -k);
  }
  return builder.build();
}

/// Neighbours within `reach` steps along every axis of an a×b×c lattice.
inline std::vector<Edge> lattice_pairs(Index a, Index b, Index c, Index reach) {
  std::vector<Edge> pairs;
  const auto number = [=](Index x, Index y, Index z) { return x + a * (y + b * z); };
  for (Index z = 0; z < c; ++z)
    for (Index y = 0; y < b; ++y)
      for (Index x = 0; x < a; ++x)
        for (Index dz = 0; dz <= reach; ++dz)
          for (Index dy = -reach; dy <= reach; ++dy)
            for (Index dx = -reach; dx <= reach; ++dx) {
              const bool later = dz > 0 || (dz == 0 && (dy > 0 || (dy == 0 && dx > 0)));
              const Index u = x + dx, v = y + dy, w = z + dz;
              if (later && u >= 0 && u < a && v >= 0 && v < b && w < c)
                pairs.push_back({number(x, y, z), number(u, v, w)});
            }
  return pairs;
}

inline std::vector<Problem> problems() {
  const auto every_pair = lattice_pairs(6, 6, 4, 9);
  return {
      {"empty", spring_matrix(0, {}, 1.0), {}},
      {"one", spring_matrix(1, {}, 1.0), {}},
      {"one_pinned", spring_matrix(1, {}, 1.0), {0}},
      {"two_apart", spring_matrix(2, {}, 1.0), {}},
      {"pair_half_pinned", spring_matrix(2, {{0, 1}}, 10.0), {1}},
      {"chain", spring_matrix(57, lattice_pairs(57, 1, 1, 1), 100.0), {0, 30}},
      {"cloth", spring_matrix(420, lattice_pairs(21, 20, 1, 1), 50.0), {0, 20}},
      {"cloth_free", spring_matrix(961, lattice_pairs(31, 31, 1, 1), 1000.0), {}},
      {"lattice", spring_matrix(343, lattice_pairs(7, 7, 7, 1), 10.0), {3, 4, 5, 342}},
      {"dense", spring_matrix(144, every_pair, 0.1), {}},
      {"all_pinned", spring_matrix(9, lattice_pairs(3, 3, 1, 1), 1.0), {0, 1, 2, 3, 4, 5, 6, 7, 8}},
  };
}

/// Gauss-Jordan elimination with the pins' rows replaced by δ = 0: plain and slow.
inline VectorArray dense_solution(const Problem& problem, const VectorArray& rhs) {
  const auto n = static_cast<std::size_t>(problem.matrix.rows);
  std::vector<std::vector<double>> a(n, std::vector<double>(n, 0.0));
  VectorArray b = rhs;
  for (std::size_t i = 0; i < n; ++i)
    for (Count k = problem.matrix.offsets[i]; k < problem.matrix.offsets[i + 1]; ++k)
      a[i][static_cast<std::size_t>(problem.matrix.columns[static_cast<std::size_t>(k)])] =
          problem.matrix.values[static_cast<std::size_t>(k)];
  for (const Index pin : problem.pins) {
    const auto p = static_cast<std::size_t>(pin);
    a[p].assign(n, 0.0);
    a[p][p] = 1.0;
    b[p] = Vec3{};
  }
  for (std::size_t c = 0; c < n; ++c) {
    for (std::size_t r = 0; r < n; ++r) {
      if (r == c || a[r][c] == 0.0) continue;
      const double factor = a[r][c] / a[c][c];
      for (std::size_t k = c; k < n; ++k) a[r][k] -= factor * a[c][k];
      b[r] -= factor * b[c];
    }
  }
  for (std::size_t i = 0; i < n; ++i) b[i] *= 1.0 / a[i][i];
  return b;
}

}  // namespace electret::test
