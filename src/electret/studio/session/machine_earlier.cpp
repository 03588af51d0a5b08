#include <memory>
#include <utility>

#include <electret/core/text.hpp>
#include <electret/studio/session/machine.hpp>

namespace electret::studio {

/// That of what is open, or of a scene that is broken from its start.
SessionFolder* Machine::folder_of_earlier() const {
  if (live_ && folder_ && live_target_ == target_.path) return folder_.get();
  return phase_ == Phase::broken ? next_folder_.get() : nullptr;
}

/// Says nothing twice.
void Machine::tell_earlier(int page) {
  EarlierInfo now;
  const SessionFolder* folder = folder_of_earlier();
  if (folder != nullptr && folder->earlier()) {
    const EarlierSession& session = *folder->earlier();
    now = {printable(session.path), session.steps, session.is_cut,
           session.damage.empty() && session.text != saved_text_, session.damage};
  }
  if (folder != nullptr && folder->moved_to() != told_moved_) {
    told_moved_ = folder->moved_to();
    if (!told_moved_.empty())
      tell(NoticeInfo{"the earlier session is kept as " + printable(told_moved_), "note"});
  }
  if (page == everyone && told_earlier_ == now) return;
  tell(now, page);
  if (page == everyone) told_earlier_ = std::move(now);
}

std::string Machine::obey(int, const LeaveEarlier&) {
  if (SessionFolder* folder = folder_of_earlier()) folder->leave_earlier();
  tell_earlier();
  return "";
}

std::string Machine::obey(int, const TakeUp&) {
  if (auto why = why_no_text(); !why.empty()) return why;
  const SessionFolder* folder = folder_of_earlier();
  if (folder == nullptr || !folder->earlier()) return "there is no earlier session here";
  auto session = std::make_shared<EarlierSession>(*folder->earlier());
  if (!session->damage.empty()) return "the earlier session is damaged: " + session->damage;
  if (auto why = load_again(session->start); !why.empty()) return why;
  loading_.session = std::move(session);
  return "";
}

/// The scene is that of the session's start. Its steps are taken again, and its text comes back; undo leads
/// to what was there before.
void Machine::take_up(const SessionPast& past) {
  const EarlierSession session = *loading_.session;
  if (history_.text() != session.start) history_.put(session.start);
  if (history_.text() != session.text) history_.put(session.text);
  start_text_ = session.start;
  tell_text();
  has_stepped_ = past.steps > 0;
  is_taking_up_ = true;
  begin_rewinding(past.steps);
}

/// An edit that no step has seen is not in session.toml, but in the text.
void Machine::end_taking_up() {
  folder_->take_up();
  if (live_->is_edited()) live_->show_changes();
  const std::string why = go_on_with(history_.text(), [] {});
  if (!why.empty()) tell(NoticeInfo{why, "warning"});
  tell_system();
  tell_topology();
  tell_changes();
  tell_earlier();
}

/// Why nothing else is done while an earlier session is taken up; "" if none is.
std::string Machine::why_taking_up() const {
  return is_taking_up_ ? "the earlier session is being taken up: wait, or stop it" : "";
}

/// The scene of the file is open again, and the earlier session is offered as before.
std::string Machine::stop_taking_up() {
  has_stepped_ = false;  // Steps that are in the session's files are not worth keeping twice.
  start_text_ = history_.text();
  return load_again(std::nullopt);
}

/// Whether something was done that a kill should not take away. While an earlier session is taken up, what
/// its files have is the later state; and the text may be that of another scene, which is broken.
bool Machine::is_worth_keeping() const {
  return folder_ && live_ && !is_taking_up_ && live_target_ == target_.path &&
         (has_stepped_ || history_.text() != start_text_);
}

/// Before what is open gives way: throws CannotKeep where its files cannot be written.
void Machine::keep_open() {
  try {
    finish_folder();
  } catch (const IoError& full) {
    throw CannotKeep{full.what()};
  }
}

void Machine::finish_folder() {
  if (is_worth_keeping()) folder_->finish(live_->simulator(), hand_tracks(), texts());
}

}  // namespace electret::studio
