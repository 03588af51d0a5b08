// Lattices: which vertices lie on one; products, Galerkin matrices and cycles against dense ones.

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cstring>
#include <map>
#include <numeric>

#include <gtest/gtest.h>

#include <electret/core/errors.hpp>
#include <electret/core/instruction_set.hpp>
#include <electret/linear/block_system.hpp>
#include <electret/linear/detail/lattice_kernels.hpp>
#include <electret/linear/detail/lattice_transfer.hpp>
#include <electret/linear/lattice_multigrid.hpp>
#include <electret/linear/multigrid.hpp>

#include "linear/block_problems.hpp"
#include "linear/scalar_problems.hpp"
#include "support/allocation_counter.hpp"

namespace electret::test {
namespace {

using Place = std::array<int, 3>;

/// Vertices on a grid in a random order and the hexahedra between them, springs to all neighbours; without
/// the vertices that `leave_out` names.
struct Grid {
  Network network;
  std::vector<Index> hexahedra;
  template <class LeaveOut>
  Grid(const Place& nodes, LeaveOut&& leave_out) {
    std::vector<Place> places;
    for (int x = 0; x < nodes[0]; ++x)
      for (int y = 0; y < nodes[1]; ++y)
        for (int z = 0; z < nodes[2]; ++z)
          if (!leave_out(Place{x, y, z})) places.push_back({x, y, z});
    std::shuffle(places.begin(), places.end(), std::mt19937(5));
    std::map<Place, Index> vertex;
    for (const Place& p : places) {
      vertex[p] = network.size();
      // In a rotated and stretched frame.
      network.rest.push_back(Vec3{1, 2, 3} + static_cast<double>(p[0]) * Vec3{0.6, 0.8, 0.0} +
                             static_cast<double>(p[1]) * Vec3{-0.88, 0.66, 0.0} +
                             static_cast<double>(p[2]) * Vec3{0.0, 0.0, 1.05});
    }
    network.name = "grid";
    network.body_offsets = {0, network.size()};
    constexpr Place corners[8] = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0},
                                  {0, 0, 1}, {1, 0, 1}, {1, 1, 1}, {0, 1, 1}};
    for (const auto& [place, from] : vertex) {
      std::vector<Index> cell;
      for (const Place& c : corners) {
        const auto found = vertex.find({place[0] + c[0], place[1] + c[1], place[2] + c[2]});
        if (found != vertex.end()) cell.push_back(found->second);
      }
      if (cell.size() == 8) hexahedra.insert(hexahedra.end(), cell.begin(), cell.end());
      for (int code = 1; code <= 13; ++code) {
        const auto found = vertex.find({place[0] + (code + 13) / 9 - 1, place[1] + (code + 13) / 3 % 3 - 1,
                                        place[2] + (code + 13) % 3 - 1});
        if (found != vertex.end()) network.springs.push_back({from, found->second});
      }
    }
  }
  explicit Grid(const Place& nodes) : Grid(nodes, [](const Place&) { return false; }) {}

  [[nodiscard]] std::vector<ElementList> lists() const { return {{8, hexahedra}}; }
  [[nodiscard]] std::optional<Lattice> lattice() const { return find_lattice(network.rest, lists()); }
};

bool is_corner(const Place& p) {
  return p[0] > 3 && p[1] > 2;
}

bool same_bits(const std::vector<Padded32>& a, const std::vector<Padded32>& b) {
  return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(a[0])) == 0;
}

struct Made {
  Made(const Grid& grid, int count, double stiffness = 100.0)
      : threads(count),
        held(grid.network.held()),
        lattice(*grid.lattice()),
        pattern(grid.network.pattern()),
        matrix(spring_hessian(grid.network, pattern, stiffness)),
        multigrid(lattice, held, threads) {}

  Threads threads;
  std::vector<char> held;
  Lattice lattice;
  BlockPattern pattern;
  BlockMatrix matrix;
  LatticeMultigrid multigrid;
};

