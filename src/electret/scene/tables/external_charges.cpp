#include <algorithm>

#include <electret/scene/tables/external_charges.hpp>
#include <electret/scene/tables/table_file.hpp>

namespace electret {

namespace number {
constinit const NumberKind external_charge =
    numbers_of_tracks<&Assembly::external_charges, &ExternalChargeTrack::charge,
                      &KeyFrames<double>::values>();
constinit const NumberKind external_position =
    numbers_of_tracks<&Assembly::external_charges, &ExternalChargeTrack::position,
                      &KeyFrames<Vec3>::values>();
}  // namespace number

namespace {

template <auto keys, bool is_framed>
bool applies(const Assembly& a, std::size_t index) {
  return ((a.external_charges[index].*keys).values.size() > 1) == is_framed;
}

/// The table as written. Charge and position share their times.
struct ExternalChargeTable {
  std::optional<double> charge;
  std::vector<double> times, charges;
  std::optional<Vec3> position;
  std::vector<Vec3> positions;
  Interpolation interpolation = Interpolation::linear;
  std::string mesh;
  double width = 0.0;
};

ExternalCharge read_external(SceneReading&, ExternalChargeTable& table, const Node& node,
                             const std::string&) {
  ExternalCharge result;
  result.mesh = table.mesh, result.width = table.width;
  result.charge = KeyFrames<double>::constant(table.charge.value_or(0.0));
  if (node.member("charges") != nullptr) result.charge = {table.times, table.charges, table.interpolation};
  result.position = KeyFrames<Vec3>::constant(table.position.value_or(Vec3{}));
  if (node.member("positions") != nullptr)
    result.position = {table.times, table.positions, table.interpolation};
  return result;
}

void check_external(SceneChecking& checking, const ExternalCharge& charge, const std::string& key) {
  ExternalChargeTable table;  // The rows that are the same in both.
  table.mesh = charge.mesh, table.width = charge.width, table.charge = 0.0;
  checking.rows(schema_table("external_charge"), key, &table);
  if (!charge.mesh.empty() && !checking.report.is_bad(key + ".mesh"))
    checking.mesh_format(charge.mesh, key + ".mesh");
  const bool has_charges = checking.none_bad(key, {"times", "charge", "charges"});
  const bool has_positions = checking.none_bad(key, {"times", "position", "positions"});
  if (has_charges) checking.key_frames(charge.charge, key, "charges");
  if (has_positions) checking.key_frames(charge.position, key, "positions");
}

std::optional<ExternalChargeTrack> external_track(Assembling& assembling, const ExternalCharge& charge,
                                                  const std::string& key) {
  ExternalChargeTrack track{{Vec3{}}, charge.charge, charge.position, charge.width};
  if (charge.mesh.empty()) return track;
  auto mesh =
      load_mesh(assembling.result.scene, charge.mesh, key + ".mesh", assembling.read_file, assembling.report);
  if (!mesh) return std::nullopt;
  track.points = std::move(mesh->vertices);
  return track;
}

void check_external_track(const Assembly&, const ExternalChargeTrack& track) {
  require_argument(are_keys(track.charge, false) && are_keys(track.position, false),
                   "assembly: an external charge has no charge or position");
}

auto external_identity(const ExternalChargeTrack& track) {
  return std::tie(track.points, track.charge, track.position, track.width);
}

/// A row of derivatives is a position and a charge.
void drive_external(const SceneTable&, const Assembly& a, std::vector<DrivenInput>& to) {
  std::size_t first = 0;
  for (std::size_t k = 0; k < a.external_charges.size(); ++k) {
    const VectorArray& points = a.external_charges[k].points;
    const auto rows = consecutive(first, points.size());
    const std::string name = "external_charge." + std::to_string(k);
    to.push_back(DrivenInput(name + ".charge", "C", input::external_charges, rows).part(3, 1).split());
    to.push_back(DrivenInput(name + ".position", "m", input::external_charges, rows).part(0, 3).from(points));
    first += points.size();
  }
}

std::vector<SchemaRow> external_rows() {
  using namespace schema;
  return {row<&ExternalChargeTable::charge>("charge").unit("C").says(
              "Charge. With a mesh it is the whole charge, split evenly over the vertices."),
          row<&ExternalChargeTable::position>("position")
              .unit("m")
              .standard("[0.0, 0.0, 0.0]")
              .says("Place of the charge. With a mesh, this is added to the mesh's coordinates."),
          times_row<&ExternalChargeTable::times>(),
          row<&ExternalChargeTable::charges>("charges").unit("C").framed().says(
              "Key-frames: one charge per time."),
          row<&ExternalChargeTable::positions>("positions")
              .unit("m")
              .framed()
              .says("Key-frames: one position per time."),
          interpolation_row<&ExternalChargeTable::interpolation>(),
          row<&ExternalChargeTable::mesh>("mesh").path().says("Mesh file: a charge at each of its vertices."),
          row<&ExternalChargeTable::width>("width").unit("m").at_least(0).says(
              "σ of a Gaussian ball; 0: a point.")};
}

}  // namespace

SceneTable external_charge_table() {
  SceneTable table;
  table.schema = {.name = "external_charge",
                  .is_repeated = true,
                  .description = "A charge that is not part of a body: fixed, or moved by key-frames.",
                  .rows = external_rows(),
                  .alternatives = {{.keys = {"charge", "charges"}, .one_is_required = true},
                                   {.keys = {"position", "positions"}}}};
  table.called = "external_charge.I";
  table.numbers = {
      {&number::external_charge,
       Per::own,
       {NumberKey("charge", "Constant external charge; with a mesh the whole charge.")
            .when(applies<&ExternalChargeTrack::charge, false>),
        NumberKey("charges", "Key-framed external charge, key by key.")
            .as("values")
            .when(applies<&ExternalChargeTrack::charge, true>)}},
      {&number::external_position,
       Per::own,
       {NumberKey("position",
                  "Where a resting external charge is; with a mesh it is added to the mesh's coordinates.")
            .when(applies<&ExternalChargeTrack::position, false>),
        NumberKey("positions", "Where a moving external charge is, key by key.")
            .when(applies<&ExternalChargeTrack::position, true>)}}};
  table.read = read_each<&Scene::external_charges, read_external>;
  table.check = check_items<&Scene::external_charges, check_external>;
  table.assemble = add_each<&Scene::external_charges, &Assembly::external_charges, external_track>;
  table.check_assembly = check_tracks<&Assembly::external_charges, check_external_track>;
  table.part = "external charges";
  table.identify = identify_tracks<&Assembly::external_charges, external_identity>;
  table.drive = drive_external;
  return table;
}

}  // namespace electret
