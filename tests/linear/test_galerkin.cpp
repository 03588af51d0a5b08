// Galerkin products and transfers against dense ones, for every instruction set and number of threads.

#include <Eigen/Sparse>
#include <deque>

#include <gtest/gtest.h>

#include <electret/core/instruction_set.hpp>
#include <electret/linear/detail/galerkin_kernels.hpp>
#include <electret/linear/grid_levels.hpp>

#include "linear/block_problems.hpp"
#include "linear/scalar_problems.hpp"

namespace electret::test {
namespace {

using Sparse = Eigen::SparseMatrix<double>;

Sparse weights_of(const GridInterpolation& p) {
  std::vector<Eigen::Triplet<double>> entries;
  for (Index i = 0; i < p.rows; ++i)
    for (auto q = static_cast<std::size_t>(p.offsets[static_cast<std::size_t>(i)]);
         q < static_cast<std::size_t>(p.offsets[static_cast<std::size_t>(i) + 1]); ++q)
      for (Index k = 0; k < 3; ++k) entries.emplace_back(3 * i + k, 3 * p.nodes[q] + k, p.weights[q]);
  Sparse result(3 * p.rows, 3 * p.columns);
  result.setFromTriplets(entries.begin(), entries.end());
  return result;
}

TEST(GalerkinProduct, IsTheDenseProductForAnyNumberOfThreads) {
  for (const Network& network : networks()) {
    const BlockPattern pattern = network.pattern();
    const BlockMatrix matrix = spring_hessian(network, pattern, 100.0);
    std::vector<float> first;
    for (const int count : {1, 2, 3, 7}) {
      Threads threads(count);
      const GridLevels grids(pattern, network.rest, network.body_offsets, network.held());
      std::deque<BlockMatrix> levels{matrix};
      std::vector<float> values;
      for (int level = 0; level + 1 < grids.levels(); ++level) {
        const BlockMatrix& fine = levels.back();
        BlockMatrix coarse(grids.pattern(level + 1));
        for (int twice = 0; twice < 2; ++twice) grids.product(level).compute(threads, fine, coarse);
        values.insert(values.end(), coarse.values().begin(), coarse.values().end());
        const Sparse p = weights_of(grids.interpolation(level));
        const Eigen::MatrixXd expected = Sparse(p.transpose()) * Sparse(dense(fine).sparseView()) * p;
        if (count == 1) {
          EXPECT_LE((dense(coarse) - expected).norm(), 1e-6 * expected.norm()) << network.name;
        }
        levels.push_back(std::move(coarse));
      }
      if (count == 1) first = values;
      EXPECT_EQ(values, first) << network.name << " by " << count << " threads";
    }
  }
}

/// A P made by slabs that hold little of it at a time gives the same bits.
TEST(GalerkinProduct, IsTheSameSlabBySlab) {
  for (const Network& network : networks()) {
    const BlockPattern pattern = network.pattern();
    const BlockMatrix matrix = spring_hessian(network, pattern, 100.0);
    const GridLevels grids(pattern, network.rest, network.body_offsets, network.held());
    if (grids.levels() < 2) continue;
    Threads threads(2);
    std::vector<float> values[2];
    for (const Count slab : {Count{1}, GalerkinProduct::default_slab}) {
      GalerkinProduct product(pattern, grids.interpolation(0), slab);
      BlockMatrix coarse(product.pattern());
      for (int twice = 0; twice < 2; ++twice) product.compute(threads, matrix, coarse);
      values[slab == 1 ? 0 : 1].assign(coarse.values().begin(), coarse.values().end());
      EXPECT_EQ(product.slabs() > 1, slab == 1) << network.name;
    }
    EXPECT_EQ(values[0], values[1]) << network.name;
  }
}

struct PlainPlaces {
  std::vector<std::vector<Index>> rows;
  std::vector<Count> row_offsets{0}, offsets{0};
  std::vector<std::uint16_t> places;
};

PlainPlaces plain_places(const BlockPattern& a, const GridInterpolation& p) {
  PlainPlaces result;
  for (std::size_t i = 0; i < static_cast<std::size_t>(a.rows()); ++i) {
    std::vector<Index> met;
    for (int pass = 0; pass < 2; ++pass) {
      for (auto k = static_cast<std::size_t>(a.offsets()[i]);
           k < static_cast<std::size_t>(a.offsets()[i + 1]); ++k) {
        const auto j = static_cast<std::size_t>(a.columns()[k]);
        for (auto q = static_cast<std::size_t>(p.offsets[j]); q < static_cast<std::size_t>(p.offsets[j + 1]);
             ++q)
          if (pass == 0)
            met.push_back(p.nodes[q]);
          else
            result.places.push_back(static_cast<std::uint16_t>(
                std::lower_bound(met.begin(), met.end(), p.nodes[q]) - met.begin()));
      }
      std::sort(met.begin(), met.end());
      met.erase(std::unique(met.begin(), met.end()), met.end());
    }
    result.rows.push_back(met);
    result.row_offsets.push_back(result.row_offsets.back() + static_cast<Count>(met.size()));
    result.offsets.push_back(static_cast<Count>(result.places.size()));
  }
  return result;
}

TEST(GalerkinKernels, EveryInstructionSetMultipliesAsADenseMatrixDoes) {
  // A row of many blocks, too: more than are summed out of place.
  Network star = lattice(300, 1, 1);
  for (Index i = 2; i < 300; ++i) star.springs.push_back({0, i});
  for (const Network& network : {lattice(5, 4, 3), star}) {
    const BlockPattern pattern = network.pattern();
    const BlockMatrix matrix = spring_hessian(network, pattern, 10.0);
    const double scale = network.size() - 1.0;
    GridPoints points;
    for (const Vec3& x : network.rest) {
      points.places.push_back((1.0 / scale) * x);
      points.bodies.push_back(0);
    }
    const std::vector<GridCells> cells{{network.size() > 100 ? 299 : 20, 20, 20}};
    const GridInterpolation p = make_grid(points, cells).interpolation;
    const PlainPlaces half = plain_places(pattern, p);
    const Eigen::MatrixXd expected = dense(matrix) * weights_of(p);
    std::vector<const detail::GalerkinKernels*> sets{&detail::portable_galerkin_kernels};
#ifdef ELECTRET_HAS_AVX2
    if (is_supported(InstructionSet::avx2)) sets.push_back(&detail::avx2_galerkin_kernels);
#endif
    for (const auto* set : sets) {
      std::vector<float> b(9 * static_cast<std::size_t>(half.row_offsets.back()), 9.0F);
      set->half({pattern.offsets().data(), pattern.columns().data(), matrix.block(0)},
                {p.offsets.data(), p.nodes.data(), p.weights.data()},
                {half.offsets.data(), half.places.data(), half.row_offsets.data(), b.data()}, 0,
                pattern.rows());
      for (std::size_t i = 0; i < half.rows.size(); ++i)
        for (std::size_t k = 0; k < half.rows[i].size(); ++k)
          for (Index e = 0; e < 9; ++e)
            ASSERT_NEAR(
                b[9 * (static_cast<std::size_t>(half.row_offsets[i]) + k) + static_cast<std::size_t>(e)],
                expected(3 * static_cast<Index>(i) + e % 3, 3 * half.rows[i][k] + e / 3), 2e-3)
                << network.name;
    }
    GalerkinProduct product(pattern, p);
    BlockMatrix coarse(product.pattern());
    Threads threads(1);
    product.compute(threads, matrix, coarse);
    const Eigen::MatrixXd result = Sparse(weights_of(p).transpose()) * expected;
    EXPECT_LE((dense(coarse) - result).norm(), 1e-6 * result.norm()) << network.name;
    EXPECT_EQ((dense(coarse) - dense(coarse).transpose()).norm(), 0.0) << "symmetric to the last bit";
  }
}

TEST(GridInterpolation, RestrictsByTheTransposeOfWhatItProlongs) {
  const Network network = lattice(13, 12, 11);
  const BlockPattern pattern = network.pattern();
  const GridLevels grids(pattern, network.rest, network.body_offsets, {});
  const GridInterpolation& p = grids.interpolation(0);
  Threads threads(3);
  const auto fine = padded(random_vectors(static_cast<std::size_t>(p.rows), 50));
  const auto coarse = padded(random_vectors(static_cast<std::size_t>(p.columns), 51));
  std::vector<Padded32> restricted(coarse.size(), Padded32{{9, 9, 9, 0}}), prolonged(fine.size());
  p.restrict_to(threads, fine, restricted);
  p.add_prolonged(threads, coarse, prolonged);
  const double left = dense(unpadded(restricted)).dot(dense(unpadded(coarse)));
  const double right = dense(unpadded(fine)).dot(dense(unpadded(prolonged)));
  EXPECT_NEAR(left, right, 1e-4);
  EXPECT_LE((dense(unpadded(prolonged)) - weights_of(p) * dense(unpadded(coarse))).norm(), 1e-4);
}

}  // namespace
}  // namespace electret::test
