#pragma once
/// \file
/// A merged sweep as its pictures show it: what is drawn, over what.

#include <string>
#include <vector>

#include <electret/record/chart.hpp>
#include <electret/sweep/sweep_merge.hpp>

namespace electret {

/// A quantity or the loss: its name, and one value per row.
struct Measured {
  std::string name;
  std::vector<double> values;
  bool is_logarithmic = false;  ///< If it is positive.
  std::string unit{};

  /// Its name with its unit.
  [[nodiscard]] std::string label() const;
  /// Whether no value is 0 or less.
  [[nodiscard]] bool is_positive() const;
};

class SweepView {
 public:
  /// Both must live as long as the view.
  SweepView(const SweepPlan& plan, const SweepResults& results);

  [[nodiscard]] const SweepPlan& plan() const { return plan_; }
  [[nodiscard]] const SweepResults& results() const { return results_; }
  [[nodiscard]] std::size_t rows() const { return results_.runs.size(); }

  // Columns of the design.
  [[nodiscard]] const std::vector<std::size_t>& listed() const { return listed_; }  ///< Lists of numbers.
  [[nodiscard]] const std::vector<std::size_t>& sampled() const {
    return sampled_;
  }                                                                               ///< Numbers of any kind.
  [[nodiscard]] const std::vector<std::size_t>& words() const { return words_; }  ///< Lists of texts.

  /// Whether colour maps show it: it has two listed keys of numbers and nothing else.
  [[nodiscard]] bool is_map() const { return sampled_.empty() && words_.empty() && listed_.size() == 2; }
  /// Each stride-th run is in a chart of curves or points.
  [[nodiscard]] std::size_t stride() const;

  [[nodiscard]] std::size_t count_of_measured() const;
  /// Quantities first, then the loss, then the fitted values.
  [[nodiscard]] Measured measured(std::size_t number) const;

  /// The run's value of a key; NaN if it is no number.
  [[nodiscard]] double number(std::size_t row, std::size_t key) const;
  /// The texts of a run, such as "verlet".
  [[nodiscard]] std::string texts_of(std::size_t row) const;
  /// The minimum at which a fit ended.
  [[nodiscard]] std::string minimum_of(std::size_t row) const;
  /// What tells points apart: the texts, and the minimum of a fit.
  [[nodiscard]] std::string words_of(std::size_t row) const;
  /// What tells curves apart: the further listed numbers of a run, too.
  [[nodiscard]] std::string curve_of(std::size_t row) const;

  [[nodiscard]] ChartAxis axis_of(std::size_t key) const;
  /// The key with its unit.
  [[nodiscard]] std::string label_of(std::size_t key) const;
  /// The quantity as the job writes it, and how many runs are shown.
  [[nodiscard]] std::string text_of(const std::string& name) const;

 private:
  void add_axis(const std::vector<std::size_t>& columns);
  [[nodiscard]] std::size_t distinct_rows(const std::vector<std::size_t>& columns) const;
  [[nodiscard]] bool is_numeric(std::size_t key) const;

  const SweepPlan& plan_;
  const SweepResults& results_;
  std::vector<std::size_t> listed_, sampled_, words_;
};

}  // namespace electret
