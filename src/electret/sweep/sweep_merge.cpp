#include <algorithm>
#include <cmath>
#include <filesystem>
#include <map>
#include <set>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <electret/core/errors.hpp>
#include <electret/core/version.hpp>
#include <electret/record/unfinished.hpp>
#include <electret/record/unreadable_error.hpp>
#include <electret/scene/words.hpp>
#include <electret/sweep/sweep_merge.hpp>
#include <electret/sweep/sweep_plot.hpp>

namespace electret {
namespace {

constexpr std::size_t most_told = 100;

bool is_status(double number) {
  return number >= 0.0 && number <= static_cast<double>(SweepStatus::lost);
}

/// Where a run's row is.
struct RowPlace {
  std::size_t part = 0, row = 0;
  SweepStatus status = SweepStatus::done;
};

/// Columns so narrow are kept in memory. Rows of wider ones are read when they are merged.
constexpr std::size_t narrow = 64;

/// What one part holds. It is read at once and closed again, because a sweep may have more parts than a
/// process may have files open.
struct PartRows {
  std::string path;
  std::vector<Count> started;
  std::vector<RowPlace> places;  ///< Of the rows that count.
  std::vector<Count> runs;       ///< Of each of `places`.
  std::vector<std::string> notes;
  std::map<std::string, std::vector<double>> values;  ///< All rows of the narrow columns.
  std::string instructions;
  std::vector<Finding> faults;

  [[nodiscard]] double number(const std::string& column, std::size_t row) const {
    return values.at(column)[row];
  }
};

class PartReader {
 public:
  explicit PartReader(const SweepPlan& plan)
      : plan_(plan), columns_(plan.columns()), identity_(plan.common_hash()) {}

  /// What is wrong with the part or with its rows is among the faults. Throws nothing for a damaged part.
  [[nodiscard]] PartRows read(const std::string& path, std::size_t number) const {
    PartRows part;
    part.path = path;
    try {
      const ResultTableReader table(path);
      if (table.attribute("identity") != identity_) {
        add(part, "the part is of a sweep of another job or scene", "it does not count");
        return part;
      }
      part.instructions = table.attribute("instructions");
      part.started = table.started();
      for (const ResultColumn& column : columns_)
        if (column.width() <= narrow) part.values[column.name] = table.all(column.name);
      const std::vector<bool> sound = table.sound_rows(columns_);
      for (std::size_t r = 0; r < table.runs().size(); ++r)
        take(part, table.runs()[r], {number, r, SweepStatus::done}, sound[r], table.notes()[r]);
    } catch (const IoError& error) {
      part = PartRows();
      part.path = path;
      add(part, error.what(), "its runs are done again when the sweep goes on");
    }
    return part;
  }

 private:
  static void add(PartRows& part, std::string message, std::string allowed) {
    constexpr std::size_t most = 20;
    if (part.faults.size() < most)
      part.faults.push_back({{part.path, 0, 0}, std::move(message), std::move(allowed)});
  }

  void take(PartRows& part, Count run, RowPlace place, bool is_sound, const std::string& note) const {
    const double status = part.number("status", place.row);
    if (!is_sound || !is_status(status))
      return add(part, fmt::format("the row of run {} is damaged", run), "it does not count");
    if (run < 0 || run >= plan_.design.runs() || part.number("values", place.row) != plan_.values_hash(run))
      return add(part, fmt::format("the row of run {} was computed with other values", run),
                 "it does not count");
    place.status = static_cast<SweepStatus>(status);
    part.places.push_back(place);
    part.runs.push_back(run);
    part.notes.push_back(note);
  }

  const SweepPlan& plan_;
  std::vector<ResultColumn> columns_;
  std::string identity_;
};

/// Whether `now` is a better row of its run than `before`: one with a result is. Parts are read by name, so
/// that the choice does not depend on times.
bool is_better(const RowPlace& now, const RowPlace& before) {
  return is_result(now.status) && !is_result(before.status);
}

class SweepMerger {
 public:
  SweepMerger(const SweepFolder& folder, const SweepPlan& plan)
      : folder_(folder), plan_(plan), columns_(plan.columns()) {
    const PartReader reader(plan);
    for (const std::string& path : folder.part_files()) parts_.push_back(reader.read(path, parts_.size()));
    for (const ResultColumn& column : columns_)
      if (column.name != "wall" && column.name != "cpu") compared_.push_back(column);
  }

