#include <algorithm>
#include <charconv>

#include <electret/sweep/run_ranges.hpp>

namespace electret {
namespace {

std::optional<RunRange> parse_run_range(std::string_view text, Count runs) {
  RunRange range;
  const char* end = text.data() + text.size();
  const auto [after, error] = std::from_chars(text.data(), end, range.first);
  if (error != std::errc()) return std::nullopt;
  range.last = range.first;
  if (after != end) {
    if (*after != '-') return std::nullopt;
    const auto [last, problem] = std::from_chars(after + 1, end, range.last);
    if (problem != std::errc() || last != end) return std::nullopt;
  }
  if (range.first < 0 || range.first > range.last || range.last >= runs) return std::nullopt;
  return range;
}

void add_run(std::vector<RunRange>& ranges, Count run) {
  if (!ranges.empty() && ranges.back().last + 1 == run)
    ranges.back().last = run;
  else
    ranges.push_back({run, run});
}

}  // namespace

std::optional<std::vector<RunRange>> parse_run_ranges(std::string_view text, Count runs) {
  std::vector<RunRange> ranges;
  for (std::size_t at = 0; at <= text.size();) {
    const std::size_t comma = std::min(text.find(',', at), text.size());
    const auto range = parse_run_range(text.substr(at, comma - at), runs);
    if (!range) return std::nullopt;
    ranges.push_back(*range);
    at = comma + 1;
  }
  return ranges;
}

std::string text_of(const std::vector<RunRange>& ranges, std::string_view between) {
  std::string text;
  for (const RunRange& range : ranges) {
    if (!text.empty()) text += between;
    text += std::to_string(range.first);
    if (range.last > range.first) text += "-" + std::to_string(range.last);
  }
  return text;
}

std::vector<RunRange> run_ranges(const std::vector<Count>& runs) {
  std::vector<RunRange> ranges;
  for (const Count run : runs) add_run(ranges, run);
  return ranges;
}

std::vector<std::vector<RunRange>> blocks_of_runs(const std::vector<Count>& runs, Count block) {
  std::vector<std::vector<RunRange>> blocks;
  Count in_block = block;
  for (const Count run : runs) {
    if (in_block == block) blocks.emplace_back(), in_block = 0;
    add_run(blocks.back(), run);
    ++in_block;
  }
  return blocks;
}

}  // namespace electret
