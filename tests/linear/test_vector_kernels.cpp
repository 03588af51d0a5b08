// Sums and updates of padded vectors: every instruction set against plain loops, and against each other's
// bits.

#include <cmath>
#include <cstring>
#include <random>
#include <vector>

#include <gtest/gtest.h>

#include <electret/core/instruction_set.hpp>
#include <electret/core/padded.hpp>
#include <electret/linear/detail/block_kernels.hpp>
#include <electret/linear/detail/galerkin_kernels.hpp>
#include <electret/linear/detail/lattice_kernels.hpp>
#include <electret/linear/detail/padded_sums.hpp>
#include <electret/linear/detail/vector_kernels.hpp>

namespace electret::test {
namespace {

std::vector<Padded32> random_rows(std::size_t n, unsigned seed) {
  std::mt19937_64 random(seed);
  std::uniform_real_distribution<float> uniform(-1.0F, 1.0F);
  std::vector<Padded32> rows(n);
  for (Padded32& row : rows)
    for (int k = 0; k < 3; ++k) row.lane[k] = uniform(random);
  return rows;
}

bool same_bits(const std::vector<Padded32>& a, const std::vector<Padded32>& b) {
  return std::memcmp(a.data(), b.data(), a.size() * sizeof(Padded32)) == 0;
}

double plain_dot(const std::vector<Padded32>& a, const std::vector<Padded32>& b) {
  double sum = 0.0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += dot(unpadded(a[i]), unpadded(b[i]));
  return sum;
}

/// y + s x, lane by lane in float32.
std::vector<Padded32> plain_sum(std::vector<Padded32> y, float s, const std::vector<Padded32>& x) {
  for (std::size_t i = 0; i < y.size(); ++i)
    for (int k = 0; k < 4; ++k) y[i].lane[k] = y[i].lane[k] + s * x[i].lane[k];
  return y;
}

#ifdef ELECTRET_HAS_AVX2
/// The kernels of AVX2, unless the instruction set in force is the portable one.
template <class Kernels>
const Kernels* in_force(const Kernels& portable, const Kernels& avx2) {
  return instruction_set() == InstructionSet::portable ? &portable : &avx2;
}

TEST(VectorKernels, AndThoseOfMatricesAreOfTheInstructionSetInForce) {
  using namespace detail;
  EXPECT_EQ(&vector_kernels(), in_force(portable_vector_kernels, avx2_vector_kernels));
  EXPECT_EQ(&block_kernels(), in_force(portable_block_kernels, avx2_block_kernels));
  EXPECT_EQ(&galerkin_kernels(), in_force(portable_galerkin_kernels, avx2_galerkin_kernels));
  EXPECT_EQ(&lattice_kernels(), in_force(portable_lattice_kernels, avx2_lattice_kernels));
}
#endif

TEST(VectorKernels, EveryInstructionSetGivesThePlainLoopsBits) {
  std::vector<const detail::VectorKernels*> sets{&detail::portable_vector_kernels};
#ifdef ELECTRET_HAS_AVX2
  if (is_supported(InstructionSet::avx2)) sets.push_back(&detail::avx2_vector_kernels);
#endif
  for (const std::size_t n : {1, 2, 3, 7, 64, 511}) {
    const auto a = random_rows(n, 1), b = random_rows(n, 2), p = random_rows(n, 3), q = random_rows(n, 4);
    const auto rows = static_cast<std::int64_t>(n);
    const double expected_dot = detail::portable_vector_kernels.dot(a[0].lane, b[0].lane, rows);
    EXPECT_NEAR(expected_dot, plain_dot(a, b), 1e-13 * static_cast<double>(n));
    for (const auto* set : sets) {
      EXPECT_EQ(set->dot(a[0].lane, b[0].lane, rows), expected_dot);
      auto y = b;
      set->add_scaled(0.3F, a[0].lane, y[0].lane, rows);
      EXPECT_TRUE(same_bits(y, plain_sum(b, 0.3F, a)));
      y = b;
      set->scale_and_add(0.3F, a[0].lane, y[0].lane, rows);
      EXPECT_TRUE(same_bits(y, plain_sum(a, 0.3F, b)));
      auto x = a, r = b;
      const double squares = set->step(0.7F, p[0].lane, q[0].lane, x[0].lane, r[0].lane, rows);
      EXPECT_TRUE(same_bits(x, plain_sum(a, 0.7F, p)));
      EXPECT_TRUE(same_bits(r, plain_sum(b, -0.7F, q)));
      EXPECT_EQ(squares, set->dot(r[0].lane, r[0].lane, rows));
    }
  }
}

TEST(PaddedSums, HaveTheSameBitsForAnyNumberOfThreads) {
  for (const std::size_t n : {std::size_t{0}, std::size_t{5}, std::size_t{512}, std::size_t{5000}}) {
    const auto a = random_rows(n, 5), b = random_rows(n, 6), p = random_rows(n, 7), q = random_rows(n, 8);
    auto x = a, r = b;
    double squares = 0.0, product = 0.0;
    {
      Threads one(1);
      squares = detail::step(one, 0.7, p, q, x, r);
      product = detail::dot(one, a, b);
    }
    EXPECT_NEAR(product, plain_dot(a, b), 1e-12 * std::sqrt(static_cast<double>(n)));
    EXPECT_NEAR(squares, plain_dot(r, r), 1e-12 * (1.0 + squares));
    for (const int count : {2, 3, 7}) {
      Threads threads(count);
      auto x2 = a, r2 = b;
      EXPECT_EQ(detail::step(threads, 0.7, p, q, x2, r2), squares);
      EXPECT_TRUE(n == 0 || (same_bits(x, x2) && same_bits(r, r2)));
      EXPECT_EQ(detail::dot(threads, a, b), product);
      auto y = a, z = a;
      detail::add_scaled(threads, 0.25, b, y);
      detail::scale_and_add(threads, 0.25, b, z);
      EXPECT_TRUE(n == 0 || (same_bits(y, plain_sum(a, 0.25F, b)) && same_bits(z, plain_sum(b, 0.25F, a))));
    }
  }
}

}  // namespace
}  // namespace electret::test
