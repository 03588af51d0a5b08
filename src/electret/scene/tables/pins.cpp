#include <algorithm>

#include <electret/scene/tables/pins.hpp>
#include <electret/scene/tables/table_file.hpp>

namespace electret {

namespace number {
constinit const NumberKind pin_offsets =
    numbers_of_tracks<&Assembly::pin_tracks, &PinTrack::offsets, &KeyFrames<Vec3>::values>();
}  // namespace number

namespace {

void check_direction(SceneChecking& checking, const std::optional<Vec3>& direction, const std::string& key) {
  if (!direction || checking.report.is_bad(key)) return;
  if (!is_finite(*direction) || !(norm(*direction) > 0.0))
    checking.add(key,
                 "the direction is [" + number_text(direction->x) + ", " + number_text(direction->y) + ", " +
                     number_text(direction->z) + "]",
                 "it must be finite and have a length");
}

void check_pin(SceneChecking& checking, const Pin& pin, const std::string& key) {
  checking.known_group(pin.group, key);
  check_direction(checking, pin.normal, key + ".normal");
  check_direction(checking, pin.axis, key + ".axis");
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

/// Whether two pins hold no direction together, so that a vertex may be in both.
bool are_perpendicular(const Mat3& a, const Mat3& b) {
  constexpr double rounding = 1e-12;
  double squares = 0.0;
  for (const Vec3& row : a.rows) squares += squared_norm(b * row);
  return squares <= rounding;
}

/// The group of another pin that holds one of the vertices in a direction that this holds, and that vertex.
const PinTrack* other_pin(const Assembly& a, const PinTrack& track, Index& vertex) {
  for (const PinTrack& other : a.pin_tracks) {
    if (are_perpendicular(track.hold.projector(), other.hold.projector())) continue;
    for (const Index each : track.vertices)
      if (std::binary_search(other.vertices.begin(), other.vertices.end(), each))
        return vertex = each, &other;
  }
  return nullptr;
}

Vec3 unit_of(const std::optional<Vec3>& direction) {
  return direction ? (1.0 / norm(*direction)) * *direction : Vec3{};
}

std::optional<PinTrack> pin_track(Assembling& assembling, const Pin& pin, const std::string& key) {
  const BodyContext& context = *assembling.body;
  const std::string begin = "body." + context.body.name + ".pin[";
  PinTrack track{context.members(pin.group),
                 pin.offsets,
                 begin + pin.group + "]",
                 {unit_of(pin.normal), unit_of(pin.axis)}};
  Index twice = 0;
  if (const PinTrack* other = other_pin(assembling.result, track, twice))
    context.report.add(context.scene.source, key + ".group",
                       "vertex " + std::to_string(twice - context.first) + " of body " +
                           in_quotes(context.body.name) + " is pinned by group " + in_quotes(pin.group) +
                           " and by group " +
                           in_quotes(other->name.substr(begin.size(), other->name.size() - begin.size() - 1)),
                       "a vertex is in one [[body.pin]] only, unless they hold perpendicular directions");
  return track;
}

void check_pins(const Assembly& a) {
  std::vector<Mat3> held(a.masses.size());
  for (const PinTrack& track : a.pin_tracks) {
    require_argument(are_below(track.vertices, a.masses.size()) && are_keys(track.offsets, true),
                     "assembly: a pin names no vertex, or its keys do not fit");
    for (const Index vertex : track.vertices) {
      Mat3& before = held[static_cast<std::size_t>(vertex)];
      require_argument(are_perpendicular(before, track.hold.projector()),
                       "assembly: a vertex is pinned twice");
      before += track.hold.projector();
    }
  }
}

/// The directions count where they are written: pins without them keep the fingerprints that they had.
void identify_pins(const SceneTable& table, const Assembly& assembly, Identity& to) {
  Hash& hash = to.part(table.part);
  for (const PinTrack& track : assembly.pin_tracks) {
    hash.add(track.vertices).add(track.offsets);
    if (!track.hold.is_whole()) hash.add(track.hold.normal).add(track.hold.axis);
  }
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
  pins.erase(std::unique(pins.begin(), pins.end()), pins.end());
  return pins;
}

Mat3 PinHold::projector() const {
  if (!(normal == Vec3{})) return outer(normal, normal);
  return axis == Vec3{} ? Mat3::identity() : Mat3::identity() + -1.0 * outer(axis, axis);
}

SceneTable pin_table() {
  using namespace schema;
  SceneTable table;
  table.schema = {
      .name = "body.pin",
      .is_repeated = true,
      .description =
          "A group held at its initial place, or moved from it by key-frames; with "
          "`normal` or `axis` a roller, which holds the group in some directions "
          "alone.",
      .rows = {row<&Pin::group>("group").required().says("Name of the group."),
               row<&Pin::normal>("normal").says(
                   "Holds displacements along this direction alone, as a plane of symmetry or a "
                   "roller does. Any length but 0; world axes."),
               row<&Pin::axis>("axis").says(
                   "Holds all displacements but those along this direction, as a rail does. Any "
                   "length but 0; world axes."),
               times_row<&Pin::offsets, &KeyFrames<Vec3>::times>(),
               values_row<&Pin::offsets>("offsets").unit("m").says(
                   "Key-frames: displacement from the initial place, world axes; 0 at time 0. With "
                   "`normal` or `axis` the part of it that is held counts."),
               interpolation_row<&Pin::offsets, &KeyFrames<Vec3>::interpolation>()},
      .alternatives = {{.keys = {"normal", "axis"}}}};
  table.called = "body.NAME.pin[GROUP]";
  table.numbers = {{&number::pin_offsets, Per::own, {{"offsets", "Offsets of a moved pin, key by key."}}}};
  table.name_of = name_of_track<&Assembly::pin_tracks>;
  table.read = read_each<&Body::pins>;
  table.check = check_each<&Body::pins, check_pin>;
  table.assemble = add_each<&Body::pins, &Assembly::pin_tracks, pin_track>;
  table.check_assembly = check_pins;
  table.part = "pins";
  table.identify = identify_pins;
  table.drive = drive_pins;
  return table;
}

}  // namespace electret
