#include <cstdlib>
#include <string_view>

#include <electret/field/gpu/cache_files.hpp>
#include <electret/field/gpu/opencl/binary_cache.hpp>

namespace electret::gpu {
namespace {

constexpr std::string_view mark = "electret kernel 1\n";

bool is_named() {
  const char* folder = std::getenv("ELECTRET_KERNEL_CACHE");
  return folder && *folder;
}

}  // namespace

BinaryCache::BinaryCache(const Facts& facts, std::string folder)
    : folder_(facts.kind == Kind::processor && !is_named() ? std::string{} : std::move(folder)),
      device_(device_key(facts)) {}

std::string BinaryCache::path_of(const std::string& text) const {
  return folder_ + "/" + hash_of(device_ + text) + hash_of(text + device_) + ".bin";
}

// A file: the mark, the checksum of the binary (16 digits), a new line, the binary.
std::string BinaryCache::load(const std::string& text) const {
  if (!is_used()) return {};
  const std::string all = read_cache_file(path_of(text));
  constexpr std::size_t head = mark.size() + 17;
  if (all.size() <= head || std::string_view(all).substr(0, mark.size()) != mark) return {};
  std::string binary = all.substr(head);
  return all.compare(mark.size(), 17, hash_of(binary) + '\n') == 0 ? binary : std::string{};
}

void BinaryCache::store(const std::string& text, const std::string& binary) const {
  if (!is_used() || binary.empty()) return;
  write_cache_file(path_of(text), std::string(mark) + hash_of(binary) + '\n' + binary);
}

}  // namespace electret::gpu
