#pragma once
/// \file
/// The settings of `electret field`, checked in the words of the command line.

#include <optional>
#include <string>
#include <vector>

#include <electret/core/errors.hpp>
#include <electret/core/types.hpp>
#include <electret/field/options.hpp>

namespace electret::app {

/// The options as they were typed: the command line's parser would stop at the first value that is wrong.
struct FieldArguments {
  std::string solver = "auto";
  std::string softening = "0";
  std::optional<std::string> accuracy, grid_points, constant, verify, threads;
  bool half_taylor = false;
};

/// What they say.
struct FieldSettings {
  FieldOptions options;
  Count verify = 0;  ///< 0: not asked.
  int threads = 0;   ///< 0: all.
};

/// Adds every finding about the options to `findings`: a value out of its range, a solver that there is not,
/// an accuracy that the solver does not promise, settings of another solver than the one asked for. Where
/// there is any, what is returned is of no use.
FieldSettings field_settings(const FieldArguments& arguments, std::vector<Finding>& findings);

}  // namespace electret::app
