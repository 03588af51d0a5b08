#include <algorithm>
#include <cmath>
#include <filesystem>
#include <limits>
#include <optional>
#include <set>
#include <utility>

#include <electret/core/errors.hpp>
#include <electret/core/version.hpp>
#include <electret/record/unfinished.hpp>
#include <electret/sweep/earlier_results.hpp>
#include <electret/sweep/sweep_fit_run.hpp>
#include <electret/sweep/sweep_merge.hpp>
#include <electret/sweep/sweep_plot.hpp>
#include <electret/sweep/sweep_rows.hpp>
#include <electret/sweep/sweep_run_folder.hpp>
#include <electret/sweep/sweep_tables.hpp>

namespace electret {
namespace {

class SweepMerger {
 public:
  SweepMerger(const SweepFolder& folder, const SweepPlan& plan)
      : folder_(folder),
        plan_(plan),
        columns_(plan.columns()),
        earlier_(folder, plan.design.runs()),
        rows_(std::in_place, folder, plan) {}

  SweepResults merge() {
    earlier_.check_kept(*rows_);
    note_parts();
    if (plan_.runs_in_folders()) settle_folders();
    try {
      write_results();
    } catch (const IoError& error) {
      if (!error.path().empty()) throw;
      throw IoError("cannot write " + folder_.results() + ": " + error.what(), folder_.results());
    }
    rows_.reset();  // What follows needs its memory.
    if (plan_.fit) {
      find_minima();
      write_best();
    }
    write_sweep_table(folder_.table(), plan_, results_);
    write_file_whole(folder_.summary(), sweep_summary_text(plan_, results_));
    folder_.remove_pictures();
    const SweepPictures pictures = sweep_pictures(plan_, results_);
    results_.hidden_charts = pictures.hidden;
    for (const auto& [name, picture] : pictures.files) {
      write_file_whole(folder_.path() + "/" + name, picture);
      results_.pictures.push_back(name);
    }
    return std::move(results_);
  }

 private:
  void note_parts() {
    std::set<std::string> sets;
    for (const PartRows& part : rows_->parts())
      if (!part.instructions.empty()) sets.insert(part.instructions);
    results_.sets.assign(sets.begin(), sets.end());
    results_.parts = rows_->parts().size();
    results_.faults = rows_->faults();
    results_.has_conflicts = rows_->has_conflicts();
  }

  void settle_folders() const {
    settle_run_folders(folder_.path(), plan_, [this](Count run) -> std::optional<SweepStatus> {
      if (run < 0 || run >= plan_.design.runs() || !rows_->has(run)) return std::nullopt;
      return rows_->place(run).status;
    });
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
    merged.push_back({"provenance/attempt", {}, ResultColumn::Kind::whole});
    merged.push_back({"provenance/part", {}, ResultColumn::Kind::whole});
    return merged;
  }