/// In the order of the numbers of the lattice.
Eigen::MatrixXd dense_lattice(const LatticeMatrix& a) {
  const auto n = static_cast<Eigen::Index>(a.shape().size());
  Eigen::MatrixXd result = Eigen::MatrixXd::Zero(3 * n, 3 * n);
  for (Index i = 0; i < n; ++i)
    for (int code = 0; code < LatticeMatrix::codes; ++code)
      for (int k = 0; k < 9; ++k) {
        const double value = a.entry(code, k)[i];
        const Index j = i + a.shape().offset(code);
        if (value == 0.0) continue;
        result(3 * i + k / 3, 3 * j + k % 3) = value;
        if (code > 0) result(3 * j + k % 3, 3 * i + k / 3) = value;
      }
  return result;
}

TEST(Lattice, IsFoundInAnyRotationAndOrder) {
  const Grid grid({9, 4, 5});
  const auto lattice = grid.lattice();
  ASSERT_TRUE(lattice);
  // Lines of eight cells, or the middle number of nodes.
  EXPECT_EQ(lattice->shape.nodes(2), 9);
  std::vector<Index> sorted = lattice->numbers;
  std::sort(sorted.begin(), sorted.end());
  EXPECT_EQ(sorted, lattice->shape.numbers());
  const BlockPattern pattern = grid.network.pattern();
  for (Index row = 0; row < pattern.rows(); ++row)
    for (Count k = pattern.offsets()[row]; k < pattern.offsets()[row + 1]; ++k) {
      const Index from = lattice->numbers[row], to = lattice->numbers[pattern.columns()[k]];
      const int code = lattice->shape.code(from, to);
      EXPECT_LE(std::abs(code), 13);
      EXPECT_EQ(from + lattice->shape.offset(code), to);
    }
}

TEST(Lattice, OfVoxelsHasEmptyNodes) {
  const Grid grid({7, 6, 5}, is_corner);
  const auto lattice = grid.lattice();
  ASSERT_TRUE(lattice);
  EXPECT_LT(static_cast<Count>(lattice->numbers.size()), Count{7 * 6 * 5});
}

TEST(Lattice, IsNotFoundWhereThereIsNone) {
  Grid moved({5, 5, 5});
  moved.network.rest[17] = moved.network.rest[17] + Vec3{0.0, 0.0, 0.4};
  EXPECT_FALSE(moved.lattice()) << "a vertex between nodes";
  Grid joined({5, 5, 5});
  joined.hexahedra[0] = joined.hexahedra.back();
  EXPECT_FALSE(joined.lattice()) << "an element across the grid";
  const Grid sparse({9, 9, 9}, [](const Place& p) { return p[0] > 1 && p[1] > 1; });
  EXPECT_FALSE(sparse.lattice()) << "mostly empty";
  EXPECT_FALSE(find_lattice(sparse.network.rest, {})) << "no elements";
  const std::vector<Index> springs = {0, 1, 1, 2};
  EXPECT_FALSE(find_lattice(sparse.network.rest, std::vector<ElementList>{{2, springs}})) << "of a line";
}

TEST(LatticeMatrix, ProductsAreTheBlockMatrixs) {
  for (const Place nodes : {Place{5, 4, 6}, {2, 3, 2}, {17, 9, 4}}) {
    Grid grid(nodes);
    grid.network.pins = {0, 5};
    Made made(grid, 2);
    static_cast<void>(made.multigrid.refresh(made.matrix, made.held));
    auto x = padded(random_vectors(grid.network.rest.size(), 3));
    std::vector<Padded32> y(x.size(), Padded32{{9, 9, 9, 9}}), expected(x.size());
    made.multigrid.multiply(made.multigrid.matrix(), x, y);
    for (const Index pin : grid.network.pins) x[pin] = {};
    made.matrix.multiply(made.threads, x, expected);
    for (const Index pin : grid.network.pins) expected[pin] = {};
    const Eigen::VectorXd wanted = dense(unpadded(expected));
    EXPECT_LE((dense(unpadded(y)) - wanted).norm(), 1e-6 * wanted.norm());
    EXPECT_EQ(y[3].lane[3], 0.0F);
  }
}

