#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <map>

#include <fmt/format.h>

#include <electret/core/text.hpp>
#include <electret/sweep/sweep_view.hpp>
#include <electret/sweep/units.hpp>

namespace electret {
namespace {

/// The runs in one chart at most; more hide each other, and fill the file and the memory.
constexpr std::size_t most_shown = 5000;

/// One of `count` numbers of each row.
std::vector<double> each_of(const std::vector<double>& rows, std::size_t count, std::size_t number) {
  std::vector<double> values;
  values.reserve(rows.size() / count);
  for (std::size_t at = number; at < rows.size(); at += count) values.push_back(rows[at]);
  return values;
}

}  // namespace

std::string Measured::label() const {
  return with_unit(name, unit);
}

bool Measured::is_positive() const {
  return std::all_of(values.begin(), values.end(), [](double value) { return !(value <= 0.0); });
}

SweepView::SweepView(const SweepPlan& plan, const SweepResults& results) : plan_(plan), results_(results) {
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

/// Takes of listed keys that advance together one of numbers that differ in all their rows. If there is
/// none, it takes as many keys as tell the rows apart.
void SweepView::add_axis(const std::vector<std::size_t>& columns) {
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
std::size_t SweepView::distinct_rows(const std::vector<std::size_t>& columns) const {
  std::vector<std::size_t> rows;  // Their hashes: the rows themselves may be millions.
  for (Count run = 0; run < plan_.design.runs(); ++run) {
    std::string row;
    for (const std::size_t column : columns) {
      const auto number = plan_.design.number(run, column);  // "1" and "1.0" are one place.
      row += number ? fmt::format("{:.17g}", *number) : std::string(plan_.design.value(run, column));
      row += "\n";
    }
    rows.push_back(std::hash<std::string>()(row));
  }
  std::sort(rows.begin(), rows.end());
  return static_cast<std::size_t>(std::unique(rows.begin(), rows.end()) - rows.begin());
}

std::size_t SweepView::stride() const {
  return (rows() + most_shown - 1) / most_shown;
}

bool SweepView::is_numeric(std::size_t key) const {
  for (const Count run : results_.runs)
    if (!plan_.design.number(run, key)) return false;
  return true;
}

std::size_t SweepView::count_of_measured() const {
  return plan_.quantities.size() + (results_.losses.empty() ? 0 : 1) +
         (plan_.fit ? plan_.fit->values.size() : 0);
}

Measured SweepView::measured(std::size_t number) const {
  const std::size_t count = plan_.quantities.size(), losses = results_.losses.empty() ? 0 : 1;
  if (number < count)
    return {plan_.quantities[number].name, each_of(results_.quantities, count, number), false,
            unit_of(plan_.quantities[number])};
  if (number < count + losses) return {"loss", results_.losses, plan_.fit.has_value()};
  const std::size_t value = number - count - losses, values = plan_.fit->values.size();
  return {plan_.fit->values[value] + " at the end", each_of(results_.fitted, values, value),
          plan_.fit->logarithmic[value]};
}

std::string SweepView::minimum_of(std::size_t row) const {
  constexpr int most_named = 8;
  const int minimum = results_.minima.of[row];
  return minimum < 0             ? "no minimum"
         : minimum >= most_named ? "further minima"
                                 : fmt::format("minimum {}", minimum + 1);
}

double SweepView::number(std::size_t row, std::size_t key) const {
  return plan_.design.number(results_.runs[row], key).value_or(std::numeric_limits<double>::quiet_NaN());
}

std::string SweepView::texts_of(std::size_t row) const {
  std::string text;
  for (const std::size_t key : words_)
    (text += text.empty() ? "" : ", ") += plan_.design.value(results_.runs[row], key);
  return text;
}

std::string SweepView::words_of(std::size_t row) const {
  const std::string text = texts_of(row);
  return plan_.fit ? text + (text.empty() ? "" : ", ") + minimum_of(row) : text;
}

std::string SweepView::curve_of(std::size_t row) const {
  std::string name = words_of(row);
  for (std::size_t k = 1; k < listed_.size(); ++k)
    name += fmt::format("{}{} = {:.8g}", name.empty() ? "" : ", ", plan_.design.keys()[listed_[k]],
                        number(row, listed_[k]));
  return name;
}

ChartAxis SweepView::axis_of(std::size_t key) const {
  ChartAxis axis{.label = label_of(key)};
  std::size_t column = 0;
  for (const VaryTable& vary : plan_.job.vary) {
    if (column == key) axis.logarithmic = vary.scale == "log";
    column += vary.all_keys().size();
  }
  return axis;
}

std::string SweepView::label_of(std::size_t key) const {
  return with_unit(plan_.design.keys()[key], unit_of_key(plan_.design.keys()[key]));
}

std::string SweepView::text_of(const std::string& name) const {
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

}  // namespace electret
