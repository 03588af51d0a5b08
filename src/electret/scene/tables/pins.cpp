#include <algorithm>

#include <electret/scene/tables/pins.hpp>
#include <electret/scene/tables/table_file.hpp>

namespace electret {

namespace number {
constinit const NumberKind pin_offsets =
    numbers_of_tracks<&Assembly::pin_tracks, &PinTrack::offsets, &KeyFrames<Vec3>::values>();
}  // namespace number

namespace {

void read_pin(SceneReading& reading, Pin&, const Node& node, const std::string& key) {
  reading.check_keys(node, key, {"offsets"}, {});
}

void check_pin(SceneChecking& checking, const Pin& pin, const std::string& key) {
  checking.known_group(pin.group, key);
  if (pin.offsets.empty()) return;
  if (!checking.none_bad(key, {"offsets", "times"}) || !checking.key_frames(pin.offsets, key, "offsets"))
    return;
  const Vec3 start = evaluate(pin.offsets, 0.0, checking.scene.time.step);
  if (start == Vec3{}) return;
  checking.add(key + ".offsets",
               "the offset of pin " + in_quotes(pin.group) + " at time 0 is [" + number_text(start.x) + ", " +
                   number_text(start.y) + ", " + number_text(start.z) + "]",
               "it must be zero: a pin starts at the initial place");
}

/// The group of another pin that has one of the vertices, and that vertex.
const PinTrack* other_pin(const Assembly& a, const PinTrack& track, Index& vertex) {
  for (const Index each : track.vertices)
    for (const PinTrack& other : a.pin_tracks)
      if (std::binary_search(other.vertices.begin(), other.vertices.end(), each))
        return vertex = each, &other;
  return nullptr;
}

std::optional<PinTrack> pin_track(Assembling& assembling, const Pin& pin, const std::string& key) {
  const BodyContext& context = *assembling.body;
  const std::string begin = "body." + context.body.name + ".pin[";
  PinTrack track{context.members(pin.group), pin.offsets, begin + pin.group + "]"};
  Index twice = 0;
  if (const PinTrack* other = other_pin(assembling.result, track, twice))
    context.report.add(context.scene.source, key + ".group",
                       "vertex " + std::to_string(twice - context.first) + " of body " +
                           in_quotes(context.body.name) + " is pinned by group " + in_quotes(pin.group) +
                           " and by group " +
                           in_quotes(other->name.substr(begin.size(), other->name.size() - begin.size() - 1)),
                       "a vertex is in one [[body.pin]] only");
  return track;
}

void check_pins(const Assembly& a) {
  std::vector<char> is_pinned(a.masses.size(), 0);
  for (const PinTrack& track : a.pin_tracks) {
    require_argument(are_below(track.vertices, a.masses.size()) && are_keys(track.offsets, true),
                     "assembly: a pin names no vertex, or its keys do not fit");
    for (const Index vertex : track.vertices) {
      char& mark = is_pinned[static_cast<std::size_t>(vertex)];
      require_argument(mark == 0, "assembly: a vertex is pinned twice");
      mark = 1;
    }
  }
}

auto pin_identity(const PinTrack& track) {
  return std::tie(track.vertices, track.offsets);
}

void drive_pins(const SceneTable&, const Assembly& a, std::vector<DrivenInput>& to) {
  const std::vector<Index> pins = pinned_vertices(a);
  for (const PinTrack& track : a.pin_tracks) {
    std::vector<std::size_t> rows;
    VectorArray starts;
    for (const Index vertex : track.vertices) {
      const auto place = std::lower_bound(pins.begin(), pins.end(), vertex);
      rows.push_back(static_cast<std::size_t>(place - pins.begin()));
      starts.push_back(a.initial_positions[static_cast<std::size_t>(vertex)]);
    }
    to.push_back(DrivenInput(track.name + ".offset", "m", input::pin_positions, rows).from(starts));
    to.push_back(DrivenInput(track.name + ".positions", "m", input::pin_positions, rows).each());
  }
}

}  // namespace

std::vector<Index> pinned_vertices(const Assembly& assembly) {
  std::vector<Index> pins;
  for (const PinTrack& track : assembly.pin_tracks)
    pins.insert(pins.end(), track.vertices.begin(), track.vertices.end());
  std::sort(pins.begin(), pins.end());
  return pins;
}

SceneTable pin_table() {
  using namespace schema;
  SceneTable table;
  table.schema = {.name = "body.pin",
                  .is_repeated = true,
                  .description = "A group held at its initial place, or moved from it by key-frames.",
                  .rows = {row<&Pin::group>("group").required().says("Name of the group."),
                           times_row<&Pin::offsets, &KeyFrames<Vec3>::times>(),
                           values_row<&Pin::offsets>("offsets").unit("m").says(
                               "Key-frames: displacement from the initial place, world axes; 0 at time 0."),
                           interpolation_row<&Pin::offsets, &KeyFrames<Vec3>::interpolation>()}};
  table.called = "body.NAME.pin[GROUP]";
  table.numbers = {{&number::pin_offsets, Per::own, {{"offsets", "Offsets of a moved pin, key by key."}}}};
  table.name_of = name_of_track<&Assembly::pin_tracks>;
  table.read = read_each<&Body::pins, read_pin>;
  table.check = check_each<&Body::pins, check_pin>;
  table.assemble = add_each<&Body::pins, &Assembly::pin_tracks, pin_track>;
  table.check_assembly = check_pins;
  table.part = "pins";
  table.identify = identify_tracks<&Assembly::pin_tracks, pin_identity>;
  table.drive = drive_pins;
  return table;
}

}  // namespace electret
