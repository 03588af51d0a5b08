#include <cmath>

#include <electret/core/vertex_loops.hpp>
#include <electret/field/fmm/passes/charges.hpp>

namespace electret::fmm {
namespace {

constexpr Count chunk_size = Count{1} << 14;

/// Smaller radii count as this. The powers of σ and of 1/σ then stay within the floating-point range.
constexpr double smallest_scale = 0x1p-40;

double scale_of(double radius) {
  if (!(radius > smallest_scale)) return smallest_scale;
  int exponent = 0;
  std::frexp(radius, &exponent);
  return std::ldexp(1.0, exponent);
}

template <class T>
T low_part(double value) {
  return static_cast<T>(value - static_cast<double>(static_cast<T>(value)));
}

}  // namespace

template <class T>
void PlacedPoints<T>::assign(const Tree& tree, const Vec3& origin, Threads& threads) {
  constexpr bool compensated = sizeof(T) == sizeof(float);
  tree_ = &tree;
  const Vec3 shift = compensated ? origin : Vec3{};
  const std::size_t n = tree.points().size();
  for (int axis = 0; axis < 3; ++axis) {
    high_[axis].resize(n);
    low_[axis].resize(compensated ? n : 0);
  }
  const auto place = [&](std::size_t i) {
    const Vec3 p = tree.points()[i] - shift;
    for (int axis = 0; axis < 3; ++axis) {
      high_[axis][i] = static_cast<T>(p[axis]);
      if constexpr (compensated) low_[axis][i] = low_part<T>(p[axis]);
    }
  };
  for_vertices(threads, n, place, chunk_size);
  frames_.resize(tree.cells().size());
  for (std::size_t c = 0; c < frames_.size(); ++c) {
    const Cell& cell = tree.cells()[c];
    const Vec3 centre = cell.centre - shift;
    for (int axis = 0; axis < 3; ++axis) {
      frames_[c].centre[axis] = static_cast<T>(centre[axis]);
      frames_[c].centre_low[axis] = low_part<T>(centre[axis]);
    }
    frames_[c].scale = static_cast<T>(scale_of(cell.radius));
  }
}

template <class T>
Points<T> PlacedPoints<T>::points(Index from) const {
  const auto f = static_cast<std::size_t>(from);
  if constexpr (sizeof(T) == sizeof(float))
    return {high_[0].data() + f, high_[1].data() + f, high_[2].data() + f,
            low_[0].data() + f,  low_[1].data() + f,  low_[2].data() + f};
  else
    return {high_[0].data() + f, high_[1].data() + f, high_[2].data() + f};
}

template <class T>
LeafPoints<T> PlacedPoints<T>::leaf(Index c) const {
  const Cell& cell = tree_->cells()[static_cast<std::size_t>(c)];
  const CellFrame<T>& f = frame(c);
  return {points(cell.begin),
          cell.count(),
          {f.centre[0], f.centre[1], f.centre[2]},
          {f.centre_low[0], f.centre_low[1], f.centre_low[2]},
          T{1} / f.scale};
}

template <class T>
void put_in_order(const Tree& tree, ScalarView values, double factor, PaddedArray<T>& out, Threads& threads) {
  const auto& order = tree.order();
  out.resize(order.size());
  const auto put = [&](std::size_t i) {
    out[i] = static_cast<T>(factor * values[static_cast<std::size_t>(order[i])]);
  };
  for_vertices(threads, order.size(), put, chunk_size);
}

template <class T>
void put_in_order(const Tree& tree, VectorView values, double factor, PaddedVectors<T>& out,
                  Threads& threads) {
  const auto& order = tree.order();
  for (auto& axis : out) axis.resize(order.size());
  const auto put = [&](std::size_t i) {
    const Vec3 v = factor * values[static_cast<std::size_t>(order[i])];
    for (int axis = 0; axis < 3; ++axis) out[axis][i] = static_cast<T>(v[axis]);
  };
  for_vertices(threads, order.size(), put, chunk_size);
}

template class PlacedPoints<float>;
template class PlacedPoints<double>;
template void put_in_order(const Tree&, ScalarView, double, PaddedArray<float>&, Threads&);
template void put_in_order(const Tree&, ScalarView, double, PaddedArray<double>&, Threads&);
template void put_in_order(const Tree&, VectorView, double, PaddedVectors<float>&, Threads&);
template void put_in_order(const Tree&, VectorView, double, PaddedVectors<double>&, Threads&);

}  // namespace electret::fmm
