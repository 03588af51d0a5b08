#pragma once
/// \file
/// Movies of pictures, made by ffmpeg.

#include <memory>
#include <string>
#include <string_view>

namespace electret::app {

/// Passes pictures to ffmpeg one by one. The movie is at `path` only once it is finished.
class Movie {
 public:
  /// Throws InputError if ffmpeg is not installed.
  static void check_installed();

  /// `rate` is in pictures per second. Throws IoError if ffmpeg cannot be started or the file cannot be made.
  Movie(std::string path, int rate);
  /// Ends ffmpeg and removes an unfinished movie.
  ~Movie();
  Movie(const Movie&) = delete;
  Movie& operator=(const Movie&) = delete;

  /// Adds a PNG picture; all have one size. Throws IoError.
  void add(std::string_view png);
  /// Completes the movie. Throws IoError with what ffmpeg said.
  void finish();

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace electret::app
