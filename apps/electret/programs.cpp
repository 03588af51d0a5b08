#include "programs.hpp"

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <sstream>
#include <string_view>
#include <system_error>

#include <fcntl.h>
#include <spawn.h>
#include <unistd.h>

#include <electret/core/errors.hpp>

extern char** environ;

namespace electret::app {

namespace fs = std::filesystem;

namespace {

/// The settings of posix_spawn, which it frees at its end.
class SpawnSettings {
 public:
  explicit SpawnSettings(const Streams& streams) {
    posix_spawn_file_actions_init(&actions);
    connect(streams.input, STDIN_FILENO, O_RDONLY);
    connect(streams.output, STDOUT_FILENO, O_WRONLY);
    connect(streams.errors, STDERR_FILENO, O_WRONLY);
    posix_spawnattr_init(&attributes);
    sigset_t defaults;
    sigemptyset(&defaults);
    sigaddset(&defaults, SIGPIPE);  // It is ignored here, and would otherwise be ignored there, too.
    posix_spawnattr_setsigdefault(&attributes, &defaults);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGDEF);
  }
  ~SpawnSettings() {
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&actions);
  }
  SpawnSettings(const SpawnSettings&) = delete;
  SpawnSettings& operator=(const SpawnSettings&) = delete;

  posix_spawn_file_actions_t actions{};
  posix_spawnattr_t attributes{};

 private:
  void connect(int ours, int theirs, int mode) {
    if (ours >= 0)
      posix_spawn_file_actions_adddup2(&actions, ours, theirs);
    else
      posix_spawn_file_actions_addopen(&actions, theirs, "/dev/null", mode, 0);
  }
};

/// This process's environment, overridden by `variables`.
std::vector<std::string> environment(std::vector<std::string> variables) {
  const auto given = variables;
  for (char** entry = environ; *entry != nullptr; ++entry) {
    const std::string_view ours = *entry;
    const std::string_view name = ours.substr(0, ours.find('=') + 1);
    if (std::none_of(given.begin(), given.end(),
                     [&](const auto& theirs) { return theirs.starts_with(name); }))
      variables.emplace_back(ours);
  }
  return variables;
}

std::vector<char*> pointers(std::vector<std::string>& texts) {
  std::vector<char*> result;
  for (auto& text : texts) result.push_back(text.data());
  result.push_back(nullptr);
  return result;
}

IoError not_started(const std::string& program, int error) {
  return IoError("\"" + program + "\" could not be started: " + std::generic_category().message(error));
}

}  // namespace

void Descriptor::reset(int number) {
  if (number_ >= 0) close(number_);
  number_ = number;
}

pid_t start_program(std::vector<std::string> words, const Streams& streams,
                    const std::vector<std::string>& variables) {
  const SpawnSettings settings(streams);
  std::vector<std::string> entries = environment(variables);
  pid_t child = 0;
  const int error = posix_spawn(&child, words.at(0).c_str(), &settings.actions, &settings.attributes,
                                pointers(words).data(), pointers(entries).data());
  if (error != 0) throw not_started(words[0], error);
  return child;
}

void become_program(std::vector<std::string> words) {
  execv(words.at(0).c_str(), pointers(words).data());
  throw not_started(words[0], errno);
}

std::string find_program(const std::string& name) {
  const char* path = std::getenv("PATH");
  std::istringstream folders(path != nullptr ? path : "");
  std::error_code error;
  for (std::string folder; std::getline(folders, folder, ':');) {
    const fs::path program = fs::path(folder) / name;
    if (fs::is_regular_file(program, error) && access(program.c_str(), X_OK) == 0) return program.string();
  }
  return {};
}

}  // namespace electret::app
