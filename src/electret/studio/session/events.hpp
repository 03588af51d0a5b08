#pragma once
/// \file
/// What a session tells its pages.

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include <electret/core/types.hpp>
#include <electret/studio/session/answers.hpp>

namespace electret::studio {

/// What the session is doing.
enum class Phase { empty, loading, broken, paused, running, rewinding, diverged, viewing, playing };
[[nodiscard]] const char* name_of(Phase phase);

/// The answer to a command; without `error` it was done or begun.
struct Answer {
  double id = 0.0;
  std::string error{};
};

/// A page's greeting, before anything else.
struct Welcome {
  std::string version;
  int page = 0;  ///< Its number.
};

struct StateInfo {
  Phase phase = Phase::empty;
  Count step = 0;                               ///< Of what is shown; a run's frame.
  double time = 0.0;                            ///< Its time, s.
  Count last_step = 0;                          ///< The scene's last step, or the last frame of a run.
  Count recorded_first = 0, recorded_last = 0;  ///< What one can go back to.
  bool as_fast_as_possible = false;
  double wanted = 1.0;                             ///< Simulated seconds per second, unless that.
  std::optional<double> reached{};                 ///< The same over the last second, while it moves.
  std::optional<double> step_ms{};                 ///< Mean time of the steps of the last second, ms.
  std::optional<double> field_ms{}, elastic_ms{};  ///< Its parts, ms.
  std::string reason{}, advice{};                  ///< Why it stands, if that is not the user's wish.
  std::optional<Index> vertex{};                   ///< That diverged.
  bool beyond = false;                             ///< Plays past the scene's last step.
  std::string scalar{};  ///< That frames have, for all pages; empty: nothing is open.

  friend bool operator==(const StateInfo&, const StateInfo&) = default;
};

struct DocumentFinding {
  std::string severity;        ///< "error", "warning" or "note".
  Count line = 0, column = 0;  ///< From 1; 0: unknown.
  std::string file, message;
};

/// The scene's text, and what is to be said about it.
struct DocumentInfo {
  std::string name, path, text;
  std::vector<DocumentFinding> findings{};
  bool unsaved = false;
  bool can_undo = false, can_redo = false;
  Count revision = 0;                  ///< Grows when the text changes.
  std::vector<std::string> waiting{};  ///< Keys in which the scene that runs is another: they come at Reset.
};

/// Values of a key-framed quantity.
struct KeyLane {
  std::string key, unit;
  std::size_t columns = 1;       ///< Numbers of a value: 1 or 3.
  std::string constant{};        ///< The key that says it without times; "" if there is none.
  std::vector<double> values{};  ///< times × columns; empty without keys.
  std::vector<double> value{};   ///< `columns` of the constant, if it is given.

  friend bool operator==(const KeyLane&, const KeyLane&) = default;
};
/// A table of the scene's text that has, or may have, key-frames. Its lanes share their times.
struct KeyTable {
  std::string key;              ///< "body.0.group_charge.1".
  std::string label;            ///< For people.
  std::vector<double> times{};  ///< s.
  std::string interpolation = "linear";
  std::vector<KeyLane> lanes{};
  /// What it moves, whatever its place in the text is: body, group, name. Pages are not told.
  std::string identity{};
  bool says_interpolation = false;  ///< The text does. Pages are not told.

  friend bool operator==(const KeyTable& a, const KeyTable& b) {
    return a.key == b.key && a.label == b.label && a.times == b.times && a.interpolation == b.interpolation &&
           a.lanes == b.lanes;
  }
};
/// All of them, and from which step on what was simulated is out of date.
struct KeysInfo {
  std::vector<KeyTable> tables{};
  std::optional<Count> stale_from{};

