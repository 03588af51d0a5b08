#pragma once
/// \file
/// A line on stderr now and then while something takes long that reports no progress.

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <string>
#include <thread>

namespace electret::app {

/// What each command on a scene does first.
constexpr const char* preparing = "reading the scene and preparing its bodies";

/// Says "electret: WHAT, 5 s so far" after `first`, and again every ten seconds, while it lives.
class SignOfLife {
 public:
  explicit SignOfLife(std::string what, std::chrono::milliseconds first = std::chrono::seconds(5));
  ~SignOfLife();
  SignOfLife(const SignOfLife&) = delete;
  SignOfLife& operator=(const SignOfLife&) = delete;

 private:
  void watch(std::chrono::milliseconds first);

  std::string what_;
  std::mutex mutex_;  ///< Of:
  bool has_ended_ = false;
  std::condition_variable ended_;
  std::thread watcher_;  ///< Last: it uses all the others.
};

}  // namespace electret::app
