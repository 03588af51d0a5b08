#include <algorithm>
#include <charconv>
#include <utility>

#include <toml++/toml.h>

#include <electret/scene/toml_layout.hpp>

namespace electret {
namespace {

constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";

/// Adds the member called by `key` to `table` unless it is there, and notes that `statement` writes it.
Written& entered(Written& table, const WrittenKey& key, Written::Form form, std::size_t statement) {
  auto found = std::find_if(table.members.begin(), table.members.end(),
                            [&](const Written::Member& member) { return member.name == key.name; });
  if (found == table.members.end()) {
    table.members.push_back({key.name, {}});
    found = table.members.end() - 1;
    found->written.form = form;
  }
  found->written.names.push_back(key.at);
  found->written.statements.push_back(statement);
  return found->written;
}

/// Adds the value of `KEY = VALUE` to the table that the key starts from.
void add_pair(Written& table, const std::vector<WrittenKey>& key, std::size_t statement, Written value) {
  Written* node = &table;
  for (std::size_t p = 0; p + 1 < key.size(); ++p)
    node = &entered(*node, key[p], Written::Form::dotted, statement);
  value.names = {key.back().at};
  value.statements = {statement};
  node->members.push_back({key.back().name, std::move(value)});
}

/// Reads a text that is known to be TOML, so that nothing needs to be checked but the text's end.
class Scanner {
 public:
  explicit Scanner(std::string_view text) : text_(text), at_(start_of(text)) {}

  /// Goes to the next statement. Returns whether there is one.
  bool find_statement() {
    at_ = after_space(text_, at_);
    return at_ < text_.size();
  }

  /// The statement at the present place, and its value.
  std::pair<TomlStatement, Written> statement() {
    if (here() != '[') return pair();
    TomlStatement header;
    header.at.begin = at_++;
    header.kind = TomlStatement::Kind::table;
    if (here() == '[') ++at_, header.kind = TomlStatement::Kind::list_item;
    header.key = key();
    at_ = std::min(text_.size(), at_ + (header.kind == TomlStatement::Kind::table ? 1 : 2));
    header.at.end = at_;
    at_ = next_line(text_, at_);
    return {std::move(header), Written{}};
  }

 private:
  [[nodiscard]] char here() const { return at_ < text_.size() ? text_[at_] : '\0'; }
  void skip_blanks() {
    while (here() == ' ' || here() == '\t') ++at_;
  }

  std::pair<TomlStatement, Written> pair() {
    TomlStatement pair;
    pair.at.begin = at_;
    pair.key = key();
    ++at_;  // The equals sign.
    skip_blanks();
    Written written = value();
    pair.value = written.at;
    pair.at.end = written.at.end;
    return {std::move(pair), std::move(written)};
  }

  /// A dotted key, up to what follows it.
  std::vector<WrittenKey> key() {
    std::vector<WrittenKey> parts;
    do {
      if (!parts.empty()) ++at_;  // The dot.
      skip_blanks();
      parts.push_back(key_part());
      skip_blanks();
    } while (here() == '.');
    return parts;
  }

  WrittenKey key_part() {
    WrittenKey part;
    part.at.begin = at_;
    const char first = here();
    if (first == '"' || first == '\'')
      skip_string();
    else
      at_ = std::min(text_.find_first_of(" \t.=]\r\n", at_), text_.size());
    part.at.end = at_;
    const std::string_view written = part.at.of(text_);
    if (first != '"' && first != '\'')
      part.name = written;
    else if (first == '\'' || written.find('\\') == std::string_view::npos)
      part.name = written.substr(1, std::max<std::size_t>(written.size(), 2) - 2);
    else
      part.name = unescaped(written);
    return part;
  }

  static std::string unescaped(std::string_view quoted) {
    try {
      const toml::table table = toml::parse(std::string(quoted) + " = 0");
      return table.empty() ? std::string() : std::string(table.begin()->first.str());
    } catch (const toml::parse_error&) {
      return {};
    }
  }

  void skip_string() {
    const char quote = here();
    const std::string long_quote(3, quote);
    const bool is_long = text_.substr(at_, 3) == long_quote;
    at_ += is_long ? 3 : 1;
    const auto ends_here = [&] { return is_long ? text_.substr(at_, 3) == long_quote : here() == quote; };
    while (at_ < text_.size() && !ends_here()) at_ += quote == '"' && here() == '\\' ? 2 : 1;
    at_ += is_long ? 3 : 1;
    while (is_long && here() == quote) ++at_;  // Up to two quotes may stand before the last three.
    at_ = std::min(at_, text_.size());
  }

  Written value() {
    Written written;
    written.form = Written::Form::enclosed;
    written.at.begin = at_;
    if (here() == '[')
      list(written);
    else if (here() == '{')
      braces(written);
    else
      plain(written);
    written.at.end = at_;
    return written;
  }

