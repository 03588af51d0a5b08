// The coarsest level's direct solver against dense solves, and its order of rows.

#include <Eigen/Dense>

#include <gtest/gtest.h>

#include <electret/linear/detail/band_cholesky.hpp>

#include "linear/block_problems.hpp"
#include "linear/scalar_problems.hpp"

namespace electret::test {
namespace {

TEST(BandCholesky, SolvesWithHeldRowsLeftOut) {
  for (const Network& network : networks()) {
    if (network.size() > 350) continue;
    const BlockPattern pattern = network.pattern();
    const BlockMatrix matrix = spring_hessian(network, pattern, 10.0);
    const std::vector<char> held = network.held();
    detail::BandCholesky band(pattern, held);
    ASSERT_TRUE(band.factorise(matrix));
    const auto b = padded(random_vectors(network.rest.size(), 63));
    std::vector<Padded32> x(b.size(), Padded32{{9, 9, 9, 9}});
    band.solve(b, x);
    Eigen::MatrixXd a = dense(matrix);
    Eigen::VectorXd rhs = dense(unpadded(b));
    for (std::size_t i = 0; i < held.size(); ++i)
      for (int k = 0; k < 3 && held[i]; ++k) {
        const auto row = 3 * static_cast<Eigen::Index>(i) + k;
        a.row(row).setZero();
        a.col(row).setZero();
        a(row, row) = 1.0;
        rhs(row) = 0.0;
      }
    const Eigen::VectorXd expected = a.llt().solve(rhs);
    EXPECT_LE((dense(unpadded(x)) - expected).norm(), 1e-4 * (1e-9 + expected.norm())) << network.name;
    for (const Padded32& row : x) EXPECT_EQ(row.lane[3], 0.0F);
  }
}

TEST(BandCholesky, BoundsWhatIsSingularAndRefusesWhatIsIndefinite) {
  const Network network = lattice(4, 4, 4);
  const BlockPattern pattern = network.pattern();
  BlockMatrix matrix = spring_hessian(network, pattern, 10.0);
  // Without masses the rows sum to nothing: translations are free.
  for (std::size_t r = 0; r < network.rest.size(); ++r)
    for (int k = 0; k < 9; ++k) {
      double sum = 0.0;
      for (Count block = pattern.offsets()[r]; block < pattern.offsets()[r + 1]; ++block)
        if (block != pattern.diagonal()[r]) sum -= matrix.block(block)[k];
      matrix.block(pattern.diagonal()[r])[k] = static_cast<float>(sum);
    }
  detail::BandCholesky band(pattern, {});
  ASSERT_TRUE(band.factorise(matrix));
  // A right-hand side without a mean has a solution.
  VectorArray b = random_vectors(network.rest.size(), 64);
  Vec3 mean;
  for (const Vec3& v : b) mean += (1.0 / static_cast<double>(b.size())) * v;
  for (Vec3& v : b) v -= mean;
  const auto rhs = padded(b);
  std::vector<Padded32> x(rhs.size());
  band.solve(rhs, x);
  const Eigen::VectorXd rest = dense(unpadded(rhs)) - dense(matrix) * dense(unpadded(x));
  EXPECT_LE(rest.norm(), 1e-2 * dense(unpadded(rhs)).norm());
  Threads threads(1);
  matrix.add_diagonal(threads, std::vector<double>(b.size(), -0.1));
  EXPECT_FALSE(band.factorise(matrix));
}

TEST(NarrowOrder, ListsEachRowOnceAndKeepsNeighboursNear) {
  // A chain numbered at random, beside a lattice.
  std::mt19937_64 random(9);
  std::vector<Index> names(60);
  for (Index k = 0; k < 60; ++k) names[static_cast<std::size_t>(k)] = k;
  std::shuffle(names.begin(), names.end(), random);
  std::vector<Index> ends;
  for (std::size_t k = 0; k + 1 < 40; ++k) ends.insert(ends.end(), {names[k], names[k + 1]});
  const ElementList list{2, ends};
  const BlockPattern pattern = BlockPattern::of_elements(60, {&list, 1});
  std::vector<char> skipped(60, 0);
  skipped[static_cast<std::size_t>(names[50])] = 1;
  const std::vector<Index> order = detail::narrow_order(pattern, skipped);
  ASSERT_EQ(order.size(), 59u);
  std::vector<Index> place(60, -1);
  for (std::size_t k = 0; k < order.size(); ++k) {
    EXPECT_EQ(place[static_cast<std::size_t>(order[k])], -1);
    place[static_cast<std::size_t>(order[k])] = static_cast<Index>(k);
  }
  EXPECT_EQ(place[static_cast<std::size_t>(names[50])], -1);
  for (std::size_t k = 0; k + 1 < 40; ++k)
    EXPECT_EQ(
        std::abs(place[static_cast<std::size_t>(names[k])] - place[static_cast<std::size_t>(names[k + 1])]),
        1);
}

}  // namespace
}  // namespace electret::test
