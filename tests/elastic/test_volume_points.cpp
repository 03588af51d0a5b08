// The vectorised stresses and tangents, of every instruction set, against those by singular values.

#include <algorithm>
#include <functional>
#include <random>

#include <gtest/gtest.h>

#include <electret/elastic/detail/volume_kernels.hpp>
#include <electret/elastic/material.hpp>

#include "elastic/instruction_sets.hpp"
#include "support/differences.hpp"

namespace electret::test {
namespace {

constexpr std::size_t width = 8;

/// Deformation gradients with singular values of one kind.
struct Family {
  std::string_view name;
  std::function<Vec3(std::mt19937&)> singular_values;
  double most_masked;  ///< The part of the points that may be left to the slow formulas.
};

double uniform(std::mt19937& random, double low, double high) {
  return std::uniform_real_distribution<double>(low, high)(random);
}

Vec3 between(std::mt19937& random, double low, double high) {
  return {uniform(random, low, high), uniform(random, low, high), uniform(random, low, high)};
}

const Family families[] = {
    {"ordinary", [](std::mt19937& r) { return between(r, 0.5, 1.6); }, 0.01},
    {"nearly_at_rest", [](std::mt19937& r) { return between(r, 1 - 1e-7, 1 + 1e-7); }, 0.0},
    {"equal",
     [](std::mt19937& r) {
       const double s = uniform(r, 0.6, 1.5);
       return Vec3{s, s, s * (1 + uniform(r, -1e-9, 1e-9))};
     },
     0.0},
    {"stretched", [](std::mt19937& r) { return between(r, 1.0, 4.0); }, 1.0},
    {"twice", [](std::mt19937& r) { return between(r, 1.98, 2.02); }, 1.0},
    {"flat",
     [](std::mt19937& r) {
       return Vec3{uniform(r, 0.7, 1.3), uniform(r, 0.7, 1.3), 1e-3};
     },
     1.0},
    {"inverted",
     [](std::mt19937& r) {
       return Vec3{uniform(r, 0.7, 1.3), uniform(r, 0.7, 1.3), uniform(r, -0.6, 0)};
     },
     1.0},
    {"where R jumps",
     [](std::mt19937& r) {
       const double s = uniform(r, 0.3, 1.3);
       return Vec3{uniform(r, 1.3, 1.5), s, -s * (1 + uniform(r, -1e-3, 1e-3))};
     },
     1.0},
    {"a needle",
     [](std::mt19937& r) {
       return Vec3{uniform(r, 1, 3), 1e-3, 2e-3};
     },
     1.0}};

Mat3 rotation(std::mt19937& random) {
  std::normal_distribution<double> normal;
  double w = normal(random), x = normal(random), y = normal(random), z = normal(random);
  const double size = std::sqrt(w * w + x * x + y * y + z * z);
  w /= size, x /= size, y /= size, z /= size;
  return {{Vec3{1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)},
           Vec3{2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)},
           Vec3{2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)}}};
}

/// U diag(s) Vᵀ with random rotations.
Mat3 deformation(const Family& family, std::mt19937& random) {
  const Mat3 u = rotation(random), v = rotation(random);
  const Vec3 s = family.singular_values(random);
  Mat3 f;
  for (std::size_t i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j)
      for (int k = 0; k < 3; ++k)
        f.rows[i][j] += u.rows[i][k] * s[k] * v.rows[static_cast<std::size_t>(j)][k];
  return f;
}

using Case = std::tuple<InstructionSet, std::size_t, std::size_t>;

class VolumePointsTest : public testing::TestWithParam<Case> {};

std::string name_of(const testing::TestParamInfo<Case>& info) {
  const auto [set, model, family] = info.param;
  std::string name = std::string(set.name) + "_";
  name += std::string(material_models[model]) + "_" + std::string(families[family].name);
  std::replace(name.begin(), name.end(), ' ', '_');
  return name;
}

INSTANTIATE_TEST_SUITE_P(All, VolumePointsTest,
                         testing::Combine(testing::ValuesIn(all_volume_sets()),
                                          testing::Range(std::size_t{0}, material_models.size()),
                                          testing::Range(std::size_t{0}, std::size(families))),
                         name_of);

constexpr std::size_t points = 8;

/// Eight points of eight elements.
struct Batch {
  Batch(const Family& family, std::mt19937& random) {
    for (std::size_t l = 0; l < width; ++l) {
      mu[l] = uniform(random, 0.5, 2.0), lambda[l] = uniform(random, 0.5, 8.0);
      for (std::size_t q = 0; q < points; ++q) {
        const Mat3 deformed = deformation(family, random);
        for (std::size_t k = 0; k < 9; ++k) f[9 * q + k][l] = deformed.rows[k / 3][static_cast<int>(k % 3)];
      }
    }
  }
  [[nodiscard]] Mat3 at(std::size_t q, std::size_t l) const {
    Mat3 result;
    for (std::size_t k = 0; k < 9; ++k) result.rows[k / 3][static_cast<int>(k % 3)] = f[9 * q + k][l];
    return result;
  }

