#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <electret/dynamics/system.hpp>
#include <electret/record/run.hpp>
#include <electret/scene/read.hpp>

#include "record/temporary_folder.hpp"

namespace electret::test {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

/// A cube whose corners have 2 kg and 3/4 m² each, pulled through water ever faster. h ρ C A v/m is 2 at
/// 2 · 2 / (0.01 · 5 · 4.55 · 0.75) = 23.4 m/s.
constexpr const char* pulled_cube = R"toml(
[time]
step = 0.01
steps = 20
[[body]]
name = "cube"
generate = { shape = "box", cells = [1, 1, 1], cell_size = 1.0, element = "hex" }
mass = 2.0
  [[body.material]]
  model = "corotated"
  youngs_modulus = 1e5
  poissons_ratio = 0.2
[gravity]
acceleration = [0.0, 0.0, 625.0]
[[hydrodynamics]]
density = 5.0
)toml";

struct Told {
  std::vector<std::string> notices;
  RunResult result;
};

Told run_of(const std::vector<std::string>& overrides, const std::string& directory, bool resume = false) {
  Told told;
  RunOptions options;
  options.resume = resume;
  options.control.notice = [&](std::string_view text) { told.notices.emplace_back(text); };
  told.result = run_to_directory(compile(load_scene_text(pulled_cube, "cube.toml", ".", overrides, {}), 1),
                                 directory, options);
  return told;
}

TEST(WaterNotice, IsGivenOnceWhenAVertexGetsTooFast) {
  const TemporaryFolder folder;
  const Told first = run_of({}, folder / "run");
  const auto is_notice = AllOf(HasSubstr("a vertex of body \"cube\" moves at "),
                               HasSubstr(" m/s through the water, which the step does not resolve"),
                               HasSubstr("(at t = 0.0"), HasSubstr("the step resolves up to 23.4 m/s"));
  EXPECT_THAT(first.notices, ElementsAre(is_notice));
  EXPECT_THAT(first.result.warnings, ElementsAre(is_notice));
  // Nor does a run say it again that goes on.
  const Told second = run_of({"time.steps=30"}, folder / "run", true);
  EXPECT_EQ(second.result.steps, 30);
  EXPECT_THAT(second.notices, IsEmpty());
  EXPECT_THAT(second.result.warnings, ElementsAre(is_notice));
}

TEST(WaterNotice, IsNotGivenBelowTheLimit) {
  const TemporaryFolder folder;
  EXPECT_THAT(run_of({"time.step=0.001"}, folder / "run").notices, IsEmpty());
}

}  // namespace
}  // namespace electret::test
