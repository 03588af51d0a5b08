#include <vector>

#include <electret/core/text.hpp>
#include <electret/fit/loss_forms.hpp>

namespace electret {
namespace {

/// Escapes the characters that end a cell of a Markdown table or begin an emphasis.
std::string in_cell(std::string_view text) {
  std::string escaped;
  for (const char c : text) {
    if (c == '|' || c == '*') escaped += '\\';
    escaped += c;
  }
  return escaped;
}

}  // namespace

std::string written(const LossForm& form) {
  std::string text(form.name);
  if (!form.argument.empty()) text.append(":").append(form.argument);
  return text;
}

std::string written_loss_forms() {
  std::vector<std::string> all;
  for (const LossForm& form : loss_forms) all.push_back(written(form));
  return joined(all);
}

std::string loss_reference() {
  std::string table = "| loss | is |\n| --- | --- |\n";
  for (const LossForm& form : loss_forms) table += "| `" + written(form) + "` | " + in_cell(form.is) + " |\n";
  return table;
}

}  // namespace electret