  void plain(Written& written) {
    written.kind = Written::Kind::plain;
    if (here() == '"' || here() == '\'') return skip_string();
    at_ = std::min(text_.find_first_of(",]}#\r\n", at_), text_.size());
    while (at_ > written.at.begin + 1 && (text_[at_ - 1] == ' ' || text_[at_ - 1] == '\t')) --at_;
  }

  void list(Written& written) {
    written.kind = Written::Kind::list;
    ++at_;
    for (at_ = after_space(text_, at_); at_ < text_.size() && here() != ']'; at_ = after_space(text_, at_)) {
      if (here() == ',')
        ++at_;
      else
        written.items.push_back(value());
    }
    at_ = std::min(at_ + 1, text_.size());
  }

  void braces(Written& written) {
    ++at_;
    for (at_ = after_space(text_, at_); at_ < text_.size() && here() != '}'; at_ = after_space(text_, at_)) {
      if (here() == ',') {
        ++at_;
        continue;
      }
      auto [made, inner] = pair();
      add_pair(written, made.key, written.pairs.size(), std::move(inner));
      written.pairs.push_back(std::move(made));
    }
    at_ = std::min(at_ + 1, text_.size());
  }

  std::string_view text_;
  std::size_t at_;
};

}  // namespace

const Written* Written::member(std::string_view name) const {
  const auto found =
      std::find_if(members.begin(), members.end(), [&](const Member& member) { return member.name == name; });
  return found == members.end() ? nullptr : &found->written;
}

const Written* Written::part(const std::string& part) const {
  if (kind == Kind::table) return member(part);
  const auto number = item_number(part);
  return kind == Kind::list && number && *number < items.size() ? &items[*number] : nullptr;
}

std::optional<std::size_t> item_number(const std::string& part) {
  std::size_t number = 0;
  const auto [end, status] = std::from_chars(part.data(), part.data() + part.size(), number);
  if (status != std::errc() || end != part.data() + part.size()) return std::nullopt;
  return number;
}

TomlLayout::TomlLayout(std::string_view text) {
  Scanner scanner(text);
  std::size_t section = TomlStatement::none;
  while (scanner.find_statement()) {
    auto [statement, value] = scanner.statement();
    const std::size_t number = statements_.size();
    statement.section = section;
    statements_.push_back(std::move(statement));
    if (statements_.back().is_header()) {
      section = number;
      add_header(number);
    } else {
      add_value(number, std::move(value));
    }
  }
}

void TomlLayout::add_header(std::size_t number) {
  const TomlStatement& header = statements_[number];
  Written* node = &root_;
  node->statements.push_back(number);
  for (std::size_t p = 0; p < header.key.size(); ++p) {
    node = &entered(*node, header.key[p], Written::Form::section, number);
    const bool is_new_item = p + 1 == header.key.size() && header.kind == TomlStatement::Kind::list_item;
    if (is_new_item) {
      node->kind = Written::Kind::list;
      node->items.emplace_back();
    }
    if (node->kind != Written::Kind::list || node->items.empty()) continue;
    node = &node->items.back();
    node->statements.push_back(number);
  }
  node->header = number;
}

void TomlLayout::add_value(std::size_t number, Written value) {
  Written* node = &root_;
  node->statements.push_back(number);
  const std::size_t section = statements_[number].section;
  if (section != TomlStatement::none)
    for (const WrittenKey& part : statements_[section].key) {
      const auto found =
          std::find_if(node->members.begin(), node->members.end(),
                       [&](const Written::Member& member) { return member.name == part.name; });
      if (found == node->members.end()) return;  // It is not TOML.
      node = &found->written;
      node->statements.push_back(number);
      if (node->kind != Written::Kind::list || node->items.empty()) continue;
      node = &node->items.back();
      node->statements.push_back(number);
    }
  add_pair(*node, statements_[number].key, number, std::move(value));
}

std::size_t start_of(std::string_view text) {
  return text.starts_with(byte_order_mark) ? byte_order_mark.size() : 0;
}

std::size_t line_start(std::string_view text, std::size_t at) {
  const auto before = at == 0 ? std::string_view::npos : text.rfind('\n', at - 1);
  return before == std::string_view::npos ? start_of(text) : before + 1;
}

std::size_t next_line(std::string_view text, std::size_t at) {
  const auto end = text.find('\n', at);
  return end == std::string_view::npos ? text.size() : end + 1;
}

TextRange lines_around(std::string_view text, TextRange range) {
  return {line_start(text, range.begin), next_line(text, range.end)};
}

std::size_t after_space(std::string_view text, std::size_t at) {
  while (at < text.size()) {
    const char c = text[at];
    if (c == '#')
      at = next_line(text, at);
    else if (c == ' ' || c == '\t' || c == '\r' || c == '\n')
      ++at;
    else
      break;
  }
  return at;
}

}  // namespace electret
