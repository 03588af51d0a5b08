#include <algorithm>

#include <electret/field/fmm/tree/box.hpp>

namespace electret::fmm {

Box united(const Box& a, const Box& b) {
  return {{std::min(a.low.x, b.low.x), std::min(a.low.y, b.low.y), std::min(a.low.z, b.low.z)},
          {std::max(a.high.x, b.high.x), std::max(a.high.y, b.high.y), std::max(a.high.z, b.high.z)}};
}

Box box_of(VectorView points) {
  Box box{points[0], points[0]};
  for (const Vec3& p : points) box = united(box, {p, p});
  return box;
}

Box bounds(VectorView points, Threads& threads) {
  if (points.empty()) return {};
  Box boxes[64];
  const auto n = static_cast<Count>(points.size());
  const Count chunk = std::max(Count{1} << 14, (n + 63) / 64);
  threads.for_chunks(n, chunk, [&](Count begin, Count end) {
    boxes[begin / chunk] =
        box_of(points.subspan(static_cast<std::size_t>(begin), static_cast<std::size_t>(end - begin)));
  });
  Box all = boxes[0];
  for (Count k = 1; k * chunk < n; ++k) all = united(all, boxes[k]);
  return all;
}

}  // namespace electret::fmm
