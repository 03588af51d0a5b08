#include <electret/dynamics/schedule.hpp>
#include <electret/scene/tables/pins.hpp>
#include <electret/studio/session/system_info.hpp>

namespace electret::studio {

void describe(const Scene& scene, Scenery& scenery) {
  SystemInfo& info = scenery.info;
  info.name = scene.name;
  info.method = scene.integrator.method;
  info.time_step = scene.time.step;
  info.last_step = scene.time.steps;
  info.vertices = static_cast<Count>(scenery.shown.vertices());
  info.bodies = scenery.shown.bodies();
  info.groups = scenery.shown.groups();
  info.external = scenery.surroundings.external();
  info.obstacles = scenery.surroundings.obstacles();
  info.fields = scenery.surroundings.fields();
  info.gravity = scene.gravity.value_or(Vec3{});
  info.scalars = scenery.scalars.list();
  info.centre = scenery.shown.centre();
  info.size = scenery.shown.size();
}

Scenery scenery_of(const Assembly& assembly, std::uint32_t generation, int threads) {
  Scenery scenery;
  scenery.info.generation = generation;
  scenery.info.pins = pinned_vertices(assembly);
  scenery.shown = Shown(assembly);
  Inputs start;
  Schedule(assembly, scenery.info.pins).evaluate(0.0, start);
  scenery.shown.count_totals(start.charges, assembly.masses);
  scenery.scalars = Scalars(assembly, scenery.shown, threads);
  scenery.surroundings = Surroundings(assembly, scenery.shown.centre());
  describe(assembly.scene, scenery);
  return scenery;
}

}  // namespace electret::studio
