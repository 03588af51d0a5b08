#include <algorithm>
#include <filesystem>
#include <new>
#include <utility>

#include <electret/core/errors.hpp>
#include <electret/scene/document.hpp>
#include <electret/scene/warnings.hpp>
#include <electret/studio/session/finding_texts.hpp>
#include <electret/studio/session/machine.hpp>
#include <electret/studio/session/typed_text.hpp>

namespace electret::studio {
namespace {

/// Keys that pages are told.
constexpr std::size_t most_waiting_keys = 20;

/// The findings of a scene's text, as `electret check` has them; warnings and notes if there are no errors.
std::vector<DocumentFinding> findings_in(const std::string& text, const std::string& file,
                                         const std::string& folder, const FileReader& read,
                                         MeshStore& meshes) {
  std::vector<DocumentFinding> all;
  try {
    const Assembly assembly = load_scene_text(text, file, folder, {}, read, meshes);
    for (const Warning& each : scene_warnings(assembly)) all.push_back(document_finding(each, "warning"));
    for (const Warning& each : scene_notes(assembly)) all.push_back(document_finding(each, "note"));
  } catch (const InputError& error) {
    for (const Finding& each : error.findings()) all.push_back(document_finding(each));
  } catch (const IoError& error) {
    all.push_back(document_finding(Finding{{}, error.what(), ""}));
  } catch (const std::bad_alloc&) {
    all.push_back(
        document_finding(Finding{{}, "there is not enough memory", "take fewer vertices or springs"}));
  }
  return all;
}

bool has_errors(const std::vector<DocumentFinding>& findings) {
  return std::any_of(findings.begin(), findings.end(),
                     [](const DocumentFinding& each) { return each.severity == "error"; });
}

}  // namespace

std::string Machine::why_no_text() const {
  if (phase_ == Phase::broken)
    return target_.kind == Target::Kind::run ? "a recorded run has no text to be changed here" : "";
  return why_no_edits();
}

/// What is typed is read on a thread of its own, one text at a time.
std::string Machine::obey(int page, const TypedText& typed) {
  if (auto why = why_no_text(); !why.empty()) return why;
  if (typed.apply && typed.revision != revision_)
    return "the text has been changed meanwhile: compare, then apply yours again";
  if (!checks_.empty() && checks_.front().page == page && !checks_.front().typed.apply && check_job_)
    check_job_->stop();
  const auto is_older = [&](const Check& each) {
    return each.page == page && !each.typed.apply && &each != (check_job_ ? &checks_.front() : nullptr);
  };
  std::erase_if(checks_, is_older);
  if (checks_.size() >= most_checks) return "too many texts wait to be checked";
  checks_.push_back({page, typed});
  return "";
}

/// Goes on with what was typed: begins to read it, or takes what was found.
void Machine::attend_checks() {
  if (checks_.empty()) return;
  const bool is_moving = phase_ == Phase::running || phase_ == Phase::playing;
  try {
    if (!check_job_) begin_check();
    if (!check_job_->attend(is_moving ? std::chrono::milliseconds(0) : attention)) return;
  } catch (const Cancelled&) {  // A later text has taken its place.
  }
  check_job_.reset();
  checks_.erase(checks_.begin());
}

void Machine::begin_check() {
  Target target = phase_ == Phase::loading ? loading_ : target_;
  std::string text = as_in_file(history_.text(), checks_.front().typed.text);
  target.edited = text;
  target.painted = history_.painted();
  check_job_ = std::make_unique<Job>([this, text = std::move(text), file = target.path,
                                      folder = folder_holding(target.path), read = reader_of(target),
                                      meshes = check_meshes_](const Job::HandOver& hand_over) {
    auto findings =
        std::make_shared<std::vector<DocumentFinding>>(findings_in(text, file, folder, read, *meshes));
    hand_over([this, text, findings] { take_checked(text, std::move(*findings)); });
  });
}

/// Whether the text is another one than that whose warnings are told.
bool Machine::has_other_warnings() const {
  const bool is_open = live_ && !run_ && !at_rest_ && phase_ != Phase::loading && phase_ != Phase::broken;
  return is_open && (history_.text() != warned_text_ || history_.painted() != warned_painted_);
}

/// Edits may have brought warnings or mended some. They are looked for beside the session, once the text has
/// stood for a moment.
void Machine::renew_warnings() {
  constexpr std::chrono::milliseconds rest{300};
  static_cast<void>(warning_.attend());
  if (warning_.is_going() || !has_other_warnings()) return;
  const Time now = Pacer::Clock::now();
  if (history_.text() != resting_text_) {
    resting_text_ = history_.text();
    resting_since_ = now;
  }
  if (now - resting_since_ < rest) return;
  warned_text_ = history_.text();
  warned_painted_ = history_.painted();
  Target target = target_;
  target.edited = warned_text_;
  target.painted = warned_painted_;
  warning_.begin(everyone, 0,
                 [this, text = warned_text_, file = target.path, folder = folder_holding(target.path),
                  read = reader_of(target), meshes = warning_meshes_](const Job::HandOver&) -> Job::Part {
                   auto found = std::make_shared<std::vector<DocumentFinding>>(
                       findings_in(text, file, folder, read, *meshes));
                   return [this, text, found] { take_warnings(text, std::move(*found)); };
                 });
}

void Machine::take_warnings(const std::string& text, std::vector<DocumentFinding> findings) {
  if (history_.text() != text || warned_text_ != text || has_other_warnings() || has_errors(findings)) return;
  if (phase_ == Phase::loading || phase_ == Phase::broken || run_ || !live_) return;
  if (const auto notice = live_->simulator().charge_step_notice())
    findings.push_back({"warning", 0, 0, "", *notice});
  std::vector<std::string>& warnings = live_->scenery().info.warnings;
  warnings.clear();
  for (const DocumentFinding& each : findings)
    if (each.severity == "warning") warnings.push_back(each.message);
  document_.findings = std::move(findings);
  tell_document();
  tell_system();
}

void Machine::take_checked(const std::string& text, std::vector<DocumentFinding> findings) {
  const Check& check = checks_.front();
  TextChecked said{check.typed.number, std::move(findings)};
  if (std::string why = why_no_text(); !why.empty()) {
    said.error = std::move(why);
  } else if (has_errors(said.findings)) {
    said.effect = "wrong";
  } else {
    say_effect(text, said);
    if (check.typed.apply) {
      said.error = check.typed.revision != revision_
                       ? "the text has been changed meanwhile: compare, then apply yours again"
                       : apply_text(text);
      said.is_applied = said.error.empty();
      if (said.is_applied) said.waiting = document_.waiting;
    }
  }
  tell(said, check.page);
}

void Machine::say_effect(const std::string& text, TextChecked& said) const {
  if (phase_ == Phase::broken) {
    said.effect = "load";
    return;
  }
  std::vector<Finding> none;
  const Document wanted(text, target_.path, {}, none);
  Live::Edited done =
      live_->would_edit(with_painted(wanted.root(), live_->source().folder, history_.painted()));
  said.effect = !done.waiting.empty() ? "reset" : done.is_other ? "live" : "nothing";
  said.waiting = first_keys(std::move(done.waiting));
}

/// Without repetition, and no more than can be read.
std::vector<std::string> Machine::first_keys(std::vector<std::string> keys) {
  std::vector<std::string> some;
  for (std::string& key : keys)
    if (some.size() < most_waiting_keys && std::find(some.begin(), some.end(), key) == some.end())
      some.push_back(std::move(key));
  return some;
}

/// The text has no findings.
std::string Machine::apply_text(const std::string& text) {
  if (phase_ != Phase::broken) {
    if (text == history_.text()) return "";
    if (auto why = ready_to_edit(); !why.empty()) return why;
    const std::string before = history_.text();
    auto why = go_on_with({text, history_.painted()}, [&] { history_.put(text); });
    if (why.empty()) keys_changed(before, true);
    tell_keys();
    return why;
  }
  // What is broken is nothing to go back to.
  history_.replace(text);
  tell_text();
  return load_again(text);
}

/// Loads what is open from `text`, or from its file.
std::string Machine::load_again(std::optional<std::string> text) {
  if (auto why = ready_folder(); !why.empty()) return why;
  if (live_ && live_->let_go_all()) hands_changed();
  job_.reset();  // It has handed over its last part, and may not have ended yet.
  before_loading_ = phase_ == Phase::diverged || phase_ == Phase::broken ? phase_ : Phase::paused;
  loading_ = target_;
  loading_.is_reread = !text;
  loading_.painted = text ? history_.painted() : PaintedFiles();
  loading_.edited = std::move(text);
  loading_.overrides.clear();
  stand(Phase::loading);
  return "";
}

/// The folder of the scene that is loaded again: that of the open one, or of the one that is broken.
std::string Machine::ready_folder() {
  if (is_folder_kept_ || next_folder_) return "";
  if (live_ && folder_ && live_target_ == target_.path) {
    is_folder_kept_ = true;
    return "";
  }
  return prepare_folder_of(target_);
}

std::string Machine::obey(int, const Reload&) {
  if (auto why = why_no_text(); !why.empty()) return why;
  if (target_.kind != Target::Kind::file) return "this scene is part of the program and has no file";
  reload();
  return "";
}

/// Edits stay if it is not the scene's own file that has changed; else undo brings them back.
void Machine::reload() {
  end_gesture();
  const std::vector<FileChange> changed = watched_ ? watched_->changes() : std::vector<FileChange>();
  const bool is_text_other =
      changed.empty() || std::any_of(changed.begin(), changed.end(),
                                     [this](const FileChange& each) { return each.path == target_.path; });
  if (auto why = load_again(is_text_other ? std::nullopt : std::optional(history_.text())); !why.empty())
    return stand(phase_, why);
  for (const FileChange& each : changed)  // What the disk has now counts, and not what was painted before.
    std::erase_if(loading_.painted, [&](const auto& file) {
      return place_in(folder_holding(target_.path), file.first) == each.path;
    });
}

std::string Machine::obey(int, const KeepOpen&) {
  if (watched_) watched_->keep();
  tell_files();
  return "";
}

/// Where nothing can be lost by it, what changed is read at once.
void Machine::look_at_files() {
  const Time now = Pacer::Clock::now();
  if (!watched_ || phase_ == Phase::loading || now - files_looked_at_ < options_.look_every) return;
  files_looked_at_ = now;
  if (!watched_->look(disk_reader_of(target_))) return;
  const std::vector<FileChange> changed = watched_->changes();
  const bool is_any_gone =
      std::any_of(changed.begin(), changed.end(), [](const FileChange& each) { return each.is_gone; });
  const bool is_untouched =
      phase_ == Phase::broken ||
      (phase_ == Phase::paused && live_->recorded_last() == 0 && told_hands_.hands.empty());
  if (!changed.empty() && !is_any_gone && is_untouched && !document_.unsaved &&
      target_.kind == Target::Kind::file)
    return reload();
  tell_files();
}

/// Says nothing twice.
void Machine::tell_files(int page) {
  FilesInfo now;
  if (watched_) now.changed = watched_->changes();
  if (page == everyone && told_files_ == now) return;
  tell(now, page);
  if (page == everyone) told_files_ = std::move(now);
}

}  // namespace electret::studio
