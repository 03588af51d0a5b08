/// The session is recorded as a run, beside what goes on.

#include <chrono>
#include <filesystem>
#include <utility>

#include <electret/core/errors.hpp>
#include <electret/core/text.hpp>
#include <electret/scene/assembly.hpp>
#include <electret/studio/session/choices.hpp>
#include <electret/studio/session/machine.hpp>
#include <electret/studio/session/recording.hpp>
#include <electret/studio/session/save_name.hpp>

namespace electret::studio {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

/// Between two reports of how far it is.
constexpr std::chrono::milliseconds recording_told_every{100};

/// Before the path of the run that was recorded last, as the name of a choice.
constexpr const char* recorded_mark = "recorded:";

}  // namespace

std::string Machine::why_not_recorded() const {
  if (recording_.is_going())
    return "the session is being recorded in " + printable(told_recording_->folder) +
           ": wait for it, or stop it";
  if (run_) return "a recorded run is open, whose files are there already";
  if (phase_ != Phase::diverged)
    if (auto why = why_not_moving(); !why.empty()) return why;
  return is_worth_keeping() ? "" : "nothing was simulated or edited yet: there is nothing to be recorded";
}

/// The session as session.toml has it now. Throws IoError where that cannot be written.
RecordingOrder Machine::recording_order(const std::string& directory, bool over) {
  if (!save_session()) throw IoError(save_trouble_);
  RecordingOrder order;
  order.folder = folder_->path();
  order.text = read_regular_file(place_in(order.folder, "session.toml"));
  order.read = read_from_scene(order.folder, live_->source().folder, live_->source().read);
  order.painted = painted_in_use();
  order.directory = directory;
  order.overwrite = over;
  order.threads = options_.threads;
  return order;
}

/// What is done on a thread of its own.
PageJob::Work Machine::recording_work(std::shared_ptr<const RecordingOrder> order) {
  return [this, order = std::move(order),
          stop = recording_stop_.get_token()](const Job::HandOver& hand_over) -> Job::Part {
    const std::string& folder = order->directory;
    Control control;
    control.stop = stop;
    control.notice = [&](std::string_view what) {
      hand_over([this, text = "recording: " + std::string(what)] { tell(NoticeInfo{text, "warning"}); });
    };
    control.progress = [&, told = Clock::time_point()](const Progress& now) mutable {
      if (Clock::now() - told < recording_told_every) return;
      told = Clock::now();
      hand_over([this, now, folder] { tell_recording({folder, now.done, now.total}); });
    };
    const RecordedSteps steps = record_session(*order, control);
    return [this, steps, folder] {
      recorded_ = folder;
      tell_recording({folder, steps.done, steps.total, false, recorded_mark + folder, steps.error});
    };
  };
}

/// What is played from now on is not in it.
std::string Machine::obey(int page, const Record& wish) {
  if (auto why = why_not_recorded(); !why.empty()) return why;
  std::string why;
  const std::string name = folder_of_name(wish.name, why);
  if (!why.empty()) return why;
  const std::string directory =
      fs::path(place_in(folder_holding(folder_->path()), name)).lexically_normal().string();
  auto order = std::make_shared<RecordingOrder>();
  try {
    *order = recording_order(directory, wish.over);
    why = why_no_run_there(directory, whole_path(place_in(order->folder, "session.toml")), wish.over);
  } catch (const InputError& unreadable) {
    why = in_one(unreadable.findings());
  } catch (const IoError& full) {
    why = full.what();
  }
  if (!why.empty()) return why;
  recording_stop_ = {};
  recording_.begin(page, 0, recording_work(order));
  tell_recording({directory});
  return "";
}

/// Not by Job's means: the run is to end as `electret run` does.
std::string Machine::obey(int, const StopRecording&) {
  recording_stop_.request_stop();
  return "";
}

void Machine::tell_recording(RecordingInfo now) {
  told_recording_ = std::move(now);
  tell(*told_recording_);
}

void Machine::attend_recording(std::chrono::milliseconds patience) {
  if (const auto ended = recording_.attend(patience); ended && !ended->error.empty())
    tell_recording({told_recording_->folder, 0, 0, false, "", ended->error});
}

/// Its files are whole then.
void Machine::end_recording() {
  recording_stop_.request_stop();
  while (recording_.is_going()) attend_recording(attention);
}

/// The run that was recorded last, if it has this name.
std::optional<Machine::Target> Machine::target_of_recorded(const std::string& name) const {
  if (recorded_.empty() || name != recorded_mark + recorded_) return std::nullopt;
  return Target{Target::Kind::run, recorded_};
}

}  // namespace electret::studio
