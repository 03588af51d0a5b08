/// \file
/// `electret completion SHELL`: a completion script made from the commands and options themselves, so that it
/// is never out of date.

#include <memory>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "command.hpp"

namespace electret::app {
namespace {

constexpr const char* footer = R"(Examples:
  electret completion bash > ~/.local/share/bash-completion/completions/electret
  electret completion zsh  > ~/.zfunc/_electret
  electret completion fish > ~/.config/fish/completions/electret.fish)";

std::vector<CLI::App*> commands_of(CLI::App& app) {
  return app.get_subcommands([](CLI::App* command) { return !command->get_name().empty(); });
}

std::vector<std::string> flags_of(const CLI::App& command) {
  std::vector<std::string> flags;
  for (const CLI::Option* option : command.get_options()) {
    for (const auto& name : option->get_lnames()) flags.push_back("--" + name);
    for (const auto& name : option->get_snames()) flags.push_back("-" + name);
  }
  return flags;
}

std::string bash_script(CLI::App& app) {
  std::string names, cases;
  for (CLI::App* command : commands_of(app)) {
    names += (names.empty() ? "" : " ") + command->get_name();
    cases +=
        fmt::format("    {}) words=\"{}\" ;;\n", command->get_name(), fmt::join(flags_of(*command), " "));
  }
  return fmt::format(R"(# bash completion of electret
_electret() {{
  local current="${{COMP_WORDS[COMP_CWORD]}}" words
  case "${{COMP_WORDS[1]}}" in
{}    *) words="{} {}" ;;
  esac
  if [[ $COMP_CWORD -eq 1 || $current == -* ]]; then
    COMPREPLY=($(compgen -W "$words" -- "$current"))
  else
    COMPREPLY=($(compgen -f -- "$current"))
  fi
}}
complete -o filenames -F _electret electret
)",
                     cases, names, fmt::join(flags_of(app), " "));
}

std::string zsh_script(CLI::App& app) {
  std::string names, cases;
  for (CLI::App* command : commands_of(app)) {
    names += fmt::format("    '{}:{}'\n", command->get_name(), command->get_description());
    cases +=
        fmt::format("    {}) compadd -- {} ;;\n", command->get_name(), fmt::join(flags_of(*command), " "));
  }
  return fmt::format(R"(#compdef electret
# zsh completion of electret
local -a commands
commands=(
{})
if (( CURRENT == 2 )); then
  _describe 'command' commands
elif [[ ${{words[CURRENT]}} == -* ]]; then
  case ${{words[2]}} in
{}  esac
else
  _files
fi
)",
                     names, cases);
}

std::string fish_script(CLI::App& app) {
  std::string text = "# fish completion of electret\n";
  for (CLI::App* command : commands_of(app)) {
    text += fmt::format("complete -c electret -n __fish_use_subcommand -a {} -d '{}'\n", command->get_name(),
                        command->get_description());
    for (const CLI::Option* option : command->get_options()) {
      for (const auto& name : option->get_lnames()) {
        text += fmt::format("complete -c electret -n '__fish_seen_subcommand_from {}' -l {}\n",
                            command->get_name(), name);
      }
    }
  }
  return text;
}

int run(CLI::App& app, const std::string& shell) {
  fmt::print("{}", shell == "bash" ? bash_script(app) : shell == "zsh" ? zsh_script(app) : fish_script(app));
  return Status::done;
}

}  // namespace

void add_completion(CLI::App& app, Action& action) {
  auto shell = std::make_shared<std::string>();
  auto* command = app.add_subcommand("completion", "Print a completion script for a shell");
  command->add_option("SHELL", *shell, "bash, zsh or fish")
      ->required()
      ->type_name("")
      ->check(CLI::IsMember({"bash", "zsh", "fish"}));
  command->footer(footer);
  command->callback([shell, &app, &action] { action = [shell, &app] { return run(app, *shell); }; });
}

}  // namespace electret::app
