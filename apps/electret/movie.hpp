#pragma once
/// \file
/// Movies of pictures, by ffmpeg.

#include <memory>
#include <string>
#include <string_view>

namespace electret::app {

/// Hands pictures to ffmpeg one by one; the movie stands at `path` when it is finished, not before.
class Movie {
 public:
  /// Throws InputError where ffmpeg is not installed.
  static void check_installed();

  /// Throws IoError where ffmpeg cannot be started or the file cannot be made. `rate`: pictures per second.
  Movie(std::string path, int rate);
  /// Ends ffmpeg; an unfinished movie is removed.
  ~Movie();
  Movie(const Movie&) = delete;
  Movie& operator=(const Movie&) = delete;

  /// Adds a PNG picture; all have one size. Throws IoError.
  void add(std::string_view png);
  /// Throws IoError with what ffmpeg said.
  void finish();

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace electret::app
