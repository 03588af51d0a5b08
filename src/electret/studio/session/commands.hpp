#pragma once
/// \file
/// What a page asks of a session.

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include <electret/core/types.hpp>
#include <electret/studio/session/events.hpp>

namespace electret::studio {

/// Send everything that there is to this page.
struct Hello {
  int protocol = 0;
};
/// Step or show frames on, at `rate` simulated seconds per second; absent: as fast as possible.
struct Play {
  std::optional<double> rate = 1.0;  ///< > 0.
  bool beyond = false;               ///< Go on past the scene's last step.
};
struct Pause {};
struct Step {
  Count steps = 1;      ///< ≥ 1.
  bool beyond = false;  ///< As in Play.
};
/// Back to step 0.
struct Reset {};
/// To a step that was simulated, or a frame of a run.
struct Seek {
  Count step = 0;     ///< ≥ 0; brought into what is recorded.
  bool live = false;  ///< The user is still dragging: the nearest kept frame will do.
};
/// Ends loading or rewinding.
struct Stop {};
/// Frames carry the values of this scalar from now on.
struct SelectView {
  std::string scalar;
};
/// Tells the page what can be opened.
struct AskChoices {};
/// Opens one of the choices by its name.
struct Open {
  std::string name;
};
struct Quit {};
/// A hand of the page takes hold of a body.
struct HandBegin {
  int hand = 0;              ///< The page's own number for it, 0 … most_hand.
  Count point = 0;           ///< A point of the topology.
  double brush = 0.0;        ///< Radius of what it holds, m; 0: the nearest vertex.
  std::optional<Vec3> at{};  ///< Where the pointer is, m: places that are told later are moved by as much as
                             ///< the grip is away from there. Absent: they mean themselves.
  double strength = 1.0;     ///< 0.01 … 1: the part of the stiffness that is safe.
};
struct HandMove {
  int hand = 0;
  Vec3 to;  ///< m.
};
/// Lets go, or leaves a tack.
struct HandEnd {
  int hand = 0;
  bool stays = false;
};
/// A page holds a charge in its hand: a Gaussian ball.
struct BallBegin {
  int hand = 0;         ///< The page's own number for it, 0 … most_hand; balls and pulls have their own.
  Vec3 at;              ///< m.
  double charge = 0.0;  ///< C, not 0.
  double width = 0.0;   ///< σ, m, > 0.
};
struct BallMove {
  int hand = 0;
  Vec3 to;  ///< m.
};
struct BallEnd {
  int hand = 0;
};
struct RemoveTack {
  std::uint32_t number = 0;  ///< Of HandInfo.
};
/// Sets the charge of each vertex of a body, or of one of its groups.
struct SetCharge {
  Count body = 0;                      ///< Its number.
  std::optional<std::string> group{};  ///< Absent: the body's own.
  double value = 0.0;                  ///< C.
  double gesture = 0.0;                ///< What has the same number is one step of undo; 0 stands alone.
  bool is_key = false;                 ///< Of a group: it becomes a key; of a gesture when that ends.
};
/// Sets the charge or the place of an external charge, in the place of key-frames.
struct SetExternal {
  Count number = 0;                ///< From 0, as in SystemInfo.
  std::optional<double> charge{};  ///< C; of a mesh the whole charge.
  std::optional<Vec3> position{};  ///< m.
  double gesture = 0.0;            ///< As in SetCharge.
  bool is_key = false;             ///< Likewise, of one of the two.
};
/// Gives a field of the text a value.
struct Tune {
  std::string key;                    ///< "body.0.springs.0.stiffness".
  std::optional<std::string> toml{};  ///< Absent: the key is removed.
  double gesture = 0.0;               ///< As in SetCharge.
  std::optional<Count> revision{};    ///< As in SetKeys.
};
/// The gesture has ended, whose values become keys.
struct EndKeys {
  double gesture = 0.0;
};
/// Gives a table of the text these times, values, constants and interpolation.
struct SetKeys {
  KeyTable table;
  double gesture = 0.0;
  std::optional<Count> revision{};  ///< Of the text that it was made from, which must be the present one.
};
/// Takes the steps again from where they are out of date, to the one that is shown.
struct Replay {};
/// Sets the charges of some vertices of a body.
struct Paint {
  Count body = 0;
  std::vector<Count> vertices{};  ///< Of the body, from 0.
  std::vector<double> charges{};  ///< One each, C.
};
/// Makes a group of some vertices of a body.
struct MakeGroup {
  Count body = 0;
  std::string name{};
  std::vector<Count> vertices{};  ///< Of the body, from 0.
};
struct Undo {};
struct Redo {};
/// Writes the scene's file.
struct Save {
  bool over = false;                  ///< Also if something else has written it meanwhile.
  std::optional<std::string> name{};  ///< Of another file in the scene's folder; absent: its own.
};
/// The scene's text as it was typed. It is checked, and applied if nothing is wrong with it.
struct TypedText {
  Count number = 0;  ///< The page's own, which TextChecked repeats. A later text of the page takes its place.
  Count revision = 0;  ///< Of the text that it was made from.
  std::string text{};
  bool apply = false;
};
/// Reads the scene again from its files, which have changed.
struct Reload {};
/// Files that have changed are told no more.
struct KeepOpen {};
/// Goes on with the session that an earlier start of the studio left.
struct TakeUp {};
/// Begins without it.
struct LeaveEarlier {};
/// Makes a session of the run that is open, which goes on from its checkpoint.
struct Continue {};
/// Sends the page alone the kept frame nearest to a step, or a frame of a run. What is shown stays.
struct AskFrame {
  Count step = 0;
  std::uint32_t number = 0;  ///< The page's own, which AskedFrame repeats.
};
/// A ray-traced picture of what is shown, as `electret render` makes them.
struct RayTrace {
  std::uint32_t number = 0;       ///< The page's own.
  int width = 0, height = 0;      ///< Pixels: `least_side` … `most_side` each, `most_pixels` together.
  Vec3 eye{}, target{};           ///< m, apart from each other. z is upwards.
  double low = -1.0, high = 1.0;  ///< The ends of the scale of the colours.
  bool springs = false;           ///< Of bodies with faces, too.
  bool ground = true;             ///< A floor below the bodies.
  bool labels = true;             ///< The time, and the scale of charges.
};
/// Ends the page's ray tracing.
struct StopTracing {};
/// The gradient of a loss of the scene as it stands, from its start to the play head.
struct AskGradient {
  std::uint32_t number = 0;  ///< The page's own.
  std::string loss{};        ///< As in GradientOrder.
};
/// Ends the page's gradient.
struct StopGradient {};
/// The electric field of what is shown, once, on a grid of points.
struct AskField {
  std::uint32_t number = 0;    ///< The page's own.
  Vec3 corner, across, along;  ///< m: the first point, and the ways to its neighbours.
  int columns = 1, rows = 1;   ///< 1 or more each, `most_field_points` together.
};
/// Runs the session as it stands into a folder beside its own, as `electret run` does, while it goes on.
struct Record {
  std::string name{};  ///< Of the run's folder.
  bool over = false;   ///< Also if another run is there.
};
/// Ends the recording, whichever page has begun it.
struct StopRecording {};
/// Tells the page what the session's folder holds, and what was done.
struct AskSession {};
/// The page is gone: its hands let go. Pages cannot send it.
struct Leave {};

using Command =
    std::variant<Hello, Play, Pause, Step, Reset, Seek, Stop, SelectView, AskChoices, Open, Quit, HandBegin,
                 HandMove, HandEnd, BallBegin, BallMove, BallEnd, RemoveTack, SetCharge, SetExternal, Tune,
                 EndKeys, SetKeys, Replay, Paint, MakeGroup, Undo, Redo, Save, TypedText, Reload, KeepOpen,
                 TakeUp, LeaveEarlier, Continue, AskFrame, RayTrace, StopTracing, AskGradient, StopGradient,
                 AskField, Record, StopRecording, AskSession, Leave>;

/// The sides that pictures may have, and their area, pixels.
inline constexpr int least_side = 16, most_side = 8192;
inline constexpr double most_pixels = 36e6;

/// Points of a field that a page may ask for.
inline constexpr int most_field_points = 1024;

/// The largest number of a page's hand.
inline constexpr int most_hand = 7;
inline constexpr double least_strength = 0.01;

/// The version of the protocol between page and session.
inline constexpr int protocol_version = 1;

/// A command with who sent it. The answer names `id`.
struct Posted {
  int page = 0;
  double id = 0.0;
  Command command;
};

}  // namespace electret::studio
