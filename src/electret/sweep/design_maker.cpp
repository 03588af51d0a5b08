#include <algorithm>
#include <cmath>
#include <filesystem>
#include <map>
#include <memory>
#include <set>

#include <fmt/format.h>

#include <electret/core/errors.hpp>
#include <electret/geometry/csv.hpp>
#include <electret/geometry/read.hpp>
#include <electret/scene/words.hpp>
#include <electret/sweep/design.hpp>
#include <electret/sweep/points.hpp>

namespace electret {
namespace {

/// With 17 digits, and marked as no whole number if it looks like one.
std::string written_number(double value) {
  std::string text = fmt::format("{:.17g}", value);
  if (text.find_first_of(".en") == std::string::npos) text += ".0";
  return text;
}

/// The value at a part of the way through the range; exact at both ends.
double value_within(const VaryTable& vary, double part) {
  const double low = vary.range[0], high = vary.range[1];
  if (part <= 0.0) return low;
  if (part >= 1.0) return high;
  if (vary.scale == "log") return std::clamp(low * std::pow(high / low, part), low, high);
  return low + (high - low) * part;
}

constexpr const char* allowed_cells = "allowed: texts without commas, quotes, # and line ends";
constexpr const char* allowed_keys = "allowed: keys as for --set, such as \"body.0.charge\"";

class DesignMaker {
 public:
  DesignMaker(const SweepJob& job, Report& report, bool may_be_empty)
      : job_(job), report_(report), may_be_empty_(may_be_empty) {}

  SweepDesign make() {
    if (!job_.sweep.table.empty()) return from_table();
    if (job_.vary.empty()) {
      if (!may_be_empty_ && !report_.is_bad("vary") && !report_.is_bad("sweep.table"))
        fault("sweep", "nothing varies", "give [[vary]] tables, or \"table\" with a CSV file");
      return {};
    }
    is_small_enough_ = find_size();
    for (std::size_t k = 0; k < job_.vary.size(); ++k) add(k);
    check_samples();
    if (!report_.empty()) return {};
    return filled();
  }

 private:
  /// Listed keys that advance together, or a single one.
  struct Axis {
    std::vector<std::size_t> tables;  ///< Of `[[vary]]`.
    std::size_t size = 0;
  };

  void fault(const std::string& key, std::string wrong, std::string allowed) {
    report_.add(job_.source, key, std::move(wrong), std::move(allowed));
  }

  /// 0 if the key is sampled.
  static std::size_t listed_count(const VaryTable& vary) {
    return vary.values.texts.empty() ? static_cast<std::size_t>(vary.points) : vary.values.texts.size();
  }

  static std::string key_of(std::size_t table) { return "vary." + std::to_string(table); }

  void add(std::size_t k) {
    const VaryTable& vary = job_.vary[k];
    const std::string at = key_of(k);
    keys_of_.push_back(vary.all_keys());
    for (std::size_t i = 0; i < keys_of_[k].size(); ++i) {
      const std::string& key = keys_of_[k][i];
      const std::string place = at + "." + vary.place_of_keys();
      if (!is_design_key(key))
        fault(place, in_quotes(key) + " is no key", allowed_keys);
      else if (!all_keys_.insert(key).second)
        fault(place, in_quotes(key) + " varies twice", "each key once");
    }
    values_of_.emplace_back();
    if (report_.is_bad(at)) return;
    if (!vary.values.texts.empty())
      listed_values(k);
    else if (vary.points > 0)
      listed_range(k);
    else
      sampled_.push_back(k);
  }

  void listed_values(std::size_t k) {
    const auto& texts = job_.vary[k].values.texts;
    for (std::size_t i = 0; i < texts.size(); ++i)
      if (!is_design_value(texts[i]))
        fault(key_of(k) + ".values." + std::to_string(i), in_quotes(texts[i]) + " cannot stand in a table",
              allowed_cells);
    values_of_[k] = texts;
    add_axis(k);
  }

  void listed_range(std::size_t k) {
    if (is_small_enough_) values_of_[k] = listed_range_values(job_.vary[k]);
    add_axis(k);
  }

