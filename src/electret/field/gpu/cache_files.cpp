#include <atomic>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>

#include <unistd.h>

#include <electret/field/gpu/cache_files.hpp>

namespace electret::gpu {

std::string kernel_cache_folder() {
  if (const char* folder = std::getenv("ELECTRET_KERNEL_CACHE")) return folder;
  if (const char* cache = std::getenv("XDG_CACHE_HOME"); cache && *cache)
    return std::string(cache) + "/electret/kernels";
  if (const char* home = std::getenv("HOME"); home && *home)
    return std::string(home) + "/.cache/electret/kernels";
  return {};
}

std::string device_key(const Facts& facts) {
  return facts.name + '\n' + facts.driver + '\n' + facts.platform + '\n' + facts.version + '\n';
}

std::string hash_of(std::string_view text) {
  std::uint64_t hash = 0xcbf29ce484222325U;
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3U;
  char digits[17];
  std::snprintf(digits, sizeof digits, "%016llx", static_cast<unsigned long long>(hash));
  return digits;
}

std::string read_cache_file(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

void write_cache_file(const std::string& path, std::string_view content) {
  std::error_code error;
  std::filesystem::create_directories(std::filesystem::path(path).parent_path(), error);
  // Several threads may write the same file.
  static std::atomic<int> writes = 0;
  const std::string beside = path + "." + std::to_string(getpid()) + "." + std::to_string(writes++);
  {
    std::ofstream file(beside, std::ios::binary);
    file << content;
    if (!file.flush()) error = std::make_error_code(std::errc::io_error);
  }
  if (!error) std::filesystem::rename(beside, path, error);
  if (error) std::filesystem::remove(beside, error);
}

}  // namespace electret::gpu
