#include <electret/field/ddef/points.hpp>

namespace electret::ddef {
namespace {

constexpr Count points_per_task = 2048;

}  // namespace

void SortedPoints::locate(VectorView points, double scale, const Box& box, const Locator& locator,
                          Count tetrahedra, Threads& threads) {
  const auto n = static_cast<Count>(points.size());
  tetrahedron_.resize(points.size());
  threads.for_chunks(n, points_per_task, [&](Count from, Count to) {
    for (auto i = static_cast<std::size_t>(from); i < static_cast<std::size_t>(to); ++i)
      tetrahedron_[i] = locator.find(box.unit(scale * points[i]));
  });
  first_.assign(static_cast<std::size_t>(tetrahedra) + 1, 0);
  for (const Index t : tetrahedron_) ++first_[static_cast<std::size_t>(t) + 1];
  occupied_.clear();
  for (Index t = 0; t < tetrahedra; ++t) {
    auto& next = first_[static_cast<std::size_t>(t) + 1];
    if (next > 0) occupied_.push_back(t);
    next += first_[static_cast<std::size_t>(t)];
  }
  next_.assign(first_.begin(), first_.end() - 1);
  order_.resize(points.size());
  for (std::size_t i = 0; i < points.size(); ++i)
    order_[static_cast<std::size_t>(next_[static_cast<std::size_t>(tetrahedron_[i])]++)] =
        static_cast<Index>(i);
}

void SortedPoints::place(VectorView points, double scale, const Vec3& centre, bool with_float32) {
  coordinates_.resize(size());
  for (Count k = 0; k < size(); ++k) coordinates_.set(k, scale * points[caller(k)]);
  for (Count k = size(); k < size() + padding; ++k) coordinates_.set(k, {});
  bounds_.resize(first_.size() - 1);
  for (const Index t : occupied_) {
    Bounds b{coordinates_.at(begin(t)), coordinates_.at(begin(t))};
    for (Count k = begin(t); k < end(t); ++k)
      for (int axis = 0; axis < 3; ++axis) {
        b.low[axis] = std::min(b.low[axis], coordinates_.at(k)[axis]);
        b.high[axis] = std::max(b.high[axis], coordinates_.at(k)[axis]);
      }
    bounds_[static_cast<std::size_t>(t)] = b;
  }
  if (!with_float32) return;
  coordinates32_.resize(size());
  for (Count k = 0; k < size(); ++k) coordinates32_.set(k, coordinates_.at(k) - centre);
  for (Count k = size(); k < size() + padding; ++k)
    coordinates32_.set(k, {float32_padding, float32_padding, float32_padding});
}

}  // namespace electret::ddef
