#include <algorithm>
#include <optional>
#include <utility>

#include <electret/scene/document.hpp>
#include <electret/scene/edit.hpp>
#include <electret/scene/layout_editor.hpp>
#include <electret/scene/toml_text.hpp>
#include <electret/scene/words.hpp>

namespace electret {
namespace {

constexpr const char* how_keys_are =
    "write the keys of the scene with dots, lists by number from 0: body.0.charge";

/// Whether two trees hold the same values; the members of tables in any order.
bool is_same(const Node& a, const Node& b) {
  if (a.kind != b.kind || a.text != b.text || a.whole != b.whole || a.boolean != b.boolean) return false;
  const bool same_number = a.number == b.number || (a.number != a.number && b.number != b.number);
  if (!same_number || a.members.size() != b.members.size() || a.items.size() != b.items.size()) return false;
  for (std::size_t i = 0; i < a.items.size(); ++i)
    if (!is_same(a.items[i], b.items[i])) return false;
  return std::all_of(a.members.begin(), a.members.end(), [&](const Node::Member& member) {
    const Node::Member* other = b.member(member.key);
    return other != nullptr && is_same(member.node, other->node);
  });
}

bool has_line_break(std::string_view text) {
  return text.find_first_of("\r\n") != std::string_view::npos;
}

bool holds_date(const Node& node) {
  return node.kind == Node::Kind::date || std::any_of(node.items.begin(), node.items.end(), holds_date) ||
         std::any_of(node.members.begin(), node.members.end(),
                     [](const Node::Member& member) { return holds_date(member.node); });
}

std::string trimmed(std::string_view text) {
  const auto first = text.find_first_not_of(" \t");
  if (first == std::string_view::npos) return {};
  return std::string(text.substr(first, text.find_last_not_of(" \t") - first + 1));
}

/// The text with the line ends of the edited one, unless it holds a text of several lines.
std::string with_line_ends(const std::string& text, std::string_view end) {
  if (!has_line_break(text) || text.find("\"\"\"") != std::string::npos ||
      text.find("'''") != std::string::npos)
    return text;
  std::string result;
  for (const char c : text)
    if (c == '\n')
      result += end;
    else if (c != '\r')
      result += c;
  return result;
}

/// A value to be set, as it is to be written.
class GivenValue {
 public:
  /// `text` is TOML, or a text without its quotes.
  GivenValue(std::string_view text, std::string_view line_end) {
    std::vector<Finding> findings;
    const std::string given = "value = " + with_line_ends(std::string(text), line_end);
    const Document document(given, "", {}, findings);
    const bool is_toml = findings.empty() && document.root().members.size() == 1;
    source_ = is_toml ? given : "value = " + toml_string(text);
    layout_.emplace(source_);
    const std::string_view own = value().at.of(source_);
    // Dates, which no scene has, stay as they are.
    const bool is_long = is_toml && has_line_break(own) && !holds_date(document.root());
    one_line_ = is_long ? toml_value(document.root().members.front().node) : std::string(own);
  }

  [[nodiscard]] std::string_view source() const { return source_; }
  [[nodiscard]] const Written& value() const { return *layout_->root().member("value"); }
  /// The same value for an override.
  [[nodiscard]] const std::string& one_line() const { return one_line_; }

 private:
  std::string source_, one_line_;
  std::optional<TomlLayout> layout_;
};

/// One edit of a text.
class Editing {
 public:
  /// Lines that are added end as `line_end` says.
  Editing(const std::string& text, std::string_view line_end, const std::string& file_name,
          const TextEdit& edit, std::vector<Finding>& findings)
      : editor_(text, line_end),
        line_end_(line_end),
        file_name_(file_name),
        edit_(edit),
        findings_(findings) {}

  /// The edited text; nothing if there are findings.
  std::optional<std::string> run() {
    const std::size_t before = findings_.size();
    if (edit_.key != trimmed(edit_.key) || edit_.key.find_first_of("=\r\n") != std::string::npos) {
      find("leads nowhere: it is no dotted key", how_keys_are);
      return std::nullopt;
    }
    try {
      switch (edit_.kind) {
        case TextEdit::Kind::set:
          set();
          break;
        case TextEdit::Kind::append:
          append();
          break;
        case TextEdit::Kind::rename:
          rename();
          break;
        case TextEdit::Kind::remove:
          remove();
          break;
      }
    } catch (const Unwritable& error) {
      find(std::string("cannot be written in this text: ") + error.what(), "allowed: " + error.allowed());
    }
    if (findings_.size() > before) return std::nullopt;
    require(is_same(read(editor_.text(), {}), expected_),
            "an edit of a scene's text has changed other values than it should");
    return editor_.text();
  }

 private:
  void find(std::string what, std::string allowed) {
    static constexpr const char* words[] = {"--set ", "append ", "rename ", "--unset "};
    const Location where{words[static_cast<int>(edit_.kind)] + edit_.key, 0, 0};
    findings_.push_back({where, in_quotes(edit_.key) + " " + std::move(what), std::move(allowed)});
  }

  /// The tree of a text; what is wrong with the overrides goes to the findings.
  Node read(const std::string& text, const std::vector<std::string>& overrides) {
    return Document(text, file_name_, overrides, findings_).root();
  }

  /// Whether the override can be applied; then the result is expected.
  bool expect(const std::string& override_text) {
    const std::size_t before = findings_.size();
    expected_ = read(editor_.text(), {override_text});
    return findings_.size() == before;
  }

