#include "movie.hpp"

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <utility>

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <electret/core/errors.hpp>
#include <electret/record/unfinished.hpp>

#include "programs.hpp"

namespace electret::app {
namespace {

/// A file without a name, which receives what a program says.
int nameless_file() {
  std::FILE* file = std::tmpfile();
  if (file == nullptr) throw IoError("no temporary file could be made");
  const int descriptor = fcntl(fileno(file), F_DUPFD_CLOEXEC, 0);
  std::fclose(file);
  if (descriptor < 0) throw IoError("no temporary file could be made");
  return descriptor;
}

std::string said_in(int descriptor) {
  std::array<char, 400> text{};
  const ssize_t size = pread(descriptor, text.data(), text.size(), 0);
  std::string said(text.data(), size > 0 ? static_cast<std::size_t>(size) : 0);
  while (!said.empty() && said.back() == '\n') said.pop_back();
  return said.empty() ? "it did not say why" : said;
}

}  // namespace

struct Movie::Impl {
  Impl(std::string path, int rate) : file(std::move(path)), messages(nameless_file()) {
    std::array<int, 2> ends{};
    if (pipe2(ends.data(), O_CLOEXEC) != 0) throw IoError("no pipe to ffmpeg could be made");
    const Descriptor read_by_it(ends[0]);
    pictures_to.reset(ends[1]);
    const std::string pictures = std::to_string(rate);
    // Widths and heights must be even; a row or column of white makes them so.
    child = start_program({find_program("ffmpeg"),
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
                          {read_by_it.get(), -1, messages.get()});
  }
  ~Impl() {
    pictures_to.reset();
    if (child > 0) {
      kill(child, SIGKILL);
      waitpid(child, nullptr, 0);
    }
  }
  Impl(const Impl&) = delete;
  Impl& operator=(const Impl&) = delete;

  Unfinished file;
  Descriptor messages, pictures_to;
  pid_t child = 0;
};

void Movie::check_installed() {
  if (find_program("ffmpeg").empty())
    throw InputError(
        Finding{{"--movie", 0, 0},
                "ffmpeg is not installed",
                "install it (apt-get install ffmpeg), or leave --movie out to make only the pictures"});
}

Movie::Movie(std::string path, int rate) : impl_(std::make_unique<Impl>(std::move(path), rate)) {}
Movie::~Movie() = default;

void Movie::add(std::string_view png) {
  while (!png.empty()) {
    const ssize_t written = write(impl_->pictures_to.get(), png.data(), png.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) throw IoError("ffmpeg took no more pictures: " + said_in(impl_->messages.get()));
    png.remove_prefix(static_cast<std::size_t>(written));
  }
}

void Movie::finish() {
  impl_->pictures_to.reset();
  int status = 0;
  while (waitpid(impl_->child, &status, 0) < 0 && errno == EINTR) {
  }
  impl_->child = 0;
  if (!WIFEXITED(status) || WEXITSTATUS(status) != 0)
    throw IoError("ffmpeg made no movie: " + said_in(impl_->messages.get()));
  impl_->file.put_in_place();
}

}  // namespace electret::app
