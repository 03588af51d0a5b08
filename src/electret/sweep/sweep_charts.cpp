#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

#include <fmt/format.h>

#include <electret/core/text.hpp>
#include <electret/sweep/sweep_charts.hpp>

namespace electret {
namespace {

/// The value below which a share of the sorted values lies, between neighbours if need be.
double quantile(const std::vector<double>& sorted, double part) {
  const double at = part * static_cast<double>(sorted.size() - 1);
  const auto below = static_cast<std::size_t>(at);
  const std::size_t above = std::min(below + 1, sorted.size() - 1);
  return sorted[below] + (at - static_cast<double>(below)) * (sorted[above] - sorted[below]);
}

Chart chart_of(const SweepView& view, const Measured& measured, const ChartAxis& x) {
  return {.title = measured.name,
          .subtitle = view.text_of(measured.name),
          .x = x,
          .y = {.label = measured.label(), .logarithmic = measured.is_logarithmic && measured.is_positive()},
          .height = 420.0};
}

/// A list need not ascend.
void sort_by_x(Series& series) {
  std::vector<std::size_t> order(series.x.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return series.x[a] < series.x[b]; });
  const Series before = series;
  for (std::size_t k = 0; k < order.size(); ++k)
    series.x[k] = before.x[order[k]], series.y[k] = before.y[order[k]];
}

/// A curve over the first listed key for each combination of the others.
Chart curves(const SweepView& view, const Measured& measured) {
  Chart chart = chart_of(view, measured, view.axis_of(view.listed().front()));
  std::map<std::string, std::size_t> known;
  for (std::size_t r = 0; r < view.rows(); r += view.stride()) {
    const std::string name = view.curve_of(r);
    const auto [at, is_new] = known.try_emplace(name, chart.series.size());
    if (is_new) chart.series.push_back({.name = name, .colour = static_cast<int>(chart.series.size())});
    chart.series[at->second].x.push_back(view.number(r, view.listed().front()));
    chart.series[at->second].y.push_back(measured.values[r]);
  }
  for (Series& series : chart.series) sort_by_x(series);
  return chart;
}

/// Median and 5 to 95 % of the samples along the first listed key.
Chart bands(const SweepView& view, const Measured& measured) {
  std::map<std::string, std::map<double, std::vector<double>>> groups;
  for (std::size_t r = 0; r < view.rows(); ++r)
    if (std::isfinite(measured.values[r]))
      groups[view.curve_of(r)][view.number(r, view.listed().front())].push_back(measured.values[r]);
  Chart chart = chart_of(view, measured, view.axis_of(view.listed().front()));
  chart.subtitle += "; median, and 5 and 95 % dashed";
  int colour = 0;
  for (auto& [name, places] : groups) {
    Series median{.name = name, .colour = colour},
        low{.colour = colour, .marker = Marker::none, .dashed = true};
    Series high = low;
    for (auto& [x, values] : places) {
      std::sort(values.begin(), values.end());
      for (Series* each : {&median, &low, &high}) each->x.push_back(x);
      median.y.push_back(quantile(values, 0.5));
      low.y.push_back(quantile(values, 0.05));
      high.y.push_back(quantile(values, 0.95));
    }
    for (Series* each : {&median, &low, &high}) chart.series.push_back(std::move(*each));
    ++colour;
  }
  return chart;
}

/// A point for each run over a sampled key.
Chart points(const SweepView& view, const Measured& measured, std::size_t key) {
  Chart chart = chart_of(view, measured, view.axis_of(key));
  std::map<std::string, std::size_t> known;
  std::vector<double> sorted;
  for (const double value : measured.values)
    if (std::isfinite(value)) sorted.push_back(value);
  for (std::size_t r = 0; r < view.rows(); r += view.stride()) {
    const auto [at, is_new] = known.try_emplace(view.words_of(r), chart.series.size());
    if (is_new)
      chart.series.push_back(
          {.name = view.words_of(r), .colour = static_cast<int>(chart.series.size()), .line = false});
    chart.series[at->second].x.push_back(view.number(r, key));
    chart.series[at->second].y.push_back(measured.values[r]);
  }
  if (sorted.empty()) return chart;
  std::sort(sorted.begin(), sorted.end());
  chart.subtitle += fmt::format("; median {:.4g}, 5 to 95 %: {:.4g} to {:.4g}", quantile(sorted, 0.5),
                                quantile(sorted, 0.05), quantile(sorted, 0.95));
  return chart;
}

/// A point for each run over its texts. It is over the runs' numbers if runs have the same texts, or if the
/// axis has no room for them.
Chart by_text(const SweepView& view, const Measured& measured) {
  ChartAxis axis;
  std::map<std::string, std::size_t> places, series;
  constexpr std::size_t most_letters = 80;
  for (std::size_t r = 0; r < view.rows() && axis.names.size() < most_letters; ++r)
    if (places.try_emplace(view.texts_of(r), axis.names.size()).second)
      axis.names.push_back(view.texts_of(r));
  std::vector<std::string> keys;
  for (const std::size_t key : view.words()) keys.push_back(view.plan().design.keys()[key]);
  const bool has_room = axis.names.size() == view.rows() && joined(axis.names).size() <= most_letters;
  axis.label = has_room ? joined(keys) : "run";
  if (!has_room) axis.names.clear();
  Chart chart = chart_of(view, measured, axis);
  for (std::size_t r = 0; r < view.rows(); r += view.stride()) {
    const std::string name = view.plan().fit ? view.minimum_of(r) : "";
    const auto [at, is_new] = series.try_emplace(name, chart.series.size());
    if (is_new)
      chart.series.push_back({.name = name, .colour = static_cast<int>(chart.series.size()), .line = false});
    chart.series[at->second].x.push_back(static_cast<double>(
        has_room ? static_cast<Count>(places[view.texts_of(r)]) : view.results().runs[r]));
    chart.series[at->second].y.push_back(measured.values[r]);
  }
  return chart;
}

}  // namespace

void add_sweep_charts(const SweepView& view, const Measured& measured, std::vector<Chart>& charts) {
  if (!view.listed().empty()) {
    charts.push_back(view.sampled().empty() ? curves(view, measured) : bands(view, measured));
    return;
  }
  for (const std::size_t key : view.sampled()) charts.push_back(points(view, measured, key));
  if (view.sampled().empty()) charts.push_back(by_text(view, measured));
}

}  // namespace electret
