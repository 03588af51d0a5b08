// Conformance of every PrefactoredSystem: residual, pins, dense reference, rejected inputs.

#include <dlfcn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <electret/core/errors.hpp>
#include <electret/linear/prefactored_system.hpp>

#include "linear/scalar_problems.hpp"
#include "support/allocation_counter.hpp"

namespace electret::test {
namespace {

class PrefactoredSystemConformance : public testing::TestWithParam<Factorisation> {
 protected:
  std::unique_ptr<PrefactoredSystem> make(const Problem& problem) {
    return make_prefactored_system(problem.matrix, problem.pins, GetParam());
  }
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

TEST_P(PrefactoredSystemConformance, AgreesWithADenseReference) {
  for (const Problem& problem : problems()) {
    const auto n = static_cast<std::size_t>(problem.matrix.rows);
    const auto system = make(problem);
    const VectorArray rhs = random_vectors(n, 1);
    VectorArray solution(n, Vec3{9, 9, 9});
    system->solve(rhs, solution);
    const VectorArray expected = dense_solution(problem, rhs);
    EXPECT_LE(largest_difference(solution, expected), 1e-12 * (1.0 + largest(expected))) << problem.name;
  }
}

TEST_P(PrefactoredSystemConformance, LeavesASmallResidualAndPinsWhereTheyAre) {
  for (const Problem& problem : problems()) {
    const auto n = static_cast<std::size_t>(problem.matrix.rows);
    const auto system = make(problem);
    const VectorArray rhs = random_vectors(n, 3);
    VectorArray solution(n, Vec3{9, 9, 9}), product(n);
    system->solve(rhs, solution);
    Threads threads(2);
    problem.matrix.multiply(threads, solution, product);
    std::vector<char> pinned(n, 0);
    for (const Index p : problem.pins) pinned[static_cast<std::size_t>(p)] = 1;
    for (std::size_t i = 0; i < n; ++i) {
      if (pinned[i])
        EXPECT_EQ(solution[i], Vec3{}) << problem.name;
      else
        EXPECT_LE(norm(product[i] - rhs[i]), 2e-12 * (1.0 + largest(solution))) << problem.name;
    }
  }
}

TEST_P(PrefactoredSystemConformance, SolvesInPlaceAndTwiceTheSame) {
  for (const Problem& problem : problems()) {
    const auto n = static_cast<std::size_t>(problem.matrix.rows);
    const auto system = make(problem);
    const VectorArray rhs = random_vectors(n, 8);
    VectorArray first(n), again = rhs;
    system->solve(rhs, first);
    system->solve(again, again);
    EXPECT_EQ(first, again) << problem.name;
  }
}

TEST_P(PrefactoredSystemConformance, AllocatesNothing) {
  for (const Problem& problem : problems()) {
    const auto n = static_cast<std::size_t>(problem.matrix.rows);
    const auto system = make(problem);
    const VectorArray rhs = random_vectors(n, 11);
    VectorArray solution(n);
    system->solve(rhs, solution);
    const AllocationCounter counter;
    system->solve(rhs, solution);
    EXPECT_EQ(counter.count(), 0) << problem.name;
  }
}

TEST_P(PrefactoredSystemConformance, CountsTheFactorsEntries) {
  const Problem two{"two_apart", spring_matrix(2, {}, 1.0), {}};
  EXPECT_EQ(make(two)->factor_nonzeros(), 2);
  const Problem dense{"dense", spring_matrix(144, lattice_pairs(6, 6, 4, 9), 0.1), {}};
  EXPECT_EQ(make(dense)->factor_nonzeros(), 144 * 145 / 2);
}

TEST_P(PrefactoredSystemConformance, RejectsWhatItCannotFactor) {
  SparseMatrixBuilder builder(3);
  for (Index i = 0; i < 3; ++i) builder.add(i, i, i == 1 ? -1.0 : 1.0);
  const Problem indefinite{"indefinite", builder.build(), {}};
  EXPECT_THROW(make(indefinite), InternalError);
  const Problem mended{"pinned where it is indefinite", builder.build(), {1}};
  EXPECT_NO_THROW(make(mended));
}

TEST_P(PrefactoredSystemConformance, RejectsWhatDoesNotFit) {
  const Problem problem{"", spring_matrix(3, {{0, 1}, {1, 2}}, 1.0), {}};
  for (const Index vertex : {-1, 3})
    EXPECT_THROW(make_prefactored_system(problem.matrix, std::vector<Index>{vertex}, GetParam()),
                 InternalError);
  VectorArray wrong(2), right(3);
  EXPECT_THROW(make(problem)->solve(wrong, right), InternalError);
  EXPECT_THROW(make(problem)->solve(right, wrong), InternalError);
}

#ifdef ELECTRET_HAS_CHOLMOD
/// OpenBLAS gives other bits on other numbers of threads; the factor must not.
TEST(PrefactoredSystem, IsBitwiseTheSameWhateverBlasIsSetTo) {
  auto* set = reinterpret_cast<void (*)(int)>(dlsym(RTLD_DEFAULT, "openblas_set_num_threads"));
  auto* get = reinterpret_cast<int (*)()>(dlsym(RTLD_DEFAULT, "openblas_get_num_threads"));
  if (set == nullptr || get == nullptr) GTEST_SKIP() << "BLAS is not OpenBLAS";
  const int before = get();
  const Problem solid{"solid", spring_matrix(13 * 13 * 13, lattice_pairs(13, 13, 13, 1), 10.0), {}};
  const VectorArray rhs = random_vectors(13 * 13 * 13, 1);
  std::vector<VectorArray> solutions;
  for (const int count : {1, 2, 5}) {
    set(count);
    const int asked = get();
    VectorArray solution(rhs.size());
    make_prefactored_system(solid.matrix, {}, Factorisation::cholmod)->solve(rhs, solution);
    solutions.push_back(solution);
    EXPECT_EQ(get(), asked) << "the setting is put back";
  }
  set(before);
  EXPECT_EQ(solutions[0], solutions[1]);
  EXPECT_EQ(solutions[0], solutions[2]);
}

/// CHOLMOD's OpenMP loops hang in a forked child once the parent's teams have threads: no teams, no hang.
TEST(PrefactoredSystem, FactorsInAForkedChildAfterTheParentUsedOpenMp) {
  using Region = void(void (*)(void*), void*, unsigned, unsigned);
  auto* region = reinterpret_cast<Region*>(dlsym(RTLD_DEFAULT, "GOMP_parallel"));
  auto* levels = reinterpret_cast<int (*)()>(dlsym(RTLD_DEFAULT, "omp_get_max_active_levels"));
  if (region == nullptr || levels == nullptr) GTEST_SKIP() << "OpenMP is not GNU's";
  const Problem solid{"solid", spring_matrix(13 * 13 * 13, lattice_pairs(13, 13, 13, 1), 10.0), {}};
  region([](void*) {}, nullptr, 2, 0);
  const int before = levels();
  const pid_t child = fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    alarm(500);  // Ends a child that hangs.
    make_prefactored_system(solid.matrix, {}, Factorisation::cholmod);
    _exit(levels() == before ? 0 : 1);
  }
  int status = 0;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_TRUE(WIFEXITED(status)) << "ended by signal " << WTERMSIG(status);
  EXPECT_EQ(WEXITSTATUS(status), 0) << "the setting is put back";
}

constexpr Factorisation factorisations[] = {Factorisation::eigen, Factorisation::cholmod};

TEST(PrefactoredSystem, ChoosesCholmodWhereItIsBuiltIn) {
  EXPECT_EQ(make_prefactored_system(spring_matrix(3, {}, 1.0), {})->name(), "cholmod");
}
#else
constexpr Factorisation factorisations[] = {Factorisation::eigen};

TEST(PrefactoredSystem, RefusesCholmodWhereItIsNotBuiltIn) {
  const SparseMatrix matrix = spring_matrix(3, {}, 1.0);
  EXPECT_EQ(make_prefactored_system(matrix, {})->name(), "eigen");
  EXPECT_THROW(make_prefactored_system(matrix, {}, Factorisation::cholmod), InternalError);
}
#endif

INSTANTIATE_TEST_SUITE_P(Every, PrefactoredSystemConformance, testing::ValuesIn(factorisations),
                         [](const auto& tested) {
                           return tested.param == Factorisation::eigen ? "eigen" : "cholmod";
                         });

}  // namespace
}  // namespace electret::test
