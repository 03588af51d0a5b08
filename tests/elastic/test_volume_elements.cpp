// The kernels of hexahedra and tetrahedra, of every instruction set, against plain sums over points and
// corners.

#include "elastic/element_batch.hpp"

namespace electret::test {
namespace {

class VolumeElementsTest : public testing::TestWithParam<Case> {
 protected:
  [[nodiscard]] static const detail::VolumeKernels& all() { return *std::get<0>(GetParam()).kernels; }
  [[nodiscard]] static const detail::ElementKernels& kernels() {
    return std::get<1>(GetParam()) == hexahedron ? all().hexahedron : all().tetrahedron;
  }
  Elements elements{std::get<1>(GetParam()), std::get<2>(GetParam()), 11};
};

INSTANTIATE_TEST_SUITE_P(All, VolumeElementsTest, all_cases(), name_of_case);

TEST_P(VolumeElementsTest, GradientsAreSumsOverCorners) {
  std::vector<double> v(3 * elements.corners * width), found(9 * elements.points * width);
  for (double& number : v) number = elements.uniform();
  kernels().gradients(elements.batch(), v.data(), found.data());
  for (std::size_t l = 0; l < width; ++l)
    for (std::size_t q = 0; q < elements.points; ++q)
      for (std::size_t i = 0; i < 3; ++i)
        for (std::size_t j = 0; j < 3; ++j) {
          double sum = 0.0;
          for (std::size_t a = 0; a < elements.corners; ++a)
            sum += v[width * (3 * a + i) + l] * elements.slope(l, q, a)[static_cast<int>(j)];
          EXPECT_NEAR(found[width * (9 * q + 3 * i + j) + l], sum, 1e-12);
        }
}

TEST_P(VolumeElementsTest, ForcesAreSumsOverPoints) {
  std::vector<double> stresses(9 * elements.points * width), found(3 * elements.corners * width);
  for (double& number : stresses) number = elements.uniform();
  kernels().forces(elements.batch(), stresses.data(), found.data());
  for (std::size_t l = 0; l < width; ++l)
    for (std::size_t a = 0; a < elements.corners; ++a)
      for (std::size_t i = 0; i < 3; ++i) {
        double sum = 0.0;
        for (std::size_t q = 0; q < elements.points; ++q)
          for (std::size_t j = 0; j < 3; ++j)
            sum += elements.weight(l, q) * stresses[width * (9 * q + 3 * i + j) + l] *
                   elements.slope(l, q, a)[static_cast<int>(j)];
        EXPECT_NEAR(found[width * (3 * a + i) + l], sum, 1e-12);
      }
}

TEST_P(VolumeElementsTest, MatricesAreSumsOverPoints) {
  const std::size_t corners = elements.corners;
  alignas(64) float tangents[8 * detail::tangent_entries][width], found[36 * 9][width];
  for (std::size_t k = 0; k < elements.points * detail::tangent_entries; ++k)
    for (float& number : tangents[k]) number = static_cast<float>(elements.uniform());
  kernels().matrices(elements.batch(), tangents[0], found[0]);
  const auto tangent = [&](std::size_t l, std::size_t q, std::size_t ij, std::size_t kl) -> double {
    const std::size_t low = std::min(ij, kl), high = std::max(ij, kl);
    return tangents[q * detail::tangent_entries + low * (17 - low) / 2 + high][l];
  };
  for (std::size_t l = 0; l < width; ++l)
    for (std::size_t a = 0, block = 0; a < corners; ++a)
      for (std::size_t b = a; b < corners; ++b, ++block)
        for (std::size_t i = 0; i < 3; ++i)
          for (std::size_t k = 0; k < 3; ++k) {
            double sum = 0.0, size = 0.0;
            for (std::size_t q = 0; q < elements.points; ++q)
              for (std::size_t j = 0; j < 3; ++j)
                for (std::size_t m = 0; m < 3; ++m) {
                  const double part = elements.weight(l, q) * elements.slope(l, q, a)[static_cast<int>(j)] *
                                      elements.slope(l, q, b)[static_cast<int>(m)];
                  sum += part * tangent(l, q, 3 * i + j, 3 * k + m);
                  size += std::abs(part);
                }
            EXPECT_NEAR(found[9 * block + 3 * i + k][l], sum, 1e-6 * size) << a << b << " " << i << k;
          }
}

/// Every entry of symmetric tangents times the changes.
TEST_P(VolumeElementsTest, TangentsAreMultipliedEntryByEntry) {
  std::vector<double> tangents(elements.points * detail::tangent_entries * width),
      changes(9 * elements.points * width), found(changes.size());
  for (double& number : tangents) number = elements.uniform();
  for (double& number : changes) number = elements.uniform();
  all().multiply(static_cast<int>(elements.points), tangents.data(), changes.data(), found.data());
  for (std::size_t l = 0; l < width; ++l)
    for (std::size_t q = 0; q < elements.points; ++q)
      for (std::size_t ij = 0; ij < 9; ++ij) {
        double sum = 0.0;
        for (std::size_t kl = 0; kl < 9; ++kl) {
          const std::size_t low = std::min(ij, kl), high = std::max(ij, kl);
          sum += tangents[width * (q * detail::tangent_entries + low * (17 - low) / 2 + high) + l] *
                 changes[width * (9 * q + kl) + l];
        }
        EXPECT_NEAR(found[width * (9 * q + ij) + l], sum, 1e-13);
      }
}

/// (P:D) I - FᵀdP - DᵀP.
TEST_P(VolumeElementsTest, RestStressesAreWrittenOut) {
  std::vector<double> numbers[4], found(9 * elements.points * width);
  for (auto& of : numbers)
    for (std::size_t k = 0; k < found.size(); ++k) of.push_back(elements.uniform());
  const auto& [f, d, p, dp] = numbers;
  all().rest_stress(static_cast<int>(elements.points), f.data(), d.data(), p.data(), dp.data(), found.data());
  for (std::size_t l = 0; l < width; ++l)
    for (std::size_t q = 0; q < elements.points; ++q) {
      const auto at = [&](std::size_t i, std::size_t j) { return width * (9 * q + 3 * i + j) + l; };
      double product = 0.0;
      for (std::size_t k = 0; k < 9; ++k) product += p[at(0, k)] * d[at(0, k)];
      for (std::size_t i = 0; i < 3; ++i)
        for (std::size_t j = 0; j < 3; ++j) {
          double sum = i == j ? product : 0.0;
          for (std::size_t k = 0; k < 3; ++k) sum -= f[at(k, i)] * dp[at(k, j)] + d[at(k, i)] * p[at(k, j)];
          EXPECT_NEAR(found[at(i, j)], sum, 1e-13);
        }
    }
}

/// Random element matrices.
std::vector<float> random_blocks(Elements& elements) {
  std::vector<float> blocks(9 * elements.corners * (elements.corners + 1) / 2 * width);
  for (float& number : blocks) number = static_cast<float>(elements.uniform());
  return blocks;
}

/// Entry (i, j) of K_ab = K_baᵀ in a lane.
float entry(const std::vector<float>& blocks, std::size_t corners, std::size_t l, std::size_t a,
            std::size_t b, std::size_t i, std::size_t j) {
  if (a > b) return entry(blocks, corners, l, b, a, j, i);
  const std::size_t block = a * corners - a * (a + 1) / 2 + b;
  return blocks[width * (9 * block + 3 * i + j) + l];
}

TEST_P(VolumeElementsTest, ProductsAreSumsOverBlocks) {
  const std::size_t corners = elements.corners;
  const std::vector<float> blocks = random_blocks(elements);
  std::vector<float> d(3 * corners * width), found(d.size());
  for (float& number : d) number = static_cast<float>(elements.uniform());
  kernels().product(blocks.data(), d.data(), found.data());
  for (std::size_t l = 0; l < width; ++l)
    for (std::size_t a = 0; a < corners; ++a)
      for (std::size_t i = 0; i < 3; ++i) {
        double sum = 0.0;
        for (std::size_t b = 0; b < corners; ++b)
          for (std::size_t j = 0; j < 3; ++j)
            sum += double{entry(blocks, corners, l, a, b, i, j)} * double{d[width * (3 * b + j) + l]};
        EXPECT_NEAR(found[width * (3 * a + i) + l], sum, 1e-5);
      }
}

/// Some blocks of different elements have the same place, and the last elements have none.
TEST_P(VolumeElementsTest, AreScatteredToTheirBlocks) {
  const std::size_t corners = elements.corners, used = 5, pairs = corners * corners;
  const std::vector<float> blocks = random_blocks(elements);
  std::vector<std::vector<std::int32_t>> slots(width);
  const std::int32_t* pointers[width];
  for (std::size_t l = 0; l < width; ++l) {
    for (std::size_t k = 0; k < pairs; ++k)
      slots[l].push_back(static_cast<std::int32_t>((7 * k + l * 3) % (pairs + 20)));
    pointers[l] = slots[l].data();
  }
  std::vector<float> found(9 * (pairs + 20) + 16, 2.0F);
  std::vector<double> expected(found.begin(), found.end());
  kernels().scatter(blocks.data(), pointers, static_cast<int>(used), 1.5F, found.data());
  for (std::size_t l = 0; l < used; ++l)
    for (std::size_t a = 0; a < corners; ++a)
      for (std::size_t b = 0; b < corners; ++b)
        for (std::size_t i = 0; i < 3; ++i)
          for (std::size_t j = 0; j < 3; ++j)
            expected[9 * static_cast<std::size_t>(slots[l][corners * a + b]) + 3 * j + i] +=
                1.5 * double{entry(blocks, corners, l, a, b, i, j)};
  for (std::size_t k = 0; k < found.size(); ++k) EXPECT_NEAR(found[k], expected[k], 1e-5) << k;
}

TEST_P(VolumeElementsTest, AreAddedToNeighbouringRowsOfALattice) {
  const std::size_t corners = elements.corners, count = corners * (corners + 1) / 2, stride = 40 * 8;
  const std::vector<float> blocks = random_blocks(elements);
  std::vector<float> found(9 * stride, 2.0F);
  std::vector<double> expected(found.begin(), found.end());
  std::vector<detail::LatticePlace> places;
  for (std::size_t k = 0, a = 0; a < corners; ++a)
    for (std::size_t b = a; b < corners; ++b, ++k) {
      const std::size_t first = (11 * k) % (stride - width);  // overlap
      const bool transposed = k % 3 == 1;
      places.push_back({found.data() + first, transposed});
      for (std::size_t l = 0; l < width; ++l)
        for (std::size_t i = 0; i < 3; ++i)
          for (std::size_t j = 0; j < 3; ++j)
            expected[(3 * i + j) * stride + first + l] +=
                0.5 * double{transposed ? entry(blocks, corners, l, a, b, j, i)
                                        : entry(blocks, corners, l, a, b, i, j)};
    }
  ASSERT_EQ(places.size(), count);
  kernels().add_to_lattice(blocks.data(), places.data(), static_cast<std::int64_t>(stride), 0.5F);
  for (std::size_t k = 0; k < found.size(); ++k) EXPECT_NEAR(found[k], expected[k], 1e-5) << k;
}

}  // namespace
}  // namespace electret::test
