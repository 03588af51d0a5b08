#include <array>
#include <memory>

#include <electret/field/fmm/expansions/taylor.hpp>

namespace electret::fmm {
namespace {

using Power = std::array<int, 3>;

/// The number of x^i y^j z^k. Powers are sorted by degree, then by z-power, then by y-power.
int number_of(const Power& power) {
  const auto [i, j, k] = power;
  const int n = i + j + k;
  int number = powers(n - 1) + j;
  for (int plane = 0; plane < k; ++plane) number += n - plane + 1;
  return number;
}

template <class T>
void fill(const Power& power, TaylorTables<T>& tables) {
  const auto less = [&power](std::size_t axis, int by) {
    Power other = power;
    other[axis] -= by;
    return static_cast<short>(other[axis] < 0 ? TaylorTables<T>::size : number_of(other));
  };
  const int c = number_of(power);
  const auto [i, j, k] = power;
  tables.place[c] = static_cast<short>(tables.row[j][k] + i);
  for (std::size_t axis = 0; axis < 3; ++axis) {
    tables.one_less[c][axis] = less(axis, 1);
    tables.two_less[c][axis] = less(axis, 2);
  }
  double factorial = 1.0;
  for (const int n : power)
    for (int m = 2; m <= n; ++m) factorial *= m;
  tables.factorial[c] = static_cast<T>(factorial);
}

}  // namespace

template <class T>
const TaylorTables<T>& taylor_tables() {
  static const std::unique_ptr<const TaylorTables<T>> tables = [] {
    auto made = std::make_unique<TaylorTables<T>>();
    int place = 0;
    for (int k = 0; k <= max_taylor_order; ++k)
      for (int j = 0; j + k <= max_taylor_order; ++j) {
        made->row[j][k] = static_cast<short>(place);
        place += max_taylor_order - j - k + 1;
      }
    for (int k = 0; k <= max_taylor_order; ++k)
      for (int j = 0; j + k <= max_taylor_order; ++j)
        for (int i = 0; i + j + k <= max_taylor_order; ++i) fill({i, j, k}, *made);
    return made;
  }();
  return *tables;
}

template const TaylorTables<float>& taylor_tables();
template const TaylorTables<double>& taylor_tables();

}  // namespace electret::fmm
