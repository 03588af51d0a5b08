#pragma once
/// \file
/// Painted charges that a scene has in a file: "torus.charges.csv" beside the scene, which only Save writes.
///
/// Until then the text names a file that is not there, or has other numbers. Each stroke makes a file of the
/// session, "torus.charges.3.csv", whose bytes are kept here. The session's folder gets those that its
/// session.toml names.

#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <electret/scene/document.hpp>
#include <electret/scene/read.hpp>
#include <electret/studio/session/scene_source.hpp>

namespace electret::studio {

/// Painted charges of more vertices than these are in a file.
inline constexpr std::size_t most_inline_charges = 200;

/// One state of a body's charges, as a file of the session.
struct PaintedFile {
  std::string path;  ///< In the session's folder, absolute.
  std::shared_ptr<const std::string> bytes;

  [[nodiscard]] std::string name() const;
  bool operator==(const PaintedFile& other) const { return path == other.path || *bytes == *other.bytes; }
};

/// By the names that the text gives them: "torus.charges.csv".
using PaintedFiles = std::map<std::string, PaintedFile>;

/// The name of a body's file in the text, the first one or another ("torus.charges-2.csv"). It has no
/// separators, whatever the body is called.
[[nodiscard]] std::string charges_file(const std::string& body, int number = 1);
/// The first of its names that is not taken.
[[nodiscard]] std::string free_charges_file(const std::string& body,
                                            const std::function<bool(const std::string&)>& is_taken);
/// Whether `name` is one of these names.
[[nodiscard]] bool is_charges_file(const std::string& body, const std::string& name);

/// A header line, then the charge of each vertex (C): all digits that tell a number from its neighbours.
[[nodiscard]] std::string charges_table(const std::vector<double>& charges);

/// A body of a text whose charges are in a file.
struct ChargedBody {
  std::size_t body;
  std::string file;
};
[[nodiscard]] std::vector<ChargedBody> bodies_with_files(const Node& root);
/// Those of which Save may write the file: it has a name of theirs, and the text has that once, so that
/// nothing else reads it.
[[nodiscard]] std::vector<ChargedBody> bodies_with_own_files(const Node& root, const std::string& text);
/// Whether the text has `part` at one place.
[[nodiscard]] bool occurs_once(const std::string& text, const std::string& part);
/// What makes the bodies of a text in `folder` read the session's files, as overrides.
[[nodiscard]] std::vector<std::string> painted_overrides(const Node& root, const std::string& folder,
                                                         const PaintedFiles& painted);
/// The tree of a text in `folder` with the session's files in place of those that it names. Their paths lead
/// from there, so that session.toml can name them from its own folder.
[[nodiscard]] Node with_painted(Node root, const std::string& folder, const PaintedFiles& painted);

/// The names of a session's files in `folder` that strokes have made of `name`; that of the last stroke comes
/// last.
[[nodiscard]] std::vector<std::string> strokes_of(const std::string& folder, const std::string& name);

/// The path of a file that a text in `folder` names.
[[nodiscard]] std::string place_in(const std::string& folder, const std::string& name);

/// The path that leads from `folder` to a file; the whole one if there is none.
[[nodiscard]] std::string path_from(const std::string& folder, const PaintedFile& file);

/// Reads what a text in `folder` names: `painted` before `read`.
[[nodiscard]] FileReader reading_painted(FileReader read, const std::string& folder, PaintedFiles painted);

/// The files of a session. Many threads may use one object.
class PaintedStore {
 public:
  /// A new file in the session's folder, with a number that no file there has. `name` is that in the text.
  [[nodiscard]] PaintedFile add(const std::string& folder, const std::string& name, std::string bytes);
  /// One of an earlier session.
  void take(const PaintedFile& file);
  /// The file with this path; nothing if it is none of these.
  [[nodiscard]] std::optional<PaintedFile> find(const std::string& path) const;
  /// The one that an assignment of charges in a scene of `folder` names.
  [[nodiscard]] std::optional<PaintedFile> named_by(const std::string& assignment,
                                                    const std::string& folder) const;
  /// Forgets what is neither in `used` nor anywhere else in the program.
  void forget_all_but(const std::vector<PaintedFile>& used);
  /// Reads these files, and others by `read`.
  [[nodiscard]] static FileReader reading(std::shared_ptr<const PaintedStore> store, FileReader read);
  /// Gives what is read beside a scene, and Save may write over, a place in the session's folder: what the
  /// session began with must not change with it. `painted` and `saved` gain what they lack; what cannot be
  /// read is left to the scene's reader.
  void keep_own_files(const Node& root, const SceneSource& source, const std::string& session_folder,
                      PaintedFiles& painted, PaintedFiles& saved);

 private:
  mutable std::mutex mutex_;
  std::map<std::string, PaintedFile> files_;
};

}  // namespace electret::studio
