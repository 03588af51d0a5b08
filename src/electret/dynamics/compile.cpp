#include <algorithm>
#include <map>
#include <utility>

#include <electret/core/errors.hpp>
#include <electret/dynamics/pins.hpp>
#include <electret/dynamics/system.hpp>
#include <electret/elastic/spring_energy.hpp>
#include <electret/elastic/volume_energy.hpp>
#include <electret/field/solver.hpp>
#include <electret/force/coulomb.hpp>
#include <electret/force/drag.hpp>
#include <electret/force/electric_field.hpp>
#include <electret/force/external_charge.hpp>
#include <electret/force/gravity.hpp>
#include <electret/force/load.hpp>
#include <electret/force/spring_damping.hpp>

namespace electret {
namespace {

void collect_pins(System& system) {
  for (const auto& track : system.assembly.pin_tracks)
    system.pins.insert(system.pins.end(), track.vertices.begin(), track.vertices.end());
  std::sort(system.pins.begin(), system.pins.end());
}

std::vector<Edge> edges_of(const std::vector<Spring>& springs) {
  std::vector<Edge> edges;
  edges.reserve(springs.size());
  for (const Spring& spring : springs) edges.push_back({spring.i, spring.j});
  return edges;
}

void add_springs(System& system) {
  const auto& springs = system.assembly.springs;
  if (springs.empty()) return;
  std::vector<double> stiffness, rest_length;
  stiffness.reserve(springs.size());
  rest_length.reserve(springs.size());
  for (const Spring& spring : springs) {
    stiffness.push_back(spring.stiffness);
    rest_length.push_back(spring.rest_length);
  }
  system.elastic.push_back(make_spring_energy(system.vertex_count(), edges_of(springs), std::move(stiffness),
                                              std::move(rest_length), *system.threads));
  system.elastic_sources.push_back({{{NumberKind::stiffnesses}}, {{NumberKind::rest_lengths}}});
}

/// Materials of the same elements share their block and their shape.
class Solids {
 public:
  explicit Solids(System& system) : system_(system) {}

  void add(std::size_t number) {
    const MaterialTrack& track = system_.assembly.materials[number];
    add(number, ElementType::tetrahedron, system_.assembly.tetrahedra, track.elements.tetrahedra, 0);
    add(number, ElementType::hexahedron, system_.assembly.hexahedra, track.elements.hexahedra,
        track.elements.tetrahedra.size());
  }

 private:
  struct Solid {
    std::shared_ptr<ElementBlock> elements;
    std::shared_ptr<const RestShape> shape;
  };

  template <class Elements>
  void add(std::size_t number, ElementType type, const Elements& all, const std::vector<Index>& rows,
           std::size_t first) {
    if (rows.empty()) return;
    const MaterialTrack& track = system_.assembly.materials[number];
    const Solid& solid = solid_of(type, all, rows);
    const auto part = [&](const std::vector<double>& values) {
      const auto begin = values.begin() + static_cast<std::ptrdiff_t>(first);
      return std::vector<double>(begin, begin + static_cast<std::ptrdiff_t>(rows.size()));
    };
    const auto model = material_model(track.model);
    require(model.has_value(), "compile: a material of no known model");
    system_.elastic.push_back(make_volume_energy(solid.elements, solid.shape, *model,
                                                 part(track.youngs_modulus), part(track.poissons_ratio),
                                                 *system_.threads));
    system_.elastic_sources.push_back(
        {{{NumberKind::youngs_modulus, number}, first}, {{NumberKind::poissons_ratio, number}, first}});
  }

  template <class Elements>
  const Solid& solid_of(ElementType type, const Elements& all, const std::vector<Index>& rows) {
    Solid& solid = known_[{type, rows}];
    if (solid.elements) return solid;
    std::vector<Index> corners;
    for (const Index row : rows)
      corners.insert(corners.end(), all[static_cast<std::size_t>(row)].begin(),
                     all[static_cast<std::size_t>(row)].end());
    solid.elements = std::make_shared<ElementBlock>(type, system_.vertex_count(), std::move(corners));
    solid.shape = std::make_shared<const RestShape>(*solid.elements, system_.assembly.rest_positions);
    return solid;
  }

  System& system_;
  std::map<std::pair<ElementType, std::vector<Index>>, Solid> known_;
};

void add_materials(System& system) {
  Solids solids(system);
  for (std::size_t k = 0; k < system.assembly.materials.size(); ++k) solids.add(k);
}

std::vector<ParameterSource> constants_of(std::size_t field, const FieldExpression& expression) {
  std::vector<ParameterSource> sources;
  for (std::size_t k = 0; k < expression.constants.size(); ++k)
    sources.push_back({{NumberKind::field_constants, field}, k});
  return sources;
}

/// The forces in the order they are summed: the user's table order of the scene format.
void add_forces(System& system, IdleForces idle) {
  const Assembly& assembly = system.assembly;
  const Scene& scene = assembly.scene;
  const Index n = system.vertex_count();
  Threads& threads = *system.threads;
  const auto add = [&](std::unique_ptr<ExplicitForce> force, std::vector<ParameterSource> own = {}) {
    system.forces.push_back(std::move(force));
    system.force_sources.push_back(std::move(own));
  };
  if (scene.coulomb) {
    add(make_coulomb_force(*scene.coulomb, n, threads));
    system.field_choice = field_solver_choice(*scene.coulomb, n);
  }
  std::size_t external = 0;
  for (const auto& track : assembly.external_charges) external += track.points.size();
  if (external > 0) {
    const double constant = scene.coulomb ? scene.coulomb->constant : coulomb_constant;
    add(make_external_charge_force(constant, n, static_cast<Index>(external), threads));
  }
  for (std::size_t k = 0; k < assembly.fields.size(); ++k)
    add(make_electric_field_force(assembly.fields[k], n, threads), constants_of(k, assembly.fields[k]));
  const bool all = idle == IdleForces::kept;
  if (scene.gravity || all)
    add(make_gravity_force(scene.gravity.value_or(Vec3{}), threads), {{{NumberKind::gravity}}});
  add(make_load_force(n, threads));  // Whatever the scene: a caller's inputs may bring loads.
  if (scene.damping.drag != 0.0 || all)
    add(make_drag_force(scene.damping.drag, threads), {{{NumberKind::drag}}});
  if ((scene.damping.spring != 0.0 || all) && !assembly.springs.empty())
    add(make_spring_damping_force(scene.damping.spring, edges_of(assembly.springs), n, threads),
        {{{NumberKind::spring_damping}}});
}

}  // namespace

std::unique_ptr<System> compile(Assembly assembly, int threads, IdleForces idle) {
  auto system = std::make_unique<System>();
  system->assembly = std::move(assembly);
  system->threads = std::make_shared<Threads>(threads);
  system->time_step = system->assembly.scene.time.step;
  collect_pins(*system);
  system->schedule = Schedule(system->assembly, system->pins);
  add_springs(*system);
  add_materials(*system);
  add_forces(*system, idle);
  return system;
}

State initial_state(const System& system) {
  State state;
  state.positions = system.assembly.initial_positions;
  state.velocities = system.assembly.initial_velocities;
  Inputs now, next;
  system.schedule.evaluate(system.time(0), now);
  system.schedule.evaluate(system.time(1), next);
  place_pins(system.pins, now.pin_positions, state.positions);
  // An unmoved pin's places are equal: its velocity is exactly 0, whatever the body's.
  move_pins(system.pins, now.pin_positions, next.pin_positions, system.time_step, state.velocities);
  return state;
}

}  // namespace electret
