#include <charconv>
#include <limits>

#include <electret/geometry/number_flow.hpp>

namespace electret::input {
namespace {

bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

}  // namespace

std::optional<Word> NumberFlow::word() {
  std::optional<Word> found = cursor_.word();
  while (!found && cursor_.next_statement()) found = cursor_.word();
  if (!found) return std::nullopt;
  if (found->line == 1) found->column += start_.column - 1;
  found->line += start_.line - 1;
  last_ = *found;
  return found;
}

void NumberFlow::add(std::string message, std::string allowed) {
  findings_.add(last_.line, last_.column, std::move(message), std::move(allowed));
}

void NumberFlow::fault(std::string message, std::string allowed) {
  add(std::move(message), std::move(allowed));
  findings_.throw_if_any();
  throw InternalError("a finding was added and none is there");
}

Word NumberFlow::needed(const char* what) {
  if (const auto found = word()) return *found;
  last_.line = cursor_.line() + start_.line - 1, last_.column = 0;
  fault("the text ends where " + std::string(what) + " should be", "");
}

void NumberFlow::not_a_number(const Word& word, const char* what, const std::string& why,
                              const char* allowed) {
  if (is_letter(word.text.front()) && word.text.size() > 3) fault(std::string(what) + ": " + why, allowed);
  add(std::string(what) + ": " + why, allowed);
}

double NumberFlow::real(const char* what) {
  const Word found = needed(what);
  const Number value = number(found.text);
  if (!value.fault.empty()) not_a_number(found, what, value.fault, "allowed: a finite number");
  return value.value;
}

double NumberFlow::any_real(const char* what) {
  const Word found = needed(what);
  const Number value = number(found.text);
  if (value.fault.empty()) return value.value;
  double special = 0.0;
  const char* end = found.text.data() + found.text.size();
  const auto [stop, code] = std::from_chars(found.text.data(), end, special);
  if (code == std::errc{} && stop == end) return special;
  not_a_number(found, what, value.fault, "allowed: a number");
  return 0.0;
}

std::optional<std::int64_t> NumberFlow::whole(const char* what) {
  const Word found = needed(what);
  const auto value = input::integer(found.text);
  if (!value)
    not_a_number(found, what, in_quotes(found.text) + " is not a whole number", "allowed: a whole number");
  return value;
}

std::int64_t NumberFlow::bounded(const char* what, std::int64_t least, std::int64_t most) {
  const auto value = whole(what);
  if (!value) return least;
  if (*value >= least && *value <= most) return *value;
  add(std::string(what) + " is " + std::to_string(*value),
      "allowed: " + std::to_string(least) + " to " + std::to_string(most));
  return least;
}

std::int64_t NumberFlow::integer(const char* what) {
  return whole(what).value_or(0);
}

std::int64_t NumberFlow::count(const char* what) {
  return bounded(what, 0, std::numeric_limits<std::int64_t>::max());
}

std::int64_t NumberFlow::index(const char* what, std::int64_t least) {
  return bounded(what, least, std::numeric_limits<std::int32_t>::max());
}

}  // namespace electret::input
