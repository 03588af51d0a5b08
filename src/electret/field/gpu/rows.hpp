#pragma once
/// \file
/// Vectors as rows of four numbers on a device, and scalars.

#include <type_traits>

#include <electret/field/direct/arrays.hpp>
#include <electret/field/gpu/device.hpp>

namespace electret::gpu {

/// Four numbers as kernels read a row.
template <class T>
using Row4 = std::conditional_t<sizeof(T) == sizeof(float), Float4, Double4>;

/// (values - centre)·scale as rows {x, y, z, 0}, and, for float32, the low parts that rounding lost. Padded
/// with zeros to whole groups of 128.
template <class T>
class Rows {
 public:
  static constexpr std::size_t multiple = 128;
  static std::size_t padded(std::size_t n) { return (n + multiple - 1) / multiple * multiple; }

  explicit Rows(Device& device) : high_(device), low_(device) {}

  void assign(VectorView values, const Vec3& centre, double scale);
  [[nodiscard]] const Array<Row4<T>>& high() const { return high_; }
  /// Empty for float64.
  [[nodiscard]] const Array<Row4<T>>& low() const { return low_; }

 private:
  Array<Row4<T>> high_, low_;
  direct::CoordinateArrays<T> parts_;
  std::vector<Row4<T>> rows_;
};

/// scale·values, padded with zeros to whole groups of 128.
template <class T>
class Scalars {
 public:
  explicit Scalars(Device& device) : numbers_(device) {}
  void assign(ScalarView values, double scale);
  /// `count` times 1.
  void assign_ones(std::size_t count);
  [[nodiscard]] const Array<T>& numbers() const { return numbers_; }

 private:
  Array<T> numbers_;
  std::vector<T> rounded_;
};

extern template class Rows<float>;
extern template class Rows<double>;
extern template class Scalars<float>;
extern template class Scalars<double>;

}  // namespace electret::gpu
