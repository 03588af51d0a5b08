#include <cctype>

#include <field/gpu/device_for_tests.hpp>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <electret/core/errors.hpp>

namespace electret::test {
namespace {

std::string refused(std::string_view name) {
  try {
    gpu::open_device(name);
  } catch (const InputError& error) {
    return error.what();
  }
  return {};
}

TEST(Devices, HaveFacts) {
  ELECTRET_NEEDS_DEVICE();
  const gpu::Facts facts = gpu::device_facts(test_device_name());
  EXPECT_FALSE(facts.name.empty());
  EXPECT_FALSE(facts.driver.empty());
  EXPECT_GT(facts.memory, 0);
  EXPECT_GE(facts.local_memory, 32768);
  EXPECT_GT(facts.compute_units, 0);
}

TEST(Devices, AreFoundByAPartOfTheirNameInAnyCase) {
  ELECTRET_NEEDS_DEVICE();
  const gpu::Facts facts = gpu::device_facts(test_device_name());
  std::string upper = facts.name;
  for (char& c : upper) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  EXPECT_EQ(gpu::device_facts("gpu:" + upper).name, facts.name);
  EXPECT_EQ(gpu::device_facts("gpu:" + facts.name + "#1").name, facts.name);
}

TEST(Devices, ThatAreNotThereAreRefusedWithTheList) {
  ELECTRET_NEEDS_DEVICE();
  const std::string name = gpu::device_facts(test_device_name()).name;
  for (const char* wrong : {"gpu:no such device", "gpu:portable#99", "gpu:portable#x", "gpu:#1"})
    EXPECT_THAT(refused(wrong), ::testing::HasSubstr(name)) << wrong;
}

TEST(Devices, CopyFillAndKeepWhatTheyHold) {
  ELECTRET_NEEDS_DEVICE();
  const auto device = test_device();
  gpu::Array<std::uint32_t> a(*device, 5), b(*device, 5);
  a.fill(7);
  b.fill(0);
  a.upload(std::vector<std::uint32_t>{1, 2}, 3);
  device->copy(a.memory(), 8, b.memory(), 0, 12);
  EXPECT_EQ(a.downloaded(), (std::vector<std::uint32_t>{7, 7, 7, 1, 2}));
  EXPECT_EQ(b.downloaded(), (std::vector<std::uint32_t>{7, 1, 2, 0, 0}));
  a.resize(2);
  EXPECT_EQ(a.downloaded(), (std::vector<std::uint32_t>{7, 7}));
  EXPECT_THROW(a.upload(std::vector<std::uint32_t>(6)), InternalError);
}

TEST(Devices, RunKernelsInTheOrderOfTheirLaunches) {
  ELECTRET_NEEDS_DEVICE();
  const auto device = test_device();
  const auto program = device->program({{}, {{"STEP", "3"}}, R"(
KERNEL(64) void add(GLOBAL int *numbers, int n, int factor) {
  const int i = GROUP * 64 + LANE;
  if (i < n) numbers[i] = numbers[i] * factor + STEP;
})"});
  const auto kernel = program->kernel("add");
  EXPECT_EQ(kernel->lanes(), 64);
  gpu::Array<std::int32_t> numbers(*device, 100);
  numbers.fill(1);
  device->launch(*kernel, 2, numbers, 70, 2);
  device->launch(*kernel, 2, numbers, 100, 10);
  std::vector<std::int32_t> expected(70, 53);
  expected.resize(100, 13);
  EXPECT_EQ(numbers.downloaded(), expected);
  EXPECT_THROW((void)program->kernel("subtract"), InternalError);
}

TEST(Devices, SayWhatTheirWorkTook) {
  ELECTRET_NEEDS_DEVICE();
  const auto device = gpu::open_device(test_device_name(), true);
  const auto kernel =
      device->program({{}, {}, "KERNEL(64) void one(GLOBAL int *a) { a[GROUP * 64 + LANE] = 1; }"})
          ->kernel("one");
  gpu::Array<std::int32_t> numbers(*device, 128);
  numbers.fill(0);
  device->launch(*kernel, 2, numbers);
  device->launch(*kernel, 1, numbers);
  EXPECT_EQ(numbers.downloaded(), std::vector<std::int32_t>(128, 1));
  const std::vector<gpu::Timing> timings = device->timings();
  ASSERT_EQ(timings.size(), 3U);
  EXPECT_EQ(timings[1].what, "one");
  EXPECT_EQ(timings[1].count, 2);
  EXPECT_GT(timings[1].seconds, 0.0);
  EXPECT_EQ(timings[2].what, "download");
  EXPECT_TRUE(device->timings().empty());
  EXPECT_TRUE(test_device()->timings().empty());
}

TEST(Devices, SayWhereTheCompilersWordsAre) {
  ELECTRET_NEEDS_DEVICE();
  const auto device = test_device();
  try {
    (void)device->program({{}, {}, "KERNEL(64) void wrong(GLOBAL int *a) { a[0] = no_such_name; }"});
    FAIL() << "a wrong text was compiled";
  } catch (const InputError& error) {
    EXPECT_THAT(error.what(), ::testing::HasSubstr("electret-kernel"));
  }
}

TEST(Devices, AreRefusedToAForkedProcess) {
  ELECTRET_NEEDS_DEVICE();
  const auto device = test_device();
  gpu::Array<float> numbers(*device, 100);
  const pid_t child = fork();
  if (child == 0) {
    alarm(500);  // a driver that is asked all the same would wait for ever
    try {
      numbers.fill(0);
    } catch (const gpu::DeviceError&) {
      _exit(0);
    }
    _exit(1);
  }
  int status = 0;
  waitpid(child, &status, 0);
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0) << status;
  numbers.fill(0);  // the parent goes on
  EXPECT_EQ(numbers.downloaded(), std::vector<float>(100, 0.0F));
}

TEST(Devices, RefuseBuffersBeyondTheirSize) {
  ELECTRET_NEEDS_DEVICE();
  const auto device = test_device();
  EXPECT_THROW((void)device->allocate(static_cast<std::size_t>(device->facts().largest_buffer) + 1),
               gpu::OutOfDeviceMemory);
}

}  // namespace
}  // namespace electret::test
