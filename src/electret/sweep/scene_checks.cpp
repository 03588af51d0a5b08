#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <optional>
#include <unordered_set>

#include <fmt/format.h>

#include <electret/core/errors.hpp>
#include <electret/geometry/csv.hpp>
#include <electret/geometry/read.hpp>
#include <electret/scene/read.hpp>
#include <electret/scene/words.hpp>
#include <electret/sweep/scene_checks.hpp>

namespace electret {
namespace {

/// The most combinations, values of one key, or samples that are all read. Reading a scene takes 0.2 ms.
constexpr Count most_read = 1000;

bool is_about(const Finding& finding, const std::vector<std::string>& keys) {
  return std::any_of(keys.begin(), keys.end(),
                     [&](const std::string& key) { return finding.where.file == "--set " + key; });
}

bool is_any_about(const std::vector<Finding>& findings, const std::vector<std::string>& keys) {
  return std::any_of(findings.begin(), findings.end(),
                     [&](const Finding& finding) { return is_about(finding, keys); });
}

/// The overrides with `value` for these keys, after all others.
std::vector<std::string> with_value(std::vector<std::string> own, const std::vector<std::string>& keys,
                                    const std::string& value) {
  for (const std::string& key : keys) own.push_back(key + "=" + value);
  return own;
}

bool is_whole(const std::string& text) {
  return text.find_first_not_of("+-0123456789") == std::string::npos;
}

}  // namespace

std::vector<Finding> SceneChecks::findings_about(const std::vector<std::string>& own) const {
  std::vector<Finding> found;
  if (plan_.fit) found = fits_.findings_about_starts(own);
  if (!has_scene_) return found;
  try {
    (void)parse_scene(plan_.scene_text, plan_.scene_file, plan_.scene_folder, plan_.scene_overrides(own));
  } catch (const InputError& error) {
    found.insert(found.end(), error.findings().begin(), error.findings().end());
  }
  return found;
}

std::vector<Finding> SceneChecks::check(const std::vector<std::string>& own, const std::string& at) {
  std::vector<Finding> found;
  if (plan_.fit && has_scene_ && !checked_.insert(plan_.scene_overrides(own)).second)
    found = fits_.findings_about_starts(own);  // Only starts differ.
  else
    found = findings_about(own);
  for (const Finding& finding : found) findings_.add(finding, at);
  return found;
}

Count SceneChecks::combinations() const {
  return plan_.design.runs() / std::max<Count>(plan_.job.sweep.samples, 1);
}

bool SceneChecks::are_about_normal(const std::vector<Finding>& findings) const {
  return std::all_of(findings.begin(), findings.end(), [&](const Finding& finding) {
    const auto& vary = plan_.job.vary;
    return std::any_of(vary.begin(), vary.end(), [&](const VaryTable& table) {
      return table.is_normal() && is_about(finding, table.all_keys());
    });
  });
}

/// The first point of the sampled keys of which the scene takes all values of normal distributions. A value
/// far out may be wrong in one run, which is then refused, and right in the others.
Count SceneChecks::usual_sample() const {
  const auto& vary = plan_.job.vary;
  if (std::none_of(vary.begin(), vary.end(), [](const VaryTable& table) { return table.is_normal(); }))
    return 0;
  std::optional<Count> other;  // What is wrong there is not about these keys.
  for (Count sample = 0; sample < std::min(plan_.job.sweep.samples, most_read); ++sample) {
    const auto found = findings_about(plan_.design.overrides(sample * combinations()));
    if (found.empty()) return sample;
    const auto is_normal = [this](const Finding& finding) { return are_about_normal({finding}); };
    if (!other && std::none_of(found.begin(), found.end(), is_normal)) other = sample;
  }
  return other.value_or(0);
}

void SceneChecks::check_runs() {
  const SweepDesign& design = plan_.design;
  plan_.usual_run = usual_sample() * combinations();
  if (combinations() > most_read)
    check_each_column();
  else
    for (Count run = plan_.usual_run; run < plan_.usual_run + combinations(); ++run)
      check(design.overrides(run), SweepFindings::at_run(run));
  for (const VaryTable& vary : plan_.job.vary) check_ends(vary);
}

void SceneChecks::check_each_column() {
  const SweepDesign& design = plan_.design;
  const auto run_of = [this](std::size_t at) { return plan_.usual_run + static_cast<Count>(at); };
  for (std::size_t k = 0; k < design.keys().size(); ++k)
    check_each({static_cast<std::size_t>(combinations()),
                [&](std::size_t at) -> const std::string& { return design.value(run_of(at), k); },
                [&](std::size_t at) {
                  const Count run = run_of(at);
                  return !is_any_about(check(design.overrides(run), SweepFindings::at_run(run)),
                                       {design.keys()[k]});
                }});
}

/// Each text, and of the numbers the first ones. Of the others those at the two ends of their order, until
/// one is right: a key allows what lies between two numbers that it allows. Whole numbers have an order of
/// their own, because a key may allow no other ones.
void SceneChecks::check_each(const ValueList& list) {
  std::unordered_set<std::string> seen;
  std::array<std::vector<std::pair<double, std::size_t>>, 2> others;
  for (std::size_t k = 0; k < list.size; ++k) {
    const std::string& text = list.at(k);
    const bool is_new = !seen.contains(text);
    const auto number = is_new ? number_in(text) : std::nullopt;
    if (number && std::isfinite(*number) && seen.size() >= static_cast<std::size_t>(most_read))
      others[is_whole(text) ? 1 : 0].emplace_back(*number, k);
    else if (is_new && seen.insert(text).second)
      (void)list.is_good(k);
  }
  const auto check_until_good = [&](auto at, const auto end) {
    for (int told = 0; at != end && told < ListFindings::most && !list.is_good(at->second); ++at) ++told;
  };
  for (auto& numbers : others) {
    std::sort(numbers.begin(), numbers.end());
    check_until_good(numbers.begin(), numbers.end());
    check_until_good(numbers.rbegin(), numbers.rend());
  }
}

void SceneChecks::check_ends(const VaryTable& vary) {
  if (vary.range.size() != 2 || vary.points > 0) return;
  for (const double end : vary.range)
    check(with_value(plan_.design.overrides(plan_.usual_run), vary.all_keys(), decimal_text(end)),
          SweepFindings::at_end);
}

std::vector<std::string> SceneChecks::check_values() {
  const std::vector<Candidate> all = candidates();
  const bool is_table = !plan_.job.sweep.table.empty(), is_listed = !plan_.job.vary.empty();
  if ((all.empty() && (is_table || is_listed || report_.is_bad("vary"))) ||
      std::any_of(all.begin(), all.end(), [](const Candidate& each) { return each.values.empty(); }))
    findings_.doubt_scene();
  std::vector<std::string> usual = usual_of(all);
  check(usual, "");
  for (const Candidate& candidate : all)
    if (!candidate.has_range) check_each(candidate, usual);
  return usual;
}

void SceneChecks::check_each(const Candidate& candidate, const std::vector<std::string>& usual) {
  check_each({candidate.values.size(),
              [&](std::size_t at) -> const std::string& { return candidate.values[at]; },
              [&](std::size_t at) {
                return !is_any_about(check(with_value(usual, candidate.keys, candidate.values[at]), ""),
                                     candidate.keys);
              }});
}

/// One value of each key, if possible one that the scene takes.
std::vector<std::string> SceneChecks::usual_of(const std::vector<Candidate>& candidates) const {
  std::vector<std::string> usual;
  for (const Candidate& candidate : candidates) {
    const auto count = std::min(candidate.values.size(), static_cast<std::size_t>(most_read));
    const auto last = candidate.values.begin() + static_cast<std::ptrdiff_t>(count);
    const auto good = std::find_if(candidate.values.begin(), last, [&](const std::string& value) {
      return !is_any_about(findings_about(with_value(usual, candidate.keys, value)), candidate.keys);
    });
    if (count > 0) usual = with_value(usual, candidate.keys, good != last ? *good : candidate.values.front());
  }
  return usual;
}

std::vector<SceneChecks::Candidate> SceneChecks::candidates() const {
  if (!plan_.job.sweep.table.empty()) return candidates_of_table();
  std::vector<Candidate> all;
  for (std::size_t k = 0; k < plan_.job.vary.size(); ++k) all.push_back(candidate_of(k));
  return all;
}

/// The keys of a `[[vary]]`, none if they have faults, and those of its values that have none.
SceneChecks::Candidate SceneChecks::candidate_of(std::size_t table) const {
  const VaryTable& vary = plan_.job.vary[table];
  const std::string at = fmt::format("vary.{}", table);
  Candidate candidate;
  if (report_.is_bad(at + ".key") || report_.is_bad(at + ".keys")) return candidate;
  candidate.keys = vary.all_keys();
  for (const std::string& text : vary.values.texts)
    if (is_design_value(text)) candidate.values.push_back(text);
  std::vector<double> numbers = vary.range;
  if (vary.is_normal())
    numbers = {vary.normal[0], vary.normal[0] + vary.normal[1], vary.normal[0] - vary.normal[1]};
  for (const double number : numbers)
    if (std::isfinite(number)) candidate.values.push_back(decimal_text(number));
  candidate.has_range = vary.is_normal() || report_.is_bad(at + ".range");
  return candidate;
}

std::vector<SceneChecks::Candidate> SceneChecks::candidates_of_table() const {
  const std::string path = (std::filesystem::path(plan_.job.folder) / plan_.job.sweep.table).string();
  std::vector<Candidate> all;
  try {
    const TextTable table = parse_text_csv(read_whole_file(path), path);
    for (std::size_t c = 0; c < table.columns.size(); ++c) {
      if (!is_design_key(table.columns[c]) || table.columns[c] == run_column) continue;
      Candidate& candidate = all.emplace_back(Candidate{{table.columns[c]}, {}});
      for (std::size_t r = 0; r < table.rows(); ++r)
        if (is_design_value(table(r, c).text)) candidate.values.push_back(table(r, c).text);
    }
  } catch (const InputError&) {  // Told before.
  }
  return all;
}

}  // namespace electret
