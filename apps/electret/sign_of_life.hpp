#pragma once
/// \file
/// Prints a line on stderr now and then during something long that reports no progress.

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <string>
#include <thread>

namespace electret::app {

/// What every command on a scene does first.
constexpr const char* preparing = "reading the scene and preparing its bodies";

/// While it lives, it prints "electret: WHAT, 5 s so far" after `first`, and again every ten seconds.
class SignOfLife {
 public:
  explicit SignOfLife(std::string what, std::chrono::milliseconds first = std::chrono::seconds(5));
  ~SignOfLife();
  SignOfLife(const SignOfLife&) = delete;
  SignOfLife& operator=(const SignOfLife&) = delete;

 private:
  void watch(std::chrono::milliseconds first);

  std::string what_;
  std::mutex mutex_;  ///< Guards `has_ended_`.
  bool has_ended_ = false;
  std::condition_variable ended_;
  std::thread watcher_;  ///< The last member, because it uses all the others.
};

}  // namespace electret::app
