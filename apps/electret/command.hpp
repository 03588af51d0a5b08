#pragma once
/// \file
/// What the commands share. Each command is a file of its own with one `add_NAME`, called by main.

#include <string>
#include <vector>

#include "command_line.hpp"

namespace electret::app {

/// Exit statuses, fixed by the command-line contract.
enum Status : int { done = 0, failed = 1, bad_input = 2 };

/// The exit status of a command that `signal` ended: 130 of SIGINT, 143 of SIGTERM, 129 of SIGHUP.
[[nodiscard]] constexpr int ended_by(int signal) {
  return 128 + signal;
}

void add_run(CommandLine& line);
void add_check(CommandLine& line);
void add_field(CommandLine& line);
void add_fit(CommandLine& line);
void add_gradient(CommandLine& line);
void add_info(CommandLine& line);
void add_compare(CommandLine& line);
void add_export(CommandLine& line);
void add_render(CommandLine& line);
void add_reproduce(CommandLine& line);
void add_completion(CommandLine& line);

/// Runs `action`, says kindly on stderr what went wrong, and returns the exit status, or ends the process
/// with it where memory is limited.
int guarded(const Action& action);

/// Turns `--set a=1 b=2` into `--set a=1 --set b=2`, so that the scene may stand before or after it.
std::vector<std::string> with_repeated_set(const std::vector<std::string>& arguments);

}  // namespace electret::app
