#pragma once
/// \file
/// What the commands share. Each command is a file of its own with one `add_NAME`, called by main.

#include <functional>
#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace electret::app {

/// Exit statuses, fixed by the command-line contract.
enum Status : int { done = 0, failed = 1, bad_input = 2 };

/// The exit status of a command that `signal` ended: 130 of SIGINT, 143 of SIGTERM, 129 of SIGHUP.
[[nodiscard]] constexpr int ended_by(int signal) {
  return 128 + signal;
}

/// The chosen command's body; empty when none was chosen (help was printed).
using Action = std::function<int()>;

void add_run(CLI::App& app, Action& action);
void add_check(CLI::App& app, Action& action);
void add_field(CLI::App& app, Action& action);
void add_fit(CLI::App& app, Action& action);
void add_gradient(CLI::App& app, Action& action);
void add_info(CLI::App& app, Action& action);
void add_compare(CLI::App& app, Action& action);
void add_reproduce(CLI::App& app, Action& action);
void add_completion(CLI::App& app, Action& action);

/// What is wrong with an empty path, else "": a check of CLI11's. `-o ""` is a script's unset variable.
std::string not_empty(const std::string& path);

/// Runs `action`, says kindly on stderr what went wrong, and returns the exit status, or ends the process
/// with it where memory is limited.
int guarded(const Action& action);

/// Turns `--set a=1 b=2` into `--set a=1 --set b=2`, so that the scene may stand before or after it.
std::vector<std::string> with_repeated_set(const std::vector<std::string>& arguments);

}  // namespace electret::app
