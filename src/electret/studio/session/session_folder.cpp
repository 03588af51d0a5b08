#include <algorithm>
#include <filesystem>
#include <system_error>
#include <utility>

#include <electret/core/errors.hpp>
#include <electret/core/text.hpp>
#include <electret/record/checkpoint.hpp>
#include <electret/record/scene_identity.hpp>
#include <electret/record/session_files.hpp>
#include <electret/record/unfinished.hpp>
#include <electret/scene/assembly.hpp>
#include <electret/scene/changes.hpp>
#include <electret/scene/document.hpp>
#include <electret/scene/mesh_store.hpp>
#include <electret/scene/read.hpp>
#include <electret/scene/write.hpp>
#include <electret/studio/session/session_folder.hpp>

namespace electret::studio {
namespace {

namespace fs = std::filesystem;

bool is_there(const std::string& path) {
  std::error_code ignored;
  return fs::exists(path, ignored);
}

/// Whether the scene says how long it is by `duration`, with which `steps` may not be.
bool has_duration(const Scene& scene) {
  std::vector<Finding> findings;
  const Document document(scene.text, "", scene.overrides, findings);
  const Node::Member* time = document.root().member("time");
  return time != nullptr && time->node.member("duration") != nullptr;
}

/// The identity of the scene in session.toml: that of the system, with what hands did after its own and the
/// method that `auto` stood for.
std::vector<Fingerprint> session_identity(const Simulator& simulator, const HandTracks& hands) {
  System& system = simulator.system();
  const std::vector<GrabTrack> tracks = hands.pulls.tracks_until(simulator.state().step);
  const std::vector<ExternalChargeTrack> balls = hands.balls.tracks_until(simulator.state().step);
  auto& grabs = system.assembly.grabs;
  auto& external = system.assembly.external_charges;
  const std::vector<ExternalChargeTrack> with_places = external;
  external.resize(external.size() - ball_place_count(system.assembly.scene));
  external.insert(external.end(), balls.begin(), balls.end());
  auto& method = system.assembly.scene.integrator.method;
  const std::size_t own = grabs.size();
  const std::string written = method;
  grabs.insert(grabs.end(), tracks.begin(), tracks.end());
  if (const Choice& choice = simulator.integrator().choice(); !choice.empty()) method = choice.name;
  auto identity = scene_identity(system);
  external = with_places;
  grabs.erase(grabs.begin() + static_cast<std::ptrdiff_t>(own), grabs.end());
  method = written;
  return identity;
}

/// Whether the list of changes is not that of the scene's text.
bool has_other_changes(const Scene& scene) {
  return std::any_of(scene.overrides.begin(), scene.overrides.end(),
                     [](const std::string& each) { return each.starts_with("change="); });
}

/// The identity of a scene as a run reads it: only reading tells what its changes make of charges. Meshes are
/// those that the session has.
std::vector<Fingerprint> identity_as_read(const Simulator& simulator, const std::string& text,
                                          const std::string& folder) {
  System& system = simulator.system();
  MeshStore none;
  MeshStore& meshes = system.assembly.changed ? system.assembly.changed->meshes() : none;
  Assembly read = load_scene_text(text, "session.toml", folder, {}, read_regular_file, meshes);
  std::swap(system.assembly, read);
  auto identity = scene_identity(system);
  std::swap(system.assembly, read);
  return identity;
}

}  // namespace

std::string session_text(const Simulator& simulator, const HandTracks& hands, const std::string& folder,
                         const std::string& scene_file, const SessionTexts& texts) {
  const auto& [pulls, balls] = hands;
  const Assembly& assembly = simulator.system().assembly;
  const Scene& scene = assembly.scene;
  Assembly light;  // The text of a scene is made from the scene alone if no parameter was changed.
  light.scene.text = scene.text;
  light.scene.folder = scene.folder;
  light.scene.overrides = scene.overrides;
  if (has_duration(scene)) light.scene.overrides.emplace_back("--unset time.duration");
  light.scene.overrides.push_back("time.steps=" + std::to_string(texts.steps));
  // Changes that were not reached would be a finding.
  const std::size_t reached = changes_before(scene, texts.steps);
  for (std::size_t k = scene.changes.size(); k-- > reached;)
    light.scene.overrides.push_back("--unset change." + std::to_string(k));
  // How `auto` chooses depends on the number of steps, too.
  if (const Choice& choice = simulator.integrator().choice(); !choice.empty())
    light.scene.overrides.push_back("integrator.method=" + choice.name);
  return std::string(session_mark) + RunDirectory(folder).scene_name(scene_file) +
         "\n# electret run session.toml repeats it, bit for bit.\n" + start_line(texts.start) +
         began_line(texts.began) + note_lines(texts.notes) + painted_lines(texts.painted) +
         (reached < scene.changes.size() ? "# Changes after its last step are left out.\n\n" : "\n") +
         scene_text(light, {}, folder) + ball_tables(balls.tracks_until(texts.steps)) +
         grab_tables(pulls.tracks_until(texts.steps), assembly, pulls.tacks_until(texts.steps));
}

SessionFolder::SessionFolder(const std::string& path, std::string scene_file)
    : folder_(path), scene_file_(std::move(scene_file)) {
  folder_.check_usable();
  const auto earlier = folder_.session_scene();
  const bool is_there_already = is_there(path);
  const bool is_ours =
      earlier ? *earlier == printable(scene_file_) : is_there_already && holds_begun_session(path);
  // That of a scene that had no file then, such as this one's before it was saved, is moved aside.
  const bool is_without_file = !is_ours && earlier && earlier->empty();
  if (!is_ours && !is_without_file) folder_.check_replaceable(scene_file_);
  is_new_ = !is_there_already;
  lock_.emplace(path, "session");
  if (!is_without_file) earlier_ = earlier_session(path);
}

SessionFolder::~SessionFolder() {
  std::error_code ignored;
  if (is_new_) fs::remove(folder_.path(), ignored);  // Only if it is empty.
}

void SessionFolder::take_up() {
  // Also what was written for a session.toml that did not come.
  for (std::string& each : painted_files(folder_.path())) painted_.insert(std::move(each));
  earlier_.reset();
  is_clear_ = has_old_state_ = true;
  start_.clear();
  text_.clear();
}

void SessionFolder::begin_again() {
  is_clear_ = false;
}

void SessionFolder::open_again() {
  is_clear_ = is_own_ = false;
  own_aside_.clear();
  earlier_ = earlier_session(folder_.path());
}

/// What was reset here is kept until something takes its place.
void SessionFolder::forget() {
  if (!is_own_ || !is_clear_) return;
  std::error_code ignored;
  for (const std::string& file :
       {folder_.session(), folder_.session_start(), folder_.session_text(), folder_.checkpoint()})
    fs::remove(file, ignored);
}

/// A folder that was removed while the session was open is made again.
void SessionFolder::hold() {
  if (is_there(folder_.path())) return;
  try {
    lock_.emplace(folder_.path(), "session");
  } catch (const InputError& used) {
    throw IoError(used.findings().front().message, folder_.path());
  }
}

/// The name for what is moved aside, without its end: the first free one. Where all are taken, the session
/// that was moved first gives way.
std::string SessionFolder::aside() const {
  constexpr int most = 9;
  std::string oldest;
  fs::file_time_type oldest_time = fs::file_time_type::max();
  for (int number = 1; number <= most; ++number) {
    std::string stem = "session.before" + (number > 1 ? "-" + std::to_string(number) : "");
    std::error_code error;
    const auto time = fs::last_write_time(folder_.path() + "/" + stem + ".toml", error);
    if (error) return stem;
    if (time < oldest_time) {
      oldest_time = time;
      oldest = stem;
    }
  }
  return oldest;
}

void SessionFolder::move_aside(const std::string& stem) {
  const std::string to = folder_.path() + "/" + stem;
  if (is_there(to + ".toml"))
    for (std::string& each : painted_names(read_regular_file(to + ".toml"))) dropped_.insert(std::move(each));
  const auto move = [](const std::string& file, const std::string& place) {
    std::error_code error;
    if (!is_there(file)) return fs::remove(place, error), void();
    fs::rename(file, place, error);
    if (error) throw IoError("cannot replace " + file + ": " + error.message(), file);
  };
  move(folder_.session_start(), to + ".start.toml");
  move(folder_.session_text(), to + ".text.toml");
  move(folder_.session(), to + ".toml");
}

/// What is there without a session.toml. A text that is another than the session began with gets one that
/// names it, so that it is moved aside as others are; nothing else of it is kept.
void SessionFolder::clear_begun() {
  if (is_own_ || is_there(folder_.session()) || !holds_begun_session(folder_.path())) return;
  if (const auto begun = earlier_session(folder_.path()))
    write_file_whole(folder_.session(),
                     std::string(session_mark) + folder_.scene_name(scene_file_) +
                         "\n# It was cut off before it was written: its text is beside it.\n" +
                         start_line(begun->start) + painted_lines(begun->painted));
  for (std::string& each : painted_files(folder_.path())) dropped_.insert(std::move(each));
}

void SessionFolder::clear() {
  if (is_clear_) return;
  clear_begun();
  const bool is_less = is_own_ && is_plain_ && !own_aside_.empty();
  if (is_there(folder_.session()) && !is_less) {
    // Of what was reset here only the last is kept; what is of another start has a place of its own.
    if (is_own_ && own_aside_.empty()) own_aside_ = aside();
    const std::string stem = is_own_ ? own_aside_ : aside();
    if (!is_own_) moved_to_ = folder_.path() + "/" + stem + ".toml";
    move_aside(stem);
  } else {
    dropped_.insert(painted_.begin(), painted_.end());
  }
  painted_.clear();
  for (const std::string& name : folder_.files()) {
    const std::string file = folder_.path() + "/" + name;
    std::error_code error;
    fs::remove(file, error);
    if (error) throw IoError("cannot replace " + file + ": " + error.message(), file);
  }
  earlier_.reset();
  start_.clear();
  text_.clear();
  is_clear_ = is_own_ = true;
  is_plain_ = false;
}

/// Before session.toml names them.
void SessionFolder::write_painted(const SessionPainted& painted) {
  std::set<std::string> now;
  for (const PaintedFile& each : painted.used) {
    const std::string file = folder_.path() + "/" + each.name();
    if (!is_there(file)) write_file_whole(file, *each.bytes);
    now.insert(each.name());
  }
  for (const std::string& each : painted_)
    if (!now.contains(each)) dropped_.insert(each);
  painted_ = std::move(now);
}

/// What no session here names any more, the present one or one that was moved aside.
void SessionFolder::remove_dropped() {
  if (dropped_.empty()) return;
  std::set<std::string> named = painted_;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(folder_.path(), error)) {
    const std::string name = entry.path().filename().string();
    if (!name.starts_with("session.before") || !name.ends_with(".toml") || !entry.is_regular_file(error))
      continue;
    for (std::string& each : painted_names(read_regular_file(entry.path().string())))
      named.insert(std::move(each));
  }
  for (const std::string& each : dropped_) {
    remove_left_of(folder_.path() + "/" + each);
    if (!named.contains(each)) fs::remove(folder_.path() + "/" + each, error);
  }
  dropped_.clear();
}

