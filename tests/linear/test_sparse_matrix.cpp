#include <electret/core/errors.hpp>
#include <electret/linear/incidence.hpp>

#include "linear/scalar_problems.hpp"

namespace electret::test {
namespace {

TEST(SparseMatrixBuilder, SortsColumnsAndSumsDuplicatesInTheirOrder) {
  SparseMatrixBuilder builder(3);
  builder.add(2, 0, 1.0);
  builder.add(0, 2, 1e16);
  builder.add(0, 1, 5.0);
  builder.add(0, 2, 1.0);
  builder.add(0, 2, -1e16);
  const SparseMatrix matrix = builder.build();
  EXPECT_EQ(matrix.rows, 3);
  EXPECT_EQ(matrix.offsets, (std::vector<Count>{0, 2, 2, 3}));
  EXPECT_EQ(matrix.columns, (std::vector<Index>{1, 2, 0}));
  EXPECT_EQ(matrix.values, (std::vector<double>{5.0, (1e16 + 1.0) - 1e16, 1.0}));
}

TEST(SparseMatrixBuilder, RejectsEntriesOutside) {
  SparseMatrixBuilder builder(2);
  EXPECT_THROW(builder.add(2, 0, 1.0), InternalError);
  EXPECT_THROW(builder.add(0, -1, 1.0), InternalError);
  EXPECT_THROW(SparseMatrixBuilder(-1), InternalError);
}

TEST(SparseMatrix, MultipliesEveryRow) {
  const SparseMatrix matrix = spring_matrix(2500, lattice_pairs(50, 50, 1, 1), 3.0);
  const VectorArray x = random_vectors(2500, 1);
  VectorArray expected(2500), product(2500, Vec3{1, 1, 1});
  for (std::size_t i = 0; i < 2500; ++i)
    for (Count k = matrix.offsets[i]; k < matrix.offsets[i + 1]; ++k)
      expected[i] += matrix.values[static_cast<std::size_t>(k)] *
                     x[static_cast<std::size_t>(matrix.columns[static_cast<std::size_t>(k)])];
  for (const int count : {1, 2, 7}) {
    Threads threads(count);
    matrix.multiply(threads, x, product);
    EXPECT_EQ(product, expected);
  }
  Threads threads(1);
  VectorArray wrong(3);
  EXPECT_THROW(matrix.multiply(threads, x, wrong), InternalError);
}

TEST(Incidence, ListsEachVertexsSlotsAscending) {
  const std::vector<Index> connectivity{0, 2, 2, 3, 0, 3};
  const Incidence incidence(4, connectivity);
  const auto slots = [&](Count v) { return std::vector<Count>(incidence[v].begin(), incidence[v].end()); };
  EXPECT_EQ(slots(0), (std::vector<Count>{0, 4}));
  EXPECT_EQ(slots(1), (std::vector<Count>{}));
  EXPECT_EQ(slots(2), (std::vector<Count>{1, 2}));
  EXPECT_EQ(slots(3), (std::vector<Count>{3, 5}));
  EXPECT_THROW(Incidence(3, connectivity), InternalError);
  EXPECT_THROW(Incidence(4, std::vector<Index>{-1}), InternalError);
}

}  // namespace
}  // namespace electret::test