/// Every column of P by prolonging unit vectors.
Eigen::MatrixXd dense_transfer(const detail::LatticeTransfer& transfer, const LatticeShape& fine,
                               Threads& threads) {
  Eigen::MatrixXd p = Eigen::MatrixXd::Zero(3 * fine.size(), 3 * transfer.coarse().size());
  for (const Index node : transfer.coarse().numbers())
    for (int c = 0; c < 3; ++c) {
      LatticeVector x(transfer.coarse()), y(fine);
      x.axis(c)[node] = 1.0F;
      transfer.add_prolonged(threads, x, y);
      for (int k = 0; k < 3; ++k)
        for (Index i = 0; i < fine.size(); ++i) p(3 * i + k, 3 * node + c) = y.axis(k)[i];
    }
  return p;
}

TEST(LatticeTransfer, MakesGalerkinMatricesAndTransposes) {
  for (const Place nodes : {Place{5, 4, 6}, {2, 7, 3}, {8, 2, 5}, {3, 5, 2}}) {
    const Grid grid(nodes);
    Made made(grid, 1);
    ASSERT_TRUE(made.multigrid.refresh(made.matrix, made.held));
    const LatticeMatrix& fine = made.multigrid.matrix();
    detail::LatticeTransfer transfer(fine.shape());
    LatticeMatrix coarse(transfer.coarse());
    transfer.compute(made.threads, fine, coarse);
    const Eigen::MatrixXd p = dense_transfer(transfer, fine.shape(), made.threads);
    for (const Index node : fine.shape().numbers()) EXPECT_GE(p.row(3 * node).sum(), 0.25);
    const Eigen::MatrixXd expected = p.transpose() * dense_lattice(fine) * p;
    EXPECT_LE((dense_lattice(coarse) - expected).norm(), 1e-6 * expected.norm());
    LatticeVector x(fine.shape()), y(transfer.coarse());
    Eigen::VectorXd of_x = Eigen::VectorXd::Zero(p.rows()), of_y(p.cols());
    std::mt19937 bits(3);
    for (const Index node : fine.shape().numbers())
      for (int c = 0; c < 3; ++c)
        of_x(3 * node + c) = x.axis(c)[node] = std::uniform_real_distribution<float>(-1, 1)(bits);
    transfer.restrict_to(made.threads, x, y);
    for (Index i = 0; i < transfer.coarse().size(); ++i)
      for (int c = 0; c < 3; ++c) of_y(3 * i + c) = y.axis(c)[i];
    EXPECT_LE((of_y - p.transpose() * of_x).norm(), 1e-6 * of_y.norm());
  }
}

TEST(LatticeMultigrid, IsSymmetricPositiveDefiniteAndNearTheInverse) {
  Grid voxels({8, 6, 5}, is_corner);
  voxels.network.pins = {0, 1, 2, 3, 4, 5, 20};
  for (const Grid& grid : {Grid({7, 6, 5}), Grid({6, 6, 4}), voxels}) {
    Made made(grid, 1);
    ASSERT_TRUE(made.multigrid.refresh(made.matrix, made.held));
    ASSERT_GT(made.multigrid.levels(), 1);
    const std::size_t n = grid.network.rest.size();
    std::vector<Eigen::Index> free;
    Eigen::MatrixXd b(3 * n, 3 * n);
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t k = 0; k < 3; ++k) {
        if (!made.held[i]) free.push_back(static_cast<Eigen::Index>(3 * i + k));
        std::vector<Padded32> r(n), z(n, Padded32{{9, 9, 9, 9}});
        r[i].lane[k] = 1.0F;
        made.multigrid.apply(r, z);
        b.col(static_cast<Eigen::Index>(3 * i + k)) = dense(unpadded(z));
        for (std::size_t j = 0; j < n; ++j) {
          ASSERT_EQ(z[j].lane[3], 0.0F);
          if (made.held[j]) {
            ASSERT_EQ(norm(electret::unpadded(z[j])), 0.0);
          }
        }
      }
    const Eigen::MatrixXd inverse = b(free, free);
    EXPECT_LE((inverse - inverse.transpose()).norm(), 1e-5 * inverse.norm());
    const Eigen::MatrixXd l = dense(made.matrix)(free, free).llt().matrixL();
    const Eigen::MatrixXd symmetric = 0.5 * (inverse + inverse.transpose());
    const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> spectrum(l.transpose() * symmetric * l);
    EXPECT_GT(spectrum.eigenvalues().minCoeff(), 0.08);
    EXPECT_LT(spectrum.eigenvalues().maxCoeff(), 1.3);
  }
}

