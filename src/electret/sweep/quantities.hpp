#pragma once
/// \file
/// Numbers that are kept of a run, such as "max of kinetic": a column of energy.csv or observables.csv, and
/// what is taken of it over the run's frames.

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <electret/core/types.hpp>

namespace electret {

/// What is taken of a column over the frames of a run.
enum class Reduction { first, last, smallest, largest, mean, root_mean_square, time_of_largest };

struct Quantity {
  std::string name;
  Reduction reduction = Reduction::last;
  std::string column;
};

/// Reads "max of kinetic" or "time of max of kinetic"; nothing if it is of no such form.
[[nodiscard]] std::optional<Quantity> parse_quantity(std::string_view name, std::string_view text);
/// "first, last, …", for findings.
[[nodiscard]] std::string written_reductions();

/// The quantities that are kept if a job names none.
[[nodiscard]] std::vector<Quantity> usual_quantities();

/// Gathers the quantities of one run, frame by frame.
class QuantityGatherer {
 public:
  /// `columns` are those of `measured_columns`. Throws InputError if a quantity's column is none of them.
  QuantityGatherer(const std::vector<Quantity>& quantities, const std::vector<std::string>& columns);
  /// Adds a frame; `numbers` are in the order of the columns.
  void add(const std::vector<double>& numbers);
  /// One value per quantity; NaN without a frame. A number that is not finite counts as comparisons and sums
  /// have it: NaN makes a mean NaN, and is passed over by `smallest` and `largest` unless it comes first.
  [[nodiscard]] std::vector<double> values() const;

 private:
  struct Sums {
    Reduction reduction;
    std::size_t column;
    double value = 0.0, time = 0.0;
  };
  std::vector<Sums> sums_;
  Count frames_ = 0;
};

}  // namespace electret
