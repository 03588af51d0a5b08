#include <algorithm>
#include <cmath>
#include <filesystem>
#include <map>
#include <set>
#include <utility>

#include <electret/core/errors.hpp>
#include <electret/core/text.hpp>
#include <electret/geometry/csv.hpp>
#include <electret/geometry/read.hpp>
#include <electret/scene/words.hpp>
#include <electret/sweep/value_checks.hpp>

namespace electret {
namespace {

constexpr std::size_t most_stand_ins = 3;

/// Another value of the kind, which is hardly in the job by chance.
std::string another_value(const std::string& text) {
  const auto number = number_in(text);
  if (!number || !std::isfinite(*number)) return "";
  constexpr double factor = 1.0625;
  return is_whole_number(text) ? std::to_string(static_cast<Count>(*number) + 1)
                               : decimal_text(factor * *number);
}

/// Notes which values may stand for those of the column that are not known. Without any it is each kind of
/// value, and none.
void add_stand_ins(CandidateColumn& column, const std::vector<std::string>& values) {
  std::set<std::string> seen;
  for (const std::string& value : values)
    if (!value.empty() && seen.size() < most_stand_ins && seen.insert(value).second)
      column.stand_ins.push_back(value);
  column.of_job = column.stand_ins.size();
  if (column.stand_ins.empty())
    column.stand_ins = {"", "1", "0.25", "x", "true", "[0.25, 0.25, 0.25]"};
  else if (const std::string other = another_value(column.stand_ins.front()); !other.empty())
    column.stand_ins.push_back(other);
}

/// Of a table in a file, those rows that can be read.
class TableCandidate {
 public:
  TableCandidate(const SweepPlan& plan, const std::function<void()>& doubt)
      : path_((std::filesystem::path(plan.job.folder) / plan.job.sweep.table).string()), doubt_(doubt) {}

  /// A candidate without columns if the table cannot be read at all.
  [[nodiscard]] Candidate candidate() const {
    Candidate candidate;
    TextTable table;
    try {
      table = readable_rows(read_whole_file(path_));
    } catch (const InputError&) {  // Told before.
      return candidate;
    }
    std::vector<std::size_t> places;
    for (std::size_t c = 0; c < table.columns.size(); ++c) {
      if (!is_design_key(table.columns[c])) doubt_();
      if (is_design_key(table.columns[c]) && table.columns[c] != run_column) places.push_back(c);
    }
    for (std::size_t r = 0; r < table.rows(); ++r) {
      std::vector<std::string>& row = candidate.rows.emplace_back();
      for (const std::size_t c : places)
        row.push_back(is_design_value(table(r, c).text) ? table(r, c).text : "");
    }
    for (std::size_t k = 0; k < places.size(); ++k) {
      CandidateColumn& column =
          candidate.columns.emplace_back(CandidateColumn{{table.columns[places[k]]}, {}, 0, true});
      std::vector<std::string> values;
      for (const auto& row : candidate.rows) values.push_back(row[k]);
      add_stand_ins(column, values);
    }
    return candidate;
  }

 private:
  /// The table without the lines that have another number of values than its header.
  [[nodiscard]] TextTable readable_rows(std::string text) const {
    constexpr int most_passes = 200;  // The reader names some faults at once.
    for (int pass = 0;; ++pass) {
      try {
        return parse_text_csv(text, path_);
      } catch (const InputError& error) {
        if (pass == most_passes || !blank_lines(text, error.findings())) throw;
      }
    }
  }

  /// Blanks the lines of these findings. False if one is in the header, or if none has a line.
  static bool blank_lines(std::string& text, const std::vector<Finding>& findings) {
    std::set<Count> lines;
    for (const Finding& finding : findings)
      if (finding.where.line > 0) lines.insert(finding.where.line);
    bool is_after_header = false;
    Count line = 1;
    for (std::size_t begin = 0; begin < text.size() && !lines.empty(); ++line) {
      const std::size_t end = std::min(text.find('\n', begin), text.size());
      if (*lines.begin() == line) {
        if (!is_after_header) return false;
        std::fill(text.begin() + static_cast<std::ptrdiff_t>(begin),
                  text.begin() + static_cast<std::ptrdiff_t>(end), ' ');
        lines.erase(lines.begin());
        if (lines.empty()) return true;
      }
      const std::size_t start = text.find_first_not_of(" \t\r", begin);
      is_after_header |= start < end && text[start] != '#';
      begin = end + 1;
    }
    return false;
  }

