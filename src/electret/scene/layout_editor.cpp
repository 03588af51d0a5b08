#include <algorithm>
#include <utility>

#include <electret/core/errors.hpp>
#include <electret/scene/layout_editor.hpp>
#include <electret/scene/toml_text.hpp>
#include <electret/scene/words.hpp>

namespace electret {
namespace {

using Kind = Written::Kind;
using Form = Written::Form;
using Parts = std::span<const std::string>;

/// A value within what the parts name: `[{ a = 1 }]` for "0", "a" and `1`.
std::string nested(Parts parts, const std::string& value) {
  if (parts.empty()) return value;
  const std::string inner = nested(parts.subspan(1), value);
  if (item_number(parts.front())) return "[" + inner + "]";
  return "{ " + toml_key(parts.front()) + " = " + inner + " }";
}

/// `KEY = VALUE` for parts of which the first `keys` name no items.
std::string line_of(Parts parts, const std::string& value, std::size_t keys = 1) {
  std::string key = toml_key(parts.front());
  std::size_t k = 1;
  for (; k < std::min(keys, parts.size()); ++k) key += "." + toml_key(parts[k]);
  for (; k < parts.size() && !item_number(parts[k]); ++k) key += "." + toml_key(parts[k]);
  return key + " = " + nested(parts.subspan(k), value);
}

std::vector<std::string> pairs_as_lines(std::string_view source, const Written& braces) {
  std::vector<std::string> lines;
  for (const TomlStatement& pair : braces.pairs) lines.emplace_back(pair.at.of(source));
  return lines;
}

/// Whether one of the keys in braces looks like the number of an item.
bool has_number_as_key(const Written& braces) {
  return std::any_of(braces.pairs.begin(), braces.pairs.end(), [](const TomlStatement& pair) {
    return std::any_of(pair.key.begin(), pair.key.end(),
                       [](const WrittenKey& key) { return item_number(key.name).has_value(); });
  });
}

bool is_list_of_tables(const Written& value) {
  return value.kind == Kind::list && !value.items.empty() &&
         std::all_of(value.items.begin(), value.items.end(),
                     [](const Written& item) { return item.kind == Kind::table; });
}

[[noreturn]] void refuse_item(const std::string& list) {
  throw Unwritable("the items of the list \"" + list + "\" have headers, [[" + list + "]], and are tables",
                   "a table, such as { KEY = VALUE }");
}

LayoutEditor::Path longer(LayoutEditor::Path path, const std::string& part) {
  path.push_back(part);
  return path;
}

}  // namespace

LayoutEditor::Chain LayoutEditor::reached(const Path& path) const {
  Chain chain{&layout_.root()};
  for (const std::string& part : path) {
    const Written* next = chain.back()->part(part);
    if (next == nullptr) break;
    chain.push_back(next);
  }
  return chain;
}

const Written* LayoutEditor::find(const Path& path) const {
  const Chain chain = reached(path);
  return chain.size() == path.size() + 1 ? chain.back() : nullptr;
}

void LayoutEditor::apply(TextChanges changes) {
  text_ = changed_text(text_, std::move(changes));
  layout_ = TomlLayout(text_);
}

void LayoutEditor::set(const Path& path, std::string_view source, const Written& value) {
  const Chain chain = reached(path);
  if (chain.size() == path.size() + 1)
    assign(path, chain, source, value);
  else
    create(path, chain, source, value);
}

void LayoutEditor::assign(const Path& path, const Chain& chain, std::string_view source,
                          const Written& value) {
  const Written& node = *chain.back();
  const bool has_header = node.header != TomlStatement::none;
  if (node.form == Form::enclosed) return apply({{node.at, std::string(value.at.of(source))}});
  if (node.kind == Kind::table && value.kind == Kind::table && !has_number_as_key(value) &&
      (has_header || !value.pairs.empty()))
    return set_pairs(path, source, value);
  if (node.kind == Kind::list && is_list_of_tables(value))
    return set_items(path, node.items.size(), source, value);
  if (chain[chain.size() - 2]->kind == Kind::list) refuse_item(written_key(path, chain));
  remove_written(path);
  set(path, source, value);
}

/// Sets a table that has no braces: key by key, so that its lines and comments stay.
void LayoutEditor::set_pairs(const Path& path, std::string_view source, const Written& value) {
  for (const TomlStatement& pair : value.pairs) {
    Path inner = path;
    const Written* given = &value;
    for (const WrittenKey& key : pair.key) {
      inner.push_back(key.name);
      given = given->member(key.name);
    }
    set(inner, source, *given);
  }
  remove_all_but(path, value);
}

void LayoutEditor::remove_all_but(const Path& path, const Written& wanted) {
  std::vector<std::string> names;
  for (const Written::Member& member : find(path)->members) names.push_back(member.name);
  for (const std::string& name : names) {
    const Path inner = longer(path, name);
    const Written* stays = wanted.member(name);
    if (stays == nullptr)
      remove_written(inner);
    else if (stays->form == Form::dotted)
      remove_all_but(inner, *stays);
  }
}

void LayoutEditor::set_items(const Path& path, std::size_t count, std::string_view source,
                             const Written& value) {
  for (std::size_t i = count; i-- > value.items.size();) remove_written(longer(path, std::to_string(i)));
  for (std::size_t i = 0; i < value.items.size(); ++i)
    set(longer(path, std::to_string(i)), source, value.items[i]);
}

void LayoutEditor::create(const Path& path, const Chain& chain, std::string_view source,
                          const Written& value) {
  const Written& within = *chain.back();
  const Parts rest = Parts(path).subspan(chain.size() - 1);
  const std::string text(value.at.of(source));
  if (within.kind == Kind::plain || (within.kind == Kind::list && !item_number(rest.front()))) {
    // A table takes the place of a value, when a table around it is set key by key.
    if (within.form == Form::enclosed) return apply({{within.at, nested(rest, text)}});
    remove_written(Path(path.begin(), path.begin() + static_cast<std::ptrdiff_t>(chain.size()) - 1));
    return set(path, source, value);
  }
  if (within.is_enclosed(Kind::table)) return apply({pair_added(within, line_of(rest, text))});
  if (within.is_enclosed(Kind::list)) return apply(item_added(text_, within, nested(rest.subspan(1), text)));
  if (within.form == Form::dotted) return create_in_dotted(path, chain, text);
  if (within.kind == Kind::list) return create_item(path, chain, source, value);
  create_member(path, chain, source, value);
}

/// Adds to a table that dotted keys make, by one more of them, below the last one.
void LayoutEditor::create_in_dotted(const Path& path, const Chain& chain, const std::string& value) {
  std::size_t owner = chain.size() - 1;
  while (chain[owner]->form == Form::dotted) --owner;
  const std::string line = line_of(Parts(path).subspan(owner), value, chain.size() - owner);
  if (chain[owner]->form == Form::enclosed) return apply({pair_added(*chain[owner], line)});
  std::size_t last = TomlStatement::none;
  for (const std::size_t n : chain.back()->statements)
    if (!layout_.statements()[n].is_header() && layout_.statements()[n].section == chain[owner]->header)
      last = n;
  apply({key_added(laid_out(), chain[owner]->header, line, last)});
}

/// Adds an item to a list whose items have headers.
void LayoutEditor::create_item(const Path& path, const Chain& chain, std::string_view source,
                               const Written& value) {
  const Parts rest = Parts(path).subspan(chain.size());
  const bool is_table = rest.empty() ? value.kind == Kind::table : !item_number(rest.front());
  if (!is_table) refuse_item(written_key(path, chain));
  std::vector<std::string> lines;
  if (rest.empty())
    lines = pairs_as_lines(source, value);
  else
    lines.push_back(line_of(rest, std::string(value.at.of(source))));
  add_list_item(*chain.back(), std::move(lines));
}

/// Adds to a table that has a header, or could have one, or to the root.
void LayoutEditor::create_member(const Path& path, const Chain& chain, std::string_view source,
                                 const Written& value) {
  const bool is_root = chain.size() == 1;
  const Parts rest = Parts(path).subspan(chain.size() - 1);
  const std::string text(value.at.of(source));
  if (rest.size() == 1) {
    if (is_root && value.kind == Kind::table)
      return add_section(path, chain, false, pairs_as_lines(source, value));
    if (!is_list_of_tables(value)) return add_key(path, chain, line_of(rest, text));
    return set_items(path, 0, source, value);
  }
  if (!item_number(rest[1])) {
    if (is_root) return add_section(path, chain, false, {line_of(rest.subspan(1), text)});
    return add_key(path, chain, line_of(rest, text));
  }
  if (rest.size() == 2 && value.kind == Kind::table)
    return add_section(path, chain, true, pairs_as_lines(source, value));
  if (rest.size() == 2 || item_number(rest[2])) return add_key(path, chain, line_of(rest, text));
  add_section(path, chain, true, {line_of(rest.subspan(2), text)});
}

void LayoutEditor::add_list_item(const Written& list, std::vector<std::string> lines) {
  const Written& last = list.items.back();
  const TomlStatement& header = layout_.statements()[last.header];
  const TextRange key{header.key.front().at.begin, header.key.back().at.end};
  const std::size_t at = next_line(text_, layout_.statements()[last.statements.back()].at.end);
  apply({section_added(laid_out(), at, last.header, {std::string(key.of(text_)), true, std::move(lines)})});
}

/// Adds the part of the path that follows the chain as a section: below all that its table has.
void LayoutEditor::add_section(const Path& path, const Chain& chain, bool is_item,
                               std::vector<std::string> lines) {
  const Written& within = *chain.back();
  const auto& all = layout_.statements();
  const std::string above = written_key(path, chain), own = toml_key(path[chain.size() - 1]);
  std::size_t depth = 1, like = within.header;
  for (std::size_t k = 1; k < chain.size(); ++k) depth += chain[k - 1]->kind == Kind::list ? 0U : 1U;
  for (std::size_t n = 0; n < all.size(); ++n)
    if (all[n].is_header() && all[n].key.size() == depth) like = n;
  const std::size_t at =
      chain.size() == 1 ? text_.size() : next_line(text_, all[within.statements.back()].at.end);
  apply({section_added(laid_out(), at, like,
                       {above.empty() ? own : above + "." + own, is_item, std::move(lines)})});
}

void LayoutEditor::add_key(const Path& path, const Chain& chain, const std::string& line) {
  const Written& within = *chain.back();
  if (chain.size() == 1 || within.header != TomlStatement::none)
    return apply({key_added(laid_out(), within.header, line)});
  // Only headers of tables within it name the table.
  const std::size_t at = next_line(text_, layout_.statements()[within.statements.back()].at.end);
  apply(
      {section_added(laid_out(), at, within.statements.front(), {written_key(path, chain), false, {line}})});
}

std::string LayoutEditor::written_key(const Path& path, const Chain& chain) const {
  std::size_t depth = 0;
  std::string key;
  for (std::size_t k = 1; k < chain.size(); ++k) {
    if (chain[k - 1]->kind == Kind::list) continue;
    ++depth;
    key += (key.empty() ? "" : ".") + toml_key(path[k - 1]);
  }
  if (depth == 0) return "";
  for (const std::size_t n : chain.back()->statements) {
    const TomlStatement& statement = layout_.statements()[n];
    if (!statement.is_header() || statement.key.size() < depth) continue;
    const TextRange written{statement.key.front().at.begin, statement.key[depth - 1].at.end};
    return std::string(written.of(text_));
  }
  return key;
}

void LayoutEditor::append(const Path& path, const std::vector<std::string>& lines,
                          const std::string& in_braces) {
  const Chain chain = reached(path);
  const bool is_there = chain.size() == path.size() + 1;
  const Written& node = *chain.back();
  if (is_there && node.form == Form::section && node.kind == Kind::list) return add_list_item(node, lines);
  if (!is_there && chain.size() == path.size() && node.form == Form::section && node.kind == Kind::table)
    return add_section(path, chain, true, lines);
  const TomlLayout braces("value = " + in_braces);
  set(longer(path, std::to_string(is_there ? node.items.size() : 0)), "value = " + in_braces,
      *braces.root().member("value"));
}

LayoutEditor::Path LayoutEditor::remove(Path path) {
  const Chain chain = reached(path);
  while (path.size() > 1) {
    const Written& above = *chain[path.size() - 1];
    const bool has_header = above.header != TomlStatement::none;
    const bool vanishes = above.kind == Kind::list
                              ? above.items.size() == 1
                              : above.members.size() == 1 && !has_header && above.form != Form::enclosed;
    if (!vanishes) break;
    path.pop_back();
  }
  remove_written(path);
  return path;
}

void LayoutEditor::remove_written(const Path& path) {
  const Chain chain = reached(path);
  const Written& node = *chain.back();
  std::size_t owner = chain.size() - 2;
  while (owner > 0 && chain[owner]->form == Form::dotted) --owner;
  if (chain[owner]->is_enclosed(Kind::list)) {
    const auto number = item_number(path.back());
    return apply(item_removed(text_, *chain[owner], number.value_or(0)));
  }
  if (!chain[owner]->is_enclosed(Kind::table))
    return apply(statements_removed(text_, layout_, node.statements));
  apply({pair_removed(*chain[owner], node.statements.back())});
  if (find(path) != nullptr) remove_written(path);
}

void LayoutEditor::rename(const Path& path, const std::string& name) {
  TextChanges changes;
  for (const TextRange at : find(path)->names) changes.push_back({at, toml_key(name)});
  apply(std::move(changes));
}

}  // namespace electret
