#include "command_line.hpp"

#include <cmath>
#include <utility>

#include <CLI/CLI.hpp>

#include <electret/core/instruction_set.hpp>
#include <electret/core/text.hpp>
#include <electret/scene/words.hpp>

#include "command.hpp"
#include "print.hpp"

namespace electret::app {
namespace {

CommandLine::Words words_of(const CLI::App& app) {
  CommandLine::Words words{app.get_name(), app.get_description(), {}};
  for (const CLI::Option* option : app.get_options()) {
    for (const auto& name : option->get_lnames()) words.flags.push_back("--" + name);
    for (const auto& name : option->get_snames()) words.flags.push_back("-" + name);
  }
  return words;
}

/// Of each unknown option what may be meant; if all options are known, the words that are too many.
std::string extras_described(const CLI::App& command, const Meanings& meanings) {
  const std::vector<std::string> flags = words_of(command).flags;
  std::vector<std::string> options, others;
  for (const std::string& extra : command.remaining()) {
    const std::string name = extra.substr(0, extra.find('='));
    if (!name.starts_with("-")) {
      others.push_back(in_quotes(extra));
      continue;
    }
    const auto meant = meanings.find({command.get_name(), name});
    const std::string advice =
        meant != meanings.end() ? "did you mean " + meant->second + "?" : suggestion(name, flags);
    options.push_back("there is no option " + in_quotes(name) +
                      (advice.starts_with("did") ? "; " + advice : ""));
  }
  return options.empty() ? "there is no place for " + joined(others) : joined(options, "; ");
}

/// What is missing; a word that was taken for an option may be the name of a file.
std::string missing_described(const CLI::ParseError& error, const CLI::App& command) {
  for (const std::string& extra : command.remaining())
    if (extra.starts_with("-"))
      return std::string(error.what()) + ", and there is no option " + in_quotes(extra) +
             "; if that is a file or folder, write " + in_quotes("./" + extra);
  return error.what();
}

/// What is wrong. A first word that is no command is called an unknown command.
std::string described(const CLI::ParseError& error, const CLI::App& app, const Meanings& meanings,
                      const std::string& first) {
  if (dynamic_cast<const CLI::RequiredError*>(&error) != nullptr && !app.get_subcommands().empty())
    return missing_described(error, *app.get_subcommands().front());
  if (dynamic_cast<const CLI::ExtrasError*>(&error) == nullptr) return error.what();
  if (!app.get_subcommands().empty()) return extras_described(*app.get_subcommands().front(), meanings);
  if (first.starts_with("-")) return extras_described(app, meanings);
  std::string commands;
  for (const auto* command : app.get_subcommands({}))
    commands += (commands.empty() ? "" : ", ") + command->get_name();
  return "there is no command \"" + first + "\" in this version; allowed: " + commands;
}

/// Says what is wrong, and where help is.
Action refusal(const CLI::ParseError& error, const CLI::App& app, const Meanings& meanings,
               const std::vector<std::string>& arguments) {
  const auto chosen = app.get_subcommands();
  const std::string command = chosen.empty() ? "" : chosen.front()->get_name() + " ";
  const std::string what = described(error, app, meanings, arguments.empty() ? "" : arguments.front());
  return [=] {
    tell("electret: error: {}\n", what);
    tell("electret: 'electret {}--help' lists what is allowed\n", command);
    return Status::bad_input;
  };
}

}  // namespace

Option& Option::required() {
  option_->required();
  return *this;
}

Option& Option::type_name(const std::string& name) {
  option_->type_name(name);
  return *this;
}

Option& Option::shows_default() {
  option_->capture_default_str();
  return *this;
}

Option& Option::one_value_each() {
  option_->allow_extra_args(false);
  return *this;
}

Option& Option::excludes(const Option& other) {
  option_->excludes(other.option_);
  return *this;
}

Option& Option::not_empty() {
  option_->check([](const std::string& path) -> std::string {
    return path.empty() ? "the value is empty; give one, or leave the option out" : "";
  });
  return *this;
}

Option& Option::positive() {
  option_->check([](const std::string& text) -> std::string {
    double value = 0.0;
    const bool is_number = CLI::detail::lexical_cast(text, value);
    return is_number && std::isfinite(value) && value > 0.0
               ? ""
               : "\"" + text + "\" is not a finite number above 0";
  });
  return *this;
}

Option& Option::between(int lowest, int highest) {
  option_->check(CLI::Range(lowest, highest));
  return *this;
}

Option& Option::one_of(const std::vector<std::string>& values) {
  option_->check(CLI::IsMember(values));
  return *this;
}

Option Command::option(const std::string& names, std::string& value, const std::string& help) {
  return Option(*app_->add_option(names, value, help));
}

Option Command::option(const std::string& names, std::optional<std::string>& value, const std::string& help) {
  return Option(*app_->add_option(names, value, help));
}

Option Command::option(const std::string& names, std::vector<std::string>& values, const std::string& help) {
  return Option(*app_->add_option(names, values, help));
}

Option Command::option(const std::string& names, int& value, const std::string& help) {
  return Option(*app_->add_option(names, value, help));
}

Option Command::option(const std::string& names, double& value, const std::string& help) {
  return Option(*app_->add_option(names, value, help));
}

Option Command::flag(const std::string& names, bool& value, const std::string& help) {
  return Option(*app_->add_flag(names, value, help));
}

Option Command::option(const std::string& names, const std::function<void(const std::string&)>& take,
                       const std::string& help) {
  return Option(*app_->add_option_function(names, take, help));
}

void Command::meant_by(const std::string& written, const std::string& wanted) {
  (*meanings_)[{app_->get_name(), written}] = wanted;
}

void Command::footer(const std::string& text) {
  app_->footer(text);
}

void Command::does(Action action) {
  app_->callback([chosen = chosen_, action = std::move(action)] { *chosen = action; });
}

CommandLine::CommandLine(const std::string& name, const std::string& description,
                         std::function<std::string()> version)
    : app_(std::make_unique<CLI::App>(description, name)) {
  app_->set_version_flag("--version", std::move(version));
  app_->set_help_flag("-h,--help", "Print this help and exit");
  app_->get_formatter()->column_width(34);
  app_->require_subcommand(0, 1);
}

CommandLine::~CommandLine() = default;

Command CommandLine::add(const std::string& name, const std::string& description) {
  return {*app_->add_subcommand(name, description), chosen_, meanings_};
}

void CommandLine::footer(const std::string& text) {
  app_->footer(text);
}

CommandLine::Words CommandLine::program() const {
  return words_of(*app_);
}

std::vector<CommandLine::Words> CommandLine::commands() const {
  std::vector<Words> commands;
  for (const CLI::App* command : std::as_const(*app_).get_subcommands({}))
    commands.push_back(words_of(*command));
  return commands;
}

Action CommandLine::parse(const std::vector<std::string>& arguments) {
  try {
    app_->parse(
        std::vector<std::string>(arguments.rbegin(), arguments.rend()));  // CLI11 takes them in reverse order
  } catch (const CLI::Success& call) {                                    // Help or the version is asked for.
    return [this, call] { return app_->exit(call); };
  } catch (const CLI::ParseError& error) {
    return refusal(error, *app_, meanings_, arguments);
  }
  if (chosen_) {
    (void)instruction_set();  // Refuses a set that the processor lacks before anything is read or written.
    return chosen_;
  }
  const int status = arguments.empty() ? Status::bad_input : Status::done;
  return [this, status] {
    put(stdout, app_->help());
    return status;
  };
}

}  // namespace electret::app
