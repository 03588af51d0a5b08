// The instruction set in force, in processes of their own, because a process settles it once.

#include <cstdlib>
#include <stdexcept>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>

#include <electret/core/errors.hpp>
#include <electret/core/instruction_set.hpp>

namespace electret {
namespace {

using testing::HasSubstr;

constexpr const char* variable = "ELECTRET_INSTRUCTIONS";

/// The message of an InputError that `action` throws; empty if it throws none.
template <class Action>
std::string finding_of(Action action) {
  try {
    action();
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

/// Ends the process with the number of the set in force, or with 9 if `action` throws.
template <class Action>
[[noreturn]] void exit_with_set(Action action) {
  try {
    action();
    std::_Exit(static_cast<int>(instruction_set()));
  } catch (...) {
    std::_Exit(9);
  }
}

/// Whether `status` is the exit status of exit_with_set for the set, or for a refusal of it.
testing::AssertionResult is_for(InstructionSet set, int status) {
  const int expected = is_supported(set) ? static_cast<int>(set) : 9;
  if (WIFEXITED(status) && WEXITSTATUS(status) == expected) return testing::AssertionSuccess();
  return testing::AssertionFailure() << name_of(set) << ": status " << status;
}

InstructionSet best() {
  InstructionSet result = InstructionSet::portable;
  for (const InstructionSet set : instruction_sets)
    if (is_supported(set)) result = set;
  return result;
}

/// Each death is that of a program started anew, in which nothing is settled.
class InstructionSetDeathTest : public testing::Test {
 protected:
  InstructionSetDeathTest() { testing::FLAGS_gtest_death_test_style = "threadsafe"; }
};

TEST_F(InstructionSetDeathTest, IsTheBestOneUnlessTheVariableNamesAnother) {
  for (const char* none : {static_cast<const char*>(nullptr), ""})
    EXPECT_EXIT(
        exit_with_set([&] { none != nullptr ? setenv(variable, none, 1) : unsetenv(variable); }),
        [](int status) { return is_for(best(), status); }, "");
  for (const InstructionSet set : instruction_sets)
    EXPECT_EXIT(
        exit_with_set([&] { setenv(variable, name_of(set), 1); }),
        [&](int status) { return is_for(set, status); }, "");
  EXPECT_EXIT(exit_with_set([] { setenv(variable, "AVX2", 1); }), testing::ExitedWithCode(9), "");
}

TEST_F(InstructionSetDeathTest, IsTheChosenOneWhateverTheVariableSays) {
  for (const InstructionSet set : instruction_sets)
    EXPECT_EXIT(
        exit_with_set([&] {
          setenv(variable, "nonsense", 1);
          choose_instruction_set(name_of(set));
        }),
        [&](int status) { return is_for(set, status); }, "");
}

TEST(InstructionSet, StaysAsItWasFirstUsed) {
  const InstructionSet now = instruction_set();
  EXPECT_NO_THROW(choose_instruction_set(name_of(now)));
  for (const InstructionSet set : instruction_sets)
    if (set != now && is_supported(set)) {
      EXPECT_THROW(choose_instruction_set(name_of(set)), std::invalid_argument) << name_of(set);
    }
  EXPECT_EQ(instruction_set(), now);
}

TEST(InstructionSet, IsRefusedWithTheListOfThoseThatAreThere) {
  EXPECT_THAT(finding_of([] { choose_instruction_set("sse\n", "--instructions"); }),
              HasSubstr(R"(--instructions: "sse\x0a" is no instruction set; allowed here: portable)"));
  for (const InstructionSet set : instruction_sets)
    if (!is_supported(set)) {
      EXPECT_THAT(finding_of([&] { choose_instruction_set(name_of(set)); }),
                  HasSubstr(std::string("lacks; allowed here: ") + supported_instruction_sets()));
    }
  EXPECT_THAT(supported_instruction_sets(), HasSubstr("portable"));
}

}  // namespace
}  // namespace electret
