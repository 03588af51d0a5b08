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

bool fits(const NamedArrays::Array& array, std::span<const MemoryArray> layout, std::size_t vertices) {
  const auto kept = find(layout, array.name);
  if (kept == layout.end()) return true;
  const std::size_t size = array.values.size();
  return kept->is_list ? size % kept->count == 0 : size == kept->size(vertices);
}

std::string wrong_memory(const MethodMemory& memory, std::span<const MemoryArray> layout,
                         std::size_t vertices) {
  for (const auto& array : memory.arrays) {
    if (fits(array, layout, vertices)) continue;
    const auto kept = find(layout, array.name);
    return "\"" + array.name + "\" has " + std::to_string(array.values.size()) + " numbers, not " +
           (kept->is_list ? "a multiple of " : "") + std::to_string(kept->size(vertices));
  }
  return {};
}

void drop_unfitting(MethodMemory& memory, std::span<const MemoryArray> layout, std::size_t vertices) {
  std::erase_if(memory.arrays, [&](const auto& array) { return !fits(array, layout, vertices); });
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
