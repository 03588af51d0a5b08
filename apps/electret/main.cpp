/// \file
/// The command line: `electret COMMAND …`. Parsing and help by CLI11; one file a command.

#include <string>
#include <vector>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <electret/core/version.hpp>

#include "command.hpp"

namespace {

constexpr const char* footer = R"(Examples:
  electret run examples/charged_torus.toml
  electret run scene.toml -o runs/soft --set body.0.springs.0.stiffness=2
  electret check scene.toml
  electret field charges.csv --at points.csv -o field.csv
  electret gradient scene.toml --loss energy --wrt body.torus.charge
  electret fit job.toml
  electret COMMAND --help          what a command does, its options and examples

Exit status:
  0 done; 1 a run that failed (diverged, disk full); 2 bad input or usage; 130, 143, 129 interrupted

Results go to stdout or to files, progress and findings to stderr.)";

/// What is wrong; a first word that is no command is named as one.
std::string described(const CLI::ParseError& error, const CLI::App& app, const std::string& first) {
  if (dynamic_cast<const CLI::ExtrasError*>(&error) == nullptr || !app.get_subcommands().empty() ||
      first.starts_with("-"))
    return error.what();
  std::string commands;
  for (const auto* command : app.get_subcommands({}))
    commands += (commands.empty() ? "" : ", ") + command->get_name();
  return "there is no command \"" + first + "\" in this version; allowed: " + commands;
}

void describe(CLI::App& app, electret::app::Action& action) {
  app.description("Electret: a simulator of charged, deformable bodies.");
  app.footer(footer);
  app.set_version_flag("--version", std::string("electret ") + electret::version);
  app.set_help_flag("-h,--help", "Print this help and exit");
  app.get_formatter()->column_width(34);
  app.require_subcommand(0, 1);
  electret::app::add_run(app, action);
  electret::app::add_check(app, action);
  electret::app::add_field(app, action);
  electret::app::add_gradient(app, action);
  electret::app::add_fit(app, action);
  electret::app::add_info(app, action);
  electret::app::add_compare(app, action);
  electret::app::add_reproduce(app, action);
  electret::app::add_completion(app, action);
}

}  // namespace

int main(int argc, char** argv) {
  using electret::app::Status;
  CLI::App app("", "electret");
  electret::app::Action action;
  describe(app, action);
  const auto shown = [&](const CLI::Error& call) {
    return electret::app::guarded([&] { return app.exit(call); });
  };
  try {
    auto arguments = electret::app::with_repeated_set({argv + 1, argv + argc});
    std::reverse(arguments.begin(), arguments.end());  // CLI11 takes them last first
    app.parse(arguments);
  } catch (const CLI::CallForHelp& call) {
    return shown(call);
  } catch (const CLI::CallForVersion& call) {
    return shown(call);
  } catch (const CLI::ParseError& error) {
    fmt::print(stderr, "electret: error: {}\n", described(error, app, argv[1]));
    const auto chosen = app.get_subcommands();
    const std::string command = chosen.empty() ? "" : chosen.front()->get_name() + " ";
    fmt::print(stderr, "electret: 'electret {}--help' lists what is allowed\n", command);
    return Status::bad_input;
  }
  if (!action) {
    fmt::print("{}", app.help());
    return argc > 1 ? Status::done : Status::bad_input;
  }
  return electret::app::guarded(action);
}
