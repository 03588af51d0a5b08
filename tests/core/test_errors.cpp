#include <gtest/gtest.h>

#include <electret/core/errors.hpp>

namespace electret {
namespace {

TEST(Finding, IsOneLineWithFileLineAndColumn) {
  const Finding finding{{"scene.toml", 3, 7}, "unknown key \"stp\"", "did you mean \"step\"?"};
  EXPECT_EQ(to_string(finding), "scene.toml:3:7: error: unknown key \"stp\"; did you mean \"step\"?");
}

TEST(Finding, LeavesOutWhatIsUnknown) {
  EXPECT_EQ(to_string({{"--set time.step", 0, 0}, "bad", ""}), "--set time.step: error: bad");
  EXPECT_EQ(to_string({{"a.obj", 4, 0}, "bad", ""}), "a.obj:4: error: bad");
}

TEST(Finding, IsOnePrintableLineWhateverAUsersFileHolds) {
  const Finding finding{{"a\nb.csv", 2, 0}, "group \"\x1b[2J\xff\" is empty", "allowed: \r"};
  EXPECT_EQ(to_string(finding), R"(a\x0ab.csv:2: error: group "\x1b[2J\xff" is empty; allowed: \x0d)");
  EXPECT_STREQ(InputError(finding).what(), to_string(finding).c_str());
  EXPECT_STREQ(IoError("no file \x1b[2J").what(), R"(no file \x1b[2J)");
  EXPECT_STREQ(DivergenceError(1, -1, "of \x07", "\xc2").what(), R"(diverged at step 1: of \x07; \xc2)");
}

TEST(IoError, KeepsTheNameOfItsFileAsItIs) {
  EXPECT_EQ(IoError("cannot write caf\xe9", "caf\xe9").path(), "caf\xe9");
  EXPECT_EQ(IoError("the disk is full").path(), "");
}

TEST(InputError, CarriesAllFindings) {
  const InputError error({{{"a", 1, 1}, "x", ""}, {{"a", 2, 1}, "y", ""}});
  EXPECT_EQ(error.findings().size(), 2U);
  EXPECT_STREQ(error.what(), "a:1:1: error: x\na:2:1: error: y");
}

TEST(DivergenceError, NamesStepVertexCauseAndAdvice) {
  const DivergenceError error(12, 5, "the step is too large", "use a smaller one");
  EXPECT_STREQ(error.what(), "diverged at step 12, vertex 5: the step is too large; use a smaller one");
}

TEST(Require, ThrowsInternalError) {
  EXPECT_NO_THROW(require(true, "fine"));
  EXPECT_THROW(require(false, "broken"), InternalError);
}

}  // namespace
}  // namespace electret
