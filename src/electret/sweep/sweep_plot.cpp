#include <algorithm>
#include <cctype>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>
#include <optional>
#include <set>

#include <fmt/format.h>

#include <electret/core/text.hpp>
#include <electret/record/chart.hpp>
#include <electret/record/colour_map.hpp>
#include <electret/sweep/sweep_plot.hpp>
#include <electret/sweep/units.hpp>

namespace electret {
namespace {

/// The charts of one page at most.
constexpr std::size_t most_charts = 24;
/// The runs in one chart at most; more hide each other, and fill the file and the memory.
constexpr std::size_t most_shown = 5000;
/// The cells along a side of a map at most.
constexpr std::size_t most_cells = 200;

/// The value below which a share of the sorted values lies, between neighbours if need be.
double quantile(const std::vector<double>& sorted, double part) {
  const double at = part * static_cast<double>(sorted.size() - 1);
  const auto below = static_cast<std::size_t>(at);
  const std::size_t above = std::min(below + 1, sorted.size() - 1);
  return sorted[below] + (at - static_cast<double>(below)) * (sorted[above] - sorted[below]);
}

/// A quantity or the loss: its name, and one value per row.
struct Measured {
  std::string name;
  std::vector<double> values;
  bool is_logarithmic = false;  ///< If it is positive.
  std::string unit{};

  [[nodiscard]] std::string label() const { return with_unit(name, unit); }
};

class SweepPlotter {
 public:
  SweepPlotter(const SweepPlan& plan, const SweepResults& results) : plan_(plan), results_(results) {
    std::vector<std::vector<std::size_t>> axes;
    std::map<std::string, std::size_t> axis_named;
    std::size_t column = 0;
    for (const VaryTable& vary : plan.job.vary) {
      std::size_t at = axes.size();
      if (!vary.together.empty()) at = axis_named.try_emplace(vary.together, at).first->second;
      if (!vary.is_listed())
        sampled_.push_back(column);
      else if (at < axes.size())
        axes[at].push_back(column);
      else
        axes.push_back({column});
      column += vary.all_keys().size();
    }
    for (const auto& axis : axes) add_axis(axis);
    if (plan.job.vary.empty())
      for (std::size_t k = 0; k < plan.design.keys().size(); ++k)
        (is_numeric(k) ? sampled_ : words_).push_back(k);
  }

  SweepPictures pictures() {
    if (results_.runs.empty()) return {};
    const std::size_t each = is_map() || !listed_.empty() ? 1 : std::max<std::size_t>(sampled_.size(), 1);
    const std::size_t all = each * count_of_measured();
    const std::vector<Measured> shown = measured((most_charts + each - 1) / each);
    SweepPictures found;
    found.hidden = all - std::min(all, most_charts);
    if (is_map()) {
      found.files = maps(shown);
      return found;
    }
    std::vector<Chart> charts;
    for (const Measured& one : shown) add_charts(one, charts);
    if (charts.empty()) return found;
    if (charts.size() > most_charts) charts.resize(most_charts);
    if (found.hidden > 0)
      charts.front().subtitle += fmt::format("; the first {} of {} charts are shown", charts.size(), all);
    found.files.emplace_back("sweep.svg", charts_svg(charts));
    return found;
  }

 private:
  /// Takes of listed keys that advance together one of numbers that differ in all their rows. If there is
  /// none, it takes as many keys as tell the rows apart.
  void add_axis(const std::vector<std::size_t>& columns) {
    const std::size_t rows = columns.size() > 1 ? distinct_rows(columns) : 0;
    std::vector<std::size_t> taken;
    for (const std::size_t column : columns) {
      if (columns.size() == 1 || !is_numeric(column) || distinct_rows({column}) != rows) continue;
      return listed_.push_back(column);
    }
    for (const std::size_t column : columns) {
      (is_numeric(column) ? listed_ : words_).push_back(column);
      taken.push_back(column);
      if (columns.size() > 1 && distinct_rows(taken) == rows) return;
    }
  }

  /// How many different rows these columns of the design have.
  [[nodiscard]] std::size_t distinct_rows(const std::vector<std::size_t>& columns) const {
    std::set<std::string> rows;
    for (Count run = 0; run < plan_.design.runs(); ++run) {
      std::string row;
      for (const std::size_t column : columns) {
        const auto number = plan_.design.number(run, column);  // "1" and "1.0" are one place.
        row += (number ? fmt::format("{:.17g}", *number) : plan_.design.value(run, column)) + "\n";
      }
      rows.insert(std::move(row));
    }
    return rows.size();
  }

