#include <algorithm>

#include <electret/dynamics/memory_layout.hpp>

namespace electret {
namespace {

auto find(std::span<const MemoryArray> layout, std::string_view name) {
  return std::find_if(layout.begin(), layout.end(),
                      [&](const MemoryArray& array) { return array.name == name; });
}

}  // namespace

double bytes_of(std::span<const MemoryArray> layout, std::size_t vertices) {
  double bytes = 0.0;
  for (const MemoryArray& array : layout) bytes += 8.0 * static_cast<double>(array.size(vertices));
  return bytes;
}

std::string wrong_memory(const MethodMemory& memory, std::span<const MemoryArray> layout,
                         std::size_t vertices) {
  for (const auto& array : memory.arrays) {
    const auto kept = find(layout, array.name);
    if (kept == layout.end()) continue;
    if (kept->is_list && array.values.size() % kept->count == 0) continue;
    if (array.values.size() != kept->size(vertices))
      return "\"" + array.name + "\" has " + std::to_string(array.values.size()) + " numbers, not " +
             (kept->is_list ? "a multiple of " : "") + std::to_string(kept->size(vertices));
  }
  return {};
}

void drop_others(MethodMemory& memory, std::span<const MemoryArray> layout) {
  std::erase_if(memory.arrays, [&](const auto& array) { return find(layout, array.name) == layout.end(); });
}

bool is_incomplete(const MethodMemory& memory, std::span<const MemoryArray> layout) {
  return std::any_of(layout.begin(), layout.end(), [&](const MemoryArray& array) {
    return array.is_differentiable && memory.find(array.name).empty();
  });
}

}  // namespace electret
