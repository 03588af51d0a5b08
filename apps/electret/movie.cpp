#include "movie.hpp"

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <utility>
#include <vector>

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <electret/core/errors.hpp>
#include <electret/record/unfinished.hpp>

#include "programs.hpp"

extern char** environ;

namespace electret::app {
namespace {

/// A file without a name, for what a program says.
int nameless_file() {
  std::FILE* file = std::tmpfile();
  if (file == nullptr) throw IoError("no temporary file could be made");
  const int descriptor = fcntl(fileno(file), F_DUPFD_CLOEXEC, 0);
  std::fclose(file);
  return descriptor;
}

std::string said_in(int descriptor) {
  std::array<char, 400> text{};
  const ssize_t size = pread(descriptor, text.data(), text.size(), 0);
  std::string said(text.data(), size > 0 ? static_cast<std::size_t>(size) : 0);
  while (!said.empty() && said.back() == '\n') said.pop_back();
  return said.empty() ? "it did not say why" : said;
}

pid_t start(std::vector<std::string> words, int input, int messages) {
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, input, STDIN_FILENO);
  posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
  posix_spawn_file_actions_adddup2(&actions, messages, STDERR_FILENO);
  std::vector<char*> arguments;
  for (auto& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  pid_t child = 0;
  const int error = posix_spawn(&child, words[0].c_str(), &actions, nullptr, arguments.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  if (error != 0) throw IoError("\"" + words[0] + "\" could not be started");
  return child;
}

}  // namespace

struct Movie::Impl {
  Impl(std::string path, int rate) : file(std::move(path)), messages(nameless_file()) {
    std::array<int, 2> ends{};
    if (pipe2(ends.data(), O_CLOEXEC) != 0) throw IoError("no pipe to ffmpeg could be made");
    const std::string pictures = std::to_string(rate);
    // Widths and heights must be even; a row of white makes them so.
    child = start({find_program("ffmpeg"),
                   "-y",
                   "-loglevel",
                   "error",
                   "-f",
                   "image2pipe",
                   "-framerate",
                   pictures,
                   "-c:v",
                   "png",
                   "-i",
                   "-",
                   "-vf",
                   "pad=ceil(iw/2)*2:ceil(ih/2)*2:color=white",
                   "-pix_fmt",
                   "yuv420p",
                   "-movflags",
                   "+faststart",
                   "-f",
                   "mp4",
                   "file:" + file.name()},
                  ends[0], messages);
    close(ends[0]);
    pictures_to = ends[1];
  }
  ~Impl() {
    if (pictures_to >= 0) close(pictures_to);
    if (child > 0) {
      kill(child, SIGKILL);
      waitpid(child, nullptr, 0);
    }
    close(messages);
  }
  Impl(const Impl&) = delete;
  Impl& operator=(const Impl&) = delete;

  Unfinished file;
  int messages = -1, pictures_to = -1;
  pid_t child = 0;
};

void Movie::check_installed() {
  if (find_program("ffmpeg").empty())
    throw InputError(Finding{
        {"--movie", 0, 0},
        "ffmpeg is not installed",
        "install it (apt-get install ffmpeg), or leave --movie out: then the pictures alone are made"});
}

Movie::Movie(std::string path, int rate) : impl_(std::make_unique<Impl>(std::move(path), rate)) {}
Movie::~Movie() = default;

void Movie::add(std::string_view png) {
  while (!png.empty()) {
    const ssize_t written = write(impl_->pictures_to, png.data(), png.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) throw IoError("ffmpeg took no more pictures: " + said_in(impl_->messages));
    png.remove_prefix(static_cast<std::size_t>(written));
  }
}

void Movie::finish() {
  close(std::exchange(impl_->pictures_to, -1));
  int status = 0;
  while (waitpid(impl_->child, &status, 0) < 0 && errno == EINTR) {
  }
  impl_->child = 0;
  if (!WIFEXITED(status) || WEXITSTATUS(status) != 0)
    throw IoError("ffmpeg made no movie: " + said_in(impl_->messages));
  impl_->file.put_in_place();
}

}  // namespace electret::app
