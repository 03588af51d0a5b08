#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <numeric>

#include <electret/core/digits.hpp>
#include <electret/scene/words.hpp>

namespace electret {

std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> before_last(b.size() + 1), last(b.size() + 1), now(b.size() + 1);
  std::iota(last.begin(), last.end(), std::size_t{0});
  for (std::size_t i = 1; i <= a.size(); ++i) {
    now[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t replaced = last[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
      now[j] = std::min({replaced, last[j] + 1, now[j - 1] + 1});
      const bool swapped = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
      if (swapped) now[j] = std::min(now[j], before_last[j - 2] + 1);
    }
    before_last.swap(last);
    last.swap(now);
  }
  return last[b.size()];
}

std::string closest_name(std::string_view name, std::span<const std::string> candidates) {
  constexpr std::size_t longest = 64;  // Longer names are no typing errors; this keeps the search cheap.
  if (name.size() > longest) return {};
  std::string best;
  std::size_t best_distance = std::max<std::size_t>(1, std::min(name.size() / 3, std::size_t{3})) + 1;
  for (const auto& candidate : candidates) {
    const std::size_t distance = edit_distance(name, candidate);
    if (distance < best_distance) best = candidate, best_distance = distance;
  }
  if (!best.empty()) return best;
  // A shortened or lengthened name: "vel" for "velocity", "accelerations" for "acceleration".
  for (const auto& candidate : candidates)
    if (name.size() >= 3 && candidate.size() >= 3 &&
        (candidate.starts_with(name) || name.starts_with(candidate)))
      return candidate;
  return {};
}

std::string suggestion(std::string_view name, std::span<const std::string> candidates) {
  const std::string close = closest_name(name, candidates);
  if (!close.empty()) return "did you mean " + in_quotes(close) + "?";
  return "allowed: " + joined(candidates);
}

std::string number_text(double value) {
  if (std::isnan(value)) return "nan";  // Its sign says nothing.
  std::array<char, 32> buffer{};
  const auto end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value).ptr;
  return {buffer.data(), end};
}

std::string decimal_text(double value) {
  const std::string text = number_text(value);
  return text.find_first_of(".en") == std::string::npos ? text + ".0" : text;
}

std::string brief_text(double value) {
  return general_text(value, 3);
}

}  // namespace electret
