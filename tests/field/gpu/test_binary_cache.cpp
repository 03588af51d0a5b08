#include <cstdlib>
#include <filesystem>
#include <fstream>

#include <field/gpu/device_for_tests.hpp>
#include <gtest/gtest.h>

#include <electret/field/gpu/kernel_texts.hpp>
#include <electret/field/gpu/opencl/binary_cache.hpp>

namespace electret::test {
namespace {

namespace fs = std::filesystem;

/// An empty folder that ELECTRET_KERNEL_CACHE names for as long as the object lives.
class Folder {
 public:
  explicit Folder(const std::string& test) : path_(::testing::TempDir() + "/electret_cache_" + test) {
    fs::remove_all(path_);
    setenv("ELECTRET_KERNEL_CACHE", path_.c_str(), 1);
  }
  ~Folder() {
    unsetenv("ELECTRET_KERNEL_CACHE");
    fs::remove_all(path_);
  }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  [[nodiscard]] const std::string& path() const { return path_; }
  [[nodiscard]] fs::path only_file() const { return fs::directory_iterator(path_)->path(); }

 private:
  std::string path_;
};

gpu::Facts some_facts() {
  gpu::Facts facts;
  facts.name = "card";
  facts.driver = "1.0";
  facts.kind = gpu::Kind::discrete;
  return facts;
}

TEST(BinaryCache, GivesBackWhatItWasGiven) {
  const Folder folder("back");
  const gpu::BinaryCache cache(some_facts(), folder.path());
  EXPECT_EQ(cache.load("text"), "");
  const std::string binary("\0bytes\n", 7);
  cache.store("text", binary);
  EXPECT_EQ(cache.load("text"), binary);
  EXPECT_EQ(cache.load("another text"), "");
  gpu::Facts newer = some_facts();
  newer.driver = "1.1";
  EXPECT_EQ(gpu::BinaryCache(newer, folder.path()).load("text"), "");
}

TEST(BinaryCache, TakesADamagedFileForNone) {
  const Folder folder("damaged");
  const gpu::BinaryCache cache(some_facts(), folder.path());
  cache.store("text", "a binary of some length");
  std::ifstream in(folder.only_file(), std::ios::binary);
  const std::string whole{std::istreambuf_iterator<char>(in), {}};
  for (std::size_t i = 0; i < whole.size(); ++i) {
    std::string damaged = whole;
    damaged[i] = static_cast<char>(damaged[i] ^ 1);
    std::ofstream(folder.only_file(), std::ios::binary) << damaged;
    EXPECT_EQ(cache.load("text"), "") << i;
    std::ofstream(folder.only_file(), std::ios::binary) << whole.substr(0, i);
    EXPECT_EQ(cache.load("text"), "") << i;
  }
}

TEST(BinaryCache, IsSilentWhereItCannotWrite) {
  const gpu::BinaryCache cache(some_facts(), "/proc/no such folder");
  cache.store("text", "binary");
  EXPECT_EQ(cache.load("text"), "");
}

TEST(BinaryCache, IsNotUsedBehindAProcessorUnlessItIsNamed) {
  gpu::Facts facts = some_facts();
  facts.kind = gpu::Kind::processor;
  unsetenv("ELECTRET_KERNEL_CACHE");
  EXPECT_FALSE(gpu::BinaryCache(facts, "/tmp").is_used());
  const Folder folder("processor");
  EXPECT_TRUE(gpu::BinaryCache(facts, folder.path()).is_used());
}

/// The driver's own binary is kept; one that the driver refuses is compiled anew.
TEST(BinaryCache, ServesPrograms) {
  ELECTRET_NEEDS_DEVICE();
  const Folder folder("programs");
  const auto device = test_device();
  const auto source_of = [](int number) {
    return gpu::ProgramSource{
        {},
        {},
        "KERNEL(64) void one(GLOBAL int *a) { a[GROUP * 64 + LANE] = " + std::to_string(number) + "; }"};
  };
  const auto expect_computes = [&](int number) {
    gpu::Array<std::int32_t> a(*device, 64);
    device->launch(*device->program(source_of(number))->kernel("one"), 1, a);
    EXPECT_EQ(a.downloaded(), std::vector<std::int32_t>(64, number));
  };
  const gpu::BinaryCache cache(device->facts(), folder.path());
  expect_computes(101);
  EXPECT_GT(cache.load(gpu::text_of(source_of(101))).size(), 100U);
  cache.store(gpu::text_of(source_of(102)), std::string(1000, '\0'));
  expect_computes(102);
  EXPECT_NE(cache.load(gpu::text_of(source_of(102))), std::string(1000, '\0'));
  // What another process of this user kept.
  cache.store(gpu::text_of(source_of(103)), cache.load(gpu::text_of(source_of(101))));
  gpu::Array<std::int32_t> a(*device, 64);
  device->launch(*device->program(source_of(103))->kernel("one"), 1, a);
  EXPECT_EQ(a.downloaded(), std::vector<std::int32_t>(64, 101));
}

}  // namespace
}  // namespace electret::test
