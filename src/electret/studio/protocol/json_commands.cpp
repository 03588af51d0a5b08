#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include <nlohmann/json.hpp>

#include <electret/core/text.hpp>
#include <electret/scene/toml_text.hpp>
#include <electret/studio/protocol/json.hpp>
#include <electret/studio/session/pulls.hpp>

namespace electret::studio {
namespace {

using nlohmann::json;

/// How deep arrays and objects nest. The text need not be JSON.
int depth_of(std::string_view text) {
  int depth = 0, deepest = 0;
  bool in_text = false;
  for (std::size_t k = 0; k < text.size(); ++k) {
    const char c = text[k];
    if (in_text) {
      if (c == '\\')
        ++k;
      else if (c == '"')
        in_text = false;
    } else if (c == '"') {
      in_text = true;
    } else if (c == '[' || c == '{') {
      deepest = std::max(deepest, ++depth);
    } else if (c == ']' || c == '}') {
      --depth;
    }
  }
  return deepest;
}

/// Thrown within this file, for what is answered.
struct BadField {
  std::string error;
};

const json& field(const json& message, const char* name) {
  const auto found = message.find(name);
  if (found == message.end()) throw BadField{std::string("\"") + name + "\" is missing"};
  return *found;
}

double number(const json& message, const char* name) {
  const json& value = field(message, name);
  if (!value.is_number() || !std::isfinite(value.get<double>()))
    throw BadField{std::string("\"") + name + "\" is not a finite number"};
  return value.get<double>();
}

Count whole(const json& message, const char* name, Count least) {
  const double value = number(message, name);
  constexpr double most = 9e15;
  if (std::floor(value) != value || value < static_cast<double>(least) || value > most)
    throw BadField{std::string("\"") + name + "\" is not a whole number from " + std::to_string(least) +
                   " to 9e15"};
  return static_cast<Count>(value);
}

bool flag(const json& message, const char* name) {
  const auto found = message.find(name);
  if (found == message.end()) return false;
  if (!found->is_boolean()) throw BadField{std::string("\"") + name + "\" is neither true nor false"};
  return found->get<bool>();
}

std::string word(const json& message, const char* name) {
  const json& value = field(message, name);
  if (!value.is_string()) throw BadField{std::string("\"") + name + "\" is not a text"};
  return value.get<std::string>();
}

Command read_play(const json& message) {
  Play play;
  play.beyond = flag(message, "beyond");
  if (const auto rate = message.find("rate"); rate != message.end() && rate->is_null())
    play.rate.reset();
  else if (rate != message.end())
    play.rate = number(message, "rate");
  if (play.rate && !(*play.rate > 0.0 && *play.rate <= 1e6))
    throw BadField{"\"rate\" is not above 0 and at most 1e6"};
  return play;
}

/// A place, m.
Vec3 place(const json& message, const char* name) {
  const json& value = field(message, name);
  constexpr double most = 1e12;
  const auto is_number = [](const json& each) {
    return each.is_number() && std::abs(each.get<double>()) <= most;
  };
  if (!value.is_array() || value.size() != 3 || !std::all_of(value.begin(), value.end(), is_number))
    throw BadField{std::string("\"") + name + "\" is not a place: 3 numbers of at most 1e12"};
  return {value[0].get<double>(), value[1].get<double>(), value[2].get<double>()};
}

double between(const json& message, const char* name, double least, double most) {
  const double value = number(message, name);
  if (!(value >= least && value <= most))
    throw BadField{std::string("\"") + name + "\" is not from " + json(least).dump() + " to " +
                   json(most).dump()};
  return value;
}

Command read_hand(const json& message) {
  const Count hand = message.contains("hand") ? whole(message, "hand", 0) : 0;
  if (hand > most_hand)
    throw BadField{"\"hand\" is not a whole number from 0 to " + std::to_string(most_hand)};
  const auto number = static_cast<int>(hand);
  const std::string action = word(message, "do");
  if (action == "move") return HandMove{number, place(message, "to")};
  if (action == "end") return HandEnd{number, flag(message, "stays")};
  if (action != "begin") throw BadField{"\"do\" is none of begin, move, end"};
  HandBegin begin{number, whole(message, "point", 0)};
  if (message.contains("brush")) begin.brush = between(message, "brush", 0.0, 1e12);
  if (message.contains("at")) begin.at = place(message, "at");
  if (message.contains("strength")) begin.strength = between(message, "strength", least_strength, 1.0);
  return begin;
}

/// Vertices of a body.
std::vector<Count> indices(const json& message, const char* name) {
  const json& value = field(message, name);
  constexpr double most = 4294967295.0;
  const auto is_index = [](const json& each) {
    if (!each.is_number()) return false;
    const auto number = each.get<double>();
    return number >= 0.0 && number <= most && std::floor(number) == number;
  };
  if (!value.is_array() || !std::all_of(value.begin(), value.end(), is_index))
    throw BadField{std::string("\"") + name + "\" is not a list of vertices, counted from 0"};
  std::vector<Count> all;
  for (const json& each : value) all.push_back(static_cast<Count>(each.get<double>()));
  return all;
}

/// A charge, C.
bool is_charge(const json& value) {
  constexpr double most = 1e12;
  return value.is_number() && std::abs(value.get<double>()) <= most;
}

Command read_charge(const json& message) {
  SetCharge charge{whole(message, "body", 0)};
  if (message.contains("group") && !message["group"].is_null()) charge.group = word(message, "group");
  if (!is_charge(field(message, "value"))) throw BadField{"\"value\" is not a charge of at most 1e12 C"};
  charge.value = number(message, "value");
  if (message.contains("gesture")) charge.gesture = between(message, "gesture", 0.0, 1e9);
  charge.is_key = flag(message, "key");
  return charge;
}

Command read_ball(const json& message) {
  const Count hand = message.contains("hand") ? whole(message, "hand", 0) : 0;
  if (hand > most_hand)
    throw BadField{"\"hand\" is not a whole number from 0 to " + std::to_string(most_hand)};
  const auto own = static_cast<int>(hand);
  const std::string action = word(message, "do");
  if (action == "move") return BallMove{own, place(message, "to")};
  if (action == "end") return BallEnd{own};
  if (action != "begin") throw BadField{"\"do\" is none of begin, move, end"};
  BallBegin begin{own, place(message, "at")};
  if (!is_charge(field(message, "charge")) || number(message, "charge") == 0.0)
    throw BadField{"\"charge\" is not a charge of at most 1e12 C, other than 0"};
  begin.charge = number(message, "charge");
  begin.width = between(message, "width", 1e-12, 1e12);
  return begin;
}

Command read_external(const json& message) {
  SetExternal external{whole(message, "external", 0)};
  if (message.contains("charge")) {
    if (!is_charge(message["charge"])) throw BadField{"\"charge\" is not a charge of at most 1e12 C"};
    external.charge = number(message, "charge");
  }
  if (message.contains("position")) external.position = place(message, "position");
  if (!external.charge && !external.position) throw BadField{"neither \"charge\" nor \"position\" is given"};
  if (message.contains("gesture")) external.gesture = between(message, "gesture", 0.0, 1e9);
  external.is_key = flag(message, "key");
  if (external.is_key && external.charge && external.position)
    throw BadField{"a key is of \"charge\" or of \"position\", not of both"};
  return external;
}

/// A field's value in TOML: as it was typed, or of JSON.
std::string value_toml(const json& message) {
  constexpr std::size_t longest = 2000;
  if (message.contains("toml")) {
    auto toml = word(message, "toml");
    if (toml.size() > longest) throw BadField{"\"toml\" has more than 2000 bytes"};
    return toml;
  }
  const json& value = field(message, "value");
  if (value.is_boolean()) return value.get<bool>() ? "true" : "false";
  if (value.is_string()) return toml_string(word(message, "value"));
  if (value.is_number()) return toml_value(number_node(seven_digits(number(message, "value"))));
  const auto is_number = [](const json& each) {
    return each.is_number() && std::isfinite(each.get<double>());
  };
  if (!value.is_array() || value.size() != 3 || !std::all_of(value.begin(), value.end(), is_number))
    throw BadField{"\"value\" is no number, text, true, false or list of 3 finite numbers"};
  return toml_value(row_node({seven_digits(value[0].get<double>()), seven_digits(value[1].get<double>()),
                              seven_digits(value[2].get<double>())}));
}

/// A field of the scene's text.
Command read_tune(const json& message) {
  Tune tune{word(message, "key")};
  const bool is_removed = message.contains("value") && message["value"].is_null();
  if (!is_removed || message.contains("toml")) tune.toml = value_toml(message);
  if (message.contains("gesture")) tune.gesture = between(message, "gesture", 0.0, 1e9);
  if (message.contains("revision")) tune.revision = whole(message, "revision", 0);
  return tune;
}

std::vector<double> numbers(const json& message, const char* name) {
  const json& value = field(message, name);
  constexpr double most = 1e12;
  const auto is_number = [](const json& each) {
    return each.is_number() && std::abs(each.get<double>()) <= most;
  };
  if (!value.is_array() || !std::all_of(value.begin(), value.end(), is_number))
    throw BadField{std::string("\"") + name + "\" is not a list of numbers of at most 1e12"};
  std::vector<double> all;
  for (const json& each : value) all.push_back(each.get<double>());
  return all;
}

/// Keys of a table of the scene's text.
Command read_keys(const json& message) {
  SetKeys keys;
  keys.table.key = word(message, "table");
  keys.table.times = numbers(message, "times");
  keys.table.interpolation = word(message, "interpolation");
  const json& lanes = field(message, "lanes");
  if (!lanes.is_array() ||
      !std::all_of(lanes.begin(), lanes.end(), [](const json& each) { return each.is_object(); }))
    throw BadField{"\"lanes\" is not a list of lanes"};
  for (const json& each : lanes) {
    KeyLane& lane = keys.table.lanes.emplace_back();
    lane.key = word(each, "key");
    if (each.contains("values")) lane.values = numbers(each, "values");
    if (each.contains("value")) lane.value = numbers(each, "value");
  }
  if (message.contains("gesture")) keys.gesture = between(message, "gesture", 0.0, 1e9);
  if (message.contains("revision")) keys.revision = whole(message, "revision", 0);
  return keys;
}

Command read_paint(const json& message) {
  Paint paint{whole(message, "body", 0), indices(message, "vertices")};
  const json& charges = field(message, "charges");
  if (!charges.is_array() || charges.size() != paint.vertices.size() ||
      !std::all_of(charges.begin(), charges.end(), is_charge))
    throw BadField{"\"charges\" is not a list of as many charges, each of at most 1e12 C"};
  for (const json& each : charges) paint.charges.push_back(each.get<double>());
  return paint;
}

std::uint32_t own_number(const json& message) {
  return static_cast<std::uint32_t>(std::min(whole(message, "number", 0), Count{0xffffffff}));
}

/// What a ray-traced picture shows.
Command read_trace(const json& message) {
  RayTrace trace{own_number(message)};
  trace.width = static_cast<int>(between(message, "width", least_side, most_side));
  trace.height = static_cast<int>(between(message, "height", least_side, most_side));
  if (trace.width != number(message, "width") || trace.height != number(message, "height"))
    throw BadField{"\"width\" and \"height\" are not whole numbers"};
  if (static_cast<double>(trace.width) * trace.height > most_pixels)
    throw BadField{"a picture has at most 36 million pixels"};
  trace.eye = place(message, "eye");
  trace.target = place(message, "target");
  if (trace.eye == trace.target) throw BadField{"\"eye\" is where \"target\" is"};
  trace.low = number(message, "low");
  trace.high = number(message, "high");
  trace.springs = flag(message, "springs");
  trace.ground = !flag(message, "no_ground");
  trace.labels = !flag(message, "no_labels");
  return trace;
}

/// A grid of points at which the field is asked for.
Command read_field(const json& message) {
  AskField ask{own_number(message), place(message, "corner"), place(message, "across"),
               place(message, "along")};
  const Count columns = whole(message, "columns", 1), rows = whole(message, "rows", 1);
  if (columns > most_field_points || rows > most_field_points || columns * rows > most_field_points)
    throw BadField{"a grid has at most " + std::to_string(most_field_points) + " points"};
  ask.columns = static_cast<int>(columns);
  ask.rows = static_cast<int>(rows);
  return ask;
}

Command read_gradient(const json& message) {
  constexpr std::size_t longest = 2000;
  AskGradient ask{own_number(message), word(message, "loss")};
  if (ask.loss.size() > longest) throw BadField{"\"loss\" has more than 2000 bytes"};
  return ask;
}

Command read_save(const json& message) {
  Save save{flag(message, "over")};
  if (message.contains("name") && !message["name"].is_null()) save.name = word(message, "name");
  return save;
}

Command read_command(const std::string& kind, const json& message) {
  if (kind == "hello")
    return Hello{static_cast<int>(std::min(whole(message, "protocol", 0), Count{1} << 20))};
  if (kind == "play") return read_play(message);
  if (kind == "pause") return Pause{};
  if (kind == "step")
    return Step{message.contains("n") ? whole(message, "n", 1) : 1, flag(message, "beyond")};
  if (kind == "reset") return Reset{};
  if (kind == "seek") return Seek{whole(message, "step", 0), flag(message, "live")};
  if (kind == "stop") return Stop{};
  if (kind == "select-view") return SelectView{word(message, "scalar")};
  if (kind == "choices") return AskChoices{};
  if (kind == "open") return Open{word(message, "name")};
  if (kind == "quit") return Quit{};
  if (kind == "hand") return read_hand(message);
  if (kind == "ball") return read_ball(message);
  if (kind == "charge") return read_charge(message);
  if (kind == "external") return read_external(message);
  if (kind == "tune") return read_tune(message);
  if (kind == "keys") return read_keys(message);
  if (kind == "end-keys") return EndKeys{between(message, "gesture", 0.0, 1e9)};
  if (kind == "replay") return Replay{};
  if (kind == "paint") return read_paint(message);
  if (kind == "group")
    return MakeGroup{whole(message, "body", 0), word(message, "name"), indices(message, "vertices")};
  if (kind == "undo") return Undo{};
  if (kind == "redo") return Redo{};
  if (kind == "save") return read_save(message);
  if (kind == "text")
    return TypedText{whole(message, "number", 0), whole(message, "revision", 0), word(message, "text"),
                     flag(message, "apply")};
  if (kind == "reload") return Reload{};
  if (kind == "keep") return KeepOpen{};
  if (kind == "take-up") return TakeUp{};
  if (kind == "leave-earlier") return LeaveEarlier{};
  if (kind == "continue") return Continue{};
  if (kind == "frame") return AskFrame{whole(message, "step", 0), own_number(message)};
  if (kind == "trace") return read_trace(message);
  if (kind == "stop-tracing") return StopTracing{};
  if (kind == "gradient") return read_gradient(message);
  if (kind == "stop-gradient") return StopGradient{};
  if (kind == "field") return read_field(message);
  if (kind == "record") return Record{word(message, "name"), flag(message, "over")};
  if (kind == "stop-recording") return StopRecording{};
  if (kind == "session") return AskSession{};
  if (kind == "remove-tack")
    return RemoveTack{static_cast<std::uint32_t>(std::min(whole(message, "number", 0), Count{0xffffffff}))};
  throw BadField{"there is no message " + in_quotes(kind)};
}

}  // namespace

PageMessage read_message(std::string_view text) {
  if (text.size() > most_message_bytes) return Malformed{"the message is too long"};
  if (depth_of(text) > deepest_json) return Malformed{"the message is nested too deep"};
  json message;
  try {
    message = json::parse(text);
  } catch (const json::exception&) {  // No JSON, no UTF-8, or a number beyond float64.
    return Malformed{"the message is not JSON"};
  }
  if (!message.is_object()) return Malformed{"the message is no object"};
  const auto kind = message.find("t");
  if (kind == message.end() || !kind->is_string()) return Malformed{"the message has no \"t\""};
  const auto name = kind->get<std::string>();
  try {
    if (name == "drawn") return Drawn{static_cast<std::uint32_t>(whole(message, "sequence", 0) & 0xffffffff)};
  } catch (const BadField&) {
    return Malformed{"\"drawn\" has no \"sequence\""};
  }
  const auto id = message.find("id");
  if (id == message.end() || !id->is_number() || !std::isfinite(id->get<double>()))
    return Malformed{"the message has no \"id\""};
  try {
    return Request{id->get<double>(), read_command(name, message)};
  } catch (const BadField& bad) {
    return Refused{id->get<double>(), bad.error};
  }
}

}  // namespace electret::studio
