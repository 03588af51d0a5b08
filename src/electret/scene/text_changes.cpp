#include <algorithm>
#include <utility>

#include <electret/scene/text_changes.hpp>

namespace electret {
namespace {

bool is_blank(std::string_view text) {
  return text.find_first_not_of(" \t\r\n") == std::string_view::npos;
}

/// The blanks before the first character of the line of byte `at`.
std::string indentation_at(std::string_view text, std::size_t at) {
  const std::size_t begin = line_start(text, at);
  const std::size_t end = std::min(text.find_first_not_of(" \t", begin), text.size());
  return std::string(text.substr(begin, end - begin));
}

std::string_view line_before(std::string_view text, std::size_t at) {
  if (at <= start_of(text)) return {};
  const std::size_t begin = line_start(text, at - 1);
  return text.substr(begin, at - begin);
}

/// Whether nothing but blanks and a comment stands between `at` and the end of the line, which has an end.
bool is_end_of_line(std::string_view text, std::size_t at) {
  const std::size_t next = text.find_first_not_of(" \t\r", at);
  return next != std::string_view::npos && (text[next] == '\n' || text[next] == '#');
}

/// Whether only blanks stand before `at` on its line.
bool is_start_of_line(std::string_view text, std::size_t at) {
  return is_blank(text.substr(line_start(text, at), at - line_start(text, at)));
}

bool is_above(const TomlStatement& statement, std::size_t header) {
  return !statement.is_header() && statement.section == header;
}

/// The last (or first) `KEY = VALUE` under a header; `none` without any.
std::size_t last_key_under(const TomlLayout& layout, std::size_t header) {
  const auto& all = layout.statements();
  for (std::size_t n = all.size(); n-- > 0;)
    if (is_above(all[n], header)) return n;
  return TomlStatement::none;
}
std::size_t first_key_under(const TomlLayout& layout, std::size_t header) {
  const auto& all = layout.statements();
  const auto found =
      std::find_if(all.begin(), all.end(), [&](const auto& each) { return is_above(each, header); });
  return found == all.end() ? TomlStatement::none : static_cast<std::size_t>(found - all.begin());
}

/// The indentation of the keys under a header.
std::string key_indentation(std::string_view text, const TomlLayout& layout, std::size_t header) {
  if (header == TomlStatement::none) return "";
  const std::size_t first = first_key_under(layout, header);
  return indentation_at(text, layout.statements()[first == TomlStatement::none ? header : first].at.begin);
}

/// Whether sections of this text are set apart by blank lines, as far as that of header `like` tells.
bool has_blank_lines(std::string_view text, const TomlLayout& layout, std::size_t like) {
  const auto& all = layout.statements();
  for (std::size_t n = all.size(); like == TomlStatement::none && n-- > 0;)
    if (all[n].is_header()) like = n;
  if (like == TomlStatement::none) return true;
  const std::size_t begin = line_start(text, all[like].at.begin);
  const std::string_view before = line_before(text, begin);
  return is_blank(before) || before.find_first_not_of(" \t") == before.find('#');
}

TextChange lines_added(const LaidOutText& in, std::size_t at, const std::vector<std::string>& lines) {
  const std::string_view end = in.line_end;
  std::string added;
  for (const std::string& line : lines) added.append(line).append(end);
  if (at > start_of(in.text) && in.text[at - 1] != '\n') {  // The last line has no end, and shall have none.
    added.insert(0, end);
    added.resize(added.size() - end.size());
  }
  return {{at, at}, std::move(added)};
}

/// The place behind a value and the comma that may follow it, and whether there is one.
std::pair<std::size_t, bool> behind(std::string_view text, std::size_t end) {
  const std::size_t next = after_space(text, end);
  const bool has_comma = next < text.size() && text[next] == ',';
  return {has_comma ? next + 1 : end, has_comma};
}

bool has_comment(std::string_view text, std::size_t begin, std::size_t end) {
  return text.substr(begin, end - begin).find('#') != std::string_view::npos;
}

}  // namespace

std::string changed_text(std::string_view text, TextChanges changes) {
  std::stable_sort(changes.begin(), changes.end(),
                   [](const TextChange& a, const TextChange& b) { return a.at.begin < b.at.begin; });
  std::string result;
  std::size_t from = 0;
  for (const TextChange& change : changes) {
    result.append(text.substr(from, change.at.begin - from)).append(change.text);
    from = change.at.end;
  }
  return result.append(text.substr(from));
}

std::string_view line_end_of(std::string_view text) {
  const auto end = text.find('\n');
  return end != std::string_view::npos && end > 0 && text[end - 1] == '\r' ? "\r\n" : "\n";
}

TextChange section_added(const LaidOutText& in, std::size_t at, std::size_t like, const NewSection& section) {
  const std::string_view text = in.text;
  const TomlLayout& layout = in.layout;
  const bool is_alike = like != TomlStatement::none;
  const std::string indentation =
      is_alike ? indentation_at(text, layout.statements()[like].at.begin) : std::string();
  const std::string inner = key_indentation(text, layout, like);
  std::vector<std::string> lines;
  const bool needs_blank = at > start_of(text) && !is_blank(line_before(text, at));
  if (needs_blank && has_blank_lines(text, layout, like)) lines.emplace_back();
  lines.push_back(indentation + (section.is_item ? "[[" : "[") + section.key +
                  (section.is_item ? "]]" : "]"));
  for (const std::string& line : section.lines) lines.push_back(line.empty() ? line : inner + line);
  return lines_added(in, at, lines);
}

TextChange key_added(const LaidOutText& in, std::size_t header, const std::string& line, std::size_t after) {
  const std::string_view text = in.text;
  const TomlLayout& layout = in.layout;
  const auto& all = layout.statements();
  if (after == TomlStatement::none) after = last_key_under(layout, header);
  if (after != TomlStatement::none)
    return lines_added(in, next_line(text, all[after].at.end),
                       {indentation_at(text, all[after].at.begin) + line});
  if (header == TomlStatement::none) return lines_added(in, start_of(text), {line});
  // An empty section is indented as another one of its depth.
  std::size_t like = header;
  for (std::size_t n = 0; n < all.size(); ++n)
    if (all[n].is_header() && all[n].key.size() == all[header].key.size() &&
        first_key_under(layout, n) != TomlStatement::none)
      like = n;
  return lines_added(in, next_line(text, all[header].at.end), {key_indentation(text, layout, like) + line});
}

TextChanges statements_removed(std::string_view text, const TomlLayout& layout,
                               const std::vector<std::size_t>& numbers) {
  struct Line {
    TextRange at;
    bool is_gone = false;
  };
  std::vector<Line> lines;
  for (std::size_t at = start_of(text); at < text.size(); at = next_line(text, at))
    lines.push_back({{at, next_line(text, at)}});
  const auto line_of = [&](std::size_t at) {
    const auto after =
        std::upper_bound(lines.begin(), lines.end(), at,
                         [](std::size_t byte, const Line& line) { return byte < line.at.begin; });
    return static_cast<std::size_t>(after - lines.begin()) - 1;
  };
  for (const std::size_t n : numbers) {
    const TextRange at = layout.statements()[n].at;
    for (std::size_t l = line_of(at.begin); l <= line_of(at.end - 1); ++l) lines[l].is_gone = true;
  }
  for (auto n = numbers.rbegin(); n != numbers.rend(); ++n) {
    if (!layout.statements()[*n].is_header()) continue;
    const std::size_t own = line_of(layout.statements()[*n].at.begin);
    std::size_t below = own;
    while (below < lines.size() && lines[below].is_gone) ++below;
    const bool is_apart = below == lines.size() || is_blank(lines[below].at.of(text));
    if (own > 0 && is_apart && is_blank(lines[own - 1].at.of(text))) lines[own - 1].is_gone = true;
  }
  TextChanges changes;
  for (const Line& line : lines)
    if (line.is_gone) changes.push_back({line.at, ""});
  return changes;
}

TextChanges item_added(std::string_view text, const Written& list, const std::string& value) {
  if (list.items.empty()) {
    const TextRange inner{list.at.begin + 1, list.at.end - 1};
    const bool has_blanks = inner.of(text).find_first_not_of(" \t") == std::string_view::npos;
    return {{{inner.begin, has_blanks ? inner.end : inner.begin}, value}};
  }
  const TextRange last = list.items.back().at;
  const auto [end, has_comma] = behind(text, last.end);
  const bool is_alone = line_start(text, last.begin) > list.at.begin && is_start_of_line(text, last.begin);
  if (!is_alone || !is_end_of_line(text, end)) {
    if (has_comma) return {{{end, end}, " " + value + ","}};
    return {{{end, end}, ", " + value}};
  }
  const std::size_t line_end = next_line(text, end) - line_end_of(text.substr(end)).size();
  std::string line = std::string(line_end_of(text)) + indentation_at(text, last.begin) + value;
  if (has_comma) return {{{line_end, line_end}, line + ","}};
  return {{{end, end}, ","}, {{line_end, line_end}, line}};
}

TextChanges item_removed(std::string_view text, const Written& list, std::size_t number) {
  const TextRange item = list.items[number].at;
  const auto [end, has_comma] = behind(text, item.end);
  const bool is_plain = !has_comment(text, item.end, end);
  if (is_plain && line_start(text, item.begin) > list.at.begin && is_start_of_line(text, item.begin) &&
      is_end_of_line(text, end))
    return {{{line_start(text, item.begin), next_line(text, end)}, ""}};
  const bool is_last = number + 1 == list.items.size();
  if (!is_last && is_plain) {
    const std::size_t next = list.items[number + 1].at.begin;
    if (text.substr(end, next - end).find_first_not_of(" \t") == std::string_view::npos)
      return {{{item.begin, next}, ""}};
  }
  const std::size_t previous = number > 0 ? list.items[number - 1].at.end : list.at.begin + 1;
  if (is_last && !has_comma && !has_comment(text, previous, item.begin)) return {{{previous, item.end}, ""}};
  TextChanges changes{{item, ""}};  // A comma may stand behind the last one.
  if (has_comma) changes.push_back({{end - 1, end}, ""});
  return changes;
}

TextChange pair_added(const Written& braces, const std::string& pair) {
  if (braces.pairs.empty()) return {{braces.at.begin + 1, braces.at.end - 1}, " " + pair + " "};
  const std::size_t end = braces.pairs.back().at.end;
  return {{end, end}, ", " + pair};
}

TextChange pair_removed(const Written& braces, std::size_t number) {
  const auto& pairs = braces.pairs;
  if (pairs.size() == 1) return {{braces.at.begin + 1, braces.at.end - 1}, ""};
  if (number + 1 < pairs.size()) return {{pairs[number].at.begin, pairs[number + 1].at.begin}, ""};
  return {{pairs[number - 1].at.end, pairs[number].at.end}, ""};
}

}  // namespace electret
