#pragma once
/// \file
/// What the text readers share: located findings with a cap, words and lines with their places, exact
/// numbers.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <electret/core/errors.hpp>
#include <electret/core/text.hpp>

namespace electret::input {

/// The findings of one file. Keeps the first `kept_at_most`; throws the first `shown_at_most` in the file's
/// order.
class Findings {
 public:
  explicit Findings(std::string file) : file_(std::move(file)) {}

  void add(Count line, Count column, std::string message, std::string allowed = "");
  [[nodiscard]] bool empty() const { return count_ == 0; }
  /// Throws InputError if there is any finding; the last one says how many more there are.
  void throw_if_any();

  static constexpr std::size_t shown_at_most = 50;
  static constexpr std::size_t kept_at_most = 1000;  ///< More than are shown: they may come out of order.

 private:
  std::string file_;
  std::vector<Finding> kept_;
  Count count_ = 0;
};

/// A word of a text and where it stands; line and column count from 1.
struct Word {
  std::string_view text;
  Count line = 0;
  Count column = 0;
};

/// Walks a text word by word. Statements end with their line, unless it ends with `\`.
class Cursor {
 public:
  /// A byte order mark at the start is passed over. With `continuations`, `\` before a line's end joins
  /// lines. With `comments`, a word that starts with `#` ends the line.
  struct Dialect {
    bool continuations = false;
    bool comments = false;
  };
  Cursor(std::string_view text, Dialect dialect);

  /// The statement's next word; none at its end.
  std::optional<Word> word();
  /// All words up to the statement's end, in `words` (cleared first).
  void words(std::vector<Word>& words);
  /// Moves to the start of the next statement, passing over the rest of this one. False at the end of the
  /// text.
  bool next_statement();
  /// The `count` bytes that begin after this line's end; the cursor goes on behind them. None if there are
  /// fewer.
  std::optional<std::string_view> bytes_after_line(std::size_t count);
  [[nodiscard]] Count line() const { return line_; }
  [[nodiscard]] bool at_end() const { return place_ >= text_.size(); }
  /// What has not been read yet; used where a text body gives way to bytes.
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

/// The double nearest to the decimal number `text`, or what is wrong with it. A leading `+` is allowed;
/// values too small for a double are 0.
struct Number {
  double value = 0.0;
  std::string fault;  ///< Empty if the number is good.
};
Number number(std::string_view text);

/// The integer `text` says; none if it is not one that 64 bits hold. A leading `+` is allowed.
std::optional<std::int64_t> integer(std::string_view text);

/// `text` without spaces and tabs at its ends.
std::string_view trimmed(std::string_view text);

}  // namespace electret::input