  SweepResults merge() {
    find_rows();
    write_results();
    write_table();
    write_file_whole(folder_.summary(), summary_text());
    folder_.remove_pictures();
    for (const auto& [name, picture] : sweep_pictures(plan_, results_))
      write_file_whole(folder_.path() + "/" + name, picture);
    return std::move(results_);
  }

 private:
  void find_rows() {
    std::set<std::string> sets;
    for (const PartRows& part : parts_) {
      results_.faults.insert(results_.faults.end(), part.faults.begin(), part.faults.end());
      if (!part.instructions.empty()) sets.insert(part.instructions);
      for (std::size_t k = 0; k < part.runs.size(); ++k) take(part.runs[k], part.places[k]);
    }
    results_.sets.assign(sets.begin(), sets.end());
  }

  void take(Count run, const RowPlace& place) {
    const auto [at, is_new] = rows_.try_emplace(run, place);
    if (is_new) return;
    if (is_better(place, at->second)) {
      at->second = place;
    } else if (is_result(place.status) && !is_same(place, at->second)) {
      results_.has_conflicts = true;
      constexpr std::size_t most = 100;
      if (results_.faults.size() >= most) return;
      results_.faults.push_back(
          {{parts_[place.part].path, 0, 0},
           fmt::format("run {} has another result than in {}", run, parts_[at->second.part].path),
           "the same run gives the same bits on machines of one instruction set; `electret sweep DIR --show` "
           "says how to repeat it"});
    }
  }

  [[nodiscard]] bool is_same(const RowPlace& a, const RowPlace& b) {
    for (const ResultColumn& column : compared_) {
      const auto of = [&](const RowPlace& place) { return Hash().add(row_of(column, place)).text(); };
      if (of(a) != of(b)) return false;
    }
    return true;
  }

  /// The numbers of one row. Of the parts one is open at a time, if a wide column needs it.
  std::vector<double> row_of(const ResultColumn& column, const RowPlace& place) {
    const std::size_t width = column.width();
    const PartRows& part = parts_[place.part];
    if (width <= narrow) {
      const auto& whole = part.values.at(column.name);
      const auto from = whole.begin() + static_cast<std::ptrdiff_t>(place.row * width);
      return {from, from + static_cast<std::ptrdiff_t>(width)};
    }
    if (open_ == nullptr || open_part_ != place.part) {
      open_ = std::make_unique<ResultTableReader>(part.path);
      open_part_ = place.part;
    }
    return open_->rows(column.name, place.row, 1);
  }

  /// The columns of sweep.h5: those of the parts, quantities one by one, and where each row comes from.
  [[nodiscard]] std::vector<ResultColumn> merged_columns() const {
    std::vector<ResultColumn> merged{{"results/run", {}, ResultColumn::Kind::whole}};
    for (const ResultColumn& column : columns_) {
      const bool is_provenance = column.name == "wall" || column.name == "cpu";
      if (column.name == "values") continue;
      if (column.name == "quantities") {
        for (const Quantity& quantity : plan_.quantities) merged.push_back({"results/" + quantity.name, {}});
      } else {
        merged.push_back(
            {(is_provenance ? "provenance/" : "results/") + column.name, column.shape, column.kind});
      }
    }
    merged.push_back({"provenance/part", {}, ResultColumn::Kind::whole});
    return merged;
  }

  void write_results() {
    Unfinished file(folder_.results());
    ResultTableWriter table(file.name(), merged_columns(),
                            {{"version", version}, {"job", plan_.job.text}, {"scene", plan_.scene_text}});
    table.add_texts("parts", file_names());
    for (std::size_t k = 0; k < plan_.design.keys().size(); ++k)
      table.add_texts("design/" + plan_.design.keys()[k], values_of_key(k));
    Hash digest;
    std::vector<Count> block;
    for (const auto& [run, place] : rows_) {
      block.push_back(run);
      if (block.size() == rows_per_block()) add_block(table, block, digest), block.clear();
    }
    if (!block.empty()) add_block(table, block, digest);
    results_.digest = digest.text();
    table.close();
    file.put_in_place();
  }

