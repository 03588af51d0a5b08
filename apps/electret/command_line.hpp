#pragma once
/// \file
/// The command line as the commands describe it: options, flags, what they accept, and help made of that.
///
/// \code
///   CommandLine line("program", "What it is.", "program 1.0");
///   auto steps = std::make_shared<int>(1);
///   Command run = line.add("run", "Run it");
///   run.option("--steps", *steps, "Number of steps").type_name("N").between(1, 1000);
///   run.does([steps] { return simulate(*steps); });
///   return line.parse({argv + 1, argv + argc})();
/// \endcode
///
/// CLI11 is behind it. That takes ten times as long to compile as a command; one source includes it.

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace electret::app {

/// What a command does; returns the exit status.
using Action = std::function<int()>;

/// An option, a flag or a positional argument of a command. Each call says more about it.
class Option {
 public:
  Option& required();
  /// What stands for the value in the help; "" for nothing.
  Option& type_name(const std::string& name);
  /// The help tells the default, which is the variable's value now.
  Option& shows_default();
  /// An option that is given again and again takes one value each time.
  Option& one_value_each();
  /// Not together with `other`.
  Option& excludes(const Option& other);

  /// Refuses "", which is a script's unset variable.
  Option& not_empty();
  /// A finite number above 0.
  Option& positive();
  Option& between(int lowest, int highest);
  Option& one_of(const std::vector<std::string>& values);

 private:
  friend class Command;
  explicit Option(CLI::Option& option) : option_(&option) {}
  CLI::Option* option_;
};

/// One command. What its options write to must live as long as the command line.
class Command {
 public:
  /// `names` as "-o,--output"; a positional argument as "SCENE". An empty optional: not given.
  Option option(const std::string& names, std::string& value, const std::string& help);
  Option option(const std::string& names, std::optional<std::string>& value, const std::string& help);
  Option option(const std::string& names, std::vector<std::string>& values, const std::string& help);
  Option option(const std::string& names, int& value, const std::string& help);
  Option option(const std::string& names, double& value, const std::string& help);
  Option flag(const std::string& names, bool& value, const std::string& help);
  /// What stands below the options in its help.
  void footer(const std::string& text);
  void does(Action action);

 private:
  friend class CommandLine;
  Command(CLI::App& app, Action& chosen) : app_(&app), chosen_(&chosen) {}
  CLI::App* app_;
  Action* chosen_;
};

/// A program's commands.
class CommandLine {
 public:
  CommandLine(const std::string& name, const std::string& description, const std::string& version);
  ~CommandLine();

  Command add(const std::string& name, const std::string& description);
  /// What stands below the commands in the program's help.
  void footer(const std::string& text);

  /// What a shell completes.
  struct Words {
    std::string name, description;
    std::vector<std::string> flags;  ///< "--output", "-o".
  };
  [[nodiscard]] Words program() const;
  [[nodiscard]] std::vector<Words> commands() const;

  /// What `arguments`, without the program's own name, ask for: the chosen command's action, printing help or
  /// the version, or saying on stderr what is wrong with them. To be called once; this must outlive the
  /// action.
  Action parse(const std::vector<std::string>& arguments);

 private:
  std::unique_ptr<CLI::App> app_;
  Action chosen_;  ///< Empty: no command.
};

}  // namespace electret::app
