#pragma once
// One batch of eight elements with numbers for the kernels' tests.

#include <cmath>
#include <optional>
#include <random>
#include <string>
#include <tuple>
#include <vector>

#include <gtest/gtest.h>

#include <electret/elastic/detail/volume_kernels.hpp>
#include <electret/elastic/element_block.hpp>
#include <electret/elastic/rest_shape.hpp>

#include "elastic/element_kinds.hpp"
#include "elastic/instruction_sets.hpp"

namespace electret::test {

constexpr std::size_t width = 8;

/// Where the elements of a test lie.
enum class Place { along_axes, rotated, distorted };

/// Eight elements with random numbers at their points.
struct Elements {
  Elements(int kind, Place place, unsigned seed) : random(seed), corners(static_cast<std::size_t>(kind)) {
    static constexpr std::array<Vec3, 8> cube = {Vec3{0, 0, 0}, Vec3{1, 0, 0}, Vec3{1, 1, 0}, Vec3{0, 1, 0},
                                                 Vec3{0, 0, 1}, Vec3{1, 0, 1}, Vec3{1, 1, 1}, Vec3{0, 1, 1}};
    static constexpr std::array<Vec3, 4> simplex = {Vec3{0, 0, 0}, Vec3{1, 0, 0}, Vec3{0, 1, 0},
                                                    Vec3{0, 0, 1}};
    std::vector<Index> connectivity;
    for (std::size_t k = 0; k < width * corners; ++k) {
      const Vec3 c = kind == hexahedron ? cube[k % corners] : simplex[k % corners];
      const double size = 0.5 + 0.1 * static_cast<double>(k / corners);
      Vec3 x{size * c.x, 0.7 * c.y, 0.8 * c.z};
      if (place != Place::along_axes) x = {0.6 * x.x - 0.8 * x.y, 0.8 * x.x + 0.6 * x.y + 0.2 * x.z, x.z};
      if (place == Place::distorted) x += 0.05 * Vec3{uniform(), uniform(), uniform()};
      rest.push_back(x);
      connectivity.push_back(static_cast<Index>(k));
    }
    block.emplace(kind, static_cast<Index>(rest.size()), connectivity);
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

using Case = std::tuple<InstructionSet, int, Place>;

inline std::string name_of_case(const testing::TestParamInfo<Case>& info) {
  const auto [set, kind, place] = info.param;
  return std::string(set.name) + (kind == hexahedron ? "_hexahedra" : "_tetrahedra") +
         (place == Place::along_axes ? ""
          : place == Place::rotated  ? "_rotated"
                                     : "_distorted");
}

inline auto all_cases() {
  return testing::Combine(testing::ValuesIn(all_volume_sets()), testing::Values(hexahedron, tetrahedron),
                          testing::Values(Place::along_axes, Place::rotated, Place::distorted));
}

}  // namespace electret::test
