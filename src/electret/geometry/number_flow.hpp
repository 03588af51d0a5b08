#pragma once
/// \file
/// Numbers one after the other, wherever the lines of a text end.

#include <electret/geometry/input_text.hpp>

namespace electret::input {

/// Reads words of a cursor across line ends. A word that is no number is a finding and reads as 0; a keyword
/// where a number should be, and the end of the text, throw what was found.
class NumberFlow {
 public:
  /// Where the cursor's text begins in the file; both count from 1.
  struct Start {
    Count line = 1, column = 1;
  };
  NumberFlow(Cursor& cursor, Findings& findings, Start start = {1, 1})
      : cursor_(cursor), findings_(findings), start_(start) {}

  /// The next word, located in the file; none at the end of the text.
  std::optional<Word> word();
  double real(const char* what);
  /// The same, but "nan" and "inf" are numbers too.
  double any_real(const char* what);
  std::int64_t integer(const char* what);
  /// An integer from 0 on; what is another is a finding and reads as 0.
  std::int64_t count(const char* what);
  /// An integer from `least` to 2147483647; what is another is a finding and reads as `least`.
  std::int64_t index(const char* what, std::int64_t least);
  /// The line of the last word.
  [[nodiscard]] Count line() const { return last_.line; }

  /// A finding at the last word.
  void add(std::string message, std::string allowed);
  /// A finding at the last word; throws all there are.
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
