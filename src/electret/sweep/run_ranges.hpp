#pragma once
/// \file
/// Ranges of a sweep's runs, such as "1-5,8,10-12".

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <electret/core/types.hpp>

namespace electret {

/// The runs from `first` to `last`, both included.
struct RunRange {
  Count first = 0, last = 0;
};

/// Reads "17", "120-139" or several with commas between; nothing if it is none of a sweep of so many runs.
[[nodiscard]] std::optional<std::vector<RunRange>> parse_run_ranges(std::string_view text, Count runs);

/// As `parse_run_ranges` reads them, or with another text between them.
[[nodiscard]] std::string text_of(const std::vector<RunRange>& ranges, std::string_view between = ",");

/// The runs, which ascend, as few ranges.
[[nodiscard]] std::vector<RunRange> run_ranges(const std::vector<Count>& runs);

/// The runs, which ascend, cut into blocks of so many.
[[nodiscard]] std::vector<std::vector<RunRange>> blocks_of_runs(const std::vector<Count>& runs, Count block);

}  // namespace electret
