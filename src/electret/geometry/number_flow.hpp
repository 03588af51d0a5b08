#pragma once
/// \file
/// Reads numbers one after the other, wherever the lines of a text end.

#include <electret/geometry/input_text.hpp>

namespace electret::input {

/// Reads the words of a cursor across line ends. A word that is no number is a finding and reads as 0. A
/// keyword in place of a number, or the end of the text, throws all findings.
class NumberFlow {
 public:
  /// Where the cursor's text begins in the file. Both count from 1.
  struct Start {
    Count line = 1, column = 1;
  };
  NumberFlow(Cursor& cursor, Findings& findings, Start start = {1, 1})
      : cursor_(cursor), findings_(findings), start_(start) {}

  /// The next word, located in the file; nothing at the end of the text.
  std::optional<Word> word();
  double real(const char* what);
  /// The same, but "nan" and "inf" count as numbers too.
  double any_real(const char* what);
  std::int64_t integer(const char* what);
  /// An integer ≥ 0; any other is a finding and reads as 0.
  std::int64_t count(const char* what);
  /// An integer from `least` to 2147483647; any other is a finding and reads as `least`.
  std::int64_t index(const char* what, std::int64_t least);
  /// The line of the last word.
  [[nodiscard]] Count line() const { return last_.line; }

  /// Adds a finding at the last word.
  void add(std::string message, std::string allowed);
  /// Adds a finding at the last word and throws all findings.
  [[noreturn]] void fault(std::string message, std::string allowed);

 private:
  Word needed(const char* what);
  std::int64_t bounded(const char* what, std::int64_t least, std::int64_t most);
  std::optional<std::int64_t> whole(const char* what);
  void not_a_number(const Word& word, const char* what, const std::string& why, const char* allowed);

  Cursor& cursor_;
  Findings& findings_;
  Start start_;
  Word last_{{}, 1, 1};
};

}  // namespace electret::input