  void set() {
    if (edit_.lines.size() != 1) return find("is set to nothing", "allowed: one value");
    if (!is_utf8(edit_.lines.front()))
      return find("is set to a text that is not valid UTF-8", "write it in UTF-8");
    const GivenValue given(edit_.lines.front(), line_end_);
    if (!expect(edit_.key + "=" + given.one_line())) return;
    editor_.set(path(), given.source(), given.value());
  }

  void append() {
    const std::optional<std::string> braces = lines_in_braces();
    if (!braces) return;
    const Written* list = editor_.find(path());
    if (list != nullptr && list->kind != Written::Kind::list) return find("is no list", how_keys_are);
    const std::size_t count = list == nullptr ? 0 : list->items.size(), before = findings_.size();
    const std::string item = edit_.key + "." + std::to_string(count) + "=";
    if (!expect(item + GivenValue(*braces, "\n").one_line())) {
      for (std::size_t k = before; k < findings_.size(); ++k)
        findings_[k].where = {"append " + edit_.key, 0, 0};
      return;
    }
    std::vector<std::string> lines;
    for (const std::string& line : edit_.lines) lines.push_back(with_line_ends(line, line_end_));
    editor_.append(path(), lines, with_line_ends(*braces, line_end_));
  }

  /// The lines as a table in braces; nothing if there are findings.
  std::optional<std::string> lines_in_braces() {
    const std::string text = joined(edit_.lines, "\n");
    const std::size_t before = findings_.size();
    const Document document(text, "append " + edit_.key, {}, findings_);
    if (findings_.size() > before) return std::nullopt;
    std::string braces;
    const TomlLayout layout(text);
    for (const TomlStatement& statement : layout.statements()) {
      if (statement.is_header()) {
        find("has a header among its lines", "allowed: KEY = VALUE and comments");
        return std::nullopt;
      }
      braces += (braces.empty() ? "{ " : ", ") + std::string(statement.at.of(text));
    }
    return braces.empty() ? "{}" : braces + " }";
  }

  void rename() {
    const std::string name = edit_.lines.empty() ? "" : edit_.lines.front();
    if (name.empty() || !is_utf8(name)) return find("is given no name", "allowed: a name in UTF-8");
    expected_ = read(editor_.text(), {});
    Node* table = &expected_;
    const LayoutEditor::Path parts = path();
    for (std::size_t p = 0; p + 1 < parts.size() && table != nullptr; ++p) table = within(*table, parts[p]);
    const bool is_table = table != nullptr && table->kind == Node::Kind::table;
    Node::Member* own = nullptr;
    std::vector<std::string> known;
    for (Node::Member& member : is_table ? table->members : expected_.members) {
      if (is_table && member.key == parts.back()) own = &member;
      known.push_back(member.key);
    }
    if (own == nullptr)
      return find("cannot be renamed: there is no key " + in_quotes(parts.back()),
                  is_table ? suggestion(parts.back(), known) : how_keys_are);
    if (name == own->key) return;
    if (table->member(name) != nullptr)
      return find("cannot be renamed: there is a key " + in_quotes(name) + " already",
                  "allowed: another name");
    own->key = name;
    editor_.rename(parts, name);
  }

  static Node* within(Node& node, const std::string& part) {
    for (Node::Member& member : node.members)
      if (member.key == part) return &member.node;
    const auto number = item_number(part);
    return number && *number < node.items.size() ? &node.items[*number] : nullptr;
  }

  void remove() {
    if (!expect("--unset " + edit_.key)) return;
    const std::string text = editor_.text();
    const LayoutEditor::Path removed = editor_.remove(path());
    expected_ = read(text, {"--unset " + joined(removed, ".")});
  }

  [[nodiscard]] LayoutEditor::Path path() const {
    LayoutEditor::Path parts(1);
    for (const char c : edit_.key)
      if (c == '.')
        parts.emplace_back();
      else
        parts.back() += c;
    return parts;
  }

  LayoutEditor editor_;
  std::string_view line_end_;
  const std::string& file_name_;
  const TextEdit& edit_;
  std::vector<Finding>& findings_;
  Node expected_;
};

}  // namespace

std::string edited_text(std::string_view text, const std::string& file_name,
                        const std::vector<TextEdit>& edits) {
  std::string result(text);
  const std::string_view line_end = line_end_of(text);  // Edits may remove every line.
  std::vector<Finding> findings;
  static_cast<void>(Document(result, file_name, {}, findings));
  if (!findings.empty()) throw InputError(std::move(findings));
  for (const TextEdit& edit : edits)
    if (auto edited = Editing(result, line_end, file_name, edit, findings).run()) result = std::move(*edited);
  if (!findings.empty()) throw InputError(std::move(findings));
  return result;
}

TextEdit edit_of_override(const std::string& override_text) {
  constexpr std::string_view unset_mark = "--unset ";
  if (override_text.starts_with(unset_mark))
    return TextEdit::remove(trimmed(std::string_view(override_text).substr(unset_mark.size())));
  const auto equals = override_text.find('=');
  const std::string key = trimmed(std::string_view(override_text).substr(0, equals));
  std::vector<Finding> findings;
  if (equals == std::string::npos || key.empty() || has_line_break(override_text))
    static_cast<void>(Document(std::string(), "", {override_text}, findings));
  if (!findings.empty()) throw InputError(std::move(findings));
  return TextEdit::set(key, trimmed(std::string_view(override_text).substr(equals + 1)));
}

}  // namespace electret
