#include <algorithm>
#include <array>
#include <cmath>
#include <utility>
#include <vector>

#include <electret/record/detail/plot_axis.hpp>
#include <electret/record/energy_plot.hpp>

namespace electret {
namespace {

/// One column of the table.
struct Column {
  const char* name;
  int colour;
  double (*value)(const Energies&);
};

constexpr std::array<Column, 6> columns{{
    {"kinetic", 0, [](const Energies& e) { return e.kinetic; }},
    {"elastic", 1, [](const Energies& e) { return e.elastic; }},
    {"Coulomb", 2, [](const Energies& e) { return e.coulomb; }},
    {"external", 3, [](const Energies& e) { return e.external; }},
    {"gravity", 4, [](const Energies& e) { return e.gravity; }},
    {"total", 6, [](const Energies& e) { return e.total(); }},
}};

bool is_total(const Column& column) {
  return &column == &columns.back();
}

bool is_zero(std::span<const EnergyRow> rows, const Column& column) {
  return std::all_of(rows.begin(), rows.end(),
                     [&](const EnergyRow& row) { return column.value(row.energies) == 0.0; });
}

double largest(std::span<const EnergyRow> rows) {
  double result = 0.0;
  for (const EnergyRow& row : rows)
    for (const Column& column : columns) {
      const double size = std::abs(column.value(row.energies));
      if (std::isfinite(size)) result = std::max(result, size);
    }
  return result;
}

/// All rows or, if there are too many, the least and the greatest of each of 1000 stretches, in order.
std::vector<std::size_t> sampled(std::span<const EnergyRow> rows, const Column& column) {
  constexpr std::size_t stretches = 1000;
  const auto value = [&](std::size_t row) { return column.value(rows[row].energies); };
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

}  // namespace

Chart energy_chart(std::span<const EnergyRow> rows, const std::string& title) {
  const UnitPrefix prefix = unit_prefix(largest(rows));
  const double start = rows.empty() ? 0.0 : rows.front().time;
  const double end = rows.empty() ? 0.0 : rows.back().time;
  Chart chart;
  chart.title = title;
  chart.x = {.label = "time (s)", .low = start, .high = end > start ? end : start + 1.0};
  chart.y = {.label = "energy (" + prefix.symbol + "J)"};
  for (const Column& column : columns) {
    if (!is_total(column) && is_zero(rows, column)) continue;
    Series series;
    series.name = column.name;
    series.colour = column.colour;
    series.stroke = is_total(column) ? 2.6 : 1.8;
    series.marker = rows.size() == 1 ? Marker::circle : Marker::none;  // A line of one point has no length.
    for (const std::size_t row : sampled(rows, column)) {
      series.x.push_back(rows[row].time);
      series.y.push_back(column.value(rows[row].energies) / prefix.factor);
    }
    chart.series.push_back(std::move(series));
  }
  return chart;
}

std::string energy_plot(std::span<const EnergyRow> rows, const std::string& title) {
  return chart_svg(energy_chart(rows, title));
}

}  // namespace electret
