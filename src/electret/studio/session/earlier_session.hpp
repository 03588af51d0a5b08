#pragma once
/// \file
/// The session that an earlier start of the studio has left in a folder, and how it is taken up again.
///
/// session.toml has what was done. The scene's text with its comments is beside it: session.start.toml is
/// what the session began with, session.text.toml what it had become. A session is taken up by loading the
/// former, and taking all steps again with the changes and grabs of session.toml.
///
/// The texts are written first. A session that was killed, or whose disk was full, before its first
/// session.toml has no steps, but has its text.

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <electret/scene/assembly.hpp>
#include <electret/scene/mesh_store.hpp>
#include <electret/scene/tables/changes.hpp>
#include <electret/studio/session/painted_charges.hpp>

namespace electret::studio {

/// What the texts of a session do not tell.
struct TextNotes {
  /// A hand in the past has forgotten edits that the text has: the next edit brings them in.
  bool has_forgotten_edits = false;
  /// By `name_of_text`, the identities of tables whose keys were edited before the play head.
  std::vector<std::string> edited_keys{};
};

/// Painted charges that are in files of the session.
struct SessionPainted {
  std::vector<PaintedFile> used{};  ///< All that session.toml and the two texts name.
  PaintedFiles start{}, now{};      ///< What they are for the two texts.
};

struct EarlierSession {
  std::string path;  ///< Of its session.toml, or of its text if there is none.
  Count steps = 0;
  bool is_begun = false;    ///< It has no session.toml yet.
  bool is_cut = false;      ///< It has no last state: it was not ended, but killed.
  std::string start, text;  ///< The scene's text at its start, and at last.
  TextNotes notes{};
  SessionPainted painted{};
  std::string damage;  ///< Why it cannot be taken up; empty if it can.
};

/// The session in `folder`, if there is one. One without a session.toml counts if its text is another than it
/// began with.
[[nodiscard]] std::optional<EarlierSession> earlier_session(const std::string& folder);

/// Names a text in session.toml: other texts have other names.
[[nodiscard]] std::string name_of_text(std::string_view text);

/// The line of session.toml that names the text it began with.
[[nodiscard]] std::string start_line(std::string_view start);

/// Names what a scene begins with, as it is read: where its bodies are, their masses, charges, springs and
/// elements, and the meshes around them. Where a mesh or table is another file, it has another name.
[[nodiscard]] std::string name_of_start(const Assembly& assembly);

/// The line of session.toml that has this name.
[[nodiscard]] std::string began_line(std::string_view began);

/// The lines of session.toml that tell these.
[[nodiscard]] std::string note_lines(const TextNotes& notes);

/// The lines of session.toml that tell these.
[[nodiscard]] std::string painted_lines(const SessionPainted& painted);
/// The names of files in these lines.
[[nodiscard]] std::vector<std::string> painted_names(std::string_view session_text);

/// Reads what session.toml in `folder` names as the scene in `scene` reads it: by the names that the scene
/// has.
[[nodiscard]] FileReader read_from_scene(const std::string& folder, const std::string& scene,
                                         const FileReader& read);

/// What hands and edits did in it.
struct SessionPast {
  Count steps = 0;
  std::vector<Change> edits{};               ///< Without the scene's own.
  std::vector<GrabTrack> tracks{};           ///< Likewise.
  std::vector<Count> tacks{};                ///< One per track: from which state it is a tack; Pull::never.
  std::vector<ExternalChargeTrack> balls{};  ///< Of balls.hpp.
};

/// Reads session.toml for the scene that it began with. Throws InputError with what is wrong with it.
[[nodiscard]] SessionPast past_of(const EarlierSession& session, const Assembly& start,
                                  const FileReader& read, MeshStore& meshes);

}  // namespace electret::studio
