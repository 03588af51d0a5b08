#include <algorithm>
#include <memory>
#include <utility>

#include <electret/core/text.hpp>
#include <electret/studio/session/machine.hpp>

namespace electret::studio {

namespace {

bool is_named(const std::vector<std::string>& names, const std::string& identity) {
  return std::find(names.begin(), names.end(), name_of_text(identity)) != names.end();
}

}  // namespace

/// That of what is open, or of a scene that is broken from its start.
SessionFolder* Machine::folder_of_earlier() const {
  if (live_ && folder_ && live_target_ == target_.path) return folder_.get();
  return phase_ == Phase::broken ? next_folder_.get() : nullptr;
}

/// The earlier session that can be taken up. One that does not say of which scene it is has to have begun
/// with the text of this one.
const EarlierSession* Machine::offered() const {
  const SessionFolder* folder = folder_of_earlier();
  if (folder == nullptr || !folder->earlier()) return nullptr;
  const EarlierSession& session = *folder->earlier();
  const bool is_of_another = session.is_begun && session.damage.empty() && session.start != start_text_;
  return is_of_another ? nullptr : &session;
}

/// Says nothing twice.
void Machine::tell_earlier(int page) {
  EarlierInfo now;
  const SessionFolder* folder = folder_of_earlier();
  if (const EarlierSession* session = offered())
    now = {
        printable(session->path), session->steps, session->is_cut,
        session->damage.empty() && (session->text != saved_text_ || session->painted.now != saved_painted_),
        session->damage};
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
  const EarlierSession* earlier = offered();
  if (earlier == nullptr) return "there is no earlier session here";
  auto session = std::make_shared<EarlierSession>(*earlier);
  if (!session->damage.empty()) return "the earlier session is damaged: " + session->damage;
  if (auto why = load_again(session->start); !why.empty()) return why;
  for (const PaintedFile& each : session->painted.used) painted_->take(each);
  loading_.painted = session->painted.start;
  loading_.session = std::move(session);
  return "";
}

/// The scene is that of the session's start. Its steps are taken again, and its text comes back; undo leads
/// to what was there before.
void Machine::take_up(const SessionPast& past) {
  const EarlierSession session = *loading_.session;
  for (const TextState& each :
       {TextState{session.start, start_painted_}, TextState{session.text, session.painted.now}})
    if (history_.now() != each) history_.put(each);
  start_text_ = session.start;
  tell_text();
  has_stepped_ = past.steps > 0;
  is_taking_up_ = true;
  for (KeyTable& each : key_tables_of(session.start))
    if (is_named(session.notes.edited_keys, each.identity)) {
      const std::string identity = each.identity;
      simulated_keys_[identity] = {{0, std::move(each)}};
    }
  taken_up_notes_ = session.notes;
  begin_rewinding(past.steps);
}

/// An edit that no step has seen is not in session.toml, but in the text.
void Machine::end_taking_up() {
  folder_->take_up();
  if (live_->is_edited()) live_->show_changes();
  if (!std::exchange(taken_up_notes_, {}).has_forgotten_edits) {
    const std::string why = go_on_with(history_.now(), [] {});
    if (!why.empty()) tell(NoticeInfo{why, "warning"});
  }
  find_stale(key_tables_of(history_.text()));
  tell_keys();
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
  start_painted_ = history_.painted();
  return load_again(std::nullopt);
}

SessionTexts Machine::texts() const {
  SessionTexts texts{start_text_,
                     ended_text(),
                     live_->source().began,
                     live_->recorded_last(),
                     {},
                     {painted_in_use(), start_painted_, history_.painted()}};
  for (const auto& [identity, parts] : simulated_keys_)
    texts.notes.edited_keys.push_back(name_of_text(identity));
  std::string fault;
  if (writing_ || (history_.text() == start_text_ && history_.painted() == start_painted_)) return texts;
  if (const auto tree = tree_of(history_.text(), fault))
    texts.notes.has_forgotten_edits =
        live_->lacks_edits(with_painted(tree->root(), live_->source().folder, history_.painted()));
  return texts;
}

/// Whether something was done that a kill should not take away. While an earlier session is taken up, what
/// its files have is the later state, as while steps are replayed; and the text may be that of another scene,
/// which is broken.
bool Machine::is_worth_keeping() const {
  return folder_ && live_ && !is_taking_up_ && !is_later_kept_ && live_target_ == target_.path &&
         (has_stepped_ || history_.text() != start_text_ || history_.painted() != start_painted_);
}

/// Before what is open gives way: throws CannotKeep where its files cannot be written.
void Machine::keep_open() {
  try {
    finish_folder();
  } catch (const IoError& full) {
    throw CannotKeep{full.what()};
  }
}

/// Also where an earlier step is looked at, all that was simulated is kept.
void Machine::finish_folder() {
  if (!is_worth_keeping()) return;
  scrubbed_.reset();
  live_->return_to_last();
  folder_->finish(live_->simulator(), hand_tracks(), texts());
}

}  // namespace electret::studio
