/// In a build without Qhull.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <electret/core/errors.hpp>
#include <electret/field/ddef/ddef.hpp>

namespace electret::test {
namespace {

TEST(DdefUnavailable, IsRefused) {
  Threads threads(1);
  EXPECT_FALSE(ddef_available());
  try {
    make_ddef_field_solver({}, threads);
    FAIL() << "made a solver";
  } catch (const InputError& error) {
    EXPECT_THAT(error.what(), ::testing::HasSubstr("not available in this build"));
  }
}

}  // namespace
}  // namespace electret::test
