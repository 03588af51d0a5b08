#include <algorithm>

#include <fmt/format.h>

#include <electret/core/digits.hpp>
#include <electret/sweep/sweep_charts.hpp>
#include <electret/sweep/sweep_plot.hpp>

namespace electret {
namespace {

/// The charts of one page at most.
constexpr std::size_t most_charts = 24;

/// The name without what files should not have in theirs.
std::string file_part(std::string name) {
  for (char& c : name)
    if (!is_ascii_alphanumeric(c) && c != '-' && c != '.') c = '_';
  return name;
}

}  // namespace

SweepPictures sweep_pictures(const SweepPlan& plan, const SweepResults& results) {
  SweepPictures found;
  if (results.runs.empty()) return found;
  const SweepView view(plan, results);
  const std::size_t each =
      view.is_map() || !view.listed().empty() ? 1 : std::max<std::size_t>(view.sampled().size(), 1);
  const std::size_t all = each * view.count_of_measured();
  const std::size_t shown = std::min(view.count_of_measured(), (most_charts + each - 1) / each);
  found.hidden = all - std::min(all, most_charts);
  if (view.is_map()) {
    for (std::size_t k = 0; k < shown; ++k) {
      const Measured one = view.measured(k);
      found.files.emplace_back(k == 0 ? "sweep.svg" : fmt::format("sweep-{}.svg", file_part(one.name)),
                               sweep_map(view, one));
    }
    return found;
  }
  std::vector<Chart> charts;
  for (std::size_t k = 0; k < shown; ++k) add_sweep_charts(view, view.measured(k), charts);
  if (charts.empty()) return found;
  if (charts.size() > most_charts) charts.resize(most_charts);
  if (found.hidden > 0)
    charts.front().subtitle += fmt::format("; the first {} of {} charts are shown", charts.size(), all);
  found.files.emplace_back("sweep.svg", charts_svg(charts));
  return found;
}

}  // namespace electret
