#include "sweep_workers.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <chrono>
#include <csignal>
#include <cstring>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <set>

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

#include <electret/core/errors.hpp>
#include <electret/core/instruction_set.hpp>
#include <electret/sweep/sweep_limits.hpp>
#include <electret/sweep/sweep_part.hpp>
#include <electret/sweep/sweep_rows.hpp>

#include "programs.hpp"

namespace electret::app {
namespace {

using Clock = std::chrono::steady_clock;

/// A worker is given about so much work at once, s.
constexpr double block_time = 2.0;

/// A pipe that no other program inherits.
std::array<int, 2> make_pipe() {
  std::array<int, 2> ends{-1, -1};
  if (pipe2(ends.data(), O_CLOEXEC) != 0)
    throw IoError(std::string("a pipe could not be made: ") + std::strerror(errno));
  return ends;
}

/// One process and the runs that it was given and has not reported.
struct Worker {
  pid_t process = -1;
  Descriptor input, output;
  std::string text;  ///< Printed by the worker, not a whole line yet.
  std::deque<Count> runs;
  bool has_ended = false;
};

std::unique_ptr<Worker> start_worker(const SweepFolder& folder) {
  auto worker = std::make_unique<Worker>();
  const std::array<int, 2> to = make_pipe();
  Descriptor input(to[0]);
  worker->input.reset(to[1]);
  const std::array<int, 2> from = make_pipe();
  worker->output.reset(from[0]);
  Descriptor output(from[1]);
  // One run has one thread, and so have the libraries under it.
  worker->process = start_program(
      {"/proc/self/exe", "sweep", folder.path(), "--runs", "-", "--instructions", name_of(instruction_set())},
      {input.get(), output.get(), STDERR_FILENO}, {"OPENBLAS_NUM_THREADS=1", "OMP_NUM_THREADS=1"});
  return worker;
}

class WorkerPool {
 public:
  WorkerPool(const SweepFolder& folder, const SweepPlan& plan, const SweepState& state,
             const WorkerOptions& options)
      : folder_(folder),
        plan_(plan),
        options_(options),
        waiting_(state.missing.begin(), state.missing.end()) {
    for (const Count run : state.missing)
      if (state.attempts(run) > 0) attempts_[run] = state.attempts(run);
    const std::vector<std::string> parts = folder.part_files();
    read_.insert(parts.begin(), parts.end());
    bad_ = state.counts.without_result();
    ended_ = state.ended();
    cpu_ = state.cpu;
    left_ = static_cast<Count>(waiting_.size());
  }

  PoolEnd run() {
    give_up_lost();
    check_processor_time();
    const auto count = static_cast<std::size_t>(std::clamp<Count>(left_, 0, options_.workers));
    while (workers_.size() < count && !is_ending_) add_worker();
    while (!workers_.empty()) {
      if (options_.stop.stop_requested() && !end_.is_stopped) stop(true);
      listen();
    }
    return end_;
  }

 private:
  /// Runs that have taken their process down often enough in earlier calls.
  void give_up_lost() {
    std::deque<Count> kept;
    for (const Count run : waiting_) {
      if (attempts_.contains(run) && attempts_[run] >= plan_.job.limits.attempts)
        lose(run);
      else
        kept.push_back(run);
    }
    waiting_ = std::move(kept);
  }

  void add_worker() {
    workers_.push_back(start_worker(folder_));
    feed(*workers_.back());
  }

  /// Gives the worker its next block, or ends it if nothing is left.
  void feed(Worker& worker) {
    if (waiting_.empty() || is_ending_) return worker.input.reset();
    const auto count = std::min(block(), waiting_.size());
    std::string text;
    for (std::size_t k = 0; k < count; ++k) {
      text += std::to_string(waiting_.front()) + "\n";
      worker.runs.push_back(waiting_.front());
      waiting_.pop_front();
    }
    // A worker that is gone is found by its output, which then ends.
    for (std::size_t at = 0; at < text.size();) {
      const ssize_t written = write(worker.input.get(), text.data() + at, text.size() - at);
      if (written < 0 && errno == EINTR) continue;
      if (written < 0) return;
      at += static_cast<std::size_t>(written);
    }
  }

