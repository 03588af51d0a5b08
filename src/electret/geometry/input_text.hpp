#pragma once
/// \file
/// What the text readers share: findings with a place and a limit on their number, words and lines with their
/// places, exact numbers.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <electret/core/errors.hpp>
#include <electret/core/text.hpp>

namespace electret::input {

/// The findings of one file. Keeps the first `kept_at_most` and throws the first `shown_at_most` in the order
/// of the file.
class Findings {
 public:
  explicit Findings(std::string file) : file_(std::move(file)) {}

  void add(Count line, Count column, std::string message, std::string allowed = "");
  [[nodiscard]] bool empty() const { return count_ == 0; }
  [[nodiscard]] Count count() const { return count_; }
  /// Throws InputError if there is any finding. The last finding says how many more there are.
  void throw_if_any();

  static constexpr std::size_t shown_at_most = 50;
  static constexpr std::size_t kept_at_most = 1000;  ///< More than are shown, as they may come out of order.

 private:
  std::string file_;
  std::vector<Finding> kept_;
  Count count_ = 0;
};

/// A word of a text, and its place; line and column count from 1.
struct Word {
  std::string_view text;
  Count line = 0;
  Count column = 0;
};

/// Walks through a text word by word. A statement ends with its line, unless the line ends with `\`.
class Cursor {
 public:
  /// A byte order mark at the start is skipped. With `continuations`, a `\` before the end of a line joins it
  /// to the next. With `comments`, a word that starts with `#` ends the line.
  struct Dialect {
    bool continuations = false;
    bool comments = false;
  };
  Cursor(std::string_view text, Dialect dialect);

  /// The next word of the statement; nothing at its end.
  std::optional<Word> word();
  /// Stores all words up to the end of the statement in `words`, which is cleared first.
  void words(std::vector<Word>& words);
  /// Moves to the start of the next statement and skips the rest of this one. Returns false at the end of the
  /// text.
  bool next_statement();
  /// The `count` bytes after the end of this line. The cursor continues after them. Nothing if there are
  /// fewer.
  std::optional<std::string_view> bytes_after_line(std::size_t count);
  [[nodiscard]] Count line() const { return line_; }
  [[nodiscard]] bool at_end() const { return place_ >= text_.size(); }
  /// The text that has not been read yet, for files whose text body is followed by bytes.
  [[nodiscard]] std::string_view rest() const { return text_.substr(place_); }

 private:
  [[nodiscard]] std::size_t line_end_length(std::size_t at) const;
  [[nodiscard]] std::size_t continuation_length(std::size_t at) const;
  void skip_blanks();

  std::string_view text_;
  Dialect dialect_;
  std::size_t place_ = 0;
  std::size_t line_start_ = 0;
  Count line_ = 1;
  bool started_ = false;
};

/// The double nearest to the decimal number `text`, or what is wrong with it. A leading `+` is allowed.
/// Values too small for a double are 0.
struct Number {
  double value = 0.0;
  std::string fault;  ///< Empty if the number is good.
};
Number number(std::string_view text);

/// The integer that `text` holds; nothing if it is not an integer of 64 bits. A leading `+` is allowed.
std::optional<std::int64_t> integer(std::string_view text);

/// `text` without spaces and tabs at its ends.
std::string_view trimmed(std::string_view text);

}  // namespace electret::input
