#pragma once
/// \file
/// What a fit writes to its directory, and what of it an interrupted fit goes on from.

#include <fstream>
#include <string>
#include <vector>

#include <electret/fit/identifiability.hpp>
#include <electret/fit/signs.hpp>

#include "fit_plan.hpp"

namespace electret::app {

/// "body.net.charges[3]" for each value; a parameter with one value has its own name.
[[nodiscard]] std::vector<std::string> value_names(const std::vector<FitParameter>& parameters);

/// What was looked at when a fit had ended.
struct AfterFit {
  std::vector<double> scan;  ///< Losses, the first axis' points innermost.
  Identifiability told;
  SignsTold signs;
};

enum class FitMode { fresh, resume, overwrite };

/// fit.csv, a row for each run; fit.json; evaluations.bin, what --resume goes on from; at the end
/// fitted.toml, fit.svg and .png, scan.csv, scan.svg and .png.
class FitFiles {
 public:
  /// Throws InputError where `directory` holds something else, or a fit that would be lost: unfinished, or of
  /// another job, unless `mode` says so.
  FitFiles(std::string directory, const std::string& job_file, const FitJob& job, const FitPlan& plan,
           FitMode mode);

  /// The evaluations there are, with FitMode::resume.
  [[nodiscard]] const std::vector<KnownEvaluation>& known() const { return known_; }

  /// Makes the directory, and a new fit.csv. Throws IoError.
  void begin();
  void add(const FitEvaluation& evaluation);
  void interrupted();
  void finish(const FitResult& result, const Assembly& fitted, const AfterFit& after);

 private:
  [[nodiscard]] std::string file(const char* name) const { return directory_ + "/" + name; }
  void check(FitMode mode) const;
  void read_known();
  void write_state(const char* status, const FitResult* result, const AfterFit& after = {}) const;
  void draw_losses() const;
  void write_scan(const std::vector<double>& losses, const FitResult& result) const;

  std::string directory_, job_file_;
  const FitJob& job_;
  const FitPlan& plan_;
  std::string identity_;
  std::vector<KnownEvaluation> known_;
  std::vector<FitEvaluation> rows_;
  std::ofstream table_, evaluations_;
};

}  // namespace electret::app
