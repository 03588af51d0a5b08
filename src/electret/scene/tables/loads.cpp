#include <numeric>

#include <electret/scene/tables/loads.hpp>
#include <electret/scene/tables/table_file.hpp>

namespace electret {

namespace number {
constinit const NumberKind load_forces = numbers_of_tracks<&Assembly::load_tracks, &LoadTrack::forces>();
constinit const NumberKind load_factors =
    numbers_of_tracks<&Assembly::load_tracks, &LoadTrack::factor, &KeyFrames<double>::values>();
}  // namespace number

namespace {

void check_load(SceneChecking& checking, const Load& load, const std::string& key) {
  if (!load.group.empty()) checking.known_group(load.group, key);
  checking.optional_key_frames(load.factor, key, "values", {"values", "times"});
}

std::optional<LoadTrack> load_track(Assembling& assembling, const Load& load, const std::string& key) {
  BodyContext& context = *assembling.body;
  LoadTrack track{context.members(load.group), {}, load.factor, context.name_of(key)};
  if (load.force) {
    track.forces = {*load.force};
    return track;
  }
  auto forces = per_item(context, load.forces, key + ".forces", "body.load", context.size(),
                         "vertices of body " + in_quotes(context.body.name));
  if (!forces) return std::nullopt;
  track.forces = std::move(*forces);
  track.vertices.resize(context.size());
  std::iota(track.vertices.begin(), track.vertices.end(), context.first);
  return track;
}

void check_load_track(const Assembly& a, const LoadTrack& track) {
  require_argument(are_below(track.vertices, a.masses.size()) && are_keys(track.factor, true) &&
                       (track.forces.size() == 1 || track.forces.size() == track.vertices.size()),
                   "assembly: a load's vertices, forces and factors do not fit");
}

auto load_identity(const LoadTrack& track) {
  return std::tie(track.vertices, track.forces, track.factor);
}

void drive_loads(const SceneTable&, const Assembly& a, std::vector<DrivenInput>& to) {
  for (std::size_t k = 0; k < a.load_tracks.size(); ++k) {
    const auto& vertices = a.load_tracks[k].vertices;
    to.push_back(
        DrivenInput(a.load_tracks[k].name + ".force", "N", input::loads, {vertices.begin(), vertices.end()})
            .replacing(k));
  }
}

}  // namespace

SceneTable load_table() {
  using namespace schema;
  SceneTable table;
  table.schema = {
      .name = "body.load",
      .is_repeated = true,
      .description = "Forces on vertices, constant or scaled over time. Several loads add up.",
      .rows = {row<&Load::group>("group").says("Name of the group that `force` acts on."),
               row<&Load::force>("force").unit("N").says("Force on each vertex of the group, world axes."),
               row<&Load::forces>("forces").unit("N").says(
                   "Force on each vertex of the body, one by one, world axes."),
               times_row<&Load::factor, &KeyFrames<double>::times>(),
               values_row<&Load::factor>("values").says("Key-frames: one factor on the forces per time."),
               interpolation_row<&Load::factor, &KeyFrames<double>::interpolation>()},
      .alternatives = {{.keys = {"group", "forces"}, .one_is_required = true},
                       {.keys = {"force", "forces"}, .one_is_required = true}}};
  table.called = "body.NAME.load.I";
  table.numbers = {
      {&number::load_forces,
       Per::own,
       {NumberKey("force", "Force on each vertex of the load's group.")
            .when([](const Assembly& a, std::size_t k) { return a.load_tracks[k].forces.size() <= 1; }),
        NumberKey("forces", "Force, vertex by vertex.").when([](const Assembly& a, std::size_t k) {
          return a.load_tracks[k].forces.size() > 1;
        })}},
      {&number::load_factors, Per::own, {{"values", "Factor on a key-framed load, key by key."}}}};
  table.name_of = name_of_track<&Assembly::load_tracks>;
  table.read = read_each<&Body::loads>;
  table.check = check_each<&Body::loads, check_load>;
  table.assemble = add_each<&Body::loads, &Assembly::load_tracks, load_track>;
  table.check_assembly = check_tracks<&Assembly::load_tracks, check_load_track>;
  table.part = "loads";
  table.identify = identify_tracks<&Assembly::load_tracks, load_identity>;
  table.drive = drive_loads;
  return table;
}

}  // namespace electret
