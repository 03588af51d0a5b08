#include <algorithm>
#include <array>
#include <cmath>
#include <unordered_set>

#include <fmt/format.h>

#include <electret/core/errors.hpp>
#include <electret/scene/read.hpp>
#include <electret/sweep/scene_findings.hpp>

namespace electret {
namespace {

/// Whether the override "KEY=VALUE" sets one of these keys.
bool sets_any(const std::string& text, const std::vector<std::string>& keys) {
  return std::any_of(keys.begin(), keys.end(), [&](const std::string& key) {
    return text.starts_with(key) && text.size() > key.size() && text[key.size()] == '=';
  });
}

}  // namespace

std::vector<Finding> SceneFindings::about_starts(const std::vector<std::string>& own) const {
  return plan_.fit ? fits_.findings_about_starts(own) : std::vector<Finding>();
}

std::vector<Finding> SceneFindings::about(const std::vector<std::string>& own) const {
  std::vector<Finding> found = about_starts(own);
  if (!has_scene_) return found;
  try {
    (void)parse_scene(plan_.scene_text, plan_.scene_file, plan_.scene_folder, plan_.scene_overrides(own));
  } catch (const InputError& error) {
    found.insert(found.end(), error.findings().begin(), error.findings().end());
  }
  return found;
}

bool is_about(const Finding& finding, const std::vector<std::string>& keys) {
  return std::any_of(keys.begin(), keys.end(),
                     [&](const std::string& key) { return finding.where.file == "--set " + key; });
}

bool is_any_about(const std::vector<Finding>& findings, const std::vector<std::string>& keys) {
  return std::any_of(findings.begin(), findings.end(),
                     [&](const Finding& finding) { return is_about(finding, keys); });
}

bool is_whole_number(const std::string& text) {
  return text.find_first_not_of("+-0123456789") == std::string::npos;
}

void check_each(const ValueList& list, std::size_t most) {
  std::unordered_set<std::string> seen;
  std::array<std::vector<std::pair<double, std::size_t>>, 2> others;
  for (std::size_t k = 0; k < list.size; ++k) {
    const std::string text = list.at(k);
    const bool is_new = !seen.contains(text);
    const auto number = is_new ? number_in(text) : std::nullopt;
    if (number && std::isfinite(*number) && seen.size() >= most)
      others[is_whole_number(text) ? 1 : 0].emplace_back(*number, k);
    else if (is_new && seen.insert(text).second)
      (void)list.is_good(k);
  }
  const auto check_until_good = [&](auto at, const auto end) {
    for (int told = 0; at != end && told < ListFindings::most && !list.is_good(at->second); ++at) ++told;
  };
  for (auto& numbers : others) {
    std::sort(numbers.begin(), numbers.end());
    const auto is_equal = [](const auto& a, const auto& b) { return a.first == b.first; };
    numbers.erase(std::unique(numbers.begin(), numbers.end(), is_equal), numbers.end());
    check_until_good(numbers.begin(), numbers.end());
    check_until_good(numbers.rbegin(), numbers.rend());
  }
}

bool FindingCauses::stands_in_scene(const Finding& finding) {
  if (!standing_) standing_ = trial_({});
  return has_same(*standing_, finding);
}

std::optional<std::size_t> FindingCauses::vary_of(const Finding& finding, const std::vector<std::string>& own,
                                                  const std::vector<std::string>& good) {
  const auto& vary = plan_.job.vary;
  for (std::size_t k = 0; k < vary.size(); ++k)
    if (is_about(finding, vary[k].all_keys())) return k;
  const std::vector<Finding> before = trial_(own);
  if (!has_same(before, finding)) return std::nullopt;  // It is none of the scene's.
  for (std::size_t k = 0; k < vary.size(); ++k) {
    std::vector<std::string> keys;
    for (std::size_t other = 0; other < vary.size(); ++other)
      if (other == k || (!vary[k].together.empty() && vary[other].together == vary[k].together))
        for (const std::string& key : vary[other].all_keys()) keys.push_back(key);
    std::vector<std::string> without;
    for (const std::string& text : own)
      if (!sets_any(text, keys)) without.push_back(text);
    for (const std::string& text : good)
      if (sets_any(text, keys)) without.push_back(text);
    const std::vector<Finding> left = trial_(without);
    // A scene that lacks the key has other findings, and may not be read as far.
    const bool is_read_as_far =
        std::all_of(left.begin(), left.end(), [&](const Finding& each) { return has_same(before, each); });
    if (is_read_as_far && !has_same(left, finding)) return k;
  }
  if (vary.size() == 1) return 0;
  return std::nullopt;
}

std::string FindingCauses::job_key_of(const Finding& finding, const std::vector<std::string>& own,
                                      const std::vector<std::string>& good) {
  if (!plan_.job.sweep.table.empty()) return "sweep.table";
  const auto vary = vary_of(finding, own, good);
  if (!vary) return plan_.fit ? "sweep.fit" : "sweep.scene";
  return fmt::format("vary.{}.{}", *vary, plan_.job.vary[*vary].place_of_keys());
}

}  // namespace electret