  friend bool operator==(const KeysInfo&, const KeysInfo&) = default;
};

/// What there is to be known of all fields, whatever the scene (fields.hpp).
struct SchemaInfo {};
/// A table of the scene's text that has fields.
struct FieldTable {
  std::string key;    ///< "body.0.springs.1".
  std::string table;  ///< That of the schema: "body.springs".
  std::string label;  ///< For people.
  /// Keys and values in TOML of what is written; of named numbers "constants.a".
  std::vector<std::pair<std::string, std::string>> values{};

  friend bool operator==(const FieldTable&, const FieldTable&) = default;
};
/// All of them.
struct FieldsInfo {
  std::vector<FieldTable> tables{};

  friend bool operator==(const FieldsInfo&, const FieldsInfo&) = default;
};

/// What the checker says to a text that was typed.
struct TextChecked {
  Count number = 0;
  std::vector<DocumentFinding> findings{};
  /// What applying it does: "wrong" (nothing, because of errors), "nothing" (the scene is the same), "live",
  /// "reset" (some of it at Reset) or "load" (the scene is loaded).
  std::string effect{};
  std::vector<std::string> waiting{};  ///< Keys that come at Reset.
  bool is_applied = false;
  std::string error{};  ///< Why it was not applied, if not for findings.
};

/// A file that is no longer what the scene was read from.
struct FileChange {
  std::string path;
  bool is_gone = false;  ///< Or can no longer be read.

  friend bool operator==(const FileChange&, const FileChange&) = default;
};
struct FilesInfo {
  std::vector<FileChange> changed{};

  friend bool operator==(const FilesInfo&, const FilesInfo&) = default;
};

struct BodyInfo {
  std::string name;
  Count first = 0, count = 0;              ///< Its vertices.
  Count shown_first = 0, shown_count = 0;  ///< The points of its surface.
  Count first_spring = 0, springs = 0, first_face = 0, faces = 0;
  double charge = 0.0, mass = 0.0;  ///< Totals, C and kg.
  bool filled = false, solid = false;
};

struct GroupInfo {
  Count body = 0;
  std::string name;
  Count offset = 0, count = 0;  ///< Within the topology's group indices.
  bool charged = false;         ///< It gives its vertices their charge, which painting leaves as it is.

  friend bool operator==(const GroupInfo&, const GroupInfo&) = default;
};

struct ExternalInfo {
  std::string name, kind;         ///< "point", "ball" or "mesh".
  double charge = 0.0;            ///< C.
  Vec3 position;                  ///< m.
  std::optional<double> width{};  ///< m.
};

struct ObstacleInfo {
  std::string name, shape;
  std::vector<double> size{};  ///< m; what it says depends on the shape: docs/studio.md.
  bool inside = false;
  std::array<double, 7> placement{};  ///< m, then the quaternion x, y, z, w.
  /// What is drawn of it about its own origin, m.
  std::vector<Vec3> vertices{};
  std::vector<Triangle> faces{};
  std::vector<std::array<Vec3, 2>> lines{};

