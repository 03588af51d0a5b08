#pragma once
/// \file
/// Sweeps: what `electret sweep JOB.toml` reads (docs/sweeps.md).

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <electret/scene/report.hpp>
#include <electret/scene/scene.hpp>
#include <electret/scene/slot.hpp>

namespace electret {

/// `[sweep]`
struct SweepTable {
  std::string scene, fit;          ///< Path of the scene or of a fitting job, relative to the job's folder.
  std::vector<std::string> set;    ///< "KEY=VALUE", as for --set, applied to the scene of every run.
  std::vector<std::string> unset;  ///< "KEY", as for --unset.
  std::string method = "random";   ///< How sampled keys are sampled.
  Count samples = 0;               ///< Points of the sampled keys, for each combination of the listed ones.
  Count seed = 1;
  std::string table;  ///< A CSV file whose columns are keys and whose rows are runs.
};

/// `[[vary]]`
struct VaryTable {
  std::string key;
  std::vector<std::string> keys;  ///< Several keys of one value.
  ListedValues values;
  std::vector<double> range, normal;  ///< 2 numbers each: lower and upper end; mean and deviation.
  Count points = 0;
  std::string scale = "linear";
  std::string together;

  /// Those that get its values: `key`, or all of `keys`.
  [[nodiscard]] std::vector<std::string> all_keys() const {
    return key.empty() ? keys : std::vector<std::string>{key};
  }
  /// Where they stand in the table.
  [[nodiscard]] const char* place_of_keys() const { return key.empty() ? "keys" : "key"; }
  [[nodiscard]] bool is_listed() const { return !values.texts.empty() || points > 0; }
  [[nodiscard]] bool is_normal() const { return normal.size() == 2; }
  /// Whether it is sampled between two ends.
  [[nodiscard]] bool has_ends() const { return range.size() == 2 && points == 0; }
};

/// `[keep]`
struct KeepTable {
  NamedTexts quantities;  ///< "last of total", by name.
  std::string loss;
  std::vector<std::string> gradient;  ///< Names of parameters.
  Count frames = 0;
  bool velocities = false;
  std::string precision = "single";
  std::string directories = "none";  ///< Of which runs the whole folder is kept.

  /// The step at whose end kept frame k of a run is, from 0 on; the last one is at the run's end.
  [[nodiscard]] Count step_of_frame(Count k, Count steps) const { return (k + 1) * steps / frames; }
};

/// `[limits]`
struct LimitsTable {
  std::string wall;  ///< Such as "10min"; empty: none.
  Count attempts = 3;
  double failures = 0.2;
  bool resumable = false;  ///< A run that is stopped or killed goes on in another process.
  double cpu_hours = 0.0;  ///< Of all runs together; 0: any.
};

struct SweepJob {
  SweepTable sweep;
  std::vector<VaryTable> vary;
  KeepTable keep;
  LimitsTable limits;

  std::string text, folder;
  SourceMap source;  ///< From a key such as "vary.0.key" to its place.
};

/// Reads a job file. Every finding goes to `report`: syntax errors, unknown keys, wrong types, values out of
/// range, missing tables, contradictions within a table. What they concern is treated as if it were not in
/// the file. Throws InputError if the file cannot be read.
SweepJob read_sweep_job(const std::string& path, Report& report);
/// The same for a text.
SweepJob parse_sweep_job(const std::string& text, const std::string& file_name, const std::string& folder,
                         Report& report);

/// The seconds of "90s", "10min" or "1.5h"; nothing if the text is no such time > 0.
std::optional<double> duration_of(std::string_view text);

/// The reference part of docs/sweeps.md: one Markdown table per table of a job.
std::string sweep_job_reference();

}  // namespace electret