  void write_results() {
    Unfinished file(folder_.results());
    ResultTableWriter table(file.name(), merged_columns(),
                            {{"version", version},
                             {"job", plan_.job.text},
                             {"scene", plan_.scene_text},
                             {"inputs", hashes_of_inputs()}});
    table.add_texts("parts", of_parts([](const PartRows& part) {
                      return std::filesystem::path(part.path).filename().string();
                    }));
    table.add_texts("part_hosts", of_parts([](const PartRows& part) { return part.host; }));
    table.add_texts("part_instructions", of_parts([](const PartRows& part) { return part.instructions; }));
    table.add_texts("part_versions", of_parts([](const PartRows& part) { return part.version; }));
    if (plan_.fit) table.add_texts("fitted", plan_.fit->values);
    results_.runs = rows_->runs();
    for (std::size_t k = 0; k < plan_.design.keys().size(); ++k)
      table.add_texts("design/" + plan_.design.keys()[k], results_.runs.size(),
                      [this, k](std::size_t row) { return plan_.design.value(results_.runs[row], k); });
    reserve_results();
    Hash digest;
    const std::size_t rows = results_.runs.size(), size = rows_per_block();
    for (std::size_t first = 0; first < rows; first += size) {
      const auto from = results_.runs.begin() + static_cast<std::ptrdiff_t>(first);
      add_block(table, {from, from + static_cast<std::ptrdiff_t>(std::min(size, rows - first))}, digest);
    }
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

  template <class Text>
  [[nodiscard]] std::vector<std::string> of_parts(Text text) const {
    std::vector<std::string> texts;
    for (const PartRows& part : rows_->parts()) texts.push_back(text(part));
    return texts;
  }

  /// A line "NAME: HASH" for the scene, its files and whatever else determines the results.
  [[nodiscard]] std::string hashes_of_inputs() const {
    std::string text;
    for (const Fingerprint& each : plan_.identity()) text += each.part + ": " + each.value + "\n";
    return text;
  }

  /// Lists that grow would take up to three times their size meanwhile.
  void reserve_results() {
    const std::size_t rows = results_.runs.size();
    results_.status.reserve(rows);
    for (const ResultColumn& column : columns_)
      if (std::vector<double>* kept = kept_numbers(column.name)) kept->reserve(rows * column.width());
  }

  /// Where the numbers of a column are kept for tables and pictures; null if they are not.
  [[nodiscard]] std::vector<double>* kept_numbers(const std::string& column) {
    return column == "quantities"      ? &results_.quantities
           : column == "loss"          ? &results_.losses
           : column == "fitted"        ? &results_.fitted
           : column == "gradient_norm" ? &results_.gradient_norms
           : column == "evaluations"   ? &results_.evaluations
           : column == "end"           ? &results_.ends
                                       : nullptr;
  }

  void add_block(ResultTableWriter& table, const std::vector<Count>& runs, Hash& digest) {
    std::vector<std::vector<double>> values{{runs.begin(), runs.end()}};
    for (const ResultColumn& column : columns_) {
      if (column.name == "values") continue;
      std::vector<double> numbers = rows_->numbers(column, runs);
      if (column.name != "wall" && column.name != "cpu") digest.add(runs.front()).add(numbers);
      keep(column.name, numbers);
      if (column.name == "quantities")
        split(numbers, values);
      else
        values.push_back(std::move(numbers));
    }
    values.emplace_back();
    for (const Count run : runs) values.back().push_back(static_cast<double>(rows_->attempts(run)));
    values.emplace_back();
    for (const Count run : runs) values.back().push_back(static_cast<double>(rows_->place(run).part));
    table.add_rows(runs, values);
    table.flush();
  }

  void keep(const std::string& column, const std::vector<double>& numbers) {
    if (column == "status")
      for (const double number : numbers) results_.status.push_back(static_cast<SweepStatus>(number));
    if (std::vector<double>* kept = kept_numbers(column))
      kept->insert(kept->end(), numbers.begin(), numbers.end());
    for (const double number : numbers) {
      if (!std::isfinite(number)) continue;  // A `lost` run has no times.
      if (column == "wall") results_.wall += number;
      if (column == "cpu") results_.cpu += number;
    }
  }

  /// Rows of all quantities become one list for each quantity.
  void split(const std::vector<double>& numbers, std::vector<std::vector<double>>& values) const {
    const std::size_t count = plan_.quantities.size();
    for (std::size_t q = 0; q < count; ++q) {
      values.emplace_back();
      for (std::size_t at = q; at < numbers.size(); at += count) values.back().push_back(numbers[at]);
    }
  }

  /// Finds the distinct minima and the best fit.
  void find_minima() {
    std::vector<FitEndPoint> ends;
    const std::size_t count = plan_.fit->values.size();
    double best = std::numeric_limits<double>::infinity();
    for (std::size_t r = 0; r < results_.runs.size(); ++r) {
      const auto end = fit_end_of(results_.ends[r]);
      const double loss = results_.losses[r];
      const auto from = results_.fitted.begin() + static_cast<std::ptrdiff_t>(r * count);
      ends.push_back({results_.runs[r],
                      loss,
                      end && has_converged(*end),
                      {from, from + static_cast<std::ptrdiff_t>(count)}});
      if (end && loss < best) best = loss, results_.best = results_.runs[r];
    }
    results_.minima = distinct_minima(ends, {plan_.fit->logarithmic, plan_.fit->place_sizes});
  }

  void write_best() {
    std::error_code error;
    std::filesystem::remove(folder_.best(), error);
    if (!results_.best) return;
    try {
      write_file_whole(folder_.best(), best_scene_text(plan_, results_, folder_.path()));
    } catch (const InputError& reason) {
      results_.faults.push_back(
          {{folder_.best(), 0, 0},
           "the best fit's scene cannot be read any more: " + to_string(reason.findings()[0]),
           "all other results are there"});
    }
  }

  const SweepFolder& folder_;
  const SweepPlan& plan_;
  std::vector<ResultColumn> columns_;
  EarlierResults earlier_;
  std::optional<SweepRows> rows_;  ///< Until all are in sweep.h5.
  SweepResults results_;
};

}  // namespace

SweepResults merge_sweep(const SweepFolder& folder, const SweepPlan& plan) {
  return SweepMerger(folder, plan).merge();
}

}  // namespace electret
