#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>

#include <electret/core/errors.hpp>
#include <electret/core/text.hpp>
#include <electret/geometry/input_text.hpp>
#include <electret/geometry/msh_source.hpp>

namespace electret::msh {
namespace {

bool is_blank(char c) {
  return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

}  // namespace

void Source::skip_blanks() {
  while (place_ < bytes_.size() && is_blank(bytes_[place_])) {
    if (bytes_[place_] == '\n') ++line_, line_start_ = place_ + 1;
    ++place_;
  }
}

std::string_view Source::word() {
  skip_blanks();
  word_line_ = line_, word_column_ = static_cast<Count>(place_ - line_start_) + 1;
  const std::size_t start = place_;
  while (place_ < bytes_.size() && !is_blank(bytes_[place_])) ++place_;
  return bytes_.substr(start, place_ - start);
}

std::string Source::quoted() {
  skip_blanks();
  word_line_ = line_, word_column_ = static_cast<Count>(place_ - line_start_) + 1;
  const std::size_t end = std::min(bytes_.find('\n', place_), bytes_.size());
  const std::string_view line = bytes_.substr(place_, end - place_);
  const std::size_t first = line.find('"'), last = line.rfind('"');
  if (first == std::string_view::npos || first == last)
    fault("a physical group has no name in quotes", "write for example 3 1 \"core\"");
  place_ = end;
  return std::string(line.substr(first + 1, last - first - 1));
}

void Source::fault(const std::string& message, const std::string& allowed) const {
  if (!binary_) throw InputError(Finding{{file_, word_line_, word_column_}, message, allowed});
  throw InputError(Finding{{file_, 0, 0}, "at byte " + std::to_string(place_) + ": " + message, allowed});
}

std::int64_t Source::text_integer(const char* what) {
  const std::string_view text = word();
  if (text.empty()) fault("the file ends where " + std::string(what) + " should be", "a whole number");
  const auto number = input::integer(text);
  if (!number) fault(std::string(what) + " is " + in_quotes(text), "allowed: a whole number");
  return *number;
}

double Source::text_real(const char* what) {
  const std::string_view text = word();
  if (text.empty()) fault("the file ends where " + std::string(what) + " should be", "a number");
  const input::Number number = input::number(text);
  if (!number.fault.empty()) fault(std::string(what) + ": " + number.fault, "allowed: a finite number");
  return number.value;
}

template <class T>
T Source::raw(const char* what) {
  std::array<char, sizeof(T)> bytes{};
  if (bytes_.size() - place_ < bytes.size())
    fault("the file ends where " + std::string(what) + " should be", "");
  std::memcpy(bytes.data(), bytes_.data() + place_, bytes.size());
  place_ += bytes.size();
  if (swapped_) std::reverse(bytes.begin(), bytes.end());
  T value;
  std::memcpy(&value, bytes.data(), bytes.size());
  return value;
}

std::int64_t Source::integer(const char* what) {
  return binary_ ? raw<std::int32_t>(what) : text_integer(what);
}

std::int64_t Source::size(const char* what) {
  const std::int64_t value = binary_ ? raw<std::int64_t>(what) : text_integer(what);
  if (value < 0) fault(std::string(what) + " is " + std::to_string(value), "allowed: 0 or more");
  return value;
}

double Source::real(const char* what) {
  if (!binary_) return text_real(what);
  const double value = raw<double>(what);
  if (!std::isfinite(value)) fault(std::string(what) + " is not finite", "allowed: a finite number");
  return value;
}

std::int32_t Source::raw_integer() {
  return raw<std::int32_t>("the number 1 that says the order of bytes");
}

void Source::next_line() {
  const std::size_t end = bytes_.find('\n', place_);
  place_ = end == std::string_view::npos ? bytes_.size() : end + 1;
  ++line_, line_start_ = place_;
}

void Source::skip_to_end_of(std::string_view section) {
  const std::string end = "$End" + std::string(section);
  const std::size_t found = bytes_.find(end, place_);
  if (found == std::string_view::npos) fault("$" + std::string(section) + " has no " + end, "");
  for (; place_ < found; ++place_)
    if (bytes_[place_] == '\n') ++line_, line_start_ = place_ + 1;
  place_ += end.size();
}

}  // namespace electret::msh
