#pragma once
/// \file
/// What a device holds of trees and lists, copied to the host.

#include <algorithm>
#include <array>
#include <vector>

#include <electret/field/gpu/fmm/layout.hpp>

namespace electret::test {

using gpu::DeviceLists, gpu::DeviceTree, gpu::Float4, gpu::Int2, gpu::Int4;

/// A tree.
struct Copy {
  explicit Copy(const DeviceTree& tree)
      : count(tree.points.count),
        cells(tree.cells.count),
        leaf_count(tree.cells.leaf_count),
        levels(tree.cells.levels),
        high(some(tree.points.high, count)),
        low(some(tree.points.low, count)),
        order(some(tree.points.order, count)),
        fixed(some(tree.points.fixed, 3 * count)),
        rows(some(tree.points.rows, 3 * count)),
        points(some(tree.cells.points, cells)),
        family(some(tree.cells.family, cells)),
        centre(some(tree.cells.centre, cells)),
        centre_low(some(tree.cells.centre_low, cells)),
        leaves(some(tree.cells.leaves, leaf_count)) {}

  template <class T>
  static std::vector<T> some(const gpu::Array<T>& array, std::size_t n) {
    std::vector<T> values(n);
    array.download(values);
    return values;
  }

  std::size_t count, cells, leaf_count;
  std::vector<std::int32_t> levels;
  std::vector<Float4> high, low;
  std::vector<std::int32_t> order;
  std::vector<std::int64_t> fixed;
  std::vector<std::uint64_t> rows;
  std::vector<Int2> points;
  std::vector<Int4> family;
  std::vector<Float4> centre, centre_low;
  std::vector<std::int32_t> leaves;
};

/// Lists, in an order that does not depend on how they were found.
struct Lists {
  /// `list_count`: the last list's number.
  Lists(const DeviceLists& lists, const DeviceTree& targets, int list_count)
      : far_begin(lists.far_begin), begins(Copy::some(lists.near_begin, targets.cells.leaf_count + 1)) {
    far = Copy::some(lists.far, static_cast<std::size_t>(far_begin.back()));
    far_start =
        Copy::some(lists.far_start, static_cast<std::size_t>(list_count + 1) * targets.cells.count + 1);
    near = Copy::some(lists.near, static_cast<std::size_t>(begins.back()));
    for (std::size_t s = 0; s + 1 < far_start.size(); ++s) {
      targets_are_right &=
          std::all_of(far.begin() + far_start[s], far.begin() + far_start[s + 1],
                      [&](Int2 p) { return static_cast<std::size_t>(p.x) == s % targets.cells.count; });
      std::sort(far.begin() + far_start[s], far.begin() + far_start[s + 1],
                [](Int2 a, Int2 b) { return a.y < b.y; });
    }
    for (std::size_t k = 0; k + 1 < begins.size(); ++k)
      std::sort(near.begin() + begins[k], near.begin() + begins[k + 1]);
  }
  std::array<std::int32_t, gpu::most_lists + 1> far_begin;
  std::vector<std::int32_t> begins, far_start, near;
  std::vector<Int2> far;
  bool targets_are_right = true;
};

inline std::vector<std::array<std::int64_t, 4>> rows(const std::vector<Int4>& numbers) {
  std::vector<std::array<std::int64_t, 4>> all;
  for (const Int4& n : numbers) all.push_back({n.x, n.y, n.z, n.w});
  return all;
}
inline std::vector<std::array<std::int64_t, 2>> rows(const std::vector<Int2>& numbers) {
  std::vector<std::array<std::int64_t, 2>> all;
  for (const Int2& n : numbers) all.push_back({n.x, n.y});
  return all;
}
inline std::vector<std::array<float, 3>> rows(const std::vector<Float4>& numbers) {
  std::vector<std::array<float, 3>> all;
  for (const Float4& n : numbers) all.push_back({n.x, n.y, n.z});
  return all;
}

}  // namespace electret::test