  [[nodiscard]] bool is_map() const { return sampled_.empty() && words_.empty() && listed_.size() == 2; }

  /// Each stride-th run is in a chart of curves or points.
  [[nodiscard]] std::size_t stride() const { return (results_.runs.size() + most_shown - 1) / most_shown; }

  [[nodiscard]] bool is_numeric(std::size_t key) const {
    for (const Count run : results_.runs)
      if (!plan_.design.number(run, key)) return false;
    return true;
  }

  [[nodiscard]] std::size_t count_of_measured() const {
    return plan_.quantities.size() + (results_.losses.empty() ? 0 : 1) +
           (plan_.fit ? plan_.fit->values.size() : 0);
  }

  /// The first ones, at most so many.
  [[nodiscard]] std::vector<Measured> measured(std::size_t most) const {
    std::vector<Measured> all;
    const std::size_t count = plan_.quantities.size(), rows = results_.runs.size();
    for (std::size_t q = 0; q < std::min(count, most); ++q) {
      Measured& one = all.emplace_back(Measured{plan_.quantities[q].name, {}});
      one.unit = unit_of(plan_.quantities[q]);
      for (std::size_t r = 0; r < rows; ++r) one.values.push_back(results_.quantities[r * count + q]);
    }
    if (!results_.losses.empty() && all.size() < most)
      all.push_back({"loss", results_.losses, plan_.fit.has_value()});
    if (plan_.fit) add_fitted(all, most);
    return all;
  }

  void add_fitted(std::vector<Measured>& all, std::size_t most) const {
    const std::size_t count = plan_.fit->values.size();
    for (std::size_t v = 0; v < count && all.size() < most; ++v) {
      Measured& one =
          all.emplace_back(Measured{plan_.fit->values[v] + " at the end", {}, plan_.fit->logarithmic[v]});
      for (std::size_t r = 0; r < results_.runs.size(); ++r)
        one.values.push_back(results_.fitted[r * count + v]);
    }
  }

  /// The minimum at which a fit ended.
  [[nodiscard]] std::string minimum_of(std::size_t row) const {
    constexpr int most_named = 8;
    const int minimum = results_.minima.of[row];
    return minimum < 0             ? "no minimum"
           : minimum >= most_named ? "further minima"
                                   : fmt::format("minimum {}", minimum + 1);
  }

  [[nodiscard]] double number(std::size_t row, std::size_t key) const {
    return plan_.design.number(results_.runs[row], key).value_or(std::numeric_limits<double>::quiet_NaN());
  }

  /// The texts of a run, such as "verlet".
  [[nodiscard]] std::string texts_of(std::size_t row) const {
    std::string text;
    for (const std::size_t key : words_)
      text += (text.empty() ? "" : ", ") + plan_.design.value(results_.runs[row], key);
    return text;
  }

  /// What tells curves apart: the texts, and the minimum of a fit.
  [[nodiscard]] std::string words_of(std::size_t row) const {
    const std::string text = texts_of(row);
    return plan_.fit ? text + (text.empty() ? "" : ", ") + minimum_of(row) : text;
  }

  [[nodiscard]] ChartAxis axis_of(std::size_t key) const {
    ChartAxis axis{.label = label_of(key)};
    std::size_t column = 0;
    for (const VaryTable& vary : plan_.job.vary) {
      if (column == key) axis.logarithmic = vary.scale == "log";
      column += vary.all_keys().size();
    }
    return axis;
  }

  [[nodiscard]] std::string label_of(std::size_t key) const {
    return with_unit(plan_.design.keys()[key], unit_of_key(plan_.design.keys()[key]));
  }

  [[nodiscard]] Chart chart_of(const Measured& measured, const ChartAxis& x) const {
    return {.title = measured.name,
            .subtitle = text_of(measured.name),
            .x = x,
            .y = {.label = measured.label(), .logarithmic = measured.is_logarithmic && is_positive(measured)},
            .height = 420.0};
  }

