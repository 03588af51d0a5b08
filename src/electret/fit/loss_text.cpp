/// Losses as text: how each is written, and what a text names.

#include <algorithm>
#include <utility>
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
  for (const LossForm& form : loss_forms()) all.push_back(written(form));
  return joined(all);
}

std::string loss_reference() {
  std::string table = "| loss | is |\n| --- | --- |\n";
  for (const LossForm& form : loss_forms())
    table += "| `" + written(form) + "` | " + in_cell(form.is) + " |\n";
  return table;
}

namespace {

/// The form that `text` names, and its argument.
std::pair<const LossForm&, std::string_view> form_of(std::string_view text, const Location& where) {
  const auto colon = text.find(':');
  const std::string_view name = text.substr(0, colon);
  const auto forms = loss_forms();
  const auto form =
      std::find_if(forms.begin(), forms.end(), [&](const LossForm& f) { return f.name == name; });
  if (form == forms.end() || (form->argument.empty() && colon != std::string_view::npos))
    throw InputError(
        Finding{where, "there is no loss " + in_quotes(text), "allowed: " + written_loss_forms()});
  const std::string_view argument =
      colon == std::string_view::npos ? std::string_view() : text.substr(colon + 1);
  return {*form, argument};
}

}  // namespace

std::unique_ptr<Loss> parse_loss(const std::string& text, const Assembly& assembly, const Location& where,
                                 const std::string& folder) {
  const auto [form, argument] = form_of(text, where);
  return form.make({argument, assembly, folder, where, text});
}

std::vector<std::string> groups_of_loss(const std::string& text, const Assembly& assembly,
                                        const Location& where, const std::string& folder) {
  const auto [form, argument] = form_of(text, where);
  if (form.groups == nullptr) return {};
  return form.groups({argument, assembly, folder, where, text});
}

}  // namespace electret
