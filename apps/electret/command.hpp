#pragma once
/// \file
/// What the commands share.

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

/// Runs `action`, reports errors on stderr, and returns the exit status. If memory is limited, it ends the
/// process with that status instead.
int guarded(const Action& action);

/// What `--version` prints: the version, and the instruction set in force. Throws InputError as
/// `instruction_set` does.
std::string version_text();

/// Turns `--set a=1 b=2` into `--set a=1 --set b=2`, so that the scene may come before or after it.
std::vector<std::string> with_repeated_set(const std::vector<std::string>& arguments);

}  // namespace electret::app