void SessionFolder::write(const Simulator& simulator, const HandTracks& hands, const SessionTexts& texts) {
  hold();
  clear();
  if (std::exchange(has_old_state_, false)) {
    std::error_code none;
    fs::remove(folder_.checkpoint(), none);
  }
  const auto renew = [](const std::string& file, std::string_view text, std::string& written) {
    if (text == written && is_there(file)) return;
    write_file_whole(file, text);
    written = text;
  };
  renew(folder_.session_start(), texts.start, start_);
  renew(folder_.session_text(), texts.now, text_);
  write_painted(texts.painted);
  // Last: where a full disk or a kill comes between, an edit that the text has is yet to act, and none is
  // undone that has acted.
  write_file_whole(folder_.session(), session_text(simulator, hands, folder_.path(), scene_file_, texts));
  remove_dropped();
  is_plain_ = texts.start == texts.now && texts.painted.start == texts.painted.now && hands.pulls.empty() &&
              hands.balls.empty() && !has_other_changes(simulator.system().assembly.scene);
}

void SessionFolder::finish(const Simulator& simulator, const HandTracks& hands, const SessionTexts& texts) {
  const System& system = simulator.system();
  write(simulator, hands, texts);
  Checkpoint checkpoint;
  checkpoint.work = simulator.work();
  try {
    checkpoint.identity =
        has_other_changes(system.assembly.scene)
            ? identity_as_read(simulator, session_text(simulator, hands, folder_.path(), scene_file_, texts),
                               folder_.path())
            : session_identity(simulator, hands);
  } catch (const InputError&) {  // A file that is gone: the session is whole without its last state.
    return;
  }
  checkpoint.field_device = system.field_device.name;
  write_checkpoint(folder_.checkpoint(), checkpoint, simulator.state());
  has_old_state_ = true;
}

}  // namespace electret::studio
