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
enum Status : int { done = 0, failed = 1, bad_input = 2, interrupted = 130, terminated = 143 };

/// The chosen command's body; empty when none was chosen (help was printed).
using Action = std::function<int()>;

void add_run(CLI::App& app, Action& action);
void add_check(CLI::App& app, Action& action);
void add_field(CLI::App& app, Action& action);
void add_info(CLI::App& app, Action& action);
void add_compare(CLI::App& app, Action& action);
void add_reproduce(CLI::App& app, Action& action);
void add_completion(CLI::App& app, Action& action);

/// Runs `action`, says kindly on stderr what went wrong, and returns the exit status.
int guarded(const Action& action);

/// Turns `--set a=1 b=2` into `--set a=1 --set b=2`, so that the scene may stand before or after it.
std::vector<std::string> with_repeated_set(const std::vector<std::string>& arguments);

}  // namespace electret::app