  friend bool operator==(const ObstacleInfo&, const ObstacleInfo&) = default;
};

struct FieldInfo {
  std::string kind;
  Vec3 value;  ///< Of the field at the centre of the bodies at the start, N/C.
};

struct ScalarInfo {
  std::string name, label, unit;
  bool symmetric = false;  ///< Its range is symmetric about 0.
  double low = 0.0, high = 1.0;
};

/// Steps that take one time step, from a state on.
struct LegInfo {
  Count step = 0;
  double time = 0.0, time_step = 0.0;  ///< s.
};

struct SystemInfo {
  std::uint32_t generation = 0;
  std::string name, method;
  double time_step = 0.0;              ///< s.
  std::vector<LegInfo> legs{};         ///< If edits have changed it: all, the first from step 0.
  std::optional<double> rebuild_ms{};  ///< What it took to compile the scene anew, the last time.
  Count vertices = 0;
  std::vector<BodyInfo> bodies{};
  std::vector<GroupInfo> groups{};
  std::vector<ExternalInfo> external{};
  std::vector<ObstacleInfo> obstacles{};
  std::vector<Index> pins{};
  std::vector<FieldInfo> fields{};
  Vec3 gravity{};  ///< m/s².
  std::vector<ScalarInfo> scalars{};
  Vec3 centre{};      ///< Of the bodies' box at the start, m.
  double size = 1.0;  ///< Its diagonal, m.
  std::vector<std::string> warnings{};
  std::string folder{};  ///< Of the session, or of the run.
  bool run = false;
  Count frames = 0;
  bool growing = false;
  Count last_step = 0;
};

/// Rows of the energy table (record/energy_table.hpp).
struct EnergyRows {
  std::size_t from = 0;  ///< The number of the first of these rows.
  std::vector<std::array<double, 9>> rows{};
  bool restart = false;  ///< Earlier rows are no longer true.
};

struct ProgressInfo {
  std::string what;
  Count done = 0, total = 0;  ///< total 0: unknown.
};

/// Something to read that is about no place in a file.
struct NoticeInfo {
  std::string text;
  std::string severity = "note";
};

/// Something that can be opened.
struct OpenChoice {
  std::string name, kind, title, folder;
};

/// All that can be opened.
struct ChoicesInfo {
  std::vector<OpenChoice> entries{};
};

/// Something that pulls at a body.
struct HandInfo {
  std::uint32_t number = 0;  ///< Of the pull; 0 of a hand that no step has seen yet.
  /// "held" by a page, "ball" in the hand of a page, "tack", or "recorded": in the past that is played again.
  std::string kind;
  int page = 0, hand = 0;  ///< Whose it is, if it is held.
  std::string body;
  Count vertices = 0;
  double stiffness = 0.0, damping = 0.0;  ///< N/m, N s/m.
  /// Of a charge in the hand, C and m: it has no body, and `kind` is "ball", or "recorded".
  std::optional<double> charge{}, width{};

  friend bool operator==(const HandInfo&, const HandInfo&) = default;
};
/// All that pulls, hands that no step has seen yet first, and then the charges in hands.
struct HandsInfo {
  std::vector<HandInfo> hands{};

  friend bool operator==(const HandsInfo&, const HandsInfo&) = default;
};

/// An edit that was made while the scene ran.
struct ChangeInfo {
  Count step = 0;                  ///< The state before whose step it is made,
  double time = 0.0;               ///< and its time, s.
  std::vector<std::string> set{};  ///< "KEY=VALUE", or "--unset KEY".
  std::optional<double>
      energy{};  ///< What it gained at the same positions and velocities, J; once it is made.

  friend bool operator==(const ChangeInfo&, const ChangeInfo&) = default;
};
/// Those of the session.
struct ChangesInfo {
  std::vector<ChangeInfo> changes{};  ///< The last ones.
  Count all = 0;                      ///< How many there are.

  friend bool operator==(const ChangesInfo&, const ChangesInfo&) = default;
};

/// The session that an earlier start of the studio left in the folder.
struct EarlierInfo {
  std::string path;  ///< Of its session.toml; empty if there is none to be taken up or left.
  Count steps = 0;
  bool is_cut = false;         ///< It was killed.
  bool is_text_other = false;  ///< Its text has edits that are not in the scene's file.
  std::string damage{};        ///< Why it cannot be taken up.

