// The kernels of muscles, of every instruction set, against the reference's loops over single elements.

#include <electret/core/direction.hpp>
#include <electret/elastic/muscle_stencil.hpp>

#include "elastic/element_batch.hpp"

namespace electret::test {
namespace {

constexpr std::size_t collapsed = 3;  ///< The lane whose element has no length along the fibre.

/// Eight muscles, some shorter than they aim at, so that the clamped and the exact Hessian differ.
class MuscleKernelsTest : public testing::TestWithParam<Case> {
 protected:
  MuscleKernelsTest() : x(3 * elements.corners * width), d(x.size()) {
    for (std::size_t l = 0; l < width; ++l) {
      const auto e = static_cast<std::size_t>(elements.element(l));
      stiffness[l] = 1.0 + static_cast<double>(l);
      activation[l] = 0.4 + 0.2 * static_cast<double>(l);
      const Vec3 m = direction_of({elements.uniform(), elements.uniform(), elements.uniform()});
      for (std::size_t i = 0; i < 3; ++i) fibre[width * i + l] = m[static_cast<int>(i)];
      for (std::size_t a = 0; a < elements.corners; ++a) {
        const Vec3 rest = elements.rest[elements.corners * e + a];
        for (int i = 0; i < 3; ++i) {
          const std::size_t k = width * (3 * a + static_cast<std::size_t>(i)) + l;
          x[k] = l == collapsed ? 0.0 : rest[i] + 0.2 * elements.uniform();
          d[k] = elements.uniform();
        }
      }
    }
  }
  [[nodiscard]] const detail::MuscleKernels& kernels() const {
    const detail::VolumeKernels& all = *std::get<0>(GetParam()).kernels;
    return std::get<1>(GetParam()) == hexahedron ? all.hexahedron_muscle : all.tetrahedron_muscle;
  }
  [[nodiscard]] detail::BatchMuscle muscle() const { return {stiffness, activation, fibre}; }
  template <int count>
  [[nodiscard]] std::array<Vec3, count> corners_of(const std::vector<double>& v, std::size_t l) const {
    std::array<Vec3, count> result;
    for (std::size_t a = 0; a < count; ++a)
      result[a] = {v[width * (3 * a) + l], v[width * (3 * a + 1) + l], v[width * (3 * a + 2) + l]};
    return result;
  }
  /// Calls check(reference) with that of the type.
  template <class Check>
  void with_reference(Check&& check) const {
    std::vector<double> k(width), a(width);
    std::vector<Vec3> m(width);
    for (std::size_t l = 0; l < width; ++l) {
      k[static_cast<std::size_t>(elements.element(l))] = stiffness[l];
      a[static_cast<std::size_t>(elements.element(l))] = activation[l];
      m[static_cast<std::size_t>(elements.element(l))] = {fibre[l], fibre[width + l], fibre[2 * width + l]};
    }
    const auto shape = std::make_shared<const RestShape>(*elements.block, elements.rest);
    if (elements.corners == 8)
      check(MuscleStencil<8>(shape, m, k, a));
    else
      check(MuscleStencil<4>(shape, m, k, a));
  }