  [[nodiscard]] static bool is_positive(const Measured& measured) {
    return std::all_of(measured.values.begin(), measured.values.end(),
                       [](double value) { return !(value <= 0.0); });
  }

  /// The quantity as the job writes it, and how many runs are shown.
  [[nodiscard]] std::string text_of(const std::string& name) const {
    std::string text;
    for (const auto& [own, written] : plan_.job.keep.quantities)
      if (own == name) text = written + "; ";
    if (name == "loss" && plan_.fit)
      text = counted(results_.minima.minima.size(), "distinct minimum", "distinct minima") + "; ";
    else if (name == "loss")
      text = plan_.job.keep.loss + "; ";
    text += fmt::format("{} of {} runs", results_.runs.size(), plan_.design.runs());
    const bool has_bands = !listed_.empty() && !sampled_.empty();  // Of all runs.
    return stride() > 1 && !is_map() && !has_bands ? text + fmt::format(", one in {} is shown", stride())
                                                   : text;
  }

  void add_charts(const Measured& measured, std::vector<Chart>& charts) const {
    if (!listed_.empty()) {
      charts.push_back(sampled_.empty() ? curves(measured) : bands(measured));
      return;
    }
    for (const std::size_t key : sampled_) charts.push_back(points(measured, key));
    if (sampled_.empty()) charts.push_back(by_text(measured));
  }

  /// The texts and the further listed numbers of a run, which tell curves apart.
  [[nodiscard]] std::string curve_of(std::size_t row) const {
    std::string name = words_of(row);
    for (std::size_t k = 1; k < listed_.size(); ++k)
      name += fmt::format("{}{} = {:.8g}", name.empty() ? "" : ", ", plan_.design.keys()[listed_[k]],
                          number(row, listed_[k]));
    return name;
  }

  /// A curve over the first listed key for each combination of the others.
  [[nodiscard]] Chart curves(const Measured& measured) const {
    Chart chart = chart_of(measured, axis_of(listed_.front()));
    std::map<std::string, std::size_t> known;
    for (std::size_t r = 0; r < results_.runs.size(); r += stride()) {
      const std::string name = curve_of(r);
      const auto [at, is_new] = known.try_emplace(name, chart.series.size());
      if (is_new) chart.series.push_back({.name = name, .colour = static_cast<int>(chart.series.size())});
      chart.series[at->second].x.push_back(number(r, listed_.front()));
      chart.series[at->second].y.push_back(measured.values[r]);
    }
    for (Series& series : chart.series) sort_by_x(series);
    return chart;
  }

  /// A list need not ascend.
  static void sort_by_x(Series& series) {
    std::vector<std::size_t> order(series.x.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t a, std::size_t b) { return series.x[a] < series.x[b]; });
    const Series before = series;
    for (std::size_t k = 0; k < order.size(); ++k)
      series.x[k] = before.x[order[k]], series.y[k] = before.y[order[k]];
  }

