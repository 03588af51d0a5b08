#include <algorithm>
#include <cstddef>
#include <vector>

#include <electret/studio/session/typed_text.hpp>

namespace electret::studio {
namespace {

constexpr std::string_view byte_order_mark = "\xef\xbb\xbf";

struct Line {
  std::string_view content, end;
};

std::vector<Line> ended_lines(std::string_view text) {
  std::vector<Line> lines;
  while (!text.empty()) {
    const std::size_t at = text.find('\n');
    if (at == std::string_view::npos) {
      lines.push_back({text, {}});
      break;
    }
    const std::size_t content = at > 0 && text[at - 1] == '\r' ? at - 1 : at;
    lines.push_back({text.substr(0, content), text.substr(content, at + 1 - content)});
    text.remove_prefix(at + 1);
  }
  return lines;
}

}  // namespace

std::string as_in_file(std::string_view before, std::string_view typed) {
  std::string text;
  if (before.starts_with(byte_order_mark)) {
    text = byte_order_mark;
    before.remove_prefix(byte_order_mark.size());
  }
  if (typed.starts_with(byte_order_mark)) typed.remove_prefix(byte_order_mark.size());
  const std::vector<Line> old = ended_lines(before), lines = ended_lines(typed);
  const std::size_t both = std::min(old.size(), lines.size());
  std::size_t head = 0, tail = 0;
  while (head < both && old[head].content == lines[head].content) ++head;
  while (tail < both - head && old[old.size() - 1 - tail].content == lines[lines.size() - 1 - tail].content)
    ++tail;
  const std::string_view usual = !old.empty() && !old.front().end.empty() ? old.front().end : "\n";
  for (std::size_t k = 0; k < lines.size(); ++k) {
    text += lines[k].content;
    if (lines[k].end.empty()) continue;
    const bool is_tail = k >= lines.size() - tail;
    const std::string_view end = k < head  ? old[k].end
                                 : is_tail ? old[old.size() - (lines.size() - k)].end
                                           : std::string_view();
    text += end.empty() ? usual : end;
  }
  return text;
}

}  // namespace electret::studio
