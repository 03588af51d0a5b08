#pragma once
/// \file
/// What the commands share. Each command has its own file with one `add_NAME`, which main calls.

#include <string>
#include <vector>

#include "command_line.hpp"

namespace electret::app {

/// Exit statuses, fixed by the command-line contract.
enum Status : int { done = 0, failed = 1, bad_input = 2 };

/// The exit status of a command that `signal` ended: 130 for SIGINT, 143 for SIGTERM, 129 for SIGHUP.
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

/// Runs `action`, reports errors on stderr, and returns the exit status. If memory is limited, it ends the
/// process with that status instead.
int guarded(const Action& action);

/// What `--version` prints: the version, and the instruction set in force. Throws InputError as
/// `instruction_set` does.
std::string version_text();

/// Turns `--set a=1 b=2` into `--set a=1 --set b=2`, so that the scene may come before or after it.
std::vector<std::string> with_repeated_set(const std::vector<std::string>& arguments);

}  // namespace electret::app
