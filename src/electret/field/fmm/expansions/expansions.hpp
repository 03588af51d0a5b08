#pragma once
/// \file
/// The moments and locals of all cells, and the upward pass (P2M at the leaves, M2M above).

#include <vector>

#include <electret/field/fmm/passes/charges.hpp>

namespace electret::fmm {

/// The coefficients of all cells. Each cell has its sets one after another, each padded to whole registers.
template <class T>
class Expansions {
 public:
  /// Makes room for `sets` expansions per cell, of this order and number of coefficients. Their values are
  /// undefined.
  void resize(std::size_t cells, int order, int numbers, int sets) {
    order_ = order;
    sets_ = sets;
    stride_ = (numbers + max_lanes - 1) / max_lanes * max_lanes;
    lines_.resize((cells * static_cast<std::size_t>(sets * stride_) * sizeof(T) + 63) / 64);
  }
  T* of(Index cell, int set = 0) {
    return reinterpret_cast<T*>(lines_.data()) + (static_cast<std::int64_t>(cell) * sets_ + set) * stride_;
  }
  void clear(Index cell) { std::fill_n(of(cell), sets_ * stride_, T{0}); }

  [[nodiscard]] int order() const { return order_; }
  [[nodiscard]] int sets() const { return sets_; }
  [[nodiscard]] std::int64_t stride() const { return stride_; }

 private:
  struct alignas(64) Line {
    unsigned char bytes[64];
  };
  int order_ = 0, sets_ = 1;
  std::int64_t stride_ = 0;
  std::vector<Line> lines_;
};

/// All expansions of one kind.
template <class T>
struct Series {
  const SeriesKernels<T>& kernels;
  int order, numbers;  ///< The largest order, and its number of coefficients.
  bool used = false;   ///< Whether the present evaluation uses this kind.
  Expansions<T> moments{}, locals{};
};
/// All kinds: harmonic expansions, and Taylor series for softened pairs of close cells.
template <class T>
struct AllSeries {
  Series<T> harmonic, taylor;
  template <class What>
  void each_used(What what) {
    for (Series<T>* series : {&harmonic, &taylor})
      if (series->used) what(*series);
  }
};

/// The sources in tree order: charges and, if requested, dipoles q_j u_j.
template <class T>
struct Sources {
  const PlacedPoints<T>* points = nullptr;
  const PaddedArray<T>* charges = nullptr;
  const PaddedVectors<T>* vectors = nullptr;  ///< u_j. Null: none.
  const PaddedVectors<T>* dipoles = nullptr;  ///< q_j u_j. Null: none.
};

/// Collects M2M or L2L translations, and passes them to the kernel once they fill a register's lanes.
template <class T>
class ShiftQueue {
 public:
  ShiftQueue(void (*kernel)(const ShiftBatch<T>&), int width, const Expansions<T>& layout)
      : kernel_(kernel), width_(width) {
    batch_.order = layout.order();
    batch_.sets = layout.sets();
    batch_.set_stride = layout.stride();
    for (auto& axis : batch_.offset) std::fill_n(axis, max_lanes, T{0});
    std::fill_n(batch_.ratio, max_lanes, T{0});
  }
  void add(const T* from, T* to, const CellFrame<T>& child, const CellFrame<T>& parent) {
    const int l = batch_.count++;
    batch_.from[l] = from;
    batch_.to[l] = to;
    for (int axis = 0; axis < 3; ++axis)
      batch_.offset[axis][l] =
          ((child.centre[axis] - parent.centre[axis]) + (child.centre_low[axis] - parent.centre_low[axis])) /
          parent.scale;
    batch_.ratio[l] = child.scale / parent.scale;
    if (batch_.count == width_) flush();
  }
  void flush() {
    if (batch_.count > 0) kernel_(batch_);
    batch_.count = 0;
  }

 private:
  void (*kernel_)(const ShiftBatch<T>&);
  int width_;
  ShiftBatch<T> batch_;
};

/// Computes the moments of all cells from the leaves up.
template <class T>
void find_moments(const Sources<T>& sources, const SeriesKernels<T>& kernels, int width, Threads& threads,
                  Expansions<T>& moments);

}  // namespace electret::fmm
