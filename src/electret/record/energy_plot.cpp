#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <utility>
#include <vector>

#include <electret/record/detail/plot_axis.hpp>
#include <electret/record/energy_plot.hpp>

namespace electret {
namespace {

/// One curve of a chart.
struct Column {
  const char* name;
  int colour;
  std::function<double(const EnergyRow&)> value;  ///< J.
};

const std::array<Column, 6> plotted_columns{{
    {"kinetic", 0, [](const EnergyRow& row) { return row.energies.kinetic; }},
    {"elastic", 1, [](const EnergyRow& row) { return row.energies.elastic; }},
    {"Coulomb", 2, [](const EnergyRow& row) { return row.energies.coulomb; }},
    {"external", 3, [](const EnergyRow& row) { return row.energies.external; }},
    {"gravity", 4, [](const EnergyRow& row) { return row.energies.gravity; }},
    {"total", 6, [](const EnergyRow& row) { return row.energies.total(); }},
}};

bool is_total(const Column& column) {
  return &column == &plotted_columns.back();
}

bool is_zero(std::span<const EnergyRow> rows, const Column& column) {
  return std::all_of(rows.begin(), rows.end(),
                     [&](const EnergyRow& row) { return column.value(row) == 0.0; });
}

double largest(std::span<const EnergyRow> rows, std::span<const Column> shown) {
  double result = 0.0;
  for (const EnergyRow& row : rows)
    for (const Column& column : shown) {
      const double size = std::abs(column.value(row));
      if (std::isfinite(size)) result = std::max(result, size);
    }
  return result;
}

/// All rows or, if there are too many, the least and the greatest of each of 1000 stretches, in order.
std::vector<std::size_t> sampled(std::span<const EnergyRow> rows, const Column& column) {
  constexpr std::size_t stretches = 1000;
  const auto value = [&](std::size_t row) { return column.value(rows[row]); };
  std::vector<std::size_t> picked;
  if (rows.size() <= 2 * stretches) {
    for (std::size_t row = 0; row < rows.size(); ++row) picked.push_back(row);
    return picked;
  }
  for (std::size_t s = 0; s < stretches; ++s) {
    const std::size_t begin = s * rows.size() / stretches, end = (s + 1) * rows.size() / stretches;
    std::size_t least = begin, greatest = begin;
    for (std::size_t row = begin; row < end; ++row) {
      if (value(row) < value(least)) least = row;
      if (value(row) > value(greatest)) greatest = row;
    }
    picked.push_back(std::min(least, greatest));
    if (least != greatest) picked.push_back(std::max(least, greatest));
  }
  return picked;
}

Series series_of(std::span<const EnergyRow> rows, const Column& column, double unit) {
  Series series;
  series.name = column.name;
  series.colour = column.colour;
  series.marker = rows.size() == 1 ? Marker::circle : Marker::none;  // A line of one point has no length.
  for (const std::size_t row : sampled(rows, column)) {
    series.x.push_back(rows[row].time);
    series.y.push_back(column.value(rows[row]) / unit);
  }
  return series;
}

/// A chart over the rows' time without curves. `unit` is that of its axis.
Chart empty_chart(std::span<const EnergyRow> rows, const std::string& title, const std::string& quantity,
                  const UnitPrefix& unit) {
  const double start = rows.empty() ? 0.0 : rows.front().time;
  const double end = rows.empty() ? 0.0 : rows.back().time;
  Chart chart;
  chart.title = title;
  chart.x = {.label = "time (s)", .low = start, .high = end > start ? end : start + 1.0};
  chart.y = {.label = quantity + " (" + unit.symbol + "J)"};
  return chart;
}

}  // namespace

Chart energy_chart(std::span<const EnergyRow> rows, const std::string& title) {
  const UnitPrefix prefix = unit_prefix(largest(rows, plotted_columns));
  Chart chart = empty_chart(rows, title, "energy", prefix);
  for (const Column& column : plotted_columns) {
    if (!is_total(column) && is_zero(rows, column)) continue;
    Series series = series_of(rows, column, prefix.factor);
    series.dashed = is_total(column);  // A curve that equals it shows through.
    if (is_total(column)) series.stroke = 2.6;
    chart.series.push_back(std::move(series));
  }
  return chart;
}

std::optional<Chart> balance_chart(std::span<const EnergyRow> rows) {
  if (rows.empty() || std::isnan(rows.front().balance())) return std::nullopt;
  const double start = rows.front().balance();
  const std::array<Column, 1> gain{
      {{"gained or lost", 6, [start](const EnergyRow& row) { return row.balance() - start; }}}};
  const UnitPrefix prefix = unit_prefix(largest(rows, gain));
  Chart chart =
      empty_chart(rows, "Change of the total that work and dissipation do not explain", "change", prefix);
  chart.height = 320.0;
  chart.series.push_back(series_of(rows, gain[0], prefix.factor));
  return chart;
}

std::string energy_plot(std::span<const EnergyRow> rows, const std::string& title) {
  std::vector<Chart> charts{energy_chart(rows, title)};
  if (auto balance = balance_chart(rows)) charts.push_back(*std::move(balance));
  return charts_svg(charts);
}

}  // namespace electret