  /// So many that a block takes about 16 MB.
  [[nodiscard]] std::size_t rows_per_block() const {
    std::size_t width = 0;
    for (const ResultColumn& column : columns_) width += column.width();
    return std::clamp<std::size_t>((std::size_t{2} << 20) / width, 1, 4096);
  }

  [[nodiscard]] std::vector<std::string> file_names() const {
    std::vector<std::string> names;
    for (const PartRows& part : parts_) names.push_back(std::filesystem::path(part.path).filename().string());
    return names;
  }

  [[nodiscard]] std::vector<std::string> values_of_key(std::size_t key) const {
    std::vector<std::string> values;
    for (const auto& [run, place] : rows_) values.push_back(plan_.design.value(run, key));
    return values;
  }

  /// The numbers of these runs in one column of the parts, one run after the other.
  std::vector<double> numbers_of(const ResultColumn& column, const std::vector<Count>& runs) {
    std::vector<double> numbers;
    for (const Count run : runs) {
      const std::vector<double> row = row_of(column, rows_.at(run));
      numbers.insert(numbers.end(), row.begin(), row.end());
    }
    return numbers;
  }

  void add_block(ResultTableWriter& table, const std::vector<Count>& runs, Hash& digest) {
    std::vector<std::vector<double>> values{{runs.begin(), runs.end()}};
    for (const ResultColumn& column : columns_) {
      if (column.name == "values") continue;
      std::vector<double> numbers = numbers_of(column, runs);
      if (column.name != "wall" && column.name != "cpu") digest.add(runs.front()).add(numbers);
      keep(column.name, numbers);
      if (column.name == "quantities")
        split(numbers, values);
      else
        values.push_back(std::move(numbers));
    }
    values.emplace_back();
    for (const Count run : runs) values.back().push_back(static_cast<double>(rows_.at(run).part));
    results_.runs.insert(results_.runs.end(), runs.begin(), runs.end());
    table.add_rows(runs, values);
  }

  void keep(const std::string& column, const std::vector<double>& numbers) {
    if (column == "status")
      for (const double number : numbers) results_.status.push_back(static_cast<SweepStatus>(number));
    if (column == "quantities")
      results_.quantities.insert(results_.quantities.end(), numbers.begin(), numbers.end());
    if (column == "loss") results_.losses.insert(results_.losses.end(), numbers.begin(), numbers.end());
    if (column == "wall")
      for (const double number : numbers) wall_ += number;
    if (column == "cpu")
      for (const double number : numbers) cpu_ += number;
  }

  /// Rows of all quantities become one list for each quantity.
  void split(const std::vector<double>& numbers, std::vector<std::vector<double>>& values) const {
    const std::size_t count = plan_.quantities.size();
    for (std::size_t q = 0; q < count; ++q) {
      values.emplace_back();
      for (std::size_t at = q; at < numbers.size(); at += count) values.back().push_back(numbers[at]);
    }
  }

  void write_table() const {
    std::string text = "run,status";
    for (const std::string& key : plan_.design.keys()) text += "," + key;
    for (const Quantity& quantity : plan_.quantities) text += "," + quantity.name;
    if (!results_.losses.empty()) text += ",loss";
    text += "\n";
    const std::size_t count = plan_.quantities.size();
    for (std::size_t r = 0; r < results_.runs.size(); ++r) {
      text += fmt::format("{},{}", results_.runs[r], name_of(results_.status[r]));
      for (std::size_t k = 0; k < plan_.design.keys().size(); ++k)
        text += "," + plan_.design.value(results_.runs[r], k);
      for (std::size_t q = 0; q < count; ++q)
        text += fmt::format(",{:.17g}", results_.quantities[r * count + q]);
      if (!results_.losses.empty()) text += fmt::format(",{:.17g}", results_.losses[r]);
      text += "\n";
    }
    write_file_whole(folder_.table(), text);
  }

