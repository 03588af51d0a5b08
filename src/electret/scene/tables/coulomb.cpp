#include <electret/scene/tables/table_file.hpp>

namespace electret {
namespace {

/// "How the field is summed: `auto` …, `direct` …."
std::string what_field_solvers_do() {
  std::string text;
  for (const FieldSolverValue& solver : field_solver_values)
    text.append(text.empty() ? "How the field is summed: `" : ", `")
        .append(solver.name)
        .append("` ")
        .append(solver.does);
  return text + ".";
}

void read_coulomb(const SceneTable&, SceneReading& reading, const std::string&, const Node& root, void*) {
  const Node::Member* member = root.member("coulomb");
  if (member == nullptr) return;
  FieldOptions options;
  reading.tables.one("", root, "coulomb", options);
  if (member->node.kind == Node::Kind::table)
    reading.tables.one("coulomb", member->node, "coulomb.ddef", options);
  reading.scene.coulomb = options;
}

void check_coulomb(const SceneTable& table, SceneChecking& checking, const std::string&, void* scene) {
  std::optional<FieldOptions>& coulomb = static_cast<Scene*>(scene)->coulomb;
  if (!coulomb) return;
  checking.rows(table.schema, "coulomb", &*coulomb);
  checking.rows(schema_table("coulomb.ddef"), "coulomb.ddef", &*coulomb);
  if (coulomb->solver == "fmm" && coulomb->accuracy.value_or(1.0) < best_fmm_accuracy)
    checking.add("coulomb.accuracy", "solver \"fmm\" does not reach \"accuracy\"",
                 "allowed with it: 1e-10 or more; \"direct\" sums in float64");
}

void identify_coulomb(const SceneTable&, const Assembly& a, Identity& to) {
  Hash& hash = to.part("[coulomb]").add(a.scene.coulomb ? 1 : 0);
  if (!a.scene.coulomb) return;
  FieldOptions options = *a.scene.coulomb;
  options.device = FieldOptions().device;  // A run may go on elsewhere; the checkpoint says where it was.
  for (const char* table : {"coulomb", "coulomb.ddef"}) hash.add_rows(schema_table(table), &options);
}

}  // namespace

SceneTable coulomb_table() {
  using namespace schema;
  SceneTable table;
  table.schema = {
      .name = "coulomb",
      .description = "The force between the bodies' charges. Without this table there is none.",
      .rows = {
          row<&FieldOptions::solver>("solver")
              .one_of(field_solvers)
              .avoid(gpu_words, "is no field solver", std::string(gpu_remedy))
              .says(what_field_solvers_do()),
          row<&FieldOptions::accuracy>("accuracy")
              .above(0)
              .at_most(1)
              .says("Requested relative L2 error of the field. If absent, `direct` computes in double "
                    "precision and `fmm` aims at 1e-3; the smallest value for `fmm` is 1e-10. `ddef` "
                    "has its own error, typically up to 0.2, without a bound."),
          row<&FieldOptions::constant>("constant")
              .unit("N m²/C²")
              .above(0)
              .says("Coulomb's constant, also for external charges."),
          row<&FieldOptions::softening>("softening")
              .unit("m")
              .at_least(0)
              .says("Plummer softening ε between the bodies' charges."),
          row<&FieldOptions::device>("device")
              .one_of(field_devices)
              .accepts(is_field_device)
              .says("Where the field is computed. `gpu` takes the first GPU, `gpu:NAME` the device whose "
                    "name or platform contains NAME (`gpu:NAME#2`: the second such). `auto` takes a "
                    "discrete GPU from 100 000 charges on. A run may be resumed on another device; its "
                    "bits then differ. See docs/gpu.md.")}};
  table.read = read_coulomb;
  table.check = check_coulomb;
  table.identify = identify_coulomb;
  return table;
}

SceneTable ddef_table() {
  using namespace schema;
  SceneTable table;
  table.schema = {
      .name = "coulomb.ddef",
      .description =
          "Settings of the solver `ddef`. With another solver they have no effect, and a warning says so.",
      .rows = {row<&FieldOptions::ddef_grid_points>("grid_points")
                   .at_least(1)
                   .at_most(static_cast<double>(most_ddef_grid_points))
                   .says("Points of the solver's grid, not counting the box's corners. If absent, about a "
                         "hundredth of the number of charges."),
               row<&FieldOptions::ddef_half_taylor>("half_taylor")
                   .says("Interpolate with half a Taylor term. The error is then about half, and the time "
                         "one and a half times as long.")}};
  return table;
}

}  // namespace electret