int iterations(Made& made, const Network& network) {
  EXPECT_TRUE(made.multigrid.refresh(made.matrix, made.held));
  AssembledOperator map(made.matrix, made.threads);
  BlockSystem system(map, made.multigrid, made.threads);
  const VectorArray rhs = random_vectors(network.rest.size(), 40);
  VectorArray solution(rhs.size());
  const SolveReport report = system.solve(rhs, {.tolerance = 1e-4}, solution);
  EXPECT_TRUE(report.converged);
  EXPECT_EQ(report.method, "cg");
  return report.iterations;
}

TEST(LatticeMultigrid, IterationsDoNotGrowWithTheNumberOfVertices) {
  int least = 1000, most = 0;
  for (const int n : {8, 16, 25}) {
    const Grid grid({n, n, n});
    Made made(grid, 2, 1000.0);
    const int count = iterations(made, grid.network);
    least = std::min(least, count), most = std::max(most, count);
  }
  EXPECT_LE(most, 12);
  EXPECT_LE(most, least + 3);
}

TEST(LatticeMultigrid, HasTheSameBitsForAnyNumberOfThreadsAndWhateverCameBefore) {
  Grid grid({17, 14, 11});
  grid.network.pins = {0, 5, 100};
  const auto r = padded(random_vectors(grid.network.rest.size(), 60));
  std::vector<Padded32> first, first_product;
  for (const int count : {1, 2, 7}) {
    Made made(grid, count);
    std::vector<Padded32> z(r.size()), product(r.size());
    if (count > 1) {
      const BlockMatrix other = spring_hessian(grid.network, made.pattern, 3.0);
      ASSERT_TRUE(made.multigrid.refresh(other, made.held));
      made.multigrid.apply(r, z);
    }
    ASSERT_TRUE(made.multigrid.refresh(made.matrix, made.held));
    made.multigrid.multiply(made.multigrid.matrix(), r, product);
    made.multigrid.apply(r, z);
    if (first.empty()) first = z, first_product = product;
    EXPECT_TRUE(same_bits(z, first)) << count << " threads";
    EXPECT_TRUE(same_bits(product, first_product)) << count << " threads";
  }
}

/// Of another matrix, whose eigenvalues are not its own.
TEST(LatticeMultigrid, KeepsEigenvaluesOnlyIfTold) {
  const Grid grid({12, 12, 12});
  Made made(grid, 1);
  const auto r = padded(random_vectors(grid.network.rest.size(), 63));
  std::vector<Padded32> own(r.size()), kept(r.size()), estimated(r.size());
  ASSERT_TRUE(made.multigrid.refresh(made.matrix, made.held));
  made.multigrid.apply(r, own);
  const LatticeMatrix matrix = made.multigrid.matrix();
  ASSERT_TRUE(made.multigrid.refresh(spring_hessian(grid.network, made.pattern, 3.0), made.held));
  for (const bool keeps : {true, false}) {
    made.multigrid.matrix() = matrix;
    ASSERT_TRUE(made.multigrid.refresh(keeps));
    made.multigrid.apply(r, keeps ? kept : estimated);
  }
  EXPECT_FALSE(same_bits(kept, own));
  EXPECT_TRUE(same_bits(estimated, own));
}

