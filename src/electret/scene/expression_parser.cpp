#include <algorithm>
#include <charconv>
#include <numbers>
#include <optional>

#include <electret/scene/expression.hpp>
#include <electret/scene/expression_program.hpp>
#include <electret/scene/words.hpp>

namespace electret {
namespace expression {
namespace {

bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

}  // namespace

bool is_reserved(std::string_view name) {
  return name == "x" || name == "y" || name == "z" || name == "t" || name == "pi" ||
         std::any_of(functions.begin(), functions.end(), [&](const Function& f) { return f.name == name; });
}

bool is_identifier(std::string_view name) {
  return !name.empty() && is_letter(name[0]) &&
         std::all_of(name.begin(), name.end(), [](char c) { return is_letter(c) || is_digit(c); });
}

namespace {

/// Thrown only within the parser; Expression::parse turns it into an ExpressionError.
struct Fault {
  ExpressionError error;
};

/// Recursive descent, writing the program in postfix order:
///   sum = product {(+|-) product},  product = signed {(*|/) signed},  signed = (-|+) signed | power,
///   power = atom [^ signed],  atom = number | name | function(sum, …) | (sum)
class Parser {
 public:
  Parser(std::string_view text, const std::vector<std::string>& constants,
         std::span<const std::string_view> variables)
      : text_(text), constants_(constants), variables_(variables) {}

  std::vector<Expression::Instruction> parse() {
    skip_spaces();
    if (at_end()) fail("the expression is empty", "write a number such as \"0\"");
    sum();
    if (!at_end()) fail("unexpected " + here(), "an operator + - * / ^ or the end is expected");
    return std::move(program_);
  }

 private:
  using Operation = expression::Operation;

  void sum() {
    const Nesting nesting(*this);
    product();
    while (peek() == '+' || peek() == '-') {
      const Operation operation = take() == '+' ? Operation::add : Operation::subtract;
      product();
      emit(operation);
    }
  }

  void product() {
    negatable();
    while (peek() == '*' || peek() == '/') {
      const Operation operation = take() == '*' ? Operation::multiply : Operation::divide;
      if (peek() == '*') fail("unexpected \"*\" after \"*\"", "a power is written x^2");
      negatable();
      emit(operation);
    }
  }

  void negatable() {
    const Nesting nesting(*this);
    if (peek() == '-') {
      take();
      negatable();
      emit(Operation::negate);
    } else if (peek() == '+') {
      take();
      negatable();
    } else {
      power();
    }
  }

  void power() {
    atom();
    if (peek() != '^') return;
    take();
    negatable();  // Right-associative, and 2^-x is allowed.
    emit(Operation::power);
  }

  void atom() {
    const char c = peek();
    if (c == '(') {
      take();
      sum();
      close();
    } else if (is_digit(c) || c == '.') {
      number();
    } else if (is_letter(c)) {
      name();
    } else if (at_end()) {
      fail("the expression ends too early", "a number, a name or \"(\" is expected");
    } else {
      fail("unexpected " + here(), "a number, a name or \"(\" is expected");
    }
  }

  void number() {
    double value = 0.0;
    const auto [end, status] = std::from_chars(text_.data() + at_, text_.data() + text_.size(), value);
    if (status == std::errc::invalid_argument)
      fail("unexpected " + here(), "a number is written 1, 0.5 or 2e-3");
    if (status == std::errc::result_out_of_range) {
      const auto length = static_cast<std::size_t>(end - text_.data()) - at_;
      fail("the number " + in_quotes(text_.substr(at_, length)) + " is out of range",
           "allowed: up to 1.8e308");
    }
    at_ = static_cast<std::size_t>(end - text_.data());
    skip_spaces();
    push({static_cast<int>(Operation::number), value, 0});
  }

  void name() {
    const std::size_t start = at_;
    while (at_ < text_.size() && (is_letter(text_[at_]) || is_digit(text_[at_]))) ++at_;
    const std::string_view word = text_.substr(start, at_ - start);
    skip_spaces();
    const auto function =
        std::find_if(functions.begin(), functions.end(), [&](const Function& f) { return f.name == word; });
    if (function != functions.end()) return call(*function, start);
    const auto variable = std::find(variables_.begin(), variables_.end(), word);
    if (variable != variables_.end())
      return push(
          {static_cast<int>(Operation::position), 0, static_cast<int>(variable - variables_.begin())});
    if (word == "t") return push({static_cast<int>(Operation::time), 0.0, 0});
    if (word == "pi") return push({static_cast<int>(Operation::number), std::numbers::pi, 0});
    const auto constant = std::find(constants_.begin(), constants_.end(), word);
    if (constant != constants_.end())
      return push(
          {static_cast<int>(Operation::constant), 0.0, static_cast<int>(constant - constants_.begin())});
    at_ = start;
    fail("unknown name " + in_quotes(word), suggestion(word, known_names()));
  }

