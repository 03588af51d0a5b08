#include <algorithm>
#include <filesystem>
#include <limits>

#include <fmt/format.h>

#include <electret/core/text.hpp>
#include <electret/scene/words.hpp>
#include <electret/studio/session/journal.hpp>
#include <electret/studio/session/live.hpp>

namespace electret::studio {
namespace {

namespace fs = std::filesystem;

std::optional<Count> ended_at(Count end) {
  return end == Pull::never ? std::nullopt : std::optional(end);
}

std::string name_of_pull(const Pull& pull, const Live& live) {
  const std::vector<Index>& held = pull.track.vertices;
  const auto& shown = live.scenery().shown;
  const std::string body =
      held.empty() ? ""
                   : " of " + shown.bodies()[shown.body_of_point(static_cast<std::size_t>(held[0]))].name;
  return (pull.let_stand == Pull::never ? "pull at " : "tack on ") +
         counted(held.size(), "vertex", "vertices") + printable(body);
}

}  // namespace

std::vector<JournalEntry> journal_of(const Live& live) {
  std::vector<JournalEntry> all;
  const auto time_of = [&](Count step) { return live.simulator().system().time(step); };
  for (const ChangeInfo& each : live.changes(std::numeric_limits<std::size_t>::max()).changes) {
    std::string what;
    for (const std::string& one : each.set) what += (what.empty() ? "" : "; ") + printable(one);
    all.push_back({each.step, each.time, what});
  }
  for (const Pull& pull : live.pulls().all())
    if (!pull.steps.empty()) {
      const Count from = pull.steps.front() - 1;
      all.push_back({from, time_of(from), name_of_pull(pull, live), ended_at(pull.end)});
    }
  for (const Ball& ball : live.balls().all())
    if (ball.steps.size() > 1) {
      const Count from = ball.steps[1] - 1;
      all.push_back({from, time_of(from), fmt::format("charge of {:.4g} C in the hand", ball.charge),
                     ended_at(ball.end)});
    }
  std::stable_sort(all.begin(), all.end(),
                   [](const JournalEntry& a, const JournalEntry& b) { return a.step < b.step; });
  return all;
}

std::vector<SessionFile> files_in(const std::string& folder) {
  constexpr std::size_t most = 200;
  std::vector<SessionFile> files;
  std::error_code error;
  for (fs::directory_iterator at(folder, error), end; !error && at != end && files.size() < most;
       at.increment(error)) {
    std::error_code ignored;
    const std::uintmax_t bytes = at->is_regular_file(ignored) ? at->file_size(ignored) : 0;
    if (at->is_regular_file(ignored) && !ignored)
      files.push_back({printable(at->path().filename().string()), bytes});
  }
  std::sort(files.begin(), files.end(),
            [](const SessionFile& a, const SessionFile& b) { return a.name < b.name; });
  return files;
}

}  // namespace electret::studio
