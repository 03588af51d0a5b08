#include <algorithm>
#include <cmath>
#include <numeric>
#include <stdexcept>
#include <vector>

#include <gtest/gtest.h>
#ifdef __linux__
#include <sched.h>
#endif

#include <electret/core/parallel.hpp>
#include <electret/core/vertex_loops.hpp>

namespace electret {
namespace {

TEST(Threads, RejectsANegativeCount) {
  EXPECT_THROW(Threads{-1}, std::invalid_argument);
}

TEST(Threads, RejectsChunksWithoutIndices) {
  for (const int count : {1, 3})
    for (const Count chunk : {0, -5})
      for (const Count n : {-10, 0, 1, 10}) {
        Threads threads(count);
        EXPECT_THROW(threads.for_chunks(n, chunk, [](Count, Count) {}), std::invalid_argument);
        EXPECT_THROW(threads.sum(
                         n, [](Count, Count) { return 1.0; }, chunk),
                     std::invalid_argument)
            << n << ", " << chunk;
      }
}

TEST(Threads, VisitsEveryElementOnce) {
  for (const int count : {1, 2, 7}) {
    Threads threads(count);
    std::vector<int> visits(1003, 0);
    threads.for_chunks(1003, 10, [&](Count begin, Count end) {
      for (Count i = begin; i < end; ++i) ++visits[static_cast<std::size_t>(i)];
    });
    for (const int v : visits) EXPECT_EQ(v, 1);
  }
}

TEST(VertexLoops, VisitEveryVertexOnceAndSumAsThreadsDo) {
  std::vector<double> values(5003);
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = std::sin(static_cast<double>(i) * 1.3) * 1e3;
  for (const int count : {1, 3}) {
    Threads threads(count);
    std::vector<int> visits(values.size(), 0);
    for_vertices(
        threads, visits.size(), [&](std::size_t i) { ++visits[i]; }, 7);
    for (const int v : visits) EXPECT_EQ(v, 1);
    const double expected = threads.sum(5003, [&](Count begin, Count end) {
      return std::accumulate(values.begin() + begin, values.begin() + end, 0.0);
    });
    EXPECT_EQ(sum_over_vertices(threads, values.size(), [&](std::size_t i) { return values[i]; }), expected);
  }
}

TEST(Threads, SumsTheSameBitsForAnyNumberOfThreads) {
  std::vector<double> values(100003);
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = std::sin(static_cast<double>(i) * 1.7) * 1e3;
  const auto sum_with = [&](int count) {
    Threads threads(count);
    return threads.sum(static_cast<Count>(values.size()), [&](Count begin, Count end) {
      return std::accumulate(values.begin() + begin, values.begin() + end, 0.0);
    });
  };
  const double one = sum_with(1);
  EXPECT_NEAR(one, std::accumulate(values.begin(), values.end(), 0.0), 1e-6);
  for (const int count : {2, 3, 7}) EXPECT_EQ(sum_with(count), one);
}

/// The tree written as recursion: the left half is the largest power of two below n.
double tree_of(const std::vector<double>& v, std::size_t begin, std::size_t end) {
  if (end == begin) return 0.0;
  if (end - begin == 1) return v[begin];
  std::size_t half = 1;
  while (2 * half < end - begin) half *= 2;
  return tree_of(v, begin, begin + half) + tree_of(v, begin + half, end);
}

std::vector<double> rough_values(std::size_t n) {
  std::vector<double> values(n);
  for (std::size_t i = 0; i < n; ++i)
    values[i] = std::sin(static_cast<double>(i) * 1.7) * std::exp(5.0 * std::sin(static_cast<double>(i)));
  return values;
}

TEST(TreeSum, IsABinaryTree) {
  for (const std::size_t n : {0, 1, 2, 3, 4, 5, 6, 7, 8, 13, 64, 100, 1000, 1023, 1025}) {
    const std::vector<double> values = rough_values(n);
    TreeSum sum;
    for (const double v : values) sum.add(v);
    EXPECT_EQ(sum.total(), tree_of(values, 0, n)) << n;
  }
  const std::vector<double> values = rough_values(1000);
  EXPECT_NE(tree_of(values, 0, 1000), std::accumulate(values.begin(), values.end(), 0.0))
      << "values that cannot tell a tree from a row";
}

TEST(TreeSum, RoundsLessThanARow) {
  TreeSum sum;
  double row = 0.0;
  for (int i = 0; i < 1 << 20; ++i) sum.add(0.1), row += 0.1;
  EXPECT_EQ(sum.total(), 0.1 * 0x1p20);
  EXPECT_GT(std::abs(row - 0.1 * 0x1p20), 1e-9);
}

TEST(Threads, SumsChunksAsATree) {
  for (const std::size_t n : {9, 10, 11, 100, 1007}) {
    const std::vector<double> values = rough_values(n);
    std::vector<double> parts;
    const auto part = [&](Count begin, Count end) {
      return std::accumulate(values.begin() + begin, values.begin() + end, 0.0);
    };
    const auto size = static_cast<Count>(n);
    for (Count begin = 0; begin < size; begin += 10) parts.push_back(part(begin, std::min(size, begin + 10)));
    for (const int count : {1, 2, 7}) {
      Threads threads(count);
      EXPECT_EQ(threads.sum(size, part, 10), tree_of(parts, 0, parts.size())) << n << ", " << count;
    }
  }
}

#ifdef __linux__
/// Restores the cores that this thread may run on.
class OnOneCore {
 public:
  OnOneCore() {
    sched_getaffinity(0, sizeof before_, &before_);
    cpu_set_t one;
    CPU_ZERO(&one);
    for (int core = 0; core < CPU_SETSIZE && CPU_COUNT(&one) == 0; ++core)
      if (CPU_ISSET(core, &before_)) CPU_SET(core, &one);
    sched_setaffinity(0, sizeof one, &one);
  }
  ~OnOneCore() { sched_setaffinity(0, sizeof before_, &before_); }
  OnOneCore(const OnOneCore&) = delete;
  OnOneCore& operator=(const OnOneCore&) = delete;
  [[nodiscard]] int before() const { return CPU_COUNT(&before_); }

 private:
  cpu_set_t before_{};
};

TEST(Threads, ZeroIsTheCoresThisProcessMayRunOn) {
  int before = 0;
  {
    const OnOneCore one;
    before = one.before();
    EXPECT_EQ(Threads(0).count(), 1);
    EXPECT_EQ(Threads(2).count(), 2) << "who asks for more gets them";
  }
  EXPECT_EQ(Threads(0).count(), before);
}
#endif

TEST(Threads, PassesExceptionsOn) {
  Threads threads(2);
  EXPECT_THROW(threads.for_chunks(100, 1, [](Count, Count) { throw std::runtime_error("x"); }),
               std::runtime_error);
}

TEST(Threads, AcceptsAnEmptyLoop) {
  Threads threads(2);
  EXPECT_EQ(threads.sum(0, [](Count, Count) { return 1.0; }), 0.0);
}

}  // namespace
}  // namespace electret