  void add_axis(std::size_t k) {
    const std::string& together = job_.vary[k].together;
    const std::size_t size = listed_count(job_.vary[k]);
    if (!together.empty()) {
      const auto found = axis_named_.find(together);
      if (found != axis_named_.end()) {
        Axis& axis = axes_[found->second];
        if (axis.size != size)
          fault(key_of(k) + ".together",
                fmt::format("{} values advance together with {} of {}", size, axis.size,
                            in_quotes(keys_of_[axis.tables.front()].front())),
                "lists that advance together are equally long");
        axis.tables.push_back(k);
        return;
      }
      axis_named_[together] = axes_.size();
    }
    axes_.push_back({{k}, size});
  }

  void check_samples() {
    const SweepTable& sweep = job_.sweep;
    if (sampled_.empty() && sweep.samples > 0 && report_.empty())
      fault("sweep.samples", "\"samples\" without a sampled key",
            "a key is sampled by \"range\" without \"points\", or by \"normal\"");
    if (!sampled_.empty() && sweep.samples == 0 && !report_.is_bad("sweep.samples"))
      fault(key_of(sampled_.front()), "the key is sampled, but \"samples\" in [sweep] is missing",
            "give samples = N, or \"points\" here");
    if (!sampled_.empty() && sweep.method == "sobol" && !has_sobol_points())
      fault("sweep.method", "this build has no Sobol' points",
            "build with Boost's headers (libboost-dev) installed, or write \"random\"");
  }

  /// Counted before any list is made.
  bool find_size() {
    double runs = 1.0;
    bool is_sampled = false;
    std::set<std::string> together;
    for (const VaryTable& vary : job_.vary) {
      const bool is_counted = vary.together.empty() || together.insert(vary.together).second;
      const std::size_t listed = listed_count(vary);
      if (listed > 0 && is_counted) runs *= static_cast<double>(listed);
      is_sampled |= listed == 0;
    }
    if (is_sampled) runs *= static_cast<double>(std::max<Count>(job_.sweep.samples, 1));
    if (runs <= most_runs) return true;
    fault("vary", fmt::format("{:.3g} runs", runs), fmt::format("allowed: up to {:.0e} runs", most_runs));
    return false;
  }

  SweepDesign filled() {
    std::vector<std::string> keys, sampled_keys;
    for (const auto& each : keys_of_) keys.insert(keys.end(), each.begin(), each.end());
    for (const std::size_t k : sampled_) sampled_keys.push_back(keys_of_[k].front());
    std::unique_ptr<UnitPoints> points;
    if (!sampled_.empty())
      points = job_.sweep.method == "sobol" ? sobol_points(sampled_keys, job_.sweep.seed)
                                            : random_points(sampled_keys, job_.sweep.seed);
    std::size_t combinations = 1;
    for (const Axis& axis : axes_) combinations *= axis.size;
    const auto points_count = static_cast<std::size_t>(std::max<Count>(points ? job_.sweep.samples : 1, 1));
    SweepDesign design(std::move(keys));
    design.reserve(points_count * combinations, longest_row());
    std::vector<std::string> now(job_.vary.size());
    for (std::size_t sample = 0; sample < points_count; ++sample) {
      if (points) put_point(points->next(), now);
      for (std::size_t c = 0; c < combinations; ++c) {
        put_combination(c, now);
        for (std::size_t k = 0; k < now.size(); ++k)
          for (std::size_t i = 0; i < keys_of_[k].size(); ++i) design.add(now[k]);
      }
    }
    return design;
  }

  /// The most letters that the values of a run may have.
  [[nodiscard]] std::size_t longest_row() const {
    constexpr std::size_t longest_number = 24;
    std::size_t letters = 0;
    for (std::size_t k = 0; k < keys_of_.size(); ++k) {
      std::size_t longest = values_of_[k].empty() ? longest_number : 0;
      for (const std::string& text : values_of_[k]) longest = std::max(longest, text.size());
      letters += keys_of_[k].size() * longest;
    }
    return letters;
  }

  void put_point(const std::vector<double>& point, std::vector<std::string>& now) const {
    for (std::size_t d = 0; d < sampled_.size(); ++d) {
      const VaryTable& vary = job_.vary[sampled_[d]];
      now[sampled_[d]] =
          written_number(vary.normal.empty() ? value_within(vary, point[d])
                                             : vary.normal[0] + vary.normal[1] * normal_quantile(point[d]));
    }
  }

