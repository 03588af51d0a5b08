#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>

#include <electret/core/errors.hpp>
#include <electret/scene/words.hpp>
#include <electret/sweep/quantities.hpp>

namespace electret {
namespace {

constexpr std::array<std::pair<std::string_view, Reduction>, 7> reductions{
    {{"first", Reduction::first},
     {"last", Reduction::last},
     {"min", Reduction::smallest},
     {"max", Reduction::largest},
     {"mean", Reduction::mean},
     {"rms", Reduction::root_mean_square},
     {"time of max", Reduction::time_of_largest}}};

}  // namespace

std::optional<Quantity> parse_quantity(std::string_view name, std::string_view text) {
  constexpr std::string_view of = " of ";
  const std::size_t at = text.rfind(of);
  if (at == std::string_view::npos || at + of.size() == text.size()) return std::nullopt;
  for (const auto& [word, reduction] : reductions)
    if (text.substr(0, at) == word)
      return Quantity{std::string(name), reduction, std::string(text.substr(at + of.size()))};
  return std::nullopt;
}

std::string written_reductions() {
  std::vector<std::string> words;
  for (const auto& [word, reduction] : reductions) words.emplace_back(word);
  return joined(words);
}

std::vector<Quantity> usual_quantities() {
  return {{"total", Reduction::last, "total"}, {"radius_of_gyration", Reduction::last, "radius_of_gyration"}};
}

QuantityGatherer::QuantityGatherer(const std::vector<Quantity>& quantities,
                                   const std::vector<std::string>& columns) {
  for (const Quantity& quantity : quantities) {
    const auto found = std::find(columns.begin(), columns.end(), quantity.column);
    if (found == columns.end())
      throw InputError(Finding{{quantity.name, 0, 0},
                               "the run has no column " + in_quotes(quantity.column),
                               suggestion(quantity.column, columns)});
    sums_.push_back({quantity.reduction, static_cast<std::size_t>(found - columns.begin())});
  }
}

void QuantityGatherer::add(const std::vector<double>& numbers) {
  for (Sums& sum : sums_) {
    const double value = numbers[sum.column], time = numbers[0];
    const bool is_first = frames_ == 0;
    switch (sum.reduction) {
      case Reduction::first:
        if (is_first) sum.value = value;
        break;
      case Reduction::last:
        sum.value = value;
        break;
      case Reduction::smallest:
        if (is_first || value < sum.value) sum.value = value;
        break;
      case Reduction::largest:
      case Reduction::time_of_largest:
        if (is_first || value > sum.value) sum.value = value, sum.time = time;
        break;
      case Reduction::mean:
        sum.value += value;
        break;
      case Reduction::root_mean_square:
        sum.value += value * value;
        break;
    }
  }
  ++frames_;
}

std::vector<double> QuantityGatherer::values() const {
  std::vector<double> values;
  const auto frames = static_cast<double>(frames_);
  for (const Sums& sum : sums_) {
    double value = sum.value;
    if (sum.reduction == Reduction::mean) value /= frames;
    if (sum.reduction == Reduction::root_mean_square) value = std::sqrt(value / frames);
    if (sum.reduction == Reduction::time_of_largest) value = sum.time;
    values.push_back(frames_ > 0 ? value : std::numeric_limits<double>::quiet_NaN());
  }
  return values;
}

}  // namespace electret
