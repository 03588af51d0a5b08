#pragma once
/// \file
/// A session's output folder: session.toml, which `electret run` repeats, and the last state.

#include <memory>
#include <optional>
#include <set>
#include <string>

#include <electret/dynamics/simulator.hpp>
#include <electret/record/run_directory.hpp>
#include <electret/studio/session/balls.hpp>
#include <electret/studio/session/earlier_session.hpp>
#include <electret/studio/session/pulls.hpp>

namespace electret::studio {

/// The scene's text at the last Reset, and as it stands.
struct SessionTexts {
  std::string_view start;
  std::string now;
  std::string_view began;  ///< `name_of_start` of the scene that it began with.
  Count steps = 0;         ///< That were simulated. The simulator may be at an earlier one.
  TextNotes notes{};
  SessionPainted painted{};
};

/// What hands did.
struct HandTracks {
  const Pulls& pulls;
  const Balls& balls;
};

class SessionFolder {
 public:
  /// Makes the folder and keeps other programs out of it. `scene_file` is as in RunResult. Throws InputError
  /// if the folder has something that may not be replaced: anything but an earlier session or a finished run
  /// of the same scene file, or texts of a session that does not say whose it is. Throws IoError.
  SessionFolder(const std::string& path, std::string scene_file);
  /// Removes the folder if nothing was written.
  ~SessionFolder();
  SessionFolder(const SessionFolder&) = delete;
  SessionFolder& operator=(const SessionFolder&) = delete;

  [[nodiscard]] const std::string& path() const { return folder_.path(); }
  [[nodiscard]] const std::string& scene_file() const { return scene_file_; }
  /// The scene has another file from now on.
  void name_scene(std::string scene_file) { scene_file_ = std::move(scene_file); }
  /// Removes the session that was begun here: another folder has it.
  void forget();
  /// The session of an earlier start that is here and was neither taken up nor left.
  [[nodiscard]] const std::optional<EarlierSession>& earlier() const { return earlier_; }
  /// What is written from now on goes on with the earlier session, or is beside it.
  void take_up();
  void leave_earlier() { earlier_.reset(); }
  /// Where the earlier session went when it was moved aside; empty if it was not.
  [[nodiscard]] const std::string& moved_to() const { return moved_to_; }
  /// What was written here is an earlier session's from now on.
  void begin_again();
  /// What was written here is that of another start from now on, and is offered if something was.
  void open_again();
  /// Renews session.toml, which is the simulator's scene with as many steps as were done, and what hands did;
  /// and the texts, if they are others. Throws IoError.
  void write(const Simulator& simulator, const HandTracks& hands, const SessionTexts& texts);
  /// The same, and checkpoint.h5 with the simulator's state, which is that of the last step. Throws IoError.
  void finish(const Simulator& simulator, const HandTracks& hands, const SessionTexts& texts);

 private:
  RunDirectory folder_;
  std::string scene_file_;
  std::optional<RunLock> lock_;
  bool is_new_ = false;         ///< The folder was made here.
  bool is_clear_ = false;       ///< What an earlier run or session left is gone.
  bool is_own_ = false;         ///< What is there was begun by this object.
  bool is_plain_ = false;       ///< What is there is steps of the scene, and no more was done.
  bool has_old_state_ = false;  ///< checkpoint.h5 is of the session as it was before.
  std::optional<EarlierSession> earlier_;
  std::string moved_to_, own_aside_;
  std::string start_, text_;  ///< As they were written.
  /// Painted charges: the names that session.toml has, and those that another one had.
  std::set<std::string> painted_, dropped_;
  void hold();
  void clear();
  void clear_begun();
  [[nodiscard]] std::string aside() const;
  void move_aside(const std::string& stem);
  void write_painted(const SessionPainted& painted);
  void remove_dropped();
};

/// The text of session.toml: a scene that repeats the simulator's steps bit for bit, `hands` with them. It
/// names the method that `auto` stood for. Paths lead from `folder`.
[[nodiscard]] std::string session_text(const Simulator& simulator, const HandTracks& hands,
                                       const std::string& folder, const std::string& scene_file,
                                       const SessionTexts& texts);

}  // namespace electret::studio
