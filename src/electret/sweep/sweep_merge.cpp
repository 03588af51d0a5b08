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

/// The parts that could be read.
struct OpenParts {
  std::vector<std::string> paths;
  std::vector<std::unique_ptr<ResultTableReader>> tables;
  std::vector<std::string> unreadable;
};

OpenParts open_parts(const SweepFolder& folder) {
  OpenParts parts;
  for (const std::string& path : folder.part_files()) {
    try {
      auto table = std::make_unique<ResultTableReader>(path);
      if (!table->has("status")) throw UnreadableError(path + " is no part of a sweep");
      parts.tables.push_back(std::move(table));
      parts.paths.push_back(path);
    } catch (const IoError& error) {
      parts.unreadable.emplace_back(error.what());
    }
  }
  return parts;
}

/// Whether `now` is a better row of its run than `before`: one with a result is. Parts are read by name, so
/// that the choice does not depend on times.
bool is_better(const RowPlace& now, const RowPlace& before) {
  return is_result(now.status) && !is_result(before.status);
}

class SweepMerger {
 public:
  SweepMerger(const SweepFolder& folder, const SweepPlan& plan)
      : folder_(folder), plan_(plan), parts_(open_parts(folder)), columns_(plan.columns()) {
    for (const ResultColumn& column : columns_)
      if (column.name != "wall" && column.name != "cpu") compared_.push_back(column);
  }

  SweepResults merge() {
    find_rows();
    write_results();
    write_table();
    write_file_whole(folder_.summary(), summary_text());
    for (const auto& [name, picture] : sweep_pictures(plan_, results_))
      write_file_whole(folder_.path() + "/" + name, picture);
    return std::move(results_);
  }

 private:
  void fault(const std::string& where, std::string message, std::string allowed) {
    results_.faults.push_back({{where, 0, 0}, std::move(message), std::move(allowed)});
  }

  void find_rows() {
    for (const std::string& path : parts_.unreadable)
      fault(folder_.parts(), path, "its runs are done again when the sweep goes on");
    std::set<std::string> sets;
    for (std::size_t p = 0; p < parts_.tables.size(); ++p) {
      const ResultTableReader& table = *parts_.tables[p];
      sets.insert(table.attribute("instructions"));
      const std::vector<bool> sound = table.sound_rows(columns_);
      const std::vector<double> status = table.all("status");
      for (std::size_t r = 0; r < table.runs().size(); ++r) {
        const Count run = table.runs()[r];
        if (!sound[r] || !is_status(status[r]) || run < 0 || run >= plan_.design.runs())
          fault(parts_.paths[p], fmt::format("the row of run {} is damaged", run), "it does not count");
        else
          take(run, {p, r, static_cast<SweepStatus>(status[r])});
      }
    }
    results_.sets.assign(sets.begin(), sets.end());
  }

  void take(Count run, const RowPlace& place) {
    const auto [at, is_new] = rows_.try_emplace(run, place);
    if (is_new) return;
    if (is_better(place, at->second)) {
      at->second = place;
    } else if (is_result(place.status) && !is_same(place, at->second)) {
      fault(
          parts_.paths[place.part],
          fmt::format("run {} has another result than in {}", run, parts_.paths[at->second.part]),
          "the same run gives the same bits on machines of one instruction set; `electret sweep DIR --show` "
          "says how to repeat it");
    }
  }

  [[nodiscard]] bool is_same(const RowPlace& a, const RowPlace& b) const {
    for (const ResultColumn& column : compared_) {
      const auto of = [&](const RowPlace& place) {
        Hash hash;
        hash.add(parts_.tables[place.part]->rows(column.name, place.row, 1));
        return hash.text();
      };
      if (of(a) != of(b)) return false;
    }
    return true;
  }

