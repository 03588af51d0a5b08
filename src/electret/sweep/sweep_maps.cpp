#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include <electret/record/colour_map.hpp>
#include <electret/sweep/sweep_charts.hpp>

namespace electret {
namespace {

/// The cells along a side of a map at most.
constexpr std::size_t most_cells = 200;

std::vector<double> values_along(const SweepView& view, std::size_t key) {
  std::vector<double> values;
  for (Count run = 0; run < view.plan().design.runs(); ++run)
    if (const auto value = view.plan().design.number(run, key)) values.push_back(*value);
  std::sort(values.begin(), values.end());
  values.erase(std::unique(values.begin(), values.end()), values.end());
  return values;
}

/// Of many values along a side of a map each k-th.
std::vector<double> thinned(const std::vector<double>& values) {
  std::vector<double> shown;
  const std::size_t step = (values.size() + most_cells - 1) / most_cells;
  for (std::size_t k = 0; k < values.size(); k += step) shown.push_back(values[k]);
  return shown;
}

/// The place of a value among those along a side; -1 if it is not shown.
std::ptrdiff_t place_along(const std::vector<double>& values, double value) {
  const auto at = std::lower_bound(values.begin(), values.end(), value);
  return at != values.end() && *at == value ? at - values.begin() : -1;
}

}  // namespace

std::string sweep_map(const SweepView& view, const Measured& measured) {
  const std::size_t along_y = view.listed()[0], along_x = view.listed()[1];
  const std::vector<double> all_x = values_along(view, along_x), all_y = values_along(view, along_y);
  ColourMap map{.title = measured.name, .subtitle = view.text_of(measured.name)};
  map.x_label = view.label_of(along_x);
  map.y_label = view.label_of(along_y);
  map.x = thinned(all_x);
  map.y = thinned(all_y);
  if (map.x.size() < all_x.size() || map.y.size() < all_y.size())
    map.subtitle += fmt::format(", {} are shown", map.x.size() * map.y.size());
  const bool by_logarithm = measured.is_logarithmic && measured.is_positive();
  map.value_label = (by_logarithm ? "log10 of " : "") + measured.label();
  map.value.assign(map.y.size(), std::vector<double>(map.x.size(), std::numeric_limits<double>::quiet_NaN()));
  for (std::size_t r = 0; r < view.rows(); ++r) {
    const auto row = place_along(map.y, view.number(r, along_y)),
               column = place_along(map.x, view.number(r, along_x));
    if (row >= 0 && column >= 0)
      map.value[static_cast<std::size_t>(row)][static_cast<std::size_t>(column)] =
          by_logarithm ? std::log10(measured.values[r]) : measured.values[r];
  }
  return colour_map_svg(map);
}

}  // namespace electret
