/// What a job's checks read before any run: values of many combinations, and files that values name.

#include <filesystem>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "sweep_fixture.hpp"

namespace electret::test {
namespace {

using ::testing::HasSubstr;

/// "first, first + step, …", so many.
std::string ascending_list(double first, double step, int count) {
  std::string text;
  for (int k = 0; k < count; ++k) text += (k > 0 ? ", " : "") + std::to_string(first + step * k);
  return text;
}

TEST_F(Sweep, EachListedValueOfManyCombinationsIsChecked) {
  // 1200 combinations: the last mass is first in run 1170, the last charge in run 29.
  write("job.toml", "[sweep]\nscene = \"scene.toml\"\n[[vary]]\nkey = \"body.0.mass\"\nvalues = [" +
                        ascending_list(0.1, 0.1, 39) +
                        ", \"much\"]\n[[vary]]\nkey = \"body.0.charge\"\nvalues = [" +
                        ascending_list(0.0, 1e-6, 29) + ", \"little\"]\n");
  const std::string all = fault();
  EXPECT_THAT(all, HasSubstr("job.toml:4:7: error: run 1170: "));
  EXPECT_THAT(all, HasSubstr("job.toml:7:7: error: run 29: "));
}

TEST_F(Sweep, FilesThatListedValuesNameAreRead) {
  const std::string start =
      "[sweep]\nscene = \"scene.toml\"\n[[vary]]\nkey = \"body.0.mass\"\nvalues = [0.1, 0.2]\n[[vary]]\n"
      "key = \"body.0.mesh\"\nvalues = [\"ball.obj\", ";
  write("job.toml", start + "\"none.obj\"]\n");
  const std::string all = fault();
  EXPECT_THAT(all, HasSubstr("job.toml:7:7: error: run 1: "));
  EXPECT_THAT(all, HasSubstr("none.obj"));
  // A sweep keeps their bytes, and is refused if they change.
  write("more.obj", std::string(sweep_mesh) + "# more\n");
  write("job.toml", start + "\"more.obj\"]\n");
  EXPECT_EQ(plan().files.at("more.obj"), std::string(sweep_mesh) + "# more\n");
}

}  // namespace
}  // namespace electret::test