  /// Few enough that all workers end at about the same time, and that they fit into a pipe.
  [[nodiscard]] std::size_t block() const {
    if (options_.block > 0) return static_cast<std::size_t>(std::min<Count>(options_.block, 2000));
    if (measured_ == 0) return 1;
    const std::chrono::duration<double> taken = Clock::now() - start_;
    const double each = taken.count() * static_cast<double>(workers_.size()) / static_cast<double>(measured_);
    const auto share = static_cast<double>(waiting_.size()) / (4.0 * static_cast<double>(workers_.size()));
    return static_cast<std::size_t>(
        std::clamp(std::min(block_time / std::max(each, 1e-9), share), 1.0, 2000.0));
  }

  void listen() {
    std::vector<pollfd> sockets;
    for (const auto& worker : workers_) sockets.push_back({worker->output.get(), POLLIN, 0});
    constexpr int wait_ms = 100;  // So that a stop is seen soon.
    if (poll(sockets.data(), sockets.size(), wait_ms) <= 0) return;
    for (std::size_t k = 0; k < sockets.size(); ++k)
      if (sockets[k].revents != 0) hear(*workers_[k]);
    const std::size_t before = workers_.size();
    std::erase_if(workers_, [](const auto& worker) { return worker->has_ended; });
    for (std::size_t k = workers_.size(); k < before && !waiting_.empty() && !is_ending_; ++k) add_worker();
  }

  void hear(Worker& worker) {
    std::array<char, 4096> bytes{};
    const ssize_t count = read(worker.output.get(), bytes.data(), bytes.size());
    if (count < 0 && errno == EINTR) return;
    if (count <= 0) return bury(worker);
    worker.text.append(bytes.data(), static_cast<std::size_t>(count));
    for (std::size_t end = worker.text.find('\n'); end != std::string::npos; end = worker.text.find('\n')) {
      report(worker, worker.text.substr(0, end));
      worker.text.erase(0, end + 1);
    }
  }

  /// A line "RUN STATUS CPU".
  void report(Worker& worker, const std::string& line) {
    Count run = 0;
    int status = 0;
    const char* end = line.data() + line.size();
    const auto [after, error] = std::from_chars(line.data(), end, run);
    if (error != std::errc() || after == end) return;
    const auto [second, wrong] = std::from_chars(after + 1, end, status);
    if (wrong != std::errc()) return;
    double cpu = 0.0;
    if (second != end && std::from_chars(second + 1, end, cpu).ec == std::errc()) cpu_ += cpu;
    std::erase(worker.runs, run);
    ++measured_;
    note(run, static_cast<SweepStatus>(status));
    check_processor_time();
    if (worker.runs.empty()) feed(worker);
  }

  /// Gives out no more runs once the time is spent. What the workers have been given they do.
  void check_processor_time() {
    if (is_ending_ || waiting_.empty()) return;
    end_.failure = spent_text(plan_, cpu_);
    is_ending_ = !end_.failure.empty();
  }

  void note(Count run, SweepStatus status) {
    ++ended_;
    if (!is_result(status)) ++bad_;
    if (options_.ended) options_.ended(run, status);
    if (!end_.failure.empty()) return;
    end_.failure = failures_text(plan_, bad_, ended_);
    if (!end_.failure.empty()) stop(false);
  }

