#include <gtest/gtest.h>

#include <electret/dynamics/vector_arrays.hpp>

#include "support/random.hpp"

namespace electret::test {
namespace {

/// More than two chunks, the last one shorter.
constexpr std::size_t rows = 2 * static_cast<std::size_t>(Threads::default_chunk) + 5;

TEST(VectorArrays, AreCopiedAndZeroedWhole) {
  const VectorArray x = random_vectors(rows, 1);
  for (const int count : {1, 2, 3}) {
    Threads threads(count);
    VectorArray copy(rows);
    copy_rows(threads, x, copy);
    EXPECT_EQ(copy, x);
    set_zero(threads, copy);
    EXPECT_EQ(copy, VectorArray(rows));
  }
}

TEST(VectorArrays, ADifferenceInAnyChunkIsSeen) {
  const VectorArray x = random_vectors(rows, 1);
  for (const int count : {1, 2, 3}) {
    Threads threads(count);
    EXPECT_TRUE(same_bits(threads, x, VectorArray(x)));
    EXPECT_TRUE(same_bits(threads, VectorArray{}, VectorArray{}));
    EXPECT_FALSE(same_bits(threads, x, VectorView(x).first(rows - 1)));
    for (const std::size_t row : {std::size_t{0}, rows / 2, rows - 1}) {
      VectorArray other = x;
      other[row].z = -other[row].z;
      EXPECT_FALSE(same_bits(threads, x, other)) << row;
    }
    VectorArray zero(rows), minus(rows);
    minus[rows - 1].x = -0.0;
    EXPECT_FALSE(same_bits(threads, zero, minus));
  }
}

}  // namespace
}  // namespace electret::test
