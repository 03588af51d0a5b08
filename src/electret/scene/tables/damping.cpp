#include <electret/scene/tables/damping.hpp>
#include <electret/scene/tables/table_file.hpp>

namespace electret {

namespace number {
constinit const NumberKind drag = numbers_of<&Assembly::scene, &Scene::damping, &DampingOptions::drag>();
constinit const NumberKind spring_damping =
    numbers_of<&Assembly::scene, &Scene::damping, &DampingOptions::spring>();
}  // namespace number

SceneTable damping_table() {
  using namespace schema;
  SceneTable table = settings_table<&Scene::damping>(
      {.name = "damping",
       .description = "Friction.",
       .rows = {row<&DampingOptions::drag>("drag").unit("1/s").at_least(0).says(
                    "Force -drag·m·v on every vertex."),
                row<&DampingOptions::spring>("spring").unit("N s/m").at_least(0).says(
                    "Force along each spring against the relative velocity of its ends.")}});
  table.called = "damping";
  table.numbers = {{&number::drag, Per::own, {{"drag", "Drag."}}},
                   {&number::spring_damping,
                    Per::own,
                    {NumberKey("spring", "Damping along springs, if there are any.")
                         .when([](const Assembly& a, std::size_t) { return !a.springs.empty(); })}}};
  return table;
}

}  // namespace electret
