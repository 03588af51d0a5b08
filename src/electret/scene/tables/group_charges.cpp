#include <algorithm>

#include <electret/scene/tables/group_charges.hpp>
#include <electret/scene/tables/table_file.hpp>

namespace electret {

namespace number {
constinit const NumberKind group_charges =
    numbers_of_tracks<&Assembly::charge_tracks, &ChargeTrack::charge, &KeyFrames<double>::values>();
}  // namespace number

namespace {

/// If a group is written twice, the later entry has all its vertices.
bool is_last(const Assembly& a, std::size_t index) {
  const auto after = a.charge_tracks.begin() + static_cast<std::ptrdiff_t>(index) + 1;
  return std::none_of(after, a.charge_tracks.end(),
                      [&](const ChargeTrack& later) { return later.name == a.charge_tracks[index].name; });
}

/// The table as written.
struct GroupChargeTable {
  std::string group;
  std::optional<double> value;
  KeyFrames<double> keys;
};

GroupCharge read_charge(SceneReading&, GroupChargeTable& table, const Node& node, const std::string&) {
  if (node.member("values") != nullptr) return {table.group, table.keys, true};
  return {table.group, table.value ? KeyFrames<double>::constant(*table.value) : KeyFrames<double>{}, false};
}

void check_charge(SceneChecking& checking, const GroupCharge& charge, const std::string& key) {
  checking.known_group(charge.group, key);
  if (checking.none_bad(key, {"value", "values", "times"})) checking.key_frames(charge.charge, key, "values");
}

std::optional<ChargeTrack> charge_track(Assembling& assembling, const GroupCharge& entry,
                                        const std::string&) {
  const BodyContext& context = *assembling.body;
  return ChargeTrack{context.members(entry.group), entry.charge, entry.key_framed,
                     "body." + context.body.name + ".charge[" + entry.group + "]"};
}

void check_charge_track(const Assembly& a, const ChargeTrack& track) {
  require_argument(are_below(track.vertices, a.masses.size()) && are_keys(track.charge, false),
                   "assembly: a charge track names no vertex, or has no keys");
}

auto charge_identity(const ChargeTrack& track) {
  return std::tie(track.vertices, track.charge);
}

/// Any group of vertices can have a charge of its own.
void drive_groups(const SceneTable&, const Assembly& a, std::vector<DrivenInput>& to) {
  for (const NamedGroup& group : a.groups)
    to.push_back(DrivenInput(body_key(a, group.body) + ".charge[" + group.name + "]", "C", input::charges,
                             {group.vertices.begin(), group.vertices.end()}));
}

}  // namespace

SceneTable group_charge_table() {
  using namespace schema;
  SceneTable table;
  table.schema = {
      .name = "body.group_charge",
      .is_repeated = true,
      .description =
          "The charge of a group, in place of the body's own. Later entries override earlier ones.",
      .rows = {row<&GroupChargeTable::group>("group").required().says("Name of the group."),
               row<&GroupChargeTable::value>("value").unit("C").says("Charge of each vertex of the group."),
               times_row<&GroupChargeTable::keys, &KeyFrames<double>::times>(),
               values_row<&GroupChargeTable::keys>("values").unit("C").says(
                   "Key-frames: one charge per time."),
               interpolation_row<&GroupChargeTable::keys, &KeyFrames<double>::interpolation>()},
      .alternatives = {{.keys = {"value", "values"}, .one_is_required = true}}};
  table.called = "body.NAME.charge[GROUP]";
  table.numbers = {{&number::group_charges,
                    Per::own,
                    {NumberKey("value", "Constant charge of each vertex of a group.")
                         .as("")
                         .when([](const Assembly& a, std::size_t k) {
                           return !a.charge_tracks[k].key_framed && is_last(a, k);
                         }),
                     NumberKey("values", "Key-framed charge of a group, key by key.")
                         .when([](const Assembly& a, std::size_t k) {
                           return a.charge_tracks[k].key_framed && is_last(a, k);
                         })}}};
  table.name_of = name_of_track<&Assembly::charge_tracks>;
  table.read = read_each<&Body::group_charges, read_charge>;
  table.check = check_items<&Body::group_charges, check_charge>;
  table.assemble = add_each<&Body::group_charges, &Assembly::charge_tracks, charge_track>;
  table.check_assembly = check_tracks<&Assembly::charge_tracks, check_charge_track>;
  table.part = "charges";
  table.identify = identify_tracks<&Assembly::charge_tracks, charge_identity>;
  table.drive = drive_groups;
  return table;
}

}  // namespace electret
