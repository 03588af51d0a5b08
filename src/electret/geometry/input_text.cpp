#include <algorithm>
#include <charconv>
#include <cmath>

#include <electret/geometry/input_text.hpp>

namespace electret::input {

void Findings::add(Count line, Count column, std::string message, std::string allowed) {
  ++count_;
  if (kept_.size() < kept_at_most)
    kept_.push_back({{file_, line, column}, std::move(message), std::move(allowed)});
}

void Findings::throw_if_any() {
  if (empty()) return;
  std::stable_sort(kept_.begin(), kept_.end(), [](const Finding& a, const Finding& b) {
    return a.where.line != b.where.line ? a.where.line < b.where.line : a.where.column < b.where.column;
  });
  if (kept_.size() > shown_at_most) kept_.resize(shown_at_most);
  const Count more = count_ - static_cast<Count>(kept_.size());
  if (more > 0) kept_.push_back({{file_, 0, 0}, "and " + std::to_string(more) + " more like these", ""});
  throw InputError(kept_);
}

Cursor::Cursor(std::string_view text, Dialect dialect) : text_(text), dialect_(dialect) {
  if (text_.starts_with("\xEF\xBB\xBF")) text_.remove_prefix(3);
}

std::size_t Cursor::line_end_length(std::size_t at) const {
  if (at < text_.size() && text_[at] == '\n') return 1;
  return text_.substr(std::min(at, text_.size()), 2) == "\r\n" ? 2 : 0;
}

std::size_t Cursor::continuation_length(std::size_t at) const {
  if (!dialect_.continuations || text_[at] != '\\') return 0;
  const std::size_t end = line_end_length(at + 1);
  return end > 0 ? 1 + end : 0;
}

void Cursor::skip_blanks() {
  while (place_ < text_.size()) {
    if (text_[place_] == ' ' || text_[place_] == '\t') {
      ++place_;
    } else if (const std::size_t joined = continuation_length(place_); joined > 0) {
      place_ += joined;
      line_start_ = place_;
      ++line_;
    } else {
      return;
    }
  }
}

std::optional<Word> Cursor::word() {
  skip_blanks();
  if (place_ >= text_.size() || line_end_length(place_) > 0) return std::nullopt;
  if (dialect_.comments && text_[place_] == '#') {
    while (place_ < text_.size() && line_end_length(place_) == 0) ++place_;
    return std::nullopt;
  }
  const std::size_t start = place_;
  while (place_ < text_.size() && text_[place_] != ' ' && text_[place_] != '\t' &&
         line_end_length(place_) == 0 && continuation_length(place_) == 0)
    ++place_;
  return Word{text_.substr(start, place_ - start), line_, static_cast<Count>(start - line_start_) + 1};
}

void Cursor::words(std::vector<Word>& words) {
  words.clear();
  while (const auto next = word()) words.push_back(*next);
}

bool Cursor::next_statement() {
  if (started_) {
    while (word()) {
    }
    if (const std::size_t end = line_end_length(place_); end > 0) {
      place_ += end;
      line_start_ = place_;
      ++line_;
    }
  }
  started_ = true;
  return !at_end();
}

std::optional<std::string_view> Cursor::bytes_after_line(std::size_t count) {
  const std::size_t end = text_.find('\n', place_);
  place_ = end == std::string_view::npos ? text_.size() : end + 1;
  ++line_, line_start_ = place_;
  if (text_.size() - place_ < count) return std::nullopt;
  place_ += count;
  return text_.substr(place_ - count, count);
}

namespace {

std::string_view without_plus(std::string_view text) {
  if (text.size() > 1 && text[0] == '+' && text[1] != '-' && text[1] != '+') text.remove_prefix(1);
  return text;
}

// from_chars reports "out of range" for too large and too small numbers alike. The decimal exponent of the
// first digit tells them apart.
bool is_tiny(std::string_view text) {
  const std::size_t e = text.find_first_of("eE");
  const std::string_view digits = text.substr(0, e);
  const std::size_t first = digits.find_first_of("123456789");
  const std::size_t point = std::min(digits.find('.'), digits.size());
  auto exponent = static_cast<std::int64_t>(point) - static_cast<std::int64_t>(first);
  if (e != std::string_view::npos) {
    const auto written = integer(text.substr(e + 1));
    if (!written) return text[e + 1] == '-';
    if (*written < -1'000'000'000'000) return true;
    if (*written < 1'000'000'000'000) exponent += *written;
  }
  return exponent < 0;
}

}  // namespace

Number number(std::string_view text) {
  const std::string_view digits = without_plus(text);
  double value = 0.0;
  const auto [end, code] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  if (code == std::errc::invalid_argument || end != digits.data() + digits.size())
    return {0.0, in_quotes(text) + " is not a number"};
  if (code == std::errc::result_out_of_range) {
    if (is_tiny(digits)) return {digits[0] == '-' ? -0.0 : 0.0, ""};
    return {0.0, in_quotes(text) + " is too large for a double-precision number"};
  }
  if (!std::isfinite(value)) return {0.0, in_quotes(text) + " is not finite"};
  return {value, ""};
}

std::optional<std::int64_t> integer(std::string_view text) {
  const std::string_view digits = without_plus(text);
  std::int64_t value = 0;
  const auto [end, code] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  if (code != std::errc{} || end != digits.data() + digits.size()) return std::nullopt;
  return value;
}

std::string_view trimmed(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t");
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t") - first + 1);
}

}  // namespace electret::input