  /// The last axis changes fastest.
  void put_combination(std::size_t combination, std::vector<std::string>& now) const {
    for (std::size_t a = axes_.size(); a-- > 0;) {
      const std::size_t at = combination % axes_[a].size;
      combination /= axes_[a].size;
      for (const std::size_t k : axes_[a].tables) now[k] = values_of_[k][at];
    }
  }

  SweepDesign from_table() {
    if (!job_.vary.empty())
      fault("vary", "[[vary]] beside \"table\"", "the table has all values; remove one of them");
    if (job_.sweep.samples > 0) fault("sweep.samples", "\"samples\" beside \"table\"", "remove one of them");
    const std::filesystem::path path = std::filesystem::path(job_.folder) / job_.sweep.table;
    if (report_.empty())
      if (auto plain = read_plain_design(path.string(), false)) return std::move(*plain);
    std::string text;
    try {
      text = read_whole_file(path.string());
    } catch (const InputError& error) {
      fault("sweep.table", "table " + in_quotes(job_.sweep.table) + ": " + error.findings()[0].message,
            error.findings()[0].allowed);
      return {};
    }
    TextTable table;
    try {
      table = parse_text_csv(text, path.string());
    } catch (const InputError& error) {
      report_.add_all(error.findings(), "sweep.table");
      return {};
    }
    check_table(table, path.string());
    if (!report_.empty()) return {};
    std::vector<std::string> keys;
    for (const std::string& column : table.columns)
      if (column != run_column) keys.push_back(column);
    SweepDesign design(std::move(keys));
    for (std::size_t cell = 0; cell < table.cells.size(); ++cell)
      if (table.columns[cell % table.columns.size()] != run_column) design.add(table.cells[cell].text);
    return design;
  }

  void check_table(const TextTable& table, const std::string& path) {
    for (const std::string& key : table.columns)
      if (!is_design_key(key))
        report_.add_at({path, 1, 0}, "sweep.table", in_quotes(key) + " is no key", allowed_keys);
    if (table.columns == std::vector<std::string>{run_column})
      report_.add_at({path, 1, 0}, "sweep.table", "the table has no key", "one column for each key");
    if (table.rows() == 0)
      report_.add_at({path, 0, 0}, "sweep.table", "the table has no rows", "one row for each run");
    if (static_cast<double>(table.rows()) > most_runs)
      report_.add_at({path, 0, 0}, "sweep.table", fmt::format("{} runs", table.rows()),
                     fmt::format("allowed: up to {:.0e} runs", most_runs));
    ListFindings findings;
    for (std::size_t r = 0; r < table.rows(); ++r)
      for (std::size_t c = 0; c < table.columns.size(); ++c)
        if (!is_design_value(table(r, c).text) && findings.admit_another())
          report_.add_at({path, table.lines[r], table(r, c).column}, "sweep.table",
                         "run " + std::to_string(r) + wrong_cell(table(r, c).text, table.columns[c]),
                         table(r, c).text.empty() ? "every run has a value of every key" : allowed_cells);
  }

  /// What is wrong with a run's value of a key.
  static std::string wrong_cell(const std::string& text, const std::string& key) {
    return text.empty() ? " has no value of " + in_quotes(key)
                        : ": " + in_quotes(text) + " cannot stand in a table";
  }

  const SweepJob& job_;
  Report& report_;
  bool may_be_empty_;
  bool is_small_enough_ = true;                                ///< Else no values are made.
  std::vector<std::vector<std::string>> keys_of_, values_of_;  ///< Of each `[[vary]]`.
  std::vector<Axis> axes_;
  std::map<std::string, std::size_t> axis_named_;
  std::vector<std::size_t> sampled_;
  std::set<std::string> all_keys_;
};

}  // namespace

std::vector<std::string> listed_range_values(const VaryTable& vary) {
  std::vector<std::string> values;
  for (Count p = 0; p < vary.points; ++p)
    values.push_back(
        written_number(value_within(vary, static_cast<double>(p) / static_cast<double>(vary.points - 1))));
  return values;
}

SweepDesign make_design(const SweepJob& job, Report& report, bool may_be_empty) {
  return DesignMaker(job, report, may_be_empty).make();
}

}  // namespace electret
