#include <charconv>
#include <utility>

#include <electret/core/errors.hpp>
#include <electret/fit/job_overrides.hpp>
#include <electret/sweep/design.hpp>

namespace electret {
namespace {

bool is_key(std::string_view text) {
  constexpr std::string_view allowed = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_.-";
  return !text.empty() && text.find_first_not_of(allowed) == std::string_view::npos && text.front() != '.' &&
         text.front() != '-';
}

/// Whether it can stand in a cell of a CSV file and after `KEY=`.
bool is_cell(std::string_view text) {
  return !text.empty() && text.find_first_of(",\"\n\r#") == std::string_view::npos && text.front() != ' ' &&
         text.back() != ' ';
}

/// Whether it is the start of a parameter, whose name may hold what a key does not.
bool is_start(std::string_view text) {
  return text.starts_with(start_key) && is_cell(text) && text.find_first_of("/=") == std::string_view::npos;
}

}  // namespace

SweepDesign::SweepDesign(std::vector<std::string> keys, const std::vector<std::string>& values)
    : keys_(std::move(keys)) {
  require(keys_.empty() ? values.empty() : values.size() % keys_.size() == 0,
          "a design's values do not fill its rows");
  for (const std::string& value : values) add(value);
}

void SweepDesign::reserve(std::size_t runs, std::size_t letters) {
  ends_.reserve(runs * keys_.size());
  texts_.reserve(runs * letters);
}

void SweepDesign::add(std::string_view value) {
  texts_ += value;
  ends_.push_back(texts_.size());
}

Count SweepDesign::runs() const {
  return keys_.empty() ? 0 : static_cast<Count>(ends_.size() / keys_.size());
}

std::string_view SweepDesign::value(Count run, std::size_t key) const {
  const std::size_t at = static_cast<std::size_t>(run) * keys_.size() + key;
  const std::size_t begin = at == 0 ? 0 : ends_[at - 1];
  return std::string_view(texts_).substr(begin, ends_[at] - begin);
}

std::optional<double> SweepDesign::number(Count run, std::size_t key) const {
  return number_in(value(run, key));
}

std::vector<std::string> SweepDesign::overrides(Count run) const {
  std::vector<std::string> texts;
  for (std::size_t k = 0; k < keys_.size(); ++k) {
    texts.push_back(keys_[k] + "=");
    texts.back() += value(run, k);
  }
  return texts;
}

std::optional<Count> SweepDesign::first_difference(const SweepDesign& other) const {
  if (keys_ != other.keys_) return 0;
  for (Count run = 0; run < runs(); ++run)
    for (std::size_t k = 0; k < keys_.size(); ++k)
      if (run >= other.runs() || value(run, k) != other.value(run, k)) return run;
  return std::nullopt;
}

std::optional<double> number_in(std::string_view text) {
  double number = 0.0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return number;
}

bool is_design_key(const std::string& text) {
  return is_key(text) || is_start(text);
}

bool is_design_value(std::string_view text) {
  return is_cell(text);
}

}  // namespace electret