  /// The columns of sweep.h5: those of the parts, quantities one by one, and where each row comes from.
  [[nodiscard]] std::vector<ResultColumn> merged_columns() const {
    std::vector<ResultColumn> merged{{"results/run", {}, ResultColumn::Kind::whole}};
    for (const ResultColumn& column : columns_) {
      const bool is_provenance = column.name == "wall" || column.name == "cpu";
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
    for (const std::string& path : parts_.paths)
      names.push_back(std::filesystem::path(path).filename().string());
    return names;
  }

  [[nodiscard]] std::vector<std::string> values_of_key(std::size_t key) const {
    std::vector<std::string> values;
    for (const auto& [run, place] : rows_) values.push_back(plan_.design.value(run, key));
    return values;
  }

  /// The numbers of these runs in one column of the parts, one run after the other. Small columns are read
  /// once as a whole.
  std::vector<double> numbers_of(const ResultColumn& column, const std::vector<Count>& runs) {
    std::vector<double> numbers;
    const std::size_t width = column.width();
    for (const Count run : runs) {
      const RowPlace& place = rows_.at(run);
      const ResultTableReader& table = *parts_.tables[place.part];
      if (width > 64) {
        const std::vector<double> row = table.rows(column.name, place.row, 1);
        numbers.insert(numbers.end(), row.begin(), row.end());
        continue;
      }
      std::vector<double>& whole = cache_[{place.part, column.name}];
      if (whole.empty()) whole = table.all(column.name);
      const auto from = whole.begin() + static_cast<std::ptrdiff_t>(place.row * width);
      numbers.insert(numbers.end(), from, from + static_cast<std::ptrdiff_t>(width));
    }
    return numbers;
  }

  void add_block(ResultTableWriter& table, const std::vector<Count>& runs, Hash& digest) {
    std::vector<std::vector<double>> values{{runs.begin(), runs.end()}};
    for (const ResultColumn& column : columns_) {
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
                                 {"parts", parts_.paths.size()},
                                 {"instruction_sets", results_.sets},
                                 {"faults", faults},
                                 {"version", version}};
    return summary.dump(1, ' ', false, nlohmann::json::error_handler_t::replace) + "\n";
  }

  const SweepFolder& folder_;
  const SweepPlan& plan_;
  OpenParts parts_;
  std::vector<ResultColumn> columns_, compared_;
  std::map<Count, RowPlace> rows_;
  std::map<std::pair<std::size_t, std::string>, std::vector<double>> cache_;
  SweepResults results_;
  double wall_ = 0.0, cpu_ = 0.0;
};

}  // namespace

SweepState sweep_state(const SweepFolder& folder, const SweepPlan& plan) {
  const OpenParts parts = open_parts(folder);
  SweepState state;
  state.runs = plan.design.runs();
  state.unreadable = parts.unreadable;
  const auto count = static_cast<std::size_t>(state.runs);
  std::vector<signed char> best(count, -1);
  std::vector<Count> begun(count, 0);
  std::map<Count, std::string> notes;
  for (const auto& table : parts.tables) {
    for (const Count run : table->started()) {
      if (run >= 0 && run < state.runs) ++begun[static_cast<std::size_t>(run)];
      if (run < 0 && taken_back(run) < state.runs) --begun[static_cast<std::size_t>(taken_back(run))];
    }
    const std::vector<double> status = table->all("status");
    for (const double seconds : table->all("wall")) state.wall += std::isfinite(seconds) ? seconds : 0.0;
    for (const double seconds : table->all("cpu")) state.cpu += std::isfinite(seconds) ? seconds : 0.0;
    for (std::size_t r = 0; r < table->runs().size(); ++r) {
      const Count run = table->runs()[r];
      if (run < 0 || run >= state.runs || !is_status(status[r])) continue;
      signed char& known = best[static_cast<std::size_t>(run)];
      const auto now = static_cast<SweepStatus>(status[r]);
      if (known >= 0 && (is_result(static_cast<SweepStatus>(known)) || !is_result(now))) continue;
      known = static_cast<signed char>(now);
      if (!is_result(now)) notes[run] = table->notes()[r];
    }
  }
  for (Count run = 0; run < state.runs; ++run) {
    const auto at = static_cast<std::size_t>(run);
    if (best[at] < 0) {
      state.missing.push_back(run);
      state.attempts.push_back(begun[at]);
      continue;
    }
    const auto status = static_cast<SweepStatus>(best[at]);
    ++state.by_status[static_cast<std::size_t>(status)];
    if (!is_result(status) && state.without_result.size() < most_told)
      state.without_result.push_back({run, status, {}, notes[run]});
  }
  return state;
}

SweepResults merge_sweep(const SweepFolder& folder, const SweepPlan& plan) {
  return SweepMerger(folder, plan).merge();
}

}  // namespace electret