TEST(LatticeMultigrid, SaysWhenTheMatrixIsNotPositiveDefinite) {
  const Grid grid({9, 9, 9});
  Made made(grid, 1, 10.0);
  made.matrix.add_diagonal(made.threads, std::vector<double>(grid.network.rest.size(), -4.0));
  EXPECT_FALSE(made.multigrid.refresh(made.matrix, made.held)) << "what is smooth is negative";
  made.matrix.add_diagonal(made.threads, std::vector<double>(grid.network.rest.size(), 4.0));
  EXPECT_TRUE(made.multigrid.refresh(made.matrix, made.held)) << "it recovers";
  made.matrix.block(made.pattern.diagonal()[5])[0] = std::nanf("");
  EXPECT_FALSE(made.multigrid.refresh(made.matrix, made.held));
  std::vector<char> other = made.held;
  other[3] = 1;
  EXPECT_THROW(static_cast<void>(made.multigrid.refresh(made.matrix, other)), InternalError);
}

TEST(LatticeMultigrid, AllocatesNothingAfterTheFirstRefresh) {
  const Grid grid({12, 12, 12});
  Made made(grid, 1);
  const auto r = padded(random_vectors(grid.network.rest.size(), 62));
  std::vector<Padded32> z(r.size());
  ASSERT_TRUE(made.multigrid.refresh(made.matrix, made.held));
  made.multigrid.apply(r, z);
  const AllocationCounter counter;
  EXPECT_TRUE(made.multigrid.refresh());
  made.multigrid.apply(r, z);
  made.multigrid.multiply(made.multigrid.matrix(), r, z);
  EXPECT_EQ(counter.count(), 0);
}

#ifdef ELECTRET_HAS_AVX2
TEST(LatticeKernels, AreThePortableOnes) {
  if (!is_supported(InstructionSet::avx2)) GTEST_SKIP() << "no AVX2";
  const LatticeShape shape({9, 7, 6});
  LatticeMatrix a(shape);
  LatticeVector b(shape), x(shape);
  std::mt19937 bits(9);
  std::uniform_real_distribution<float> uniform(-1, 1);
  for (const Index i : shape.numbers()) {
    for (int code = 0; code < LatticeMatrix::codes; ++code)
      for (int k = 0; k < 9; ++k) a.entry(code, k)[i] = uniform(bits);
    for (int c = 0; c < 3; ++c) b.axis(c)[i] = uniform(bits), x.axis(c)[i] = uniform(bits);
  }
  detail::LatticeRows rows{a.entry(0, 0), a.stride(), {}};
  for (int code = 0; code < LatticeMatrix::codes; ++code) rows.offsets[code] = shape.offset(code);
  const Count size = shape.size();
  std::vector<float> inverses(static_cast<std::size_t>(6 * (size + 32)));
  for (float& value : inverses) value = uniform(bits);
  const auto results = [&](const detail::LatticeKernels& kernels) {
    std::vector<LatticeVector> out(7, LatticeVector(shape));
    const auto to = [&](std::size_t k) { return detail::LatticeOutput{out[k].axis(0), out[k].stride()}; };
    const detail::LatticeInput rhs{b.axis(0), b.stride()}, in{x.axis(0), x.stride()};
    const detail::LatticeInverses d{inverses.data(), size + 32};
    kernels.multiply(rows, 5, size - 3, in, to(0));
    kernels.residual(rows, 5, size - 3, rhs, in, to(1));
    kernels.scale(d, 0.7F, 5, size - 3, rhs, to(2));
    kernels.correction(rows, d, 0.7F, 5, size - 3, rhs, in, to(3), to(4));
    out[5] = b;
    kernels.smooth(rows, d, 0.3F, 0.7F, false, 5, size - 3, rhs, in, to(5));
    const float weights[3] = {0.5F, 1.0F, 0.25F};
    const float* terms[3] = {b.axis(0), b.axis(1), x.axis(0) + 1};
    kernels.combine(3, weights, terms, 5, 4, 21, 30, out[6].axis(0));
    return out;
  };
  const auto fast = results(detail::avx2_lattice_kernels), slow = results(detail::portable_lattice_kernels);
  for (std::size_t k = 0; k < fast.size(); ++k)
    for (int c = 0; c < 3; ++c)
      for (Count i = 0; i < size; ++i)
        EXPECT_NEAR(fast[k].axis(c)[i], slow[k].axis(c)[i], 1e-4) << k << " " << c << " " << i;
}
#endif

}  // namespace
}  // namespace electret::test