  Elements elements{std::get<1>(GetParam()), std::get<2>(GetParam()), 12};
  double stiffness[width], activation[width], fibre[3 * width];
  std::vector<double> x, d;
};

INSTANTIATE_TEST_SUITE_P(All, MuscleKernelsTest, all_cases(), name_of_case);

TEST_P(MuscleKernelsTest, EnergiesAndGradientsAreTheReferences) {
  double energies[width];
  std::vector<double> found(x.size());
  kernels().gradient(elements.batch(), muscle(), x.data(), energies, found.data());
  with_reference([&]<int count>(const MuscleStencil<count>& reference) {
    for (std::size_t l = 0; l < width; ++l) {
      std::array<Vec3, count> expected;
      const double energy = reference.gradient(elements.element(l), corners_of<count>(x, l), expected);
      EXPECT_NEAR(energies[l], energy, 1e-13 * (1.0 + energy));
      const auto gradient = corners_of<count>(found, l);
      for (std::size_t a = 0; a < count; ++a) EXPECT_LE(norm(gradient[a] - expected[a]), 1e-12) << l;
    }
  });
}

TEST_P(MuscleKernelsTest, ProductsAreTheReferences) {
  std::vector<double> exact(x.size()), clamped(x.size());
  kernels().product(elements.batch(), muscle(), false, x.data(), d.data(), exact.data());
  kernels().product(elements.batch(), muscle(), true, x.data(), d.data(), clamped.data());
  EXPECT_NE(exact, clamped) << "the two cannot be told apart";
  with_reference([&]<int count>(const MuscleStencil<count>& reference) {
    for (const HessianKind kind : {HessianKind::exact, HessianKind::clamped})
      for (std::size_t l = 0; l < width; ++l) {
        std::array<Vec3, count> expected;
        reference.hessian_product(elements.element(l), corners_of<count>(x, l), corners_of<count>(d, l), kind,
                                  expected);
        const auto found = corners_of<count>(kind == HessianKind::exact ? exact : clamped, l);
        for (std::size_t a = 0; a < count; ++a)
          EXPECT_LE(norm(found[a] - expected[a]), 1e-12 * (1.0 + norm(expected[a]))) << l;
      }
  });
}

TEST_P(MuscleKernelsTest, MatricesAreTheReferences) {
  std::vector<float> blocks(9 * elements.corners * (elements.corners + 1) / 2 * width);
  for (const HessianKind kind : {HessianKind::exact, HessianKind::clamped}) {
    kernels().matrices(elements.batch(), muscle(), kind == HessianKind::clamped, x.data(), blocks.data());
    with_reference([&]<int count>(const MuscleStencil<count>& reference) {
      for (std::size_t l = 0; l < width; ++l) {
        std::array<Mat3, count * count> expected;
        reference.hessian(elements.element(l), corners_of<count>(x, l), kind, expected);
        double size = 0.0;
        for (const Mat3& of : expected)
          for (const Vec3& row : of.rows) size = std::max(size, norm(row));
        const float* found = blocks.data() + l;
        for (std::size_t a = 0; a < count; ++a)
          for (std::size_t b = a; b < count; ++b)
            for (std::size_t i = 0; i < 3; ++i)
              for (int j = 0; j < 3; ++j, found += width)
                EXPECT_NEAR(*found, expected[count * a + b].rows[i][j], 2e-6 * size) << l;
      }
    });
  }
}

TEST_P(MuscleKernelsTest, SlopesAreTheReferences) {
  double energy_by_k[width], energy_by_a[width], gradient_by_k[width], gradient_by_a[width];
  kernels().energy_slopes(elements.batch(), muscle(), x.data(), energy_by_k, energy_by_a);
  kernels().gradient_slopes(elements.batch(), muscle(), x.data(), d.data(), gradient_by_k, gradient_by_a);
  with_reference([&]<int count>(const MuscleStencil<count>& reference) {
    for (std::size_t l = 0; l < width; ++l) {
      const Index e = elements.element(l);
      const auto at = corners_of<count>(x, l), z = corners_of<count>(d, l);
      EXPECT_NEAR(energy_by_k[l], reference.energy_parameter_derivatives(e, at)[0], 1e-12);
      EXPECT_NEAR(energy_by_a[l], reference.energy_activation_derivative(e, at), 1e-12);
      EXPECT_NEAR(gradient_by_k[l], reference.gradient_parameter_products(e, at, z)[0], 1e-12);
      EXPECT_NEAR(gradient_by_a[l], reference.gradient_activation_product(e, at, z), 1e-11);
    }
  });
}

/// P = k(ℓ - a) û mᵀ and its change, written out.
TEST_P(MuscleKernelsTest, StressesAreWrittenOut) {
  const std::size_t points = elements.points;
  std::vector<double> f(9 * points * width), changes(f.size()), p(f.size()), dp(f.size());
  for (std::size_t k = 0; k < f.size(); ++k) f[k] = elements.uniform(), changes[k] = elements.uniform();
  for (std::size_t k = collapsed; k < 9 * width; k += width) f[k] = 0.0;
  kernels().stresses(muscle(), f.data(), changes.data(), p.data(), dp.data());
  const auto along = [&](const std::vector<double>& matrices, std::size_t l, std::size_t q) {
    Vec3 sum;
    for (int i = 0; i < 3; ++i)
      for (std::size_t j = 0; j < 3; ++j)
        sum[i] += matrices[width * (9 * q + 3 * static_cast<std::size_t>(i) + j) + l] * fibre[width * j + l];
    return sum;
  };
  for (std::size_t l = 0; l < width; ++l)
    for (std::size_t q = 0; q < points; ++q) {
      const Vec3 u = along(f, l, q), v = along(changes, l, q);
      const double length = norm(u), k = stiffness[l], a = activation[l];
      const Vec3 unit = length > 0.0 ? (1.0 / length) * u : Vec3{};
      const double across = length > 0.0 ? 1.0 - a / length : 1.0;
      const Vec3 stress = k * (length - a) * unit;
      const Vec3 change = k * (across * v + (1.0 - across) * dot(unit, v) * unit);
      for (int i = 0; i < 3; ++i)
        for (std::size_t j = 0; j < 3; ++j) {
          const std::size_t at = width * (9 * q + 3 * static_cast<std::size_t>(i) + j) + l;
          EXPECT_NEAR(p[at], stress[i] * fibre[width * j + l], 1e-12 * (1.0 + norm(stress))) << l;
          EXPECT_NEAR(dp[at], change[i] * fibre[width * j + l], 1e-12 * (1.0 + norm(change))) << l;
        }
    }
}

}  // namespace
}  // namespace electret::test
