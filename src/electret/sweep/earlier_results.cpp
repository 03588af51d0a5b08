#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include <fmt/format.h>

#include <electret/core/errors.hpp>
#include <electret/core/text.hpp>
#include <electret/record/unreadable_error.hpp>
#include <electret/sweep/earlier_results.hpp>
#include <electret/sweep/run_ranges.hpp>

namespace electret {
namespace {

/// "0-3, 7, 9", of many the first ones.
std::string ranges_text(const std::vector<Count>& runs) {
  constexpr std::size_t most = 5;
  std::vector<RunRange> ranges = run_ranges(runs);
  if (ranges.size() <= most) return text_of(ranges, ", ");
  ranges.resize(most);
  return text_of(ranges, ", ") + ", …";
}

std::string names_text(std::vector<std::string> names) {
  constexpr std::size_t most = 3;
  if (names.size() <= most) return joined(names);
  names.resize(most);
  return joined(names) + ", …";
}

}  // namespace

EarlierResults::EarlierResults(const SweepFolder& folder, Count runs)
    : path_(folder.results()), has_(static_cast<std::size_t>(runs), false) {
  try {
    const ResultTableReader table(path_);
    constexpr std::size_t block = 4096;
    for (std::size_t first = 0; first < table.runs().size(); first += block) {
      const std::size_t count = std::min(block, table.runs().size() - first);
      const std::vector<double> statuses = table.rows("results/status", first, count);
      for (std::size_t r = 0; r < count; ++r) {
        const Count run = table.runs()[first + r];
        if (run >= 0 && run < runs && is_result(static_cast<SweepStatus>(statuses[r])))
          has_[static_cast<std::size_t>(run)] = true;
      }
    }
  } catch (const UnreadableError&) {
    has_.assign(has_.size(), false);
  }
}

std::string EarlierResults::from_parts(const std::vector<Count>& runs) const {
  std::set<std::string> found;
  try {
    const ResultTableReader table(path_);
    const std::vector<double> parts = table.all("provenance/part");
    const std::vector<std::string> names = table.texts("parts");
    for (std::size_t r = 0; r < parts.size(); ++r)
      if (std::binary_search(runs.begin(), runs.end(), table.runs()[r]) && parts[r] >= 0.0 &&
          parts[r] < static_cast<double>(names.size()))
        found.insert(names[static_cast<std::size_t>(parts[r])]);
  } catch (const UnreadableError&) {
    return "";
  }
  return found.empty() ? "" : ", from " + names_text({found.begin(), found.end()});
}

void EarlierResults::check_kept(const SweepRows& rows) const {
  std::vector<Count> lost;
  for (std::size_t k = 0; k < has_.size(); ++k) {
    const auto run = static_cast<Count>(k);
    if (has_[k] && !(rows.has(run) && is_result(rows.place(run).status))) lost.push_back(run);
  }
  if (lost.empty()) return;
  std::vector<Finding> findings = rows.faults();
  findings.push_back(
      {{path_, 0, 0},
       fmt::format("it has results of {} that the parts no longer have: {}{}",
                   counted(lost.size(), "run", "runs"), ranges_text(lost), from_parts(lost)),
       "bring the parts back, or go on with the sweep, which does these runs again; to merge without them, "
       "move sweep.h5 away"});
  throw InputError(std::move(findings));
}

}  // namespace electret
