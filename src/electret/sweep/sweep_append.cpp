#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include <electret/core/errors.hpp>
#include <electret/scene/read.hpp>
#include <electret/scene/words.hpp>
#include <electret/sweep/sweep_append.hpp>

namespace electret {
namespace {

class Appender {
 public:
  Appender(const SweepFolder& folder, const std::vector<std::string>& keys)
      : folder_(folder), plan_(folder.plan()), given_(keys) {}

  Count append(const std::vector<std::vector<std::string>>& rows) {
    match_keys();
    throw_if_any();
    const Count before = plan_.design.runs();
    SweepDesign design = before > 0 ? std::move(plan_.design) : SweepDesign(keys_);
    for (std::size_t r = 0; r < rows.size(); ++r) add(r, rows[r], design);
    if (static_cast<double>(before) + static_cast<double>(rows.size()) > most_runs)
      fault("run", "too many runs", fmt::format("allowed: up to {:.0e} runs", most_runs));
    throw_if_any();
    write_design(folder_.design(), design);
    return before;
  }

 private:
  void fault(const std::string& where, std::string wrong, std::string allowed) {
    constexpr std::size_t most = 20;
    if (findings_.size() < most) findings_.push_back({{where, 0, 0}, std::move(wrong), std::move(allowed)});
  }

  /// Where each of the sweep's keys is among those given.
  void match_keys() {
    keys_ = plan_.design.runs() > 0 || !plan_.design.keys().empty() ? plan_.design.keys() : given_;
    if (keys_.empty()) fault("keys", "no values", "a run has a value of at least one key");
    for (const std::string& key : keys_) {
      const auto at = std::find(given_.begin(), given_.end(), key);
      if (at == given_.end())
        fault(key, "there is no value of this key", "each run has all keys of the sweep");
      places_.push_back(static_cast<std::size_t>(at - given_.begin()));
    }
    for (const std::string& key : given_) {
      if (std::find(keys_.begin(), keys_.end(), key) == keys_.end())
        fault(key, "the sweep's runs have no value of this key", "allowed: " + joined(keys_));
      if (std::count(given_.begin(), given_.end(), key) > 1)
        fault(key, "the key is given twice", "each key once");
      if (!is_design_key(key))
        fault(key, "is no key", "allowed: keys as for --set, such as \"body.0.charge\"");
    }
  }

  void add(std::size_t r, const std::vector<std::string>& row, SweepDesign& design) {
    const std::string where = fmt::format("runs[{}]", r);
    if (row.size() != given_.size())
      return fault(where, "it has another number of values", "one for each key");
    std::vector<std::string> own;
    for (std::size_t k = 0; k < keys_.size(); ++k) {
      const std::string& value = row[places_[k]];
      if (!is_design_value(value))
        return fault(where, in_quotes(value) + " cannot stand in a table",
                     "allowed: texts without commas, quotes, # and line ends");
      own.push_back(keys_[k] + "=" + value);
      design.add(value);
    }
    try {
      (void)parse_scene(plan_.scene_text, plan_.scene_file, plan_.scene_folder, plan_.scene_overrides(own));
    } catch (const InputError& error) {
      for (const Finding& finding : error.findings())
        fault(where, to_string(finding.where) + ": " + finding.message, finding.allowed);
    }
  }

  void throw_if_any() {
    if (!findings_.empty()) throw InputError(std::move(findings_));
  }

  const SweepFolder& folder_;
  SweepPlan plan_;
  const std::vector<std::string>& given_;
  std::vector<std::string> keys_;
  std::vector<std::size_t> places_;
  std::vector<Finding> findings_;
};

}  // namespace

Count append_runs(const SweepFolder& folder, const std::vector<std::string>& keys,
                  const std::vector<std::vector<std::string>>& rows) {
  if (!folder.exists()) (void)folder.plan();  // Says so; a lock needs the sweep's folder.
  const DesignLock lock(folder);
  return Appender(folder, keys).append(rows);
}

}  // namespace electret