  [[nodiscard]] std::string summary_text() const {
    nlohmann::json counts = nlohmann::json::object();
    for (int k = 0; k <= static_cast<int>(SweepStatus::lost); ++k) {
      const auto status = static_cast<SweepStatus>(k);
      counts[name_of(status)] = std::count(results_.status.begin(), results_.status.end(), status);
    }
    std::vector<std::string> faults;
    for (const Finding& finding : results_.faults) faults.push_back(to_string(finding));
    const nlohmann::json summary{{"job_file", plan_.job_file},
                                 {"runs", plan_.design.runs()},
                                 {"missing", plan_.design.runs() - static_cast<Count>(results_.runs.size())},
                                 {"status", counts},
                                 {"digest", results_.digest},
                                 {"wall_s", wall_},
                                 {"cpu_s", cpu_},
                                 {"parts", parts_.size()},
                                 {"instruction_sets", results_.sets},
                                 {"faults", faults},
                                 {"version", version}};
    return summary.dump(1, ' ', false, nlohmann::json::error_handler_t::replace) + "\n";
  }

  const SweepFolder& folder_;
  const SweepPlan& plan_;
  std::vector<PartRows> parts_;
  std::unique_ptr<ResultTableReader> open_;
  std::size_t open_part_ = 0;
  std::vector<ResultColumn> columns_, compared_;
  std::map<Count, RowPlace> rows_;
  SweepResults results_;
  double wall_ = 0.0, cpu_ = 0.0;
};

}  // namespace

SweepState sweep_state(const SweepFolder& folder, const SweepPlan& plan) {
  SweepState state;
  state.runs = plan.design.runs();
  state.statuses.assign(static_cast<std::size_t>(state.runs), SweepState::none);
  std::vector<Count> begun(state.statuses.size(), 0);
  std::map<Count, std::string> notes;
  const PartReader reader(plan);
  for (const std::string& path : folder.part_files()) {
    const PartRows part = reader.read(path, 0);
    state.faults.insert(state.faults.end(), part.faults.begin(), part.faults.end());
    for (const Count run : part.started) {
      if (run >= 0 && run < state.runs) ++begun[static_cast<std::size_t>(run)];
      if (run < 0 && taken_back(run) < state.runs) --begun[static_cast<std::size_t>(taken_back(run))];
    }
    for (std::size_t k = 0; k < part.runs.size(); ++k) {
      state.wall += part.number("wall", part.places[k].row);
      state.cpu += part.number("cpu", part.places[k].row);
      signed char& known = state.statuses[static_cast<std::size_t>(part.runs[k])];
      const SweepStatus now = part.places[k].status;
      if (known != SweepState::none && (is_result(static_cast<SweepStatus>(known)) || !is_result(now)))
        continue;
      known = static_cast<signed char>(now);
      if (!is_result(now) && notes.size() < most_told) notes[part.runs[k]] = part.notes[k];
    }
  }
  for (Count run = 0; run < state.runs; ++run) {
    const auto at = static_cast<std::size_t>(run);
    if (state.statuses[at] == SweepState::none) {
      state.missing.push_back(run);
      state.attempts.push_back(begun[at]);
      continue;
    }
    const auto status = static_cast<SweepStatus>(state.statuses[at]);
    ++state.by_status[static_cast<std::size_t>(status)];
    if (!is_result(status) && state.without_result.size() < most_told)
      state.without_result.push_back({run, status, {}, notes[run]});
  }
  return state;
}

std::optional<SweepRow> find_row(const SweepFolder& folder, const SweepPlan& plan, Count run) {
  std::optional<SweepRow> found;
  const PartReader reader(plan);
  const auto columns = plan.columns();
  for (const std::string& path : folder.part_files()) {
    const PartRows part = reader.read(path, 0);
    for (std::size_t k = 0; k < part.runs.size(); ++k) {
      if (part.runs[k] != run || (found && (is_result(found->status) || !is_result(part.places[k].status))))
        continue;
      found = SweepRow{run, part.places[k].status, {}, part.notes[k]};
      for (const ResultColumn& column : columns) {
        const std::size_t width = column.width();
        auto& values = found->values.emplace_back();
        if (width > narrow) continue;
        const auto from =
            part.values.at(column.name).begin() + static_cast<std::ptrdiff_t>(part.places[k].row * width);
        values.assign(from, from + static_cast<std::ptrdiff_t>(width));
      }
    }
  }
  return found;
}

SweepResults merge_sweep(const SweepFolder& folder, const SweepPlan& plan) {
  return SweepMerger(folder, plan).merge();
}

}  // namespace electret
