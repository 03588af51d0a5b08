#include <cstdlib>
#include <filesystem>
#include <fstream>

#include <field/gpu/device_for_tests.hpp>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <electret/core/errors.hpp>
#include <electret/field/ddef/ddef.hpp>
#include <electret/field/gpu/cache_files.hpp>
#include <electret/field/gpu/kernel_texts.hpp>
#include <electret/field/gpu/self_test.hpp>
#include <electret/field/gpu/verdicts.hpp>

namespace electret::test {
namespace {

using ::testing::HasSubstr;

/// An environment variable for as long as the object lives.
class Setting {
 public:
  Setting(const char* name, const std::string& value) : name_(name) { setenv(name, value.c_str(), 1); }
  ~Setting() { unsetenv(name_); }
  Setting(const Setting&) = delete;
  Setting& operator=(const Setting&) = delete;

 private:
  const char* name_;
};

/// An empty folder of this test.
std::string folder_for(const std::string& test) {
  const std::string path = ::testing::TempDir() + "/electret_gpu_" + test;
  std::filesystem::remove_all(path);
  std::filesystem::create_directories(path);
  return path;
}

TEST(SelfTest, IsPassedByASoundDevice) {
  ELECTRET_NEEDS_DEVICE();
  const auto rows = gpu::self_test(test_device_name());
  EXPECT_EQ(rows.size(), ddef_available() ? 20U : 16U);
  for (const gpu::SelfTestRow& row : rows) EXPECT_TRUE(row.passed()) << row.what << ": " << row.error;
}

/// A kernel that computes another power of the distance.
TEST(SelfTest, RefusesAKernelThatIsWrong) {
  ELECTRET_NEEDS_DEVICE();
  const std::string folder = folder_for("wrong_kernel"), cache = folder_for("wrong_kernel_cache");
  std::string text = gpu::kernel_text("direct.cl");
  const std::string right = "const REAL factor = potential * inverse2;";
  const auto at = text.find(right);
  ASSERT_NE(at, std::string::npos);
  text.replace(at, right.size(), "const REAL factor = potential * inverse2 * 1.01f;");
  std::ofstream(folder + "/direct.cl") << text;
  const Setting kernels("ELECTRET_KERNEL_DIR", folder), kept("ELECTRET_KERNEL_CACHE", cache);
  try {
    gpu::require_self_test(test_device_name());
    FAIL() << "a wrong kernel was accepted";
  } catch (const InputError& error) {
    EXPECT_THAT(error.what(), HasSubstr("computes wrongly"));
    EXPECT_THAT(error.what(), HasSubstr("allowed 0.001"));
  }
}

TEST(SelfTest, IsRunOnceForADeviceAndItsKernels) {
  ELECTRET_NEEDS_DEVICE();
  const std::string cache = folder_for("verdicts");
  const Setting kept("ELECTRET_KERNEL_CACHE", cache);
  const std::string key = gpu::verdict_key(gpu::device_facts(test_device_name()));
  EXPECT_FALSE(gpu::was_passed(key));
  gpu::keep_passed(key);
  EXPECT_TRUE(gpu::was_passed(key));
  EXPECT_FALSE(gpu::was_passed(key + "another driver"));
  for (const auto& file : std::filesystem::directory_iterator(cache)) std::ofstream(file.path()) << "damaged";
  EXPECT_FALSE(gpu::was_passed(key));
}

TEST(SelfTest, NeedsNoFolder) {
  ELECTRET_NEEDS_DEVICE();
  const std::string key = gpu::verdict_key(gpu::device_facts(test_device_name()));
  for (const char* folder : {"", "/proc/no such folder"}) {
    const Setting kept("ELECTRET_KERNEL_CACHE", folder);
    gpu::keep_passed(key);
    EXPECT_FALSE(gpu::was_passed(key));
  }
}

}  // namespace
}  // namespace electret::test
