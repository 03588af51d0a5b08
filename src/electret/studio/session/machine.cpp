#include <algorithm>
#include <filesystem>
#include <utility>

#include <electret/core/errors.hpp>
#include <electret/core/text.hpp>
#include <electret/core/version.hpp>
#include <electret/record/run_directory.hpp>
#include <electret/studio/session/choices.hpp>
#include <electret/studio/session/machine.hpp>

namespace electret::studio {
namespace {

namespace fs = std::filesystem;

std::string output_of(const std::string& scene) {
  return (fs::path("runs") / (fs::path(scene).stem().string() + ".studio")).string();
}

/// Folders that are tried for a session before it is refused.
constexpr int most_folders = 99;

/// "runs/x.studio", "runs/x-2.studio", "runs/x-3.studio".
std::string numbered(const std::string& output, int number) {
  if (number == 1) return output;
  const fs::path path(output);
  return (path.parent_path() /
          (path.stem().string() + "-" + std::to_string(number) + path.extension().string()))
      .string();
}

}  // namespace

const char* name_of(Phase phase) {
  switch (phase) {
    case Phase::empty:
      return "empty";
    case Phase::loading:
      return "loading";
    case Phase::broken:
      return "broken";
    case Phase::paused:
      return "paused";
    case Phase::running:
      return "running";
    case Phase::rewinding:
      return "rewinding";
    case Phase::diverged:
      return "diverged";
    case Phase::viewing:
      return "viewing";
    case Phase::playing:
      return "playing";
  }
  return "empty";
}

Machine::Machine(SessionOptions options, Listener& listener)
    : options_(std::move(options)),
      listener_(listener),
      check_meshes_(std::make_shared<MeshStore>(file_stamp)),
      warning_meshes_(std::make_shared<MeshStore>(file_stamp)) {}

Machine::~Machine() = default;

void Machine::begin() {
  no_page_since_ = Pacer::Clock::now();
  if (options_.target.empty()) return;
  Target target{Target::Kind::file, options_.target};
  target.is_trusted = true;
  target.overrides = options_.overrides;
  target.output = options_.output.empty() ? output_of(options_.target) : options_.output;
  std::error_code error;
  const fs::file_status status = fs::status(options_.target, error);
  if (!fs::exists(status))
    throw InputError(Finding{{options_.target, 0, 0},
                             "there is no such file or folder",
                             "allowed: a scene file, or the folder of a run"});
  if (fs::is_directory(status)) {
    if (auto finding = RunDirectory(options_.target).missing_run()) throw InputError(std::move(*finding));
    if (!options_.overrides.empty() || !options_.output.empty())
      throw InputError(
          Finding{{}, "a run is looked at as it is", "--set, --unset and -o go with a scene file"});
    target.kind = Target::Kind::run;
  } else if (!fs::is_regular_file(status)) {
    throw InputError(Finding{{options_.target, 0, 0},
                             "it is not a regular file",
                             "allowed: a scene file, or the folder of a run"});
  }
  loading_ = std::move(target);
  document_.name = printable(fs::path(loading_.path).filename().string());
  document_.path = loading_.path;
  phase_ = Phase::loading;
}

void Machine::prepare_output() {
  if (loading_.kind != Target::Kind::file) return;
  std::error_code error;
  const fs::path scene = fs::weakly_canonical(fs::absolute(loading_.path), error);
  try {
    next_folder_ = std::make_unique<SessionFolder>(loading_.output, error ? loading_.path : scene.string());
  } catch (const InputError& refused) {
    throw IoError(refused.findings().front().message + "; another one is given by -o", loading_.output);
  }
}

void Machine::handle(const Posted& posted) {
  std::string error;
  if (writing_ && ends_gesture(posted)) end_gesture();
  try {
    error = std::visit([&](const auto& command) { return obey(posted.page, command); }, posted.command);
  } catch (const IoError& unreadable) {  // A frame of a run.
    error = unreadable.what();
    stand(Phase::viewing, error, "the last good picture is kept");
  }
  if (std::holds_alternative<Leave>(posted.command)) return tell_state();
  tell(Answer{posted.id, error}, posted.page);
  if (!std::holds_alternative<Hello>(posted.command)) tell_state();
}

void Machine::set_pages(int pages) {
  if (pages == 0 && pages_ > 0) no_page_since_ = Pacer::Clock::now();
  pages_ = pages;
}

std::string Machine::why_not_moving() const {
  switch (phase_) {
    case Phase::empty:
      return "nothing is open: open a scene or a run first";
    case Phase::loading:
      return "the scene is still being read";
    case Phase::broken:
      return "the scene has findings that keep it from running";
    case Phase::rewinding:
      return "the session is going back: wait, or stop it";
    case Phase::diverged:
      return "the simulation diverged: go back to an earlier step, or reset";
    default:
      return "";
  }
}

std::string Machine::obey(int page, const Hello& hello) {
  if (hello.protocol != protocol_version)
    return "this server speaks version " + std::to_string(protocol_version) +
           " of the protocol: reload the page";
  tell(Welcome{std::string(version), page}, page);
  tell(SchemaInfo{}, page);
  if (phase_ == Phase::empty) tell(choices_below(options_.folder), page);
  tell_state(page);
  if (target_.kind != Target::Kind::none || loading_.kind != Target::Kind::none) tell_document(page);
  if (watched_) tell_files(page);
  tell_earlier(page);
  if (progress_) tell(*progress_, page);
  if (told_recording_) tell(*told_recording_, page);
  if (scenery() == nullptr) return "";
  tell_system(page);
  tell_topology(page);
  tell_all_energies(page);
  tell_hands(page);
  tell_keys(page);
  tell_fields(page);
  tell_changes(page);
  if (newest_) listener_.show(newest_);
  return "";
}

std::string Machine::obey(int, const Play& play) {
  if (auto why = why_not_moving(); !why.empty()) return why;
  if (!settle()) return "the session is going back first: play again when it is there";
  beyond_ = beyond_ || play.beyond;
  if (run_) {
    if (run_->at() + 1 >= run_->frames() && !run_->is_growing()) run_->go_to(0);  // Again.
    played_time_ = run_->time_of(run_->at());
    begin_moving(play.rate.value_or(rate_.value_or(1.0)));
    stand(Phase::playing);
    return "";
  }
  if (!beyond_ && live_->step() >= live_->scenery().info.last_step)
    return "the scene's last step is reached: play on beyond it, or reset";
  begin_moving(play.rate);
  stand(Phase::running);
  return "";
}

std::string Machine::obey(int, const Pause&) {
  if (phase_ == Phase::running) {
    stand(Phase::paused);
    measure_now_and_then(true);
  } else if (phase_ == Phase::playing) {
    stand(Phase::viewing);
  } else {
    return why_not_moving();
  }
  return "";
}

std::string Machine::obey(int, const Step& step) {
  if (auto why = why_not_moving(); !why.empty()) return why;
  if (step.steps < 1) return "a number of steps is at least 1";
  if (!settle()) return "the session is going back first: step again when it is there";
  if (run_) {
    stand(Phase::viewing);
    run_->go_to(std::min(run_->at() + step.steps, run_->frames() - 1));
    show_now(true);
    return "";
  }
  beyond_ = beyond_ || step.beyond;
  if (!beyond_ && live_->step() >= live_->scenery().info.last_step)
    return "the scene's last step is reached: play on beyond it, or reset";
  // Steps that are asked for while others are being taken come after them.
  const Count from = phase_ == Phase::running ? until_.value_or(live_->step()) : live_->step();
  begin_moving(rate_);
  pacer_.start(Pacer::Clock::now(), live_->time(), std::nullopt);
  until_ = from + step.steps;
  stand(Phase::running);
  return "";
}

std::string Machine::obey(int page, const Reset&) {
  if (run_ && (phase_ == Phase::viewing || phase_ == Phase::playing)) return obey(page, Seek{0, false});
  if (phase_ != Phase::paused && phase_ != Phase::running && phase_ != Phase::rewinding &&
      phase_ != Phase::diverged)
    return why_not_moving();
  if (is_taking_up_) return stop_taking_up();
  if (live_->is_edited() || history_.text() != start_text_ || history_.painted() != start_painted_) {
    begin_again();
    return "";
  }
  try {
    finish_folder();
  } catch (const IoError& full) {
    show_present();
    show_now(true);
    return full.what();
  }
  // What was done until now stays in its files until something else is done.
  if (folder_) folder_->begin_again();
  scrubbed_.reset();
  has_stepped_ = is_later_kept_ = beyond_ = false;
  saved_step_ = -1;
  replay_.reset();
  live_->restart();
  forget_stale();
  stand(Phase::paused);
  measure_now_and_then(true);
  show_now(true);
  tell_keys();
  tell_changes();
  return "";
}

/// The scene as its text says it now, from the start.
void Machine::begin_again() {
  is_folder_kept_ = true;
  static_cast<void>(load_again(history_.text()));
}

std::string Machine::obey(int, const Seek& seek) {
  if (auto why = why_taking_up(); !why.empty()) return why;
  if (phase_ != Phase::rewinding && phase_ != Phase::diverged)
    if (auto why = why_not_moving(); !why.empty()) return why;
  if (run_) {
    run_->go_to(std::clamp<Count>(seek.step, 0, run_->frames() - 1));
    played_time_ = run_->time_of(run_->at());
    if (phase_ == Phase::playing) begin_moving(rate_);
    show_now(true);
    return "";
  }
  live_->let_go_all();
  if (replay_) end_replay();
  const Count step = std::clamp<Count>(seek.step, 0, live_->recorded_last());
  if (!seek.live) {
    scrubbed_.reset();
    begin_rewinding(step);
    return "";
  }
  stand(Phase::paused);
  auto frame = live_->kept_frame(step);
  scrubbed_ = frame->step;
  show(std::move(frame));
  tell_hands();
  return "";
}

std::string Machine::obey(int, const Stop&) {
  if (is_taking_up_) return stop_taking_up();
  if (phase_ == Phase::rewinding) {
    stand(Phase::paused, "going back was stopped");
    show_present();
    show_now(true);
  }
  if (phase_ != Phase::loading) return "";
  if (job_ && !job_->is_stopped())
    job_->stop();  // `load` sees it end.
  else if (!job_)
    give_up_loading("reading was stopped");
  return "";
}

std::string Machine::obey(int, const SelectView& view) {
  if (phase_ == Phase::loading) return why_not_moving();
  if (scenery() == nullptr) return "nothing is open: open a scene or a run first";
  if (!scenery()->scalars.has(view.scalar)) return "there is no scalar " + in_quotes(view.scalar) + " here";
  scalar_ = view.scalar;
  tell_state();  // Before the frame that has it.
  if (live_) live_->frames().select(scalar_);
  if (run_) run_->frame_maker().select(scalar_);
  show_now(true);
  return "";
}

std::string Machine::obey(int, const Open& open) {
  if (phase_ == Phase::loading) return why_not_moving();
  if (auto why = why_taking_up(); !why.empty()) return why;
  Target target = target_of_choice(open.name);
  if (target.kind == Target::Kind::none) return "there is no choice " + in_quotes(open.name);
  if (target.kind != Target::Kind::run)
    if (auto why = prepare_folder_of(target); !why.empty()) return why;
  before_loading_ = phase_ == Phase::running || phase_ == Phase::rewinding ? Phase::paused
                    : phase_ == Phase::playing                             ? Phase::viewing
                                                                           : phase_;
  if (live_ && live_->let_go_all()) hands_changed();
  job_.reset();  // It has handed over its last part, and may not have ended yet.
  loading_ = std::move(target);
  stand(Phase::loading);
  return "";
}

std::string Machine::obey(int page, const AskChoices&) {
  tell(choices_below(options_.folder), page);
  return "";
}

std::string Machine::obey(int, const Quit&) {
  ended_ = true;
  return "";
}

/// The folder of what is open is not touched before the next scene has been read. Where something else is in
/// the folder, or the run that the session goes on with, another one is taken.
std::string Machine::prepare_folder_of(const Target& target) {
  const std::string scene = target.kind == Target::Kind::text ? std::string() : whole_path(target.path);
  std::string why;
  for (int number = 1; number <= most_folders; ++number) {
    const std::string output = numbered(target.output, number);
    if (target.recorded && whole_path(output) == whole_path(target.recorded->directory)) continue;
    is_folder_kept_ = folder_ && folder_->path() == output && folder_->scene_file() == scene;
    if (is_folder_kept_) return "";
    next_folder_.reset();
    try {
      next_folder_ = std::make_unique<SessionFolder>(output, scene);
      return "";
    } catch (const InputError& refused) {
      if (why.empty()) why = refused.findings().front().message;
    } catch (const IoError& unusable) {
      return unusable.what();
    }
  }
  return why;
}

Machine::Target Machine::target_of_choice(const std::string& name) const {
  Target target;
  if (const auto text = text_of_choice(name)) {
    target = target_of_file(place_in(options_.folder, std::string(text->name) + ".toml"));
    target.kind = Target::Kind::text;
    target.text = text->text;
    return target;
  }
  if (auto recorded = target_of_recorded(name)) return *recorded;
  if (copy_ && name == copy_mark + copy_->path) return *copy_;
  for (const OpenChoice& choice : choices_below(options_.folder).entries) {
    if (choice.name != name) continue;
    const std::string path = (fs::path(options_.folder) / name).lexically_normal().string();
    if (choice.kind == "run") target = {Target::Kind::run, path};
    if (choice.kind == "scene") target = target_of_file(path);
  }
  return target;
}

Machine::Target Machine::target_of_file(const std::string& path) {
  Target target{Target::Kind::file, path};
  target.output = output_of(path);
  return target;
}

/// The session's folder is that of the scene's file, under whose name it is looked for. What was written
/// elsewhere is there then.
void Machine::move_session() {
  if (!folder_) return;
  folder_->name_scene(whole_path(target_.path));
  if (auto why = prepare_folder_of(target_); !why.empty()) {
    tell(NoticeInfo{why + ": the session stays in " + printable(folder_->path()), "warning"});
    return;
  }
  saved_step_ = -1;
  if (std::exchange(is_folder_kept_, false)) return;
  const auto before = std::exchange(folder_, std::move(next_folder_));
  live_->scenery().info.folder = folder_->path();
  if (!is_worth_keeping() || save_session()) before->forget();
}

void Machine::finish() {
  end_recording();
  job_.reset();
  check_job_.reset();
  tracing_ = {};
  differentiating_ = {};
  warning_ = {};
  finish_folder();
  tell(Bye{});
}

}  // namespace electret::studio