  /// Median and 5 to 95 % of the samples along the first listed key.
  [[nodiscard]] Chart bands(const Measured& measured) const {
    std::map<std::string, std::map<double, std::vector<double>>> groups;
    for (std::size_t r = 0; r < results_.runs.size(); ++r)
      if (std::isfinite(measured.values[r]))
        groups[curve_of(r)][number(r, listed_.front())].push_back(measured.values[r]);
    Chart chart = chart_of(measured, axis_of(listed_.front()));
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
  [[nodiscard]] Chart points(const Measured& measured, std::size_t key) const {
    Chart chart = chart_of(measured, axis_of(key));
    std::map<std::string, std::size_t> known;
    std::vector<double> sorted;
    for (const double value : measured.values)
      if (std::isfinite(value)) sorted.push_back(value);
    for (std::size_t r = 0; r < results_.runs.size(); r += stride()) {
      const auto [at, is_new] = known.try_emplace(words_of(r), chart.series.size());
      if (is_new)
        chart.series.push_back(
            {.name = words_of(r), .colour = static_cast<int>(chart.series.size()), .line = false});
      chart.series[at->second].x.push_back(number(r, key));
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
  [[nodiscard]] Chart by_text(const Measured& measured) const {
    ChartAxis axis;
    std::map<std::string, std::size_t> places, series;
    for (std::size_t r = 0; r < results_.runs.size(); ++r)
      if (places.try_emplace(texts_of(r), axis.names.size()).second) axis.names.push_back(texts_of(r));
    std::vector<std::string> keys;
    for (const std::size_t key : words_) keys.push_back(plan_.design.keys()[key]);
    constexpr std::size_t most_letters = 80;
    const bool has_room =
        axis.names.size() == results_.runs.size() && joined(axis.names).size() <= most_letters;
    axis.label = has_room ? joined(keys) : "run";
    if (!has_room) axis.names.clear();
    Chart chart = chart_of(measured, axis);
    for (std::size_t r = 0; r < results_.runs.size(); r += stride()) {
      const std::string name = plan_.fit ? minimum_of(r) : "";
      const auto [at, is_new] = series.try_emplace(name, chart.series.size());
      if (is_new)
        chart.series.push_back(
            {.name = name, .colour = static_cast<int>(chart.series.size()), .line = false});
      chart.series[at->second].x.push_back(
          static_cast<double>(has_room ? static_cast<Count>(places[texts_of(r)]) : results_.runs[r]));
      chart.series[at->second].y.push_back(measured.values[r]);
    }
    return chart;
  }

  [[nodiscard]] std::vector<double> values_along(std::size_t key) const {
    std::vector<double> values;
    for (Count run = 0; run < plan_.design.runs(); ++run)
      if (const auto value = plan_.design.number(run, key)) values.push_back(*value);
    std::sort(values.begin(), values.end());
    values.erase(std::unique(values.begin(), values.end()), values.end());
    return values;
  }

  /// Of many values along a side of a map each k-th.
  static std::vector<double> thinned(const std::vector<double>& values) {
    std::vector<double> shown;
    const std::size_t step = (values.size() + most_cells - 1) / most_cells;
    for (std::size_t k = 0; k < values.size(); k += step) shown.push_back(values[k]);
    return shown;
  }

  /// The name without what files should not have in theirs.
  static std::string file_part(std::string name) {
    for (char& c : name)
      if (std::isalnum(static_cast<unsigned char>(c)) == 0 && c != '-' && c != '.') c = '_';
    return name;
  }

  [[nodiscard]] std::vector<std::pair<std::string, std::string>> maps(
      const std::vector<Measured>& all) const {
    std::vector<std::pair<std::string, std::string>> pictures;
    for (const Measured& measured : all) {
      ColourMap map{.title = measured.name, .subtitle = text_of(measured.name)};
      map.x_label = label_of(listed_[1]);
      map.y_label = label_of(listed_[0]);
      const std::vector<double> all_columns = values_along(listed_[1]), all_rows = values_along(listed_[0]),
                                columns = thinned(all_columns), rows = thinned(all_rows);
      if (columns.size() < all_columns.size() || rows.size() < all_rows.size())
        map.subtitle += fmt::format(", {} are shown", columns.size() * rows.size());
      map.x = columns;
      map.y = rows;
      const bool by_logarithm = measured.is_logarithmic && is_positive(measured);
      map.value_label = (by_logarithm ? "log10 of " : "") + measured.label();
      map.value.assign(map.y.size(),
                       std::vector<double>(map.x.size(), std::numeric_limits<double>::quiet_NaN()));
      const auto index = [](const std::vector<double>& values, double value) {
        const auto at = std::lower_bound(values.begin(), values.end(), value);
        return at != values.end() && *at == value ? at - values.begin() : -1;
      };
      for (std::size_t r = 0; r < results_.runs.size(); ++r) {
        const auto row = index(rows, number(r, listed_[0])), column = index(columns, number(r, listed_[1]));
        if (row >= 0 && column >= 0)
          map.value[static_cast<std::size_t>(row)][static_cast<std::size_t>(column)] =
              by_logarithm ? std::log10(measured.values[r]) : measured.values[r];
      }
      pictures.emplace_back(
          pictures.empty() ? "sweep.svg" : fmt::format("sweep-{}.svg", file_part(measured.name)),
          colour_map_svg(map));
    }
    return pictures;
  }

  const SweepPlan& plan_;
  const SweepResults& results_;
  std::vector<std::size_t> listed_, sampled_, words_;  ///< Columns of the design.
};

}  // namespace

SweepPictures sweep_pictures(const SweepPlan& plan, const SweepResults& results) {
  return SweepPlotter(plan, results).pictures();
}

}  // namespace electret
