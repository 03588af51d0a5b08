#pragma once
/// \file
/// The command line as the commands describe it: options, flags and what they accept. Help is made from this.
///
/// \code
///   CommandLine line("program", "What it is.", [] { return "program 1.0"; });
///   auto steps = std::make_shared<int>(1);
///   Command run = line.add("run", "Run it");
///   run.option("--steps", *steps, "Number of steps").type_name("N").between(1, 1000);
///   run.does([steps] { return simulate(*steps); });
///   return line.parse({argv + 1, argv + argc})();
/// \endcode
///
/// It uses CLI11. Only one source includes that, because it takes ten times as long to compile as a command.

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace electret::app {

/// What a command does. Returns the exit status.
using Action = std::function<int()>;

/// What is meant by unknown options, by command and option.
using Meanings = std::map<std::pair<std::string, std::string>, std::string>;

/// An option, a flag or a positional argument of a command. Each call adds a property.
class Option {
 public:
  Option& required();
  /// The word for the value in the help; "" for none.
  Option& type_name(const std::string& name);
  /// The help shows the default, which is the variable's present value.
  Option& shows_default();
  /// The option may be repeated and takes one value each time.
  Option& one_value_each();
  /// May not be given together with `other`.
  Option& excludes(const Option& other);

  /// Refuses "", which often comes from an unset variable of a script.
  Option& not_empty();
  /// Accepts only a finite number above 0.
  Option& positive();
  Option& between(int lowest, int highest);
  Option& one_of(const std::vector<std::string>& values);

 private:
  friend class Command;
  explicit Option(CLI::Option& option) : option_(&option) {}
  CLI::Option* option_;
};

/// One command. The variables that its options write to must live as long as the command line.
class Command {
 public:
  /// `names` is such as "-o,--output", or "SCENE" for a positional argument. An optional stays empty if it is
  /// not given.
  Option option(const std::string& names, std::string& value, const std::string& help);
  Option option(const std::string& names, std::optional<std::string>& value, const std::string& help);
  Option option(const std::string& names, std::vector<std::string>& values, const std::string& help);
  Option option(const std::string& names, int& value, const std::string& help);
  Option option(const std::string& names, double& value, const std::string& help);
  Option flag(const std::string& names, bool& value, const std::string& help);
  /// Calls `take` with the value, before the command does anything.
  Option option(const std::string& names, const std::function<void(const std::string&)>& take,
                const std::string& help);
  /// What a user who writes the unknown option `written` ("--fps") wants, for the message.
  void meant_by(const std::string& written, const std::string& wanted);
  /// The text below the options in the command's help.
  void footer(const std::string& text);
  void does(Action action);

 private:
  friend class CommandLine;
  Command(CLI::App& app, Action& chosen, Meanings& meanings)
      : app_(&app), chosen_(&chosen), meanings_(&meanings) {}
  CLI::App* app_;
  Action* chosen_;
  Meanings* meanings_;
};

/// A program's commands.
class CommandLine {
 public:
  /// `version` makes the text that --version prints.
  CommandLine(const std::string& name, const std::string& description, std::function<std::string()> version);
  ~CommandLine();

  Command add(const std::string& name, const std::string& description);
  /// The text below the commands in the program's help.
  void footer(const std::string& text);

  /// A command or program with the flags that a shell completes.
  struct Words {
    std::string name, description;
    std::vector<std::string> flags;  ///< Such as "--output", "-o".
  };
  [[nodiscard]] Words program() const;
  [[nodiscard]] std::vector<Words> commands() const;

  /// Returns what `arguments` (without the program's own name) ask for: the chosen command's action, or an
  /// action that prints help, the version, or, on stderr, what is wrong with them. Call it once. This object
  /// must outlive the action. Throws InputError if the command has no instruction set to compute with.
  Action parse(const std::vector<std::string>& arguments);

 private:
  std::unique_ptr<CLI::App> app_;
  Action chosen_;  ///< Empty if there is no command.
  Meanings meanings_;
};

}  // namespace electret::app