  /// A worker's output has ended.
  void bury(Worker& worker) {
    worker.has_ended = true;
    int how = 0;
    while (waitpid(worker.process, &how, 0) < 0 && errno == EINTR) {
    }
    if (worker.runs.empty() || is_ending_) return;
    // A signal asked this worker to stop, and perhaps all processes: then the stop is seen soon. Its runs are
    // no failed attempts.
    if (WIFEXITED(how) && WEXITSTATUS(how) > 128) {
      waiting_.insert(waiting_.begin(), worker.runs.begin(), worker.runs.end());
      return;
    }
    if (WIFEXITED(how)) {  // It could not write, and has said so.
      end_.failure = fmt::format("a worker ended with status {}", WEXITSTATUS(how));
      return stop(false);
    }
    take_back(worker);
  }

  /// What becomes of the runs of a worker whose process died: its own part says which of them it had begun or
  /// ended.
  void take_back(const Worker& worker) {
    std::map<Count, SweepStatus> ended;
    std::vector<std::int32_t> begun(static_cast<std::size_t>(plan_.design.runs()), 0);
    read_parts_of(worker.process, ended, begun);
    bool has_begun = false;
    std::deque<Count> again;
    for (const Count run : worker.runs) {
      if (const auto row = ended.find(run); row != ended.end()) {
        has_begun = true;
        note(run, row->second);
        continue;
      }
      const Count own = begun[static_cast<std::size_t>(run)];
      has_begun |= own > 0;
      if (own > 0) attempts_[run] += own;
      if (own > 0 && attempts_[run] >= plan_.job.limits.attempts)
        lose(run);
      else
        again.push_back(run);
    }
    waiting_.insert(waiting_.begin(), again.begin(), again.end());
    constexpr Count most_false_starts = 10;
    false_starts_ = has_begun ? 0 : false_starts_ + 1;
    if (false_starts_ < most_false_starts || is_ending_) return;
    end_.failure = fmt::format("{} workers in a row died before they began a run", false_starts_);
    stop(false);
  }

  /// The rows of a process that has ended, and how often it began each run. Parts of an earlier process of
  /// the same number are left out.
  void read_parts_of(pid_t process, std::map<Count, SweepStatus>& ended, std::vector<std::int32_t>& begun) {
    if (!reader_) reader_.emplace(plan_, PartReader::Keep::times);
    for (const std::string& path : folder_.part_files_of(process)) {
      if (!read_.insert(path).second) continue;
      const PartRows part = reader_->read(path);
      add_begun(part, begun);
      for (std::size_t k = 0; k < part.runs.size(); ++k) ended[part.runs[k]] = part.places[k].status;
    }
  }

  void lose(Count run) {
    if (!lost_) lost_.emplace(folder_, plan_, run, run);
    lost_->add(row_without_result(plan_, run, SweepStatus::lost,
                                  fmt::format("its process died {} times", attempts_[run])));
    note(run, SweepStatus::lost);
  }

  /// Lets no worker begin another run. They stop after the step under way. `is_asked_for`: a user asked for
  /// it.
  void stop(bool is_asked_for) {
    end_.is_stopped |= is_asked_for;
    is_ending_ = true;
    for (const auto& worker : workers_) {
      worker->input.reset();
      kill(worker->process, SIGTERM);
    }
  }

  const SweepFolder& folder_;
  const SweepPlan& plan_;
  const WorkerOptions& options_;
  std::deque<Count> waiting_;
  std::map<Count, Count> attempts_;
  std::optional<PartReader> reader_;
  std::set<std::string> read_;  ///< Parts of processes that have ended.
  std::vector<std::unique_ptr<Worker>> workers_;
  std::optional<PartWriter> lost_;
  PoolEnd end_;
  Count ended_ = 0, bad_ = 0, left_ = 0, measured_ = 0, false_starts_ = 0;
  double cpu_ = 0.0;
  bool is_ending_ = false;
  Clock::time_point start_ = Clock::now();
};

}  // namespace

PoolEnd run_in_workers(const SweepFolder& folder, const SweepPlan& plan, const SweepState& state,
                       const WorkerOptions& options) {
  return WorkerPool(folder, plan, state, options).run();
}

}  // namespace electret::app
