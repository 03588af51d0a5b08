#pragma once
/// \file
/// The options of `electret reproduce`, for the command and for the program that it starts.

#include <functional>
#include <string>
#include <vector>

#include "command.hpp"

namespace electret::app {

struct ReproduceOptions {
  std::vector<std::string> names;
  std::string directory = "reproduce";
  std::string data = {};  ///< The folder of published bodies; empty: none.
  bool all = false;
  bool quick = false;
  int threads = 0;
};

/// Adds the command `reproduce`, which runs `action`.
void add_reproduce(CommandLine& line, const std::function<int(const ReproduceOptions&)>& action);

/// The words from which `add_reproduce` reads the same options, with "reproduce" first.
[[nodiscard]] std::vector<std::string> words_of(const ReproduceOptions& options);

}  // namespace electret::app