  friend bool operator==(const EarlierInfo&, const EarlierInfo&) = default;
};

struct Bye {};

/// What does not change within a generation. Points are all vertices, then the surface points of filled
/// bodies; faces index these.
struct Topology {
  std::uint32_t generation = 0;
  std::uint32_t points = 0;
  Vec3 origin{};  ///< m.
  std::vector<Edge> springs{};
  std::vector<Triangle> faces{};
  std::vector<Index> groups{};
};

using Floats = std::shared_ptr<const std::vector<float>>;

/// One consistent picture. A block that is the same object as in an earlier frame has not changed.
struct Frame {
  std::uint32_t generation = 0, sequence = 0;
  double time = 0.0;  ///< s.
  Count step = 0;
  Vec3 origin{};  ///< m.
  std::uint32_t points = 0;
  Floats positions{};   ///< 3 × points, m, relative to the origin.
  Floats charges{};     ///< points, C.
  Floats scalar{};      ///< points; null: charges are the scalar.
  Floats placements{};  ///< 7 × obstacles; null without any.
  Floats external{};    ///< 4 × external charges; null without any.
  /// 9 × hands: grip and target, m, relative to the origin, the force of the spring, N, 1 if the pointer is
  /// farther than the hand reaches, number of the pull; null without any.
  Floats hands{};
  /// 5 × charges in hands: place, m, relative to the origin, charge, C, and σ, m; null without any.
  Floats balls{};
};

/// A kept frame that a page asked for; it has all of its blocks.
struct AskedFrame {
  std::uint32_t number = 0;  ///< As in AskFrame.
  std::shared_ptr<const Frame> frame;
};
/// How a ray-traced picture gets on; with `error` there will be none.
struct TracingInfo {
  std::uint32_t number = 0;   ///< As in RayTrace.
  Count done = 0, total = 0;  ///< Rows of pixels; total 0: not begun.
  std::string error{};
};
/// A ray-traced picture that is ready.
struct TracedPicture {
  std::uint32_t number = 0;
  std::shared_ptr<const std::string> png;
};

/// How the recording of the session gets on. It is told to everyone.
struct RecordingInfo {
  std::string folder;         ///< Of the run.
  Count done = 0, total = 0;  ///< Steps; total 0: not begun.
  bool is_going = true;
  std::string open{};   ///< What Open takes to open the run, once it has ended; "" where there is none.
  std::string error{};  ///< Why it ended before its last step.

  friend bool operator==(const RecordingInfo&, const RecordingInfo&) = default;
};

/// The derivative by a parameter; of one with more values, the root of the sum of their squares.
struct GradientRow {
  std::string name, unit;
  Count size = 1;
  double value = 0.0;
};
/// How a gradient gets on; with `error` there will be none, and with `is_done` it is here.
struct GradientInfo {
  std::uint32_t number = 0;   ///< As in AskGradient.
  Count done = 0, total = 0;  ///< Steps of both sweeps; total 0: not begun.
  std::string error{};
  bool is_done = false;
  double loss = 0.0;
  Count steps = 0;
  std::string notice{};
  std::vector<GradientRow> table{};
};
/// The gradient of a loss by the charges and the initial places of vertices.
struct VertexGradient {
  std::uint32_t number = 0;
  std::uint32_t generation = 0;
  Floats by_charge{};  ///< One per point.
  Floats by_place{};   ///< 3 per vertex.
};

using Event = std::variant<Answer, Welcome, StateInfo, DocumentInfo, SystemInfo, EnergyRows, ProgressInfo,
                           NoticeInfo, ChoicesInfo, HandsInfo, KeysInfo, SchemaInfo, FieldsInfo, ChangesInfo,
                           TextChecked, FilesInfo, SavedInfo, EarlierInfo, AskedFrame, TracingInfo,
                           TracedPicture, GradientInfo, VertexGradient, FieldValues, RecordingInfo,
                           SessionInfo, Bye, std::shared_ptr<const Topology>>;

/// A page's number, or everybody.
inline constexpr int everyone = -1;

/// Receives what a session tells, on the session's thread.
class Listener {
 public:
  virtual ~Listener() = default;
  /// Events of one page keep their order; a topology comes before the frames of its generation.
  virtual void tell(int page, const Event& event) = 0;
  /// A newer frame replaces one that was not sent yet.
  virtual void show(std::shared_ptr<const Frame> frame) = 0;
};

}  // namespace electret::studio
