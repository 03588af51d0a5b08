#pragma once
/// \file
/// The session on a thread of its own, which owns the simulator, the document and the files.
///
/// \code
///   Session session(options, listener);
///   session.start();
///   session.post({page, id, Play{}});
///   session.stop();   // writes what is left
/// \endcode

#include <condition_variable>
#include <deque>
#include <exception>
#include <functional>
#include <mutex>
#include <thread>

#include <electret/studio/session/machine.hpp>

namespace electret::studio {

class Session {
 public:
  /// Throws as Machine::begin and Machine::prepare_output. The listener must outlive this.
  Session(const SessionOptions& options, Listener& listener);
  /// As `stop`, but errors are lost.
  ~Session();
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

  /// Begins. `on_end` is called on the session's thread when a page has asked to quit, or something failed.
  void start(std::function<void()> on_end);
  /// Hands a command over. False if 1024 of them wait already; it is then dropped.
  bool post(Posted posted);
  void set_pages(int pages);
  /// A page is gone: its hands let go. It is never dropped.
  void leave(int page);
  /// Ends the thread after the present step, and writes what is left. Throws what the thread threw: IoError
  /// if files could not be written.
  void stop();

 private:
  static constexpr std::size_t most_waiting = 1024;
  void run();
  /// Waits for commands until `until`; hands them to the machine. False if the session is to end.
  bool hand_over(Machine::Time until);

  std::mutex mutex_;
  Machine machine_;
  std::function<void()> on_end_;
  std::condition_variable woken_;
  std::deque<Posted> waiting_;
  int pages_ = 0;
  bool stopping_ = false;
  std::exception_ptr failure_;
  std::thread thread_;
};

}  // namespace electret::studio
