#include <algorithm>
#include <map>
#include <utility>

#include <electret/core/errors.hpp>
#include <electret/sweep/value_checks.hpp>

namespace electret {
namespace {

/// The most values of one key that are all read.
constexpr std::size_t most_values_read = 1000;

}  // namespace

std::vector<std::string> Candidate::keys() const {
  std::vector<std::string> all;
  for (const CandidateColumn& column : columns) all.insert(all.end(), column.keys.begin(), column.keys.end());
  return all;
}

ValueChecks::ValueChecks(const SweepPlan& plan, const Report& report, SweepFindings& findings,
                         const SceneFindings& scenes)
    : findings_(findings),
      scenes_(scenes),
      candidates_(value_candidates(plan, report, [&findings] { findings.doubt_scene(); })) {
  for (const Candidate& candidate : candidates_)
    for (const CandidateColumn& column : candidate.columns) {
      const auto at = static_cast<std::size_t>(&column - candidate.columns.data());
      const bool is_known = column.is_sure && !candidate.rows.empty() &&
                            std::none_of(candidate.rows.begin(), candidate.rows.end(),
                                         [&](const Row& row) { return row[at].empty(); });
      if (!is_known) scene_count_ = std::max(scene_count_, column.stand_ins.size());
    }
}

/// Scene `scene` of all: `row` for `own`, the usual rows for the others, stand-ins for what is not known.
std::vector<std::string> ValueChecks::overrides(std::size_t scene, const Candidate* own,
                                                const Row* row) const {
  std::vector<std::string> texts;
  for (const Candidate& each : candidates_)
    for (std::size_t c = 0; c < each.columns.size(); ++c) {
      const CandidateColumn& column = each.columns[c];
      std::string value;
      if (&each == own)
        value = (*row)[c];
      else if (column.is_sure && !each.rows.empty())
        value = each.rows[each.usual][c];
      if (value.empty() && !column.stand_ins.empty())
        value = column.stand_ins[scene % column.stand_ins.size()];
      if (value.empty()) continue;
      for (const std::string& key : column.keys) texts.push_back(key + "=" + value);
    }
  return texts;
}

/// What is wrong with `row` in all scenes; without one, what is wrong with the usual rows.
std::vector<Finding> ValueChecks::common(const Candidate* own, const Row* row) const {
  std::vector<Finding> all = scenes_.about(overrides(0, own, row));
  for (std::size_t scene = 1; scene < scene_count_ && !all.empty(); ++scene) {
    const std::vector<Finding> found = scenes_.about(overrides(scene, own, row));
    std::erase_if(all, [&](const Finding& finding) { return !has_same(found, finding); });
  }
  return all;
}

/// One row, if possible a whole one, with which nothing is wrong.
void ValueChecks::find_usual(Candidate& candidate) const {
  const std::vector<std::string> keys = candidate.keys();
  const std::size_t count = std::min(candidate.rows.size(), most_values_read);
  for (const bool must_be_whole : {true, false})
    for (std::size_t r = 0; r < count; ++r) {
      const Row& row = candidate.rows[r];
      const bool is_whole =
          std::none_of(row.begin(), row.end(), [](const std::string& cell) { return cell.empty(); });
      if (is_whole != must_be_whole || is_any_about(common(&candidate, &row), keys)) continue;
      candidate.usual = r;
      return;
    }
}

std::vector<std::vector<std::string>> ValueChecks::check() {
  for (Candidate& candidate : candidates_) find_usual(candidate);
  usual_findings_ = common(nullptr, nullptr);
  for (const Finding& finding : usual_findings_) findings_.add(finding, "");
  for (const Candidate& candidate : candidates_)
    candidate.rows.empty() ? check_stand_ins(candidate) : check_rows(candidate);
  std::vector<std::vector<std::string>> all;
  for (std::size_t scene = 0; scene < scene_count_; ++scene)
    all.push_back(overrides(scene, nullptr, nullptr));
  return all;
}

/// What the usual rows have, too, was told.
void ValueChecks::tell(const std::vector<Finding>& found, const std::string& job_key) {
  for (const Finding& finding : found)
    if (!has_same(usual_findings_, finding)) findings_.add_at(job_key, finding, "");
}

void ValueChecks::check_rows(const Candidate& candidate) {
  std::map<std::size_t, std::vector<Finding>> checked;
  for (std::size_t c = 0; c < candidate.columns.size(); ++c) {
    const std::vector<std::string>& keys = candidate.columns[c].keys;
    check_each({candidate.rows.size(), [&](std::size_t r) { return candidate.rows[r][c]; },
                [&](std::size_t r) {
                  const auto [found, is_new] = checked.try_emplace(r);
                  if (is_new) {
                    found->second = common(&candidate, &candidate.rows[r]);
                    tell(found->second, findings_.job_key_of("--set " + keys.front()));
                  }
                  return !is_any_about(found->second, keys);
                }},
               most_values_read);
  }
}

/// Of values of which one stands for all, the first one is told if none is right.
void ValueChecks::check_stand_ins(const Candidate& candidate) {
  for (std::size_t c = 0; c < candidate.columns.size(); ++c) {
    const CandidateColumn& column = candidate.columns[c];
    std::vector<Finding> first;
    bool is_any_good = false;
    for (std::size_t k = 0; k < column.of_job && !is_any_good; ++k) {
      Row row(candidate.columns.size());
      row[c] = column.stand_ins[k];
      const std::vector<Finding> found = common(&candidate, &row);
      is_any_good = !is_any_about(found, column.keys);
      if (k == 0) first = found;
    }
    if (!is_any_good) tell(first, findings_.job_key_of("--set " + column.keys.front()));
  }
}

}  // namespace electret
