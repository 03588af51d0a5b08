#include <algorithm>
#include <cmath>
#include <utility>

#include <electret/field/fmm/tree/box.hpp>
#include <electret/field/fmm/tree/cutting.hpp>
#include <electret/field/fmm/tree/morton.hpp>

namespace electret::fmm {

void CellCutter::split(Index c, CellList& list) const {
  const Cell cell = list.cells[static_cast<std::size_t>(c)];
  if (cell.count() <= leaf_size_) return;
  int bits = list.bits[static_cast<std::size_t>(c)];
  // If all remaining bits of the keys agree, many points share one cell of the keys.
  const auto key = [&](Index i) { return keys_[static_cast<std::size_t>(i)]; };
  if (bits == 0 || key(cell.begin) == key(cell.end - 1)) {
    if (!give_own_keys(cell.begin, cell.end)) return;
    bits = key_bits;
  }
  const auto first = static_cast<Index>(list.cells.size());
  Cell child;
  child.begin = cell.begin, child.end = cell.end, child.parent = c;
  cut(child, bits, 0, list);
  Cell& parent = list.cells[static_cast<std::size_t>(c)];
  parent.first_child = first;
  parent.child_count = static_cast<Index>(list.cells.size()) - first;
  parent.family = list.families++;
}

/// Divides the child and appends the parts. Bits that do not divide the points are skipped.
void CellCutter::cut(Cell child, int bits, int depth, CellList& list) const {
  const auto at = [&](Index i) { return keys_.begin() + i; };
  while (depth < 3 && bits > 0 && (depth == 0 || child.count() > leaf_size_)) {
    const std::uint32_t bit = 1U << (bits - 1);
    --bits;
    const auto middle = static_cast<Index>(
        std::partition_point(at(child.begin), at(child.end), [bit](auto key) { return (key & bit) == 0; }) -
        keys_.begin());
    if (middle == child.begin || middle == child.end) continue;
    Cell left = child, right = child;
    left.end = right.begin = middle;
    cut(left, bits, depth + 1, list);
    return cut(right, bits, depth + 1, list);
  }
  list.add(child, bits);
}

/// Sorts the points by keys in their own box. Returns false if all points are at one place.
bool CellCutter::give_own_keys(Index begin, Index end) const {
  const auto b = static_cast<std::size_t>(begin), n = static_cast<std::size_t>(end - begin);
  const Box box = box_of(points_.subspan(b, n));
  const MortonFrame frame = morton_frame(box.low, box.high);
  if (!std::isfinite(frame.inverse_size)) return false;
  std::vector<std::pair<std::uint64_t, Vec3>> entries(n);
  for (std::size_t i = 0; i < n; ++i) {
    const auto number = static_cast<std::uint64_t>(order_[b + i]);
    entries[i] = {std::uint64_t{frame.key(points_[b + i])} << 32 | number, points_[b + i]};
  }
  std::sort(entries.begin(), entries.end(), [](const auto& l, const auto& r) { return l.first < r.first; });
  for (std::size_t i = 0; i < n; ++i) {
    order_[b + i] = static_cast<Index>(entries[i].first & 0xFFFFFFFFU);
    keys_[b + i] = static_cast<std::uint32_t>(entries[i].first >> 32);
    points_[b + i] = entries[i].second;
  }
  return keys_[b] != keys_[b + n - 1];
}

}  // namespace electret::fmm
