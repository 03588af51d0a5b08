/// \file
/// Who does the runs of a sweep: workers of this machine, this process, or commands for others.

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <filesystem>
#include <iostream>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include <fmt/format.h>
#include <unistd.h>

#include <electret/core/errors.hpp>
#include <electret/core/memory.hpp>
#include <electret/sweep/run_ranges.hpp>
#include <electret/sweep/sweep_limits.hpp>
#include <electret/sweep/sweep_memory.hpp>
#include <electret/sweep/sweep_merge.hpp>
#include <electret/sweep/sweep_part.hpp>
#include <electret/sweep/sweep_state.hpp>

#include "command.hpp"
#include "print.hpp"
#include "sign_of_life.hpp"
#include "signals.hpp"
#include "sweep_command.hpp"
#include "sweep_slurm.hpp"
#include "sweep_workers.hpp"
#include "terminal.hpp"

namespace electret::app {
namespace {

/// How many runs of this sweep one machine can do at the same time.
int usual_workers(const SweepPlan& plan) {
  const int cores = std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
  const auto free = memory_available();
  if (!free) return cores;
  const SignOfLife sign("seeing how much memory the runs take");
  return std::clamp(static_cast<int>(std::min(0.8 * *free / memory_of_a_worker(plan), 1e6)), 1, cores);
}

/// Does these runs in this process, but for those that have a result.
class Task {
 public:
  Task(const SweepFolder& folder, const SweepPlan& plan, std::stop_token stop, bool does_report)
      : folder_(folder), plan_(plan), stop_(std::move(stop)), does_report_(does_report) {}

  [[nodiscard]] double cpu() const { return part_ ? part_->cpu() : 0.0; }
  /// How many runs have ended here.
  [[nodiscard]] const StatusCounts& ended() const { return ended_; }
  /// `last` is the last run that this task is known to do, for the part's name.
  void run(Count run, Count last) {
    if (stop_.stop_requested()) throw Cancelled();
    if (!part_) part_.emplace(folder_, plan_, run, last);
    const SweepStatus status = part_->run(run, stop_);
    ended_.add(status);
    if (does_report_) report(run, status);
  }

 private:
  /// Not through `stdout`, at whose failure the command would speak of a full disk.
  void report(Count run, SweepStatus status) {
    const std::string text =
        fmt::format("{} {} {:.6f}\n", run, static_cast<int>(status), part_->cpu() - told_);
    told_ = part_->cpu();
    for (std::size_t at = 0; at < text.size();) {
      const ssize_t written = write(STDOUT_FILENO, text.data() + at, text.size() - at);
      if (written < 0 && errno == EINTR) continue;
      if (written < 0) throw Cancelled();  // The command is gone.
      at += static_cast<std::size_t>(written);
    }
  }

