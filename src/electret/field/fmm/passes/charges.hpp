#pragma once
/// \file
/// A tree's points and cells in a kernel's own arithmetic, and what they carry.

#include <array>
#include <vector>

#include <electret/field/fmm/kernels.hpp>
#include <electret/field/fmm/tree/tree.hpp>

namespace electret::fmm {

/// Numbers that whole registers may be read from and written to, also beyond the end.
template <class T>
class PaddedArray {
 public:
  void resize(std::size_t n) { values_.resize(n + max_lanes); }
  T* data() { return values_.data(); }
  [[nodiscard]] const T* data() const { return values_.data(); }
  T& operator[](std::size_t i) { return values_[i]; }
  const T& operator[](std::size_t i) const { return values_[i]; }

 private:
  std::vector<T> values_;
};

template <class T>
using PaddedVectors = std::array<PaddedArray<T>, 3>;

template <class T>
Vectors<T> view(const PaddedVectors<T>& v, std::size_t from = 0) {
  return {v[0].data() + from, v[1].data() + from, v[2].data() + from};
}

/// A cell as kernels see it.
template <class T>
struct CellFrame {
  T centre[3], centre_low[3];
  T scale;  ///< σ: the power of two at or above the radius, not below the smallest that T can work with.
};

/// Points in tree order: T = float relative to `origin`, with what rounding lost; T = double as they are.
template <class T>
class PlacedPoints {
 public:
  void assign(const Tree& tree, const Vec3& origin, Threads& threads);

  [[nodiscard]] const Tree& tree() const { return *tree_; }
  [[nodiscard]] const CellFrame<T>& frame(Index cell) const {
    return frames_[static_cast<std::size_t>(cell)];
  }
  [[nodiscard]] Points<T> points(Index from) const;
  [[nodiscard]] LeafPoints<T> leaf(Index cell) const;

 private:
  const Tree* tree_ = nullptr;
  PaddedVectors<T> high_, low_;
  std::vector<CellFrame<T>> frames_;
};

/// Values in the caller's order times `factor`, in tree order.
template <class T>
void put_in_order(const Tree& tree, ScalarView values, double factor, PaddedArray<T>& out, Threads& threads);
template <class T>
void put_in_order(const Tree& tree, VectorView values, double factor, PaddedVectors<T>& out,
                  Threads& threads);

}  // namespace electret::fmm
