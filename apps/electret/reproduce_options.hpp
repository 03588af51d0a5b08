#pragma once
/// \file
/// What `electret reproduce` takes, for the command and for the program that it starts.

#include <functional>
#include <string>
#include <vector>

#include "command.hpp"

namespace electret::app {

struct ReproduceOptions {
  std::vector<std::string> names;
  std::string directory = "reproduce";
  bool all = false;
  bool quick = false;
  int threads = 0;
};

/// Adds `reproduce`, which does `action`.
void add_reproduce(CommandLine& line, const std::function<int(const ReproduceOptions&)>& action);

/// The words that `add_reproduce` reads the same options from, with "reproduce" first.
[[nodiscard]] std::vector<std::string> words_of(const ReproduceOptions& options);

}  // namespace electret::app