  const SweepFolder& folder_;
  const SweepPlan& plan_;
  std::stop_token stop_;
  bool does_report_;
  std::optional<PartWriter> part_;
  double told_ = 0.0;  ///< Processor time that was reported.
  StatusCounts ended_;
};

/// A worker of this machine: ranges come from standard input.
int serve(const SweepFolder& folder, const SweepPlan& plan, const SignalStop& signals) {
  Task task(folder, plan, signals.token(), true);
  for (std::string line; std::getline(std::cin, line);) {
    const auto ranges = parse_run_ranges(line, plan.design.runs());
    if (!ranges) throw no_such_runs(line, plan.design.runs());
    for (const RunRange& range : *ranges)
      for (Count run = range.first; run <= range.last; ++run) task.run(run, range.last);
  }
  return Status::done;
}

/// What is asked for by --runs.
class AskedRuns {
 public:
  AskedRuns(const std::vector<RunRange>& ranges, const SweepState& state, Count attempts) {
    is_alone = ranges.size() == 1 && ranges[0].first == ranges[0].last;
    for (const RunRange& range : ranges)
      for (Count run = range.first; run <= range.last; ++run) {
        const signed char status = state.statuses[static_cast<std::size_t>(run)];
        const bool is_missing = status == SweepState::none;
        all.push_back(run);
        if (is_missing && !is_alone && state.attempts(run) >= attempts)
          lost.push_back(run);
        else if (is_missing || (is_alone && !is_result(static_cast<SweepStatus>(status))))
          to_do.push_back(run);  // A run that is asked for alone is repeated if it has no result.
      }
  }
  std::vector<Count> all, to_do, lost;
  bool is_alone = false;  ///< It is one run.
};

/// Why a task begins no further run, by what the folder had before and what has ended since; else empty.
std::string end_of_task(const SweepPlan& plan, const SweepState& before, const AskedRuns& asked,
                        const Task& task) {
  if (std::string why = spent_text(plan, before.cpu + task.cpu()); !why.empty()) return why;
  if (asked.is_alone) return {};  // It is asked for because it has no result.
  const auto lost = static_cast<Count>(asked.lost.size());
  return failures_text(plan, before.counts.without_result() + lost + task.ended().without_result(),
                       before.ended() + lost + task.ended().all());
}

/// "8 done, 1 timeout here".
std::string ended_here(const StatusCounts& ended) {
  std::vector<std::string> texts;
  for (const SweepStatus status : all_statuses)
    if (ended.of(status) > 0) texts.push_back(fmt::format("{} {}", ended.of(status), name_of(status)));
  return texts.empty() ? "none done here" : joined(texts) + " here";
}

/// What became of the runs that were asked for; the exit status.
int report_asked(const std::string& asked, const std::vector<Count>& runs, const StatusCounts& ended,
                 const SweepState& now) {
  Count results = 0;
  for (const Count run : runs) {
    const signed char status = now.statuses[static_cast<std::size_t>(run)];
    results += status != SweepState::none && is_result(static_cast<SweepStatus>(status)) ? 1 : 0;
  }
  say("runs {}: {}; {} of {} have a result\n", asked, ended_here(ended), results, runs.size());
  for (const SweepRow& row : now.without_result)
    if (std::find(runs.begin(), runs.end(), row.run) != runs.end())
      say("  run {}: {}: {}\n", row.run, name_of(row.status), row.note);
  return results == static_cast<Count>(runs.size()) ? Status::done : Status::failed;
}

/// The mean time of the runs whose times are known. With none, the first missing run that is not refused is
/// done to measure it.
double time_of_a_run(const SweepCommand& options, const SweepFolder& folder, const SweepPlan& plan,
                     SweepState& state) {
  if (state.timed == 0) {
    const SignOfLife sign("doing a run to see what it takes");
    constexpr std::size_t most_tried = 20;
    PartWriter part(folder, plan, state.missing.front(), state.missing.front());
    for (std::size_t k = 0; k < std::min(most_tried, state.missing.size()); ++k)
      if (part.run(state.missing[k], {}) != SweepStatus::refused) break;
    state = state_asked_for(options, folder, plan);
  }
  return state.wall / static_cast<double>(std::max<Count>(state.timed, 1));
}

}  // namespace

int sweep_here(const SweepCommand& options) {
  const SweepFolder folder = folder_of(options);
  const SweepPlan plan = begun_plan(options, folder);
  const SweepState state = state_asked_for(options, folder, plan);
  if (state.missing.empty()) {
    tell("electret: all {} runs in {} have ended already\n", state.runs, folder.path());
    return merge_and_report(folder, plan);
  }
  const SignalStop signals;
  ProgressDisplay display("sweep");
  const auto start = std::chrono::steady_clock::now();
  Count ended = state.ended(), bad = 0;
  WorkerOptions how;
  how.workers = options.workers > 0 ? options.workers : usual_workers(plan);
  how.block = options.block;
  how.stop = signals.token();
  how.ended = [&](Count run, SweepStatus status) {
    if (!is_result(status) && ++bad <= 3) {
      display.clear();
      tell("electret: run {} is {}\n", run, name_of(status));
    }
    ++ended;
    const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - start;
    display.update(fmt::format("{} of {} runs{}; {}", ended, state.runs,
                               bad > 0 ? fmt::format(", {} without result", bad) : "",
                               pace_text({ended, state.runs}, state.ended(), elapsed.count(), "runs")),
                   static_cast<double>(ended) / static_cast<double>(state.runs));
  };
  const PoolEnd end = run_in_workers(folder, plan, state, how);
  display.clear();
  if (end.is_stopped) {
    tell("electret: interrupted; go on with: electret sweep{}{}\n", quoted_words({folder.path()}),
         again_words(options));
    return ended_by(signals.received() != 0 ? signals.received() : SIGINT);
  }
  if (end.failure.empty()) return merge_and_report(folder, plan);
  try {
    merge_and_report(folder, plan);
  } catch (const InputError& error) {  // Runs whose parts are gone, and which are not done again yet.
    tell("{}\n", error.what());
  }
  tell("electret: error: {}\n", end.failure);
  return Status::failed;
}

int sweep_runs(const SweepCommand& options) {
  const SweepFolder folder = folder_of(options);
  const SweepPlan plan = begun_plan(options, folder);
  const SignalStop signals;
  try {
    if (options.runs == "-") return serve(folder, plan, signals);
    const auto ranges = parse_run_ranges(options.runs, plan.design.runs()).value();
    const SweepState state = state_asked_for(options, folder, plan);
    const AskedRuns asked(ranges, state, plan.job.limits.attempts);
    if (!asked.lost.empty()) {
      PartWriter part(folder, plan, asked.lost.front(), asked.lost.back());
      for (const Count run : asked.lost)
        part.add(row_without_result(plan, run, SweepStatus::lost, "its process died each time"));
    }
    Task task(folder, plan, signals.token(), false);
    ProgressDisplay display("sweep");
    for (std::size_t k = 0; k < asked.to_do.size(); ++k) {
      if (const std::string why = end_of_task(plan, state, asked, task); !why.empty()) {
        tell("electret: error: {}\n", why);
        break;
      }
      task.run(asked.to_do[k], asked.to_do.back());
      display.update(fmt::format("{} of {} runs", k + 1, asked.to_do.size()),
                     static_cast<double>(k + 1) / static_cast<double>(asked.to_do.size()));
    }
    display.clear();
    StatusCounts ended = task.ended();
    ended.add(SweepStatus::lost, static_cast<Count>(asked.lost.size()));
    return report_asked(options.runs, asked.all, ended, sweep_state(folder, plan));
  } catch (const Cancelled&) {
    return ended_by(signals.received());
  }
}

int sweep_list(const SweepCommand& options) {
  const SweepFolder folder = folder_of(options);
  const SweepPlan plan = begun_plan(options, folder);
  const SweepState state = state_asked_for(options, folder, plan);
  // A process takes longer to start than many runs, so that a command does several.
  constexpr Count most_commands = 64;
  const Count block = options.block > 0
                          ? options.block
                          : (static_cast<Count>(state.missing.size()) + most_commands - 1) / most_commands;
  for (const auto& ranges : blocks_of_runs(state.missing, std::max<Count>(block, 1)))
    say("electret sweep{} --runs {}{}\n", quoted_words({folder.path()}), text_of(ranges),
        again_words(options));
  return Status::done;
}

int sweep_slurm(const SweepCommand& options) {
  const SweepFolder folder = folder_of(options);
  const SweepPlan plan = begun_plan(options, folder);
  SweepState state = state_asked_for(options, folder, plan);
  SlurmWishes wishes;
  if (!state.missing.empty()) wishes.run_time = time_of_a_run(options, folder, plan, state);
  if (state.missing.empty()) {
    tell("electret: all {} runs in {} have ended already\n", state.runs, folder.path());
    return Status::done;
  }
  wishes.memory = memory_of_a_worker(plan);
  wishes.program = std::filesystem::read_symlink("/proc/self/exe").string();
  wishes.block = options.block;
  wishes.options = options.slurm_options;
  wishes.again = again_words(options);
  say("{}\n", write_slurm_script(folder, state.missing, wishes));
  return Status::done;
}

}  // namespace electret::app
