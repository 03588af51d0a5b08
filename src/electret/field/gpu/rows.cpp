#include <algorithm>

#include <electret/field/gpu/rows.hpp>

namespace electret::gpu {

template <class T>
void Rows<T>::assign(VectorView values, const Vec3& centre, double scale) {
  constexpr bool with_low = sizeof(T) == sizeof(float);
  const std::size_t size = padded(values.size());
  parts_.assign(values, centre, scale, size, T{0}, with_low);
  const auto parts = parts_.view();
  rows_.resize(size);
  for (std::size_t i = 0; i < size; ++i) rows_[i] = {parts.x[i], parts.y[i], parts.z[i], T{0}};
  high_.assign(rows_);
  if (!with_low) return;
  for (std::size_t i = 0; i < size; ++i) rows_[i] = {parts.x_low[i], parts.y_low[i], parts.z_low[i], T{0}};
  low_.assign(rows_);
}

template <class T>
void Scalars<T>::assign(ScalarView values, double scale) {
  rounded_.assign(Rows<T>::padded(values.size()), T{0});
  std::transform(values.begin(), values.end(), rounded_.begin(),
                 [scale](double v) { return static_cast<T>(scale * v); });
  numbers_.assign(rounded_);
}

template <class T>
void Scalars<T>::assign_ones(std::size_t count) {
  rounded_.assign(Rows<T>::padded(count), T{0});
  std::fill_n(rounded_.begin(), count, T{1});
  numbers_.assign(rounded_);
}

template class Rows<float>;
template class Rows<double>;
template class Scalars<float>;
template class Scalars<double>;

}  // namespace electret::gpu
