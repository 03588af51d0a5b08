#pragma once
/// \file
/// Charges or targets sorted by the tetrahedron that holds them.

#include <algorithm>

#include <electret/core/parallel.hpp>
#include <electret/field/ddef/kernels.hpp>
#include <electret/field/ddef/location.hpp>

namespace electret::ddef {

/// Kernels may load this many entries beyond the last one.
inline constexpr Count padding = group_size;
/// Coordinates of padding in float32. They are far from all points, which lie within 1, so that no pair with
/// them looks close.
inline constexpr float float32_padding = 4.0F;

/// n coordinates as three arrays, padded.
template <class T>
struct Arrays {
  std::vector<T> x, y, z;

  void resize(Count n) {
    for (auto* axis : {&x, &y, &z})
      if (static_cast<Count>(axis->size()) < n + padding) axis->resize(static_cast<std::size_t>(n + padding));
  }
  void set(Count i, const Vec3& value) {
    const auto k = static_cast<std::size_t>(i);
    x[k] = static_cast<T>(value.x), y[k] = static_cast<T>(value.y), z[k] = static_cast<T>(value.z);
  }
  [[nodiscard]] Vec3 at(Count i) const {
    const auto k = static_cast<std::size_t>(i);
    return {static_cast<double>(x[k]), static_cast<double>(y[k]), static_cast<double>(z[k])};
  }
  /// From entry `begin` on.
  [[nodiscard]] Coordinates<T> view(Count begin = 0) const {
    return {x.data() + begin, y.data() + begin, z.data() + begin};
  }
};

class SortedPoints {
 public:
  /// Finds each point's tetrahedron and sorts by it. Points of one tetrahedron keep their order.
  void locate(VectorView points, double scale, const Box& box, const Locator& locator, Count tetrahedra,
              Threads& threads);
  /// Replaces only the coordinates: each point stays in its tetrahedron. `centre` (scaled) applies to float32
  /// only.
  void place(VectorView points, double scale, const Vec3& centre, bool with_float32);

  [[nodiscard]] Count size() const { return static_cast<Count>(order_.size()); }
  /// The caller's index of the point at `place`.
  [[nodiscard]] std::size_t caller(Count place) const {
    return static_cast<std::size_t>(order_[static_cast<std::size_t>(place)]);
  }
  /// The same of all points, by place.
  [[nodiscard]] const std::vector<Index>& order() const { return order_; }
  [[nodiscard]] Count begin(Index t) const { return first_[static_cast<std::size_t>(t)]; }
  [[nodiscard]] Count end(Index t) const { return first_[static_cast<std::size_t>(t) + 1]; }
  [[nodiscard]] Count count(Index t) const { return end(t) - begin(t); }
  [[nodiscard]] const std::vector<Index>& occupied() const { return occupied_; }  ///< Ascending.
  [[nodiscard]] const Arrays<double>& coordinates() const { return coordinates_; }
  [[nodiscard]] const Arrays<float>& coordinates32() const { return coordinates32_; }
  /// The bounding box of the points in an occupied tetrahedron, scaled.
  struct Bounds {
    Vec3 low, high;
  };
  [[nodiscard]] const Bounds& bounds(Index t) const { return bounds_[static_cast<std::size_t>(t)]; }

 private:
  std::vector<Index> tetrahedron_;  ///< In the caller's order.
  std::vector<Index> order_, occupied_;
  std::vector<Count> first_, next_;
  std::vector<Bounds> bounds_;   ///< By tetrahedron.
  Arrays<double> coordinates_;   ///< Sorted and scaled, not centred: that would round.
  Arrays<float> coordinates32_;  ///< Sorted, scaled and centred.
};

}  // namespace electret::ddef
