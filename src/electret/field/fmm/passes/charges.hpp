#pragma once
/// \file
/// A tree's points, cells and charges in a kernel's own arithmetic.

#include <array>
#include <vector>

#include <electret/field/fmm/kernels.hpp>
#include <electret/field/fmm/tree/tree.hpp>

namespace electret::fmm {

/// An array that whole registers may read and write, even beyond its last element.
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

/// A cell's centre and scale, as kernels read them.
template <class T>
struct CellFrame {
  T centre[3], centre_low[3];
  T scale;  ///< σ: a power of two from one to two times the radius, as far as T can work with it.
};

/// Points in tree order. For T = float they are relative to `origin`, with low parts for what rounding lost.
/// For T = double they are the points themselves.
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

/// Multiplies values, given in the caller's order, by `factor` and puts them in tree order.
template <class T>
void put_in_order(const Tree& tree, ScalarView values, double factor, PaddedArray<T>& out, Threads& threads);
template <class T>
void put_in_order(const Tree& tree, VectorView values, double factor, PaddedVectors<T>& out,
                  Threads& threads);

}  // namespace electret::fmm
