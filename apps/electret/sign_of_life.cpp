#include "sign_of_life.hpp"

#include <system_error>
#include <utility>

#include "print.hpp"
#include "terminal.hpp"

namespace electret::app {

SignOfLife::SignOfLife(std::string what, std::chrono::milliseconds first) : what_(std::move(what)) {
  try {
    watcher_ = std::thread([this, first] { watch(first); });
  } catch (const std::system_error&) {  // There is no room for a thread, so that nothing is printed.
  }
}

SignOfLife::~SignOfLife() {
  {
    const std::lock_guard lock(mutex_);
    has_ended_ = true;
  }
  ended_.notify_one();
  if (watcher_.joinable()) watcher_.join();
}

void SignOfLife::watch(std::chrono::milliseconds first) {
  constexpr std::chrono::seconds again{10};
  std::unique_lock lock(mutex_);
  for (std::chrono::milliseconds passed = first, wait = first;
       !ended_.wait_for(lock, wait, [this] { return has_ended_; }); wait = again, passed += again)
    tell("electret: {}, {} so far\n", what_, duration_text(std::chrono::duration<double>(passed).count()));
}

}  // namespace electret::app
