/// \file
/// `electret completion SHELL`: prints a completion script. It is made from the commands and options
/// themselves, so that it is never out of date.

#include <memory>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "command.hpp"
#include "commands.hpp"
#include "print.hpp"

namespace electret::app {
namespace {

constexpr const char* completion_footer = R"(Examples:
  electret completion bash > ~/.local/share/bash-completion/completions/electret
  electret completion zsh  > ~/.zfunc/_electret
  electret completion fish > ~/.config/fish/completions/electret.fish)";

std::string bash_script(const CommandLine& line) {
  std::string names, cases;
  for (const CommandLine::Words& command : line.commands()) {
    names += (names.empty() ? "" : " ") + command.name;
    cases += fmt::format("    {}) words=\"{}\" ;;\n", command.name, fmt::join(command.flags, " "));
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
                     cases, names, fmt::join(line.program().flags, " "));
}

std::string zsh_script(const CommandLine& line) {
  std::string names, cases;
  for (const CommandLine::Words& command : line.commands()) {
    names += fmt::format("    '{}:{}'\n", command.name, command.description);
    cases += fmt::format("    {}) compadd -- {} ;;\n", command.name, fmt::join(command.flags, " "));
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

std::string fish_script(const CommandLine& line) {
  std::string text = "# fish completion of electret\n";
  for (const CommandLine::Words& command : line.commands()) {
    text += fmt::format("complete -c electret -n __fish_use_subcommand -a {} -d '{}'\n", command.name,
                        command.description);
    for (const std::string& flag : command.flags)
      if (flag.starts_with("--"))
        text += fmt::format("complete -c electret -n '__fish_seen_subcommand_from {}' -l {}\n", command.name,
                            flag.substr(2));
  }
  return text;
}

int run_completion(const CommandLine& line, const std::string& shell) {
  put(stdout, shell == "bash" ? bash_script(line) : shell == "zsh" ? zsh_script(line) : fish_script(line));
  return Status::done;
}

}  // namespace

void add_completion(CommandLine& line) {
  auto shell = std::make_shared<std::string>();
  Command command = line.add("completion", "Print a completion script for a shell");
  command.option("SHELL", *shell, "bash, zsh or fish")
      .required()
      .type_name("")
      .one_of({"bash", "zsh", "fish"});
  command.footer(completion_footer);
  command.does([shell, &line] { return run_completion(line, *shell); });
}

}  // namespace electret::app