  double f[9 * points][width], mu[width], lambda[width];
};

/// The largest errors over the points that are not masked, relative to the exact tangent's largest entry.
struct Errors {
  double energy = 0, stress = 0, tangent = 0, tangent32 = 0, clamped = 0, clamped32 = 0;
  std::size_t masked = 0, clamped_masked = 0;
};

double largest_entry(const Tangent& tangent) {
  double largest = 0;
  for (const double entry : tangent) largest = std::max(largest, std::abs(entry));
  return largest;
}

/// visit(point, lane) where the mask has no bit; returns how many it has.
template <class Visit>
std::size_t for_unmasked(detail::PointMask mask, Visit&& visit) {
  std::size_t masked = 0;
  for (std::size_t q = 0; q < points; ++q)
    for (std::size_t l = 0; l < width; ++l) {
      if ((mask >> (width * q + l) & 1U) != 0)
        ++masked;
      else
        visit(q, l);
    }
  return masked;
}

void compare_stresses(const detail::PointKernels& kernels, MaterialModel model, const Batch& batch,
                      Errors& errors) {
  double energies[points][width], stresses[9 * points][width];
  const auto mask = kernels.stress(static_cast<int>(points), batch.f[0], {batch.mu, batch.lambda},
                                   energies[0], stresses[0]);
  errors.masked += for_unmasked(mask, [&](std::size_t q, std::size_t l) {
    const Lame lame{batch.mu[l], batch.lambda[l]};
    Mat3 stress;
    Tangent tangent;
    const double energy = point_stress(model, lame, batch.at(q, l), stress);
    point_tangent(model, lame, batch.at(q, l), HessianKind::exact, tangent);
    const double size = largest_entry(tangent);
    errors.energy = std::max(errors.energy, std::abs(energies[q][l] - energy) / size);
    for (std::size_t k = 0; k < 9; ++k)
      errors.stress =
          std::max(errors.stress,
                   std::abs(stresses[9 * q + k][l] - stress.rows[k / 3][static_cast<int>(k % 3)]) / size);
  });
}

template <class T, class Kernel>
std::size_t compare_tangents(Kernel kernel, MaterialModel model, HessianKind kind, const Batch& batch,
                             double& error) {
  std::vector<T> tangents(points * detail::tangent_entries * width);
  const auto mask = kernel(static_cast<int>(points), batch.f[0], {batch.mu, batch.lambda}, tangents.data());
  return for_unmasked(mask, [&](std::size_t q, std::size_t l) {
    Tangent tangent, exact;
    point_tangent(model, {batch.mu[l], batch.lambda[l]}, batch.at(q, l), kind, tangent);
    point_tangent(model, {batch.mu[l], batch.lambda[l]}, batch.at(q, l), HessianKind::exact, exact);
    const T* entry = &tangents[q * detail::tangent_entries * width + l];
    for (std::size_t ij = 0; ij < 9; ++ij)
      for (std::size_t kl = ij; kl < 9; ++kl, entry += width)
        error = std::max(error,
                         std::abs(static_cast<double>(*entry) - tangent[9 * ij + kl]) / largest_entry(exact));
  });
}

TEST_P(VolumePointsTest, AreThoseBySingularValues) {
  const auto [set, number, which] = GetParam();
  const auto model = static_cast<MaterialModel>(number);
  const detail::PointKernels& kernels = set.kernels->models[number];
  std::mt19937 random(static_cast<unsigned>(7 + which));
  constexpr std::size_t rounds = 20;
  Errors errors;
  for (std::size_t round = 0; round < rounds; ++round) {
    const Batch batch(families[which], random);
    compare_stresses(kernels, model, batch, errors);
    compare_tangents<double>(kernels.tangent, model, HessianKind::exact, batch, errors.tangent);
    compare_tangents<float>(kernels.tangent32, model, HessianKind::exact, batch, errors.tangent32);
    errors.clamped_masked +=
        compare_tangents<double>(kernels.clamped, model, HessianKind::clamped, batch, errors.clamped);
    compare_tangents<float>(kernels.clamped32, model, HessianKind::clamped, batch, errors.clamped32);
  }
  const double most = families[which].most_masked * static_cast<double>(rounds * points * width);
  EXPECT_LE(static_cast<double>(errors.masked), most);
  EXPECT_LE(static_cast<double>(errors.clamped_masked), most);
  EXPECT_LE(errors.energy, 1e-12);
  EXPECT_LE(errors.stress, 1e-12);
  EXPECT_LE(errors.tangent, 1e-10);
  EXPECT_LE(errors.tangent32, 1e-5);
  EXPECT_LE(errors.clamped, 1e-10);
  EXPECT_LE(errors.clamped32, 1e-5);
}

TEST(VolumeKernels, AreThoseOfTheInstructionSetInForce) {
  for (const InstructionSet& set : all_volume_sets())
    EXPECT_EQ(set.kernels == &detail::volume_kernels(), set.name == name_of(instruction_set())) << set.name;
}

}  // namespace
}  // namespace electret::test