  std::string path_;
  const std::function<void()>& doubt_;
};

class JobCandidates {
 public:
  JobCandidates(const SweepPlan& plan, const Report& report, const std::function<void()>& doubt)
      : job_(plan.job), report_(report), doubt_(doubt) {
    for (const VaryTable& vary : job_.vary)
      for (const std::string& key : vary.all_keys()) ++times_[key];
  }

  std::vector<Candidate> candidates() {
    for (std::size_t k = 0; k < job_.vary.size(); ++k) add(job_.vary[k], "vary." + std::to_string(k));
    for (Candidate& candidate : all_) {
      if (candidate.columns.size() == 1 && candidate.rows.empty()) continue;
      std::size_t rows = 0;
      for (const auto& values : candidate.rows) rows = std::max(rows, values.size());
      candidate.rows = transposed(candidate.rows, rows);
    }
    return std::move(all_);
  }

 private:
  /// Until all are there, `rows` holds the values column by column.
  void add(const VaryTable& vary, const std::string& at) {
    CandidateColumn column;
    for (const std::string& key : vary.all_keys()) is_design_key(key) ? column.keys.push_back(key) : doubt_();
    if (column.keys.empty()) return;
    std::vector<std::string> values = own_values(vary, at);
    column.is_sure = is_listed(vary, at) && varies_once(vary);
    add_stand_ins(column, values);
    if (!is_listed(vary, at) && (!vary.has_ends() || report_.is_bad(at + ".range"))) values.clear();
    if (values.empty() && vary.together.empty()) {
      all_.push_back({{std::move(column)}, {}});
      return;
    }
    if (!vary.together.empty() && vary.is_listed()) {
      const auto [known, is_new] = together_.try_emplace(vary.together, all_.size());
      if (!is_new) {
        all_[known->second].columns.push_back(std::move(column));
        all_[known->second].rows.push_back(std::move(values));
        return;
      }
    }
    all_.push_back({{std::move(column)}, {std::move(values)}});
  }

  [[nodiscard]] bool varies_once(const VaryTable& vary) const {
    const std::vector<std::string> keys = vary.all_keys();
    return std::all_of(keys.begin(), keys.end(),
                       [this](const std::string& key) { return times_.at(key) == 1; });
  }

  /// Whether it is a list without a fault but those of single values.
  [[nodiscard]] bool is_listed(const VaryTable& vary, const std::string& at) const {
    for (const char* own : {".range", ".points", ".scale", ".normal"})
      if (report_.is_bad(at + own)) return false;
    return vary.is_listed() && !report_.is_bad_itself(at + ".values");
  }

  /// Of a list its values, "" for one that has a fault; of a range its ends; of a normal distribution the
  /// usual ones.
  [[nodiscard]] std::vector<std::string> own_values(const VaryTable& vary, const std::string& at) const {
    std::vector<std::string> values;
    for (const std::string& text : vary.values.texts) values.push_back(is_design_value(text) ? text : "");
    if (!values.empty()) return values;
    constexpr Count most_made = 100'000;
    if (is_listed(vary, at) && vary.points <= most_made) return listed_range_values(vary);
    std::vector<double> numbers = vary.range;
    if (vary.is_normal())
      numbers = {vary.normal[0], vary.normal[0] + vary.normal[1], vary.normal[0] - vary.normal[1]};
    for (const double number : numbers)
      if (std::isfinite(number)) values.push_back(decimal_text(number));
    return values;
  }

  static std::vector<std::vector<std::string>> transposed(
      const std::vector<std::vector<std::string>>& columns, std::size_t count) {
    std::vector<std::vector<std::string>> rows(count);
    for (std::size_t r = 0; r < count; ++r)
      for (const auto& values : columns) rows[r].push_back(r < values.size() ? values[r] : "");
    return rows;
  }

  const SweepJob& job_;
  const Report& report_;
  const std::function<void()>& doubt_;
  std::map<std::string, int> times_;             ///< How often each key varies.
  std::map<std::string, std::size_t> together_;  ///< The candidate of each `together`.
  std::vector<Candidate> all_;
};

}  // namespace

std::vector<Candidate> value_candidates(const SweepPlan& plan, const Report& report,
                                        const std::function<void()>& doubt) {
  if (plan.job.sweep.table.empty()) {
    if (plan.job.vary.empty() && report.is_bad("vary")) doubt();
    return JobCandidates(plan, report, doubt).candidates();
  }
  Candidate table = TableCandidate(plan, doubt).candidate();
  if (table.columns.empty()) {
    doubt();
    return {};
  }
  return {std::move(table)};
}

}  // namespace electret
