#pragma once
/// \file
/// The points of several tetrahedra, copied into one array.

#include <electret/field/ddef/near_sets.hpp>
#include <electret/field/ddef/points.hpp>

namespace electret::ddef {

/// Which entries of sorted arrays are copied, and where to.
class Gather {
 public:
  /// Collects the points in `tetrahedra` (ascending). The points of `first` (one of them, or -1) come before
  /// all others.
  void collect(const SortedPoints& points, std::span<const Index> tetrahedra, Index first);

  [[nodiscard]] Count size() const { return size_; }
  /// The place where the points of the k-th of `tetrahedra` begin.
  [[nodiscard]] Count offset(std::size_t k) const { return offsets_[k]; }

  template <class T>
  void copy(const std::vector<T>& from, std::vector<T>& to) const {
    if (static_cast<Count>(to.size()) < size_ + padding) to.resize(static_cast<std::size_t>(size_ + padding));
    auto* out = to.data();
    for (const auto& [begin, end] : runs_) out = std::copy(from.data() + begin, from.data() + end, out);
    std::fill(out, out + padding, T{});
  }
  /// Copies the coordinates as (x - centre)·scale in float32; the padding is `pad`.
  void copy_scaled(const std::vector<double>& from, double centre, double scale, float pad,
                   std::vector<float>& to) const {
    if (static_cast<Count>(to.size()) < size_ + padding) to.resize(static_cast<std::size_t>(size_ + padding));
    float* out = to.data();
    for (const auto& [begin, end] : runs_) {
      const double* in = from.data() + begin;
      const Count count = end - begin;
      for (Count k = 0; k < count; ++k) out[k] = static_cast<float>((in[k] - centre) * scale);
      out += count;
    }
    std::fill(out, out + padding, pad);
  }
  template <class T>
  void copy(const Arrays<T>& from, Arrays<T>& to) const {
    copy(from.x, to.x), copy(from.y, to.y), copy(from.z, to.z);
  }

 private:
  std::vector<std::pair<Count, Count>> runs_;
  std::vector<Count> offsets_;
  Count size_ = 0;
};

}  // namespace electret::ddef
