#include <algorithm>
#include <sstream>

#include <electret/record/detail/chart_labels.hpp>

namespace electret {
namespace {

bool overlap(const LabelBox& a, const LabelBox& b) {
  return a.left < b.left + b.width && b.left < a.left + a.width && a.top < b.top + b.height &&
         b.top < a.top + a.height;
}

}  // namespace

std::vector<std::string> wrapped(const std::string& text, double width, const TextWidth& width_of) {
  std::vector<std::string> lines;
  std::istringstream words(text);
  for (std::string word; words >> word;) {
    const std::string longer = lines.empty() ? word : lines.back() + " " + word;
    if (lines.empty() || width_of(longer) > width)
      lines.push_back(word);
    else
      lines.back() = longer;
  }
  return lines;
}

std::size_t LabelPlaces::take(std::span<const LabelBox> choices) {
  const auto is_free = [this](const LabelBox& choice) {
    return std::none_of(taken_.begin(), taken_.end(),
                        [&choice](const LabelBox& box) { return overlap(box, choice); });
  };
  const auto found = std::find_if(choices.begin(), choices.end(), is_free);
  const auto chosen = found == choices.end() ? choices.begin() : found;
  taken_.push_back(*chosen);
  return static_cast<std::size_t>(chosen - choices.begin());
}

}  // namespace electret
