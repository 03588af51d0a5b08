#include <array>

#include <electret/core/errors.hpp>

#include "experiment.hpp"

namespace electret::app::reproduce {

void Context::progress(std::string_view what, double part) const {
  if (stop_.stop_requested()) throw Cancelled();
  if (progress_) progress_(what, part);
}

std::span<const Experiment> experiments() {
  static constexpr std::array<Experiment, 3> table{{
      {"ddef-error", "[MSC] Fig. 3", "error of ddef against its number of grid points", &ddef_error},
      {"ddef-farfield", "[MSC] Table 1", "error of ddef with its far field and without", &ddef_farfield},
      {"field-runtime", "[MSC] Fig. 7",
       "time and accuracy of all field solvers against the number of charges", &field_runtime},
  }};
  return table;
}

}  // namespace electret::app::reproduce
