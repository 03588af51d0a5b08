#pragma once
/// \file
/// The files that a fit writes to its directory, and from which an interrupted fit goes on.

#include <fstream>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <electret/fit/fit_plan.hpp>
#include <electret/fit/identifiability.hpp>
#include <electret/fit/signs.hpp>
#include <electret/record/run_directory.hpp>

namespace electret {

/// One name per value, such as "body.net.charges[3]". The value of a parameter with a single value has the
/// parameter's name.
[[nodiscard]] std::vector<std::string> value_names(const std::vector<FitParameter>& parameters);

/// What is computed before a fit begins, and after it has ended.
struct AfterFit {
  std::vector<double> samples;  ///< The losses of FitPlan::samples; +∞ where the run diverged.
  std::vector<double> scan;     ///< Losses; the first axis's points vary fastest.
  Identifiability identifiability;
  SignAmbiguity signs;
};

/// The mean of the losses that are finite; +∞ if there are none.
[[nodiscard]] double mean_of_samples(const std::vector<double>& losses);
/// How many of them are not.
[[nodiscard]] std::size_t diverged_samples(const std::vector<double>& losses);

enum class FitMode { fresh, resume, overwrite };

/// Writes fit.csv, with one row per run; fit.json; and evaluations.bin, from which --resume goes on. At the
/// end it writes fitted.toml, fit.svg and .png, scan.csv, scan.svg and .png; with random starts of which the
/// best begin, samples.csv before the first run.
class FitFiles {
 public:
  /// Throws InputError if `directory` holds something else than a fit or what a kill left of one that began,
  /// or a fit that would be lost because it is unfinished or of another job, unless `mode` allows it. A fit
  /// that has begun before its job or its scene changed, or has lost files since it ended, is not resumed.
  FitFiles(std::string directory, const std::string& job_file, const FitJob& job, const FitPlan& plan,
           FitMode mode);

  /// Whether the fit to resume has ended, so that nothing is left to do.
  [[nodiscard]] bool has_ended() const { return has_ended_; }
  /// What fit.json says of the fit that has ended, as rows for the terminal: name and value.
  [[nodiscard]] std::vector<std::pair<std::string, std::string>> ended_rows() const;
  /// Whether that fit has converged.
  [[nodiscard]] bool ended_well() const;

  /// The evaluations of the earlier fit, with FitMode::resume.
  [[nodiscard]] const std::vector<KnownEvaluation>& known() const { return known_; }

  /// The losses of the first random starts, which the earlier fit wrote.
  [[nodiscard]] const std::vector<double>& known_samples() const { return known_samples_; }
  /// Begins samples.csv, after `begin`, with the known losses and their values. Throws IoError.
  void begin_samples();
  /// Adds the loss of FitPlan::samples[sample]. Throws IoError.
  void keep_sample(std::size_t sample, double loss);

  /// Makes the directory and a new fit.csv, and removes what a killed fit left half-written. Keeps other fits
  /// out of the directory from then on. Throws IoError, and InputError if another fit is being written there.
  void begin();
  void add(const FitEvaluation& evaluation);
  void interrupted();
  /// Notes why the fit failed. Where that cannot be written, fit.json stays as it was.
  void failed(const std::string& cause);
  void finish(const FitResult& result, const Assembly& fitted, const AfterFit& after);

 private:
  [[nodiscard]] std::string file(const char* name) const { return directory_ + "/" + name; }
  void check(FitMode mode);
  void check_whole() const;
  void read_known();
  void read_samples();
  [[nodiscard]] std::size_t record_bytes() const;
  void keep(const FitEvaluation& evaluation);
  void write_state(const char* status, const FitResult* result, const AfterFit& after = {},
                   const std::string& cause = {}) const;
  void draw_losses() const;
  void write_scan(const std::vector<double>& losses, const FitResult& result) const;

  std::string directory_, job_file_;
  const FitPlan& plan_;
  std::string identity_;
  bool has_ended_ = false;
  std::vector<KnownEvaluation> known_;
  std::vector<double> known_samples_;
  std::vector<FitEvaluation> rows_;
  std::ofstream table_, evaluations_, samples_;
  std::optional<RunLock> lock_;
};

}  // namespace electret
