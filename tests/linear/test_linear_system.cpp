// Conformance of every LinearSystem: residual, pins, transposed solve, dense reference, rejected inputs.

#include <dlfcn.h>

#include <electret/core/errors.hpp>

#include "linear/linear_conformance.hpp"
#include "support/allocation_counter.hpp"

namespace electret::test {
namespace {

class LinearSystemConformance : public testing::TestWithParam<Factorisation> {
 protected:
  std::unique_ptr<LinearSystem> make(const Problem& problem) {
    return make_linear_system(problem.matrix, pin_constraints(problem.pins), threads_, GetParam());
  }
  Threads threads_{2};
};

double largest(const VectorArray& a) {
  double most = 0.0;
  for (const Vec3& v : a) most = std::max(most, norm(v));
  return most;
}

double largest_difference(const VectorArray& a, const VectorArray& b) {
  double most = 0.0;
  for (std::size_t i = 0; i < a.size(); ++i) most = std::max(most, norm(a[i] - b[i]));
  return most;
}

TEST_P(LinearSystemConformance, AgreesWithADenseReference) {
  for (const Problem& problem : problems()) {
    const auto n = static_cast<std::size_t>(problem.matrix.rows);
    const auto system = make(problem);
    const VectorArray rhs = random_vectors(n, 1), prescribed = random_vectors(n, 2);
    VectorArray solution(n, Vec3{9, 9, 9});
    system->solve(rhs, prescribed, solution);
    const VectorArray expected = dense_solution(problem, rhs, prescribed);
    EXPECT_LE(largest_difference(solution, expected), 1e-12 * (1.0 + largest(expected))) << problem.name;
  }
}

TEST_P(LinearSystemConformance, LeavesASmallResidualAndPrescribedPins) {
  for (const Problem& problem : problems()) {
    const auto n = static_cast<std::size_t>(problem.matrix.rows);
    const auto system = make(problem);
    const VectorArray rhs = random_vectors(n, 3), prescribed = random_vectors(n, 4);
    VectorArray solution(n), product(n);
    system->solve(rhs, prescribed, solution);
    problem.matrix.multiply(threads_, solution, product);
    std::vector<char> pinned(n, 0);
    for (const Index p : problem.pins) pinned[static_cast<std::size_t>(p)] = 1;
    for (std::size_t i = 0; i < n; ++i) {
      if (pinned[i])
        EXPECT_EQ(solution[i], prescribed[i]) << problem.name;
      else
        EXPECT_LE(norm(product[i] - rhs[i]), 2e-12 * (1.0 + largest(solution))) << problem.name;
    }
  }
}

TEST_P(LinearSystemConformance, TakesNoPrescribedDisplacementForZero) {
  for (const Problem& problem : problems()) {
    const auto n = static_cast<std::size_t>(problem.matrix.rows);
    const auto system = make(problem);
    const VectorArray rhs = random_vectors(n, 5), zero(n);
    VectorArray with(n), without(n);
    system->solve(rhs, zero, with);
    system->solve(rhs, {}, without);
    EXPECT_EQ(with, without) << problem.name;
  }
}

TEST_P(LinearSystemConformance, TransposedSolveIsTheAdjointOfTheSolve) {
  for (const Problem& problem : problems()) {
    const auto n = static_cast<std::size_t>(problem.matrix.rows);
    const auto system = make(problem);
    const VectorArray a = random_vectors(n, 6), b = random_vectors(n, 7);
    VectorArray ha(n), hb(n);
    system->solve(a, {}, ha);
    system->solve_transposed(b, {}, hb);
    double left = 0.0, right = 0.0;
    for (std::size_t i = 0; i < n; ++i) {
      left += dot(ha[i], b[i]);
      right += dot(a[i], hb[i]);
    }
    EXPECT_NEAR(left, right, 1e-12 * (1.0 + std::abs(left))) << problem.name;
  }
}

TEST_P(LinearSystemConformance, SolvesInPlaceAndTwiceTheSame) {
  for (const Problem& problem : problems()) {
    const auto n = static_cast<std::size_t>(problem.matrix.rows);
    const auto system = make(problem);
    const VectorArray rhs = random_vectors(n, 8);
    VectorArray first(n), again = rhs;
    system->solve(rhs, {}, first);
    system->solve(again, {}, again);
    EXPECT_EQ(first, again) << problem.name;
  }
}

TEST_P(LinearSystemConformance, IsBitwiseTheSameForAnyNumberOfThreads) {
  for (const Problem& problem : problems()) {
    const auto n = static_cast<std::size_t>(problem.matrix.rows);
    const VectorArray rhs = random_vectors(n, 9), prescribed = random_vectors(n, 10);
    VectorArray expected(n);
    make(problem)->solve(rhs, prescribed, expected);
    for (const int count : {1, 3, 7}) {
      Threads threads(count);
      VectorArray solution(n);
      make_linear_system(problem.matrix, pin_constraints(problem.pins), threads, GetParam())
          ->solve(rhs, prescribed, solution);
      EXPECT_EQ(solution, expected) << problem.name << " by " << count << " threads";
    }
  }
}

TEST_P(LinearSystemConformance, AllocatesNothing) {
  for (const Problem& problem : problems()) {
    const auto n = static_cast<std::size_t>(problem.matrix.rows);
    const auto system = make(problem);
    const VectorArray rhs = random_vectors(n, 11), prescribed = random_vectors(n, 12);
    VectorArray solution(n);
    system->solve(rhs, prescribed, solution);
    const AllocationCounter counter;
    system->solve(rhs, prescribed, solution);
    EXPECT_EQ(counter.count(), 0) << problem.name;
  }
}

TEST_P(LinearSystemConformance, CountsTheFactorsEntries) {
  const Problem two{"two_apart", spring_matrix(2, {}, 1.0), {}};
  EXPECT_EQ(make(two)->factor_nonzeros(), 2);
  const Problem dense{"dense", spring_matrix(144, lattice_pairs(6, 6, 4, 9), 0.1), {}};
  EXPECT_EQ(make(dense)->factor_nonzeros(), 144 * 145 / 2);
}

TEST_P(LinearSystemConformance, RejectsWhatItCannotFactor) {
  SparseMatrixBuilder builder(3);
  for (Index i = 0; i < 3; ++i) builder.add(i, i, i == 1 ? -1.0 : 1.0);
  const Problem indefinite{"indefinite", builder.build(), {}};
  EXPECT_THROW(make(indefinite), InternalError);
  const Problem mended{"pinned where it is indefinite", builder.build(), {1}};
  EXPECT_NO_THROW(make(mended));
}

TEST_P(LinearSystemConformance, RejectsWhatThisVersionLacks) {
  const Problem problem{"", spring_matrix(3, {{0, 1}, {1, 2}}, 1.0), {}};
  for (const int columns : {1, 2})
    EXPECT_THROW(
        make_linear_system(problem.matrix, {{.vertex = 1, .columns = columns}}, threads_, GetParam()),
        InternalError);
  EXPECT_NO_THROW(make_linear_system(problem.matrix, {{.vertex = 1, .columns = 3}}, threads_, GetParam()));
  for (const Index vertex : {-1, 3})
    EXPECT_THROW(make_linear_system(problem.matrix, {{.vertex = vertex}}, threads_, GetParam()),
                 InternalError);
  VectorArray wrong(2), right(3);
  EXPECT_THROW(make(problem)->solve(wrong, {}, right), InternalError);
  EXPECT_THROW(make(problem)->solve(right, wrong, right), InternalError);
  EXPECT_THROW(make(problem)->solve(right, {}, wrong), InternalError);
}

#ifdef ELECTRET_HAS_CHOLMOD
/// OpenBLAS gives other bits on other numbers of threads; the factor must not.
TEST(LinearSystem, IsBitwiseTheSameWhateverBlasIsSetTo) {
  auto* set = reinterpret_cast<void (*)(int)>(dlsym(RTLD_DEFAULT, "openblas_set_num_threads"));
  auto* get = reinterpret_cast<int (*)()>(dlsym(RTLD_DEFAULT, "openblas_get_num_threads"));
  if (set == nullptr || get == nullptr) GTEST_SKIP() << "BLAS is not OpenBLAS";
  const int before = get();
  const Problem solid{"solid", spring_matrix(13 * 13 * 13, lattice_pairs(13, 13, 13, 1), 10.0), {}};
  const VectorArray rhs = random_vectors(13 * 13 * 13, 1);
  Threads threads(1);
  std::vector<VectorArray> solutions;
  for (const int count : {1, 2, 5}) {
    set(count);
    const int asked = get();
    VectorArray solution(rhs.size());
    make_linear_system(solid.matrix, {}, threads, Factorisation::cholmod)->solve(rhs, {}, solution);
    solutions.push_back(solution);
    EXPECT_EQ(get(), asked) << "the setting is put back";
  }
  set(before);
  EXPECT_EQ(solutions[0], solutions[1]);
  EXPECT_EQ(solutions[0], solutions[2]);
}

constexpr Factorisation factorisations[] = {Factorisation::eigen, Factorisation::cholmod};

TEST(LinearSystem, ChoosesCholmodWhereItIsBuiltIn) {
  Threads threads(1);
  EXPECT_EQ(make_linear_system(spring_matrix(3, {}, 1.0), {}, threads)->name(), "cholmod");
}
#else
constexpr Factorisation factorisations[] = {Factorisation::eigen};

TEST(LinearSystem, RefusesCholmodWhereItIsNotBuiltIn) {
  Threads threads(1);
  const SparseMatrix matrix = spring_matrix(3, {}, 1.0);
  EXPECT_EQ(make_linear_system(matrix, {}, threads)->name(), "eigen");
  EXPECT_THROW(make_linear_system(matrix, {}, threads, Factorisation::cholmod), InternalError);
}
#endif

INSTANTIATE_TEST_SUITE_P(Every, LinearSystemConformance, testing::ValuesIn(factorisations),
                         [](const auto& tested) {
                           return tested.param == Factorisation::eigen ? "eigen" : "cholmod";
                         });

}  // namespace
}  // namespace electret::test
