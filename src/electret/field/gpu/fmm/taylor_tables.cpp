#include <electret/field/fmm/expansions/taylor.hpp>
#include <electret/field/gpu/fmm/taylor_tables.hpp>

namespace electret::gpu {
namespace {

/// Coefficients are sorted by degree, then by z-power, then by y-power.
std::vector<Int4> sorted_powers(int order) {
  std::vector<Int4> powers;
  for (int n = 0; n <= order; ++n)
    for (int k = 0; k <= n; ++k)
      for (int j = 0; j + k <= n; ++j) powers.push_back({n - j - k, j, k, n});
  return powers;
}

}  // namespace

TaylorSeriesTables::TaylorSeriesTables(int order)
    : powers(sorted_powers(order)), row(static_cast<std::size_t>((order + 1) * (order + 1))) {
  const auto& all = fmm::taylor_tables<float>();
  const std::int32_t none = fmm::powers(order);
  std::int32_t place = 0;
  for (int k = 0; k <= order; ++k)
    for (int j = 0; j + k <= order; ++j) {
      row[static_cast<std::size_t>(j * (order + 1) + k)] = place;
      place += order - j - k + 1;
    }
  const auto number = [none](short n) {
    return n == fmm::TaylorTables<float>::size ? none : std::int32_t{n};
  };
  for (int c = 0; c < none; ++c) {
    const auto &one = all.one_less[c], &two = all.two_less[c];
    one_less.push_back({number(one[0]), number(one[1]), number(one[2]), 0});
    two_less.push_back({number(two[0]), number(two[1]), number(two[2]), 0});
    factorial.push_back(all.factorial[c]);
  }
}

DeviceTaylorTables::DeviceTaylorTables(Device& device, int order)
    : powers(device), row(device), one_less(device), two_less(device), factorial(device) {
  const TaylorSeriesTables tables(order);
  powers.assign(tables.powers);
  row.assign(tables.row);
  one_less.assign(tables.one_less);
  two_less.assign(tables.two_less);
  factorial.assign(tables.factorial);
}

}  // namespace electret::gpu