  void call(const Function& function, std::size_t start) {
    const std::size_t wanted = expression::takes_two(function.operation) ? 2 : 1;
    if (peek() != '(') {
      at_ = start;
      fail(in_quotes(function.name) + " needs its argument in parentheses",
           "write " + usage(function, wanted));
    }
    take();
    std::size_t given = 0;
    if (peek() != ')') {
      do {
        if (given > 0) take();
        sum();
        ++given;
      } while (peek() == ',');
    }
    if (given != wanted) {
      at_ = start;
      fail(in_quotes(function.name) + " has " + counted(given, "argument", "arguments"),
           "write " + usage(function, wanted));
    }
    close();
    emit(function.operation);
  }

  static std::string usage(const Function& function, std::size_t arguments) {
    return std::string(function.name) + (arguments == 2 ? "(a, b)" : "(a)");
  }

  void close() {
    if (peek() != ')')
      fail(at_end() ? "a \")\" is missing" : "unexpected " + here(), "\")\" or an operator is expected");
    take();
  }

  void push(const Expression::Instruction& instruction) {
    program_.push_back(instruction);
    if (++depth_ > expression::max_stack) fail_as_too_deep();
  }

  void emit(Operation operation) {
    program_.push_back({static_cast<int>(operation), 0.0, 0});
    if (expression::takes_two(operation)) --depth_;
  }

  /// Counts the levels of recursion, so that no text can overflow the stack.
  struct Nesting {
    explicit Nesting(Parser& p) : parser(p) {
      if (++parser.nesting_ > max_nesting) parser.fail_as_too_deep();
    }
    ~Nesting() { --parser.nesting_; }
    Nesting(const Nesting&) = delete;
    Nesting& operator=(const Nesting&) = delete;
    Parser& parser;
  };

  [[noreturn]] void fail_as_too_deep() const {
    fail("the expression is nested too deeply",
         "at most " + std::to_string(expression::max_stack) + " levels");
  }

  [[noreturn]] void fail(std::string message, std::string allowed) const {
    throw Fault{{at_, std::move(message), std::move(allowed)}};
  }

  std::vector<std::string> known_names() const {
    std::vector<std::string> names(variables_.begin(), variables_.end());
    names.insert(names.end(), {"t", "pi"});
    names.insert(names.end(), constants_.begin(), constants_.end());
    for (const Function& function : functions) names.emplace_back(function.name);
    return names;
  }

  /// The current character in quotes; a whole UTF-8 sequence if it is one.
  std::string here() const {
    std::size_t length = 1;
    while (at_ + length < text_.size() && (static_cast<unsigned char>(text_[at_ + length]) & 0xC0U) == 0x80U)
      ++length;
    return in_quotes(text_.substr(at_, length));
  }

  bool at_end() const { return at_ >= text_.size(); }
  char peek() const { return at_end() ? '\0' : text_[at_]; }
  char take() {
    const char c = text_[at_++];
    skip_spaces();
    return c;
  }
  void skip_spaces() {
    while (!at_end() && (text_[at_] == ' ' || text_[at_] == '\t' || text_[at_] == '\n' || text_[at_] == '\r'))
      ++at_;
  }

  static constexpr std::size_t max_nesting = 2 * expression::max_stack;

  std::string_view text_;
  const std::vector<std::string>& constants_;
  std::span<const std::string_view> variables_;
  std::vector<Expression::Instruction> program_;
  std::size_t at_ = 0;
  std::size_t depth_ = 0;
  std::size_t nesting_ = 0;
};

}  // namespace
}  // namespace expression

Expression Expression::parse(std::string_view text, const std::vector<std::string>& constant_names,
                             std::vector<ExpressionError>& errors,
                             std::span<const std::string_view> variables) {
  Expression result;
  try {
    result.program_ = expression::Parser(text, constant_names, variables).parse();
  } catch (const expression::Fault& fault) {
    errors.push_back(fault.error);
  }
  return result;
}

}  // namespace electret
