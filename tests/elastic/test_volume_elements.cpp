// The kernels of hexahedra and tetrahedra, of every instruction set, against plain sums over points and
// corners.

#include <random>

#include <gtest/gtest.h>

#include <electret/elastic/detail/volume_kernels.hpp>
#include <electret/elastic/element_block.hpp>
#include <electret/elastic/rest_shape.hpp>

#include "elastic/instruction_sets.hpp"

namespace electret::test {
namespace {

constexpr std::size_t width = 8;

/// Where the elements of a test lie.
enum class Place { along_axes, rotated, distorted };

/// Eight elements with random numbers at their points.
struct Elements {
  Elements(ElementType type, Place place, unsigned seed)
      : random(seed), corners(static_cast<std::size_t>(vertices_per_element(type))) {
    static constexpr std::array<Vec3, 8> cube = {Vec3{0, 0, 0}, Vec3{1, 0, 0}, Vec3{1, 1, 0}, Vec3{0, 1, 0},
                                                 Vec3{0, 0, 1}, Vec3{1, 0, 1}, Vec3{1, 1, 1}, Vec3{0, 1, 1}};
    static constexpr std::array<Vec3, 4> simplex = {Vec3{0, 0, 0}, Vec3{1, 0, 0}, Vec3{0, 1, 0},
                                                    Vec3{0, 0, 1}};
    std::vector<Index> connectivity;
    for (std::size_t k = 0; k < width * corners; ++k) {
      const Vec3 c = type == ElementType::hexahedron ? cube[k % corners] : simplex[k % corners];
      const double size = 0.5 + 0.1 * static_cast<double>(k / corners);
      Vec3 x{size * c.x, 0.7 * c.y, 0.8 * c.z};
      if (place != Place::along_axes) x = {0.6 * x.x - 0.8 * x.y, 0.8 * x.x + 0.6 * x.y + 0.2 * x.z, x.z};
      if (place == Place::distorted) x += 0.05 * Vec3{uniform(), uniform(), uniform()};
      rest.push_back(x);
      connectivity.push_back(static_cast<Index>(k));
    }
    block.emplace(type, static_cast<Index>(rest.size()), connectivity);
    shape.emplace(*block, rest);
    points = shape->points();
  }
  double uniform() { return std::uniform_real_distribution<double>(-1.0, 1.0)(random); }
  [[nodiscard]] detail::BatchShape batch() const { return {shape->batch(0), shape->batch_stride()}; }
  /// w and G_a at a point of the element in a lane.
  [[nodiscard]] double weight(std::size_t l, std::size_t q) const { return shape->weight(element(l), q); }
  [[nodiscard]] Vec3 slope(std::size_t l, std::size_t q, std::size_t a) const {
    const Mat3 inverse = shape->inverse(element(l), q);
    const Vec3 of = shape->slopes(q)[a];
    return of.x * inverse.rows[0] + of.y * inverse.rows[1] + of.z * inverse.rows[2];
  }
  [[nodiscard]] Index element(std::size_t l) const { return shape->batches().elements(0)[l]; }

  std::mt19937 random;
  std::size_t corners, points = 0;
  VectorArray rest;
  std::optional<ElementBlock> block;
  std::optional<RestShape> shape;
};

using Case = std::tuple<InstructionSet, ElementType, Place>;

class VolumeElementsTest : public testing::TestWithParam<Case> {
 protected:
  [[nodiscard]] const detail::ElementKernels& kernels() const {
    const detail::VolumeKernels& all = *std::get<0>(GetParam()).kernels;
    return std::get<1>(GetParam()) == ElementType::hexahedron ? all.hexahedron : all.tetrahedron;
  }
  Elements elements{std::get<1>(GetParam()), std::get<2>(GetParam()), 11};
};

std::string name_of(const testing::TestParamInfo<Case>& info) {
  const auto [set, type, place] = info.param;
  return std::string(set.name) + (type == ElementType::hexahedron ? "_hexahedra" : "_tetrahedra") +
         (place == Place::along_axes ? ""
          : place == Place::rotated  ? "_rotated"
                                     : "_distorted");
}

INSTANTIATE_TEST_SUITE_P(All, VolumeElementsTest,
                         testing::Combine(testing::ValuesIn(all_volume_sets()),
                                          testing::Values(ElementType::hexahedron, ElementType::tetrahedron),
                                          testing::Values(Place::along_axes, Place::rotated,
                                                          Place::distorted)),
                         name_of);

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

}  // namespace
}  // namespace electret::test
