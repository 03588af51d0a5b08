#pragma once
/// \file
/// The settings of `electret field`, whose findings use the words of the command line.

#include <optional>
#include <string>
#include <vector>

#include <electret/core/errors.hpp>
#include <electret/core/types.hpp>
#include <electret/field/options.hpp>

namespace electret::app {

/// The options as they were typed. They are texts because the command line's parser would stop at the first
/// wrong value.
struct FieldArguments {
  std::string solver = "auto";
  std::string device = "auto";
  std::string softening = "0";
  std::optional<std::string> accuracy, grid_points, constant, verify, threads;
  bool half_taylor = false;
};

/// The settings that the options stand for.
struct FieldSettings {
  FieldOptions options;
  Count verify = 0;  ///< 0: not requested.
  int threads = 0;   ///< 0: all.
};

/// Adds every finding about the options to `findings`: a value out of its range, an unknown solver, an
/// accuracy that the solver does not promise, a device that this machine lacks, settings of another solver
/// than the requested one. If there is any finding, the result must not be used.
FieldSettings field_settings(const FieldArguments& arguments, std::vector<Finding>& findings);

}  // namespace electret::app
