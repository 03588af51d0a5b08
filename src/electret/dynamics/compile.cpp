#include <algorithm>
#include <map>
#include <optional>
#include <utility>

#include <electret/contact/body_contacts.hpp>
#include <electret/contact/surface_intersections.hpp>
#include <electret/core/errors.hpp>
#include <electret/dynamics/body_scales.hpp>
#include <electret/dynamics/elastic_inputs.hpp>
#include <electret/dynamics/pins.hpp>
#include <electret/dynamics/system.hpp>
#include <electret/elastic/muscle_energy.hpp>
#include <electret/elastic/spring_energy.hpp>
#include <electret/elastic/volume_energy.hpp>
#include <electret/field/solver.hpp>
#include <electret/force/ball_contact.hpp>
#include <electret/force/coulomb.hpp>
#include <electret/force/drag.hpp>
#include <electret/force/electric_field.hpp>
#include <electret/force/external_charge.hpp>
#include <electret/force/field_function.hpp>
#include <electret/force/grab.hpp>
#include <electret/force/gravity.hpp>
#include <electret/force/hydrodynamics.hpp>
#include <electret/force/load.hpp>
#include <electret/force/penalty.hpp>
#include <electret/force/penalty_friction.hpp>
#include <electret/force/spring_damping.hpp>
#include <electret/scene/activation_check.hpp>
#include <electret/scene/body_contact.hpp>
#include <electret/scene/check_assembly.hpp>
#include <electret/scene/contact_start.hpp>
#include <electret/scene/held_directions.hpp>
#include <electret/scene/report.hpp>
#include <electret/scene/tables/table.hpp>
#include <electret/scene/words.hpp>

namespace electret {
namespace {

/// What pins hold together.
void collect_pins(System& system) {
  for (const auto& [vertex, projector] : held_directions(system.assembly)) {
    const std::optional<VertexConstraint> rest = constraint_within(vertex, projector);
    if (rest)
      system.rollers.push_back({system.pins.size(), projector, *rest});
    else
      system.fixed.push_back(vertex);
    system.pins.push_back(vertex);
  }
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
  system.elastic_sources.push_back({{{number::spring_stiffness}}, {{number::rest_lengths}}});
}

/// A fit or a difference may have moved a constant of a formula to where it has no activation: such a run has
/// no value.
void check_formulas(const Assembly& assembly) {
  for (const MuscleTrack& track : assembly.muscles) {
    if (track.formula.empty()) continue;
    if (const auto found = first_without_activation(track.formula, assembly.scene))
      throw DivergenceError(
          0, -1,
          "the activation of " + track.name + " is " + number_text(found->value) +
              " at t = " + number_text(found->time) + " s",
          "use constants with which it is at least " + number_text(least_activation) + " at every step");
  }
}

/// Materials and muscles on the same elements share their block and their rest shape.
class Solids {
 public:
  explicit Solids(System& system) : system_(system) {}

  void add_material(std::size_t number) {
    const MaterialTrack& track = system_.assembly.materials[number];
    const auto model = material_model(track.model);
    require(model.has_value(), "compile: a material of no known model");
    for_parts(track.elements, [&](const Solid& solid, std::size_t first, std::size_t count) {
      system_.elastic.push_back(
          make_volume_energy(solid.elements, solid.shape, *model, part(track.youngs_modulus, first, count),
                             part(track.poissons_ratio, first, count), *system_.threads));
      system_.elastic_sources.push_back(
          {{{number::youngs_modulus, number}, first}, {{number::poissons_ratio, number}, first}});
    });
  }

  /// `activations` are those of all muscles at time 0; this muscle's begin at index `begin`.
  void add_muscle(std::size_t number, ScalarView activations, std::size_t begin) {
    const MuscleTrack& track = system_.assembly.muscles[number];
    for_parts(track.elements, [&](const Solid& solid, std::size_t first, std::size_t count) {
      const ScalarView own = activations.subspan(begin + first, count);
      system_.elastic.push_back(make_muscle_energy(
          solid.elements, solid.shape, part(track.fibres, first, count), part(track.stiffness, first, count),
          {begin + first, {own.begin(), own.end()}}, *system_.threads));
      system_.elastic_sources.push_back({{{number::muscle_stiffness, number}, first}});
    });
  }

 private:
  struct Solid {
    std::shared_ptr<ElementBlock> elements;
    std::shared_ptr<const RestShape> shape;
  };

  /// Calls visit(solid, first, count) for the set's tetrahedra and for its hexahedra, if it has any: they are
  /// its elements first … first + count - 1.
  template <class Visit>
  void for_parts(const ElementSet& set, Visit&& visit) {
    const std::size_t tetrahedra = set.tetrahedra.size(), hexahedra = set.hexahedra.size();
    if (tetrahedra > 0) visit(solid_of(system_.assembly.tetrahedra, set.tetrahedra), 0U, tetrahedra);
    if (hexahedra > 0) visit(solid_of(system_.assembly.hexahedra, set.hexahedra), tetrahedra, hexahedra);
  }

  template <class T>
  static std::vector<T> part(const std::vector<T>& values, std::size_t first, std::size_t count) {
    const auto begin = values.begin() + static_cast<std::ptrdiff_t>(first);
    return {begin, begin + static_cast<std::ptrdiff_t>(count)};
  }

  template <class Elements>
  const Solid& solid_of(const Elements& all, const std::vector<Index>& rows) {
    constexpr int vertices = std::tuple_size_v<typename Elements::value_type>;
    Solid& solid = known_[{vertices, rows}];
    if (solid.elements) return solid;
    std::vector<Index> corners;
    for (const Index row : rows)
      corners.insert(corners.end(), all[static_cast<std::size_t>(row)].begin(),
                     all[static_cast<std::size_t>(row)].end());
    solid.elements = std::make_shared<ElementBlock>(vertices, system_.vertex_count(), std::move(corners));
    solid.shape = std::make_shared<const RestShape>(*solid.elements, system_.assembly.rest_positions);
    return solid;
  }

  System& system_;
  std::map<std::pair<int, std::vector<Index>>, Solid> known_;  ///< By vertices per element, and elements.
};

void add_solids(System& system) {
  Solids solids(system);
  for (std::size_t k = 0; k < system.assembly.materials.size(); ++k) solids.add_material(k);
  if (system.assembly.muscles.empty()) return;
  check_formulas(system.assembly);
  Inputs first;
  system.schedule.evaluate(0.0, first);
  std::size_t begin = 0;
  for (std::size_t k = 0; k < system.assembly.muscles.size(); ++k) {
    solids.add_muscle(k, first.activations, begin);
    begin += system.assembly.muscles[k].elements.size();
  }
}

std::vector<ParameterSource> constants_of(std::size_t field, const FieldExpression& expression) {
  std::vector<ParameterSource> sources;
  for (std::size_t k = 0; k < expression.constants.size(); ++k)
    sources.push_back({{number::field_constants, field}, k});
  return sources;
}

/// Those of the obstacle's surface, in the order of its parameters.
std::vector<ParameterSource> surface_sources(const ObstacleTrack& track, std::size_t number) {
  std::vector<ParameterSource> sources{{{number::obstacle_origin, number}}};
  if (track.surface.shape->radius()) sources.push_back({{number::obstacle_radius, number}});
  return sources;
}

/// The body of each of `vertices`, which ascend.
std::vector<std::size_t> bodies_of(const Assembly& assembly, const std::vector<Index>& vertices) {
  std::vector<std::size_t> bodies;
  std::size_t body = 0;
  for (const Index v : vertices) {
    while (v >= assembly.body_offsets[body + 1]) ++body;
    bodies.push_back(body);
  }
  return bodies;
}

/// A parameter may have moved a body into an obstacle. That is a run without a value, as a divergence is.
void refuse_starts_inside(const Assembly& assembly) {
  const std::vector<StartInside> inside = bodies_inside(assembly, steady_depth);
  if (inside.empty()) return;
  const StartInside& first = inside.front();
  throw DivergenceError(
      0, first.vertex,
      "it starts " + brief_text(first.depth) + " m inside " + assembly.obstacles[first.obstacle].name,
      "start bodies outside of obstacles");
}

/// The obstacles that push exactly. Each body is a kind of vertices with a friction of its own.
void add_contacts(System& system, bool at_start) {
  const Assembly& assembly = system.assembly;
  std::vector<ContactObstacle> obstacles;
  const auto& tracks = assembly.obstacles;
  for (std::size_t o = 0; o < tracks.size(); ++o) {
    if (!tracks[o].is_exact) continue;
    ContactObstacle& obstacle = obstacles.emplace_back(ContactObstacle{tracks[o].sized(), o, {}});
    auto& sources = system.contact_sources.emplace_back(surface_sources(tracks[o], o));
    for (std::size_t body = 0; body + 1 < assembly.body_offsets.size(); ++body) {
      const ContactFriction friction = friction_between(assembly, body, o);
      obstacle.friction.push_back(friction.value);
      sources.push_back({friction.source});
    }
  }
  if (obstacles.empty()) return;
  // Vertices that a change leaves inside are pushed out, as those that got there otherwise.
  if (at_start) refuse_starts_inside(assembly);
  std::vector<Index> vertices = touching_vertices(assembly);
  std::vector<std::size_t> bodies = bodies_of(assembly, vertices);
  const double thickness = assembly.scene.contact ? assembly.scene.contact->thickness : 0.0;
  system.contacts = std::make_unique<ContactSet>(std::move(vertices), std::move(obstacles), *system.threads,
                                                 thickness, std::move(bodies));
  for (const Roller& roller : system.rollers) {
    const std::span<const Index> touching = system.contacts->vertices();
    const auto at = std::lower_bound(touching.begin(), touching.end(), roller.constraint.vertex);
    if (at != touching.end() && *at == roller.constraint.vertex)
      system.contacts->hold(static_cast<std::size_t>(at - touching.begin()), roller.held);
  }
}

/// A parameter may have moved bodies into each other, or a change lets bodies touch that are in each other.
void refuse_intersections(const System& system, const ContactSurface& surface, const BodyPairs& bodies,
                          VectorView x, bool at_start) {
  const auto found = surface_intersections(surface, bodies, x, *system.threads);
  if (found.empty()) return;
  const std::string other = body_key(system.assembly, surface.body(found.front().triangle[0]));
  throw DivergenceError(
      0, found.front().edge[0],
      at_start ? "an edge of it starts in a triangle of " + other
               : "an edge of it is in a triangle of " + other + ", which a change lets it touch",
      at_start ? "start bodies outside of each other"
               : "let bodies touch from the start, or change the scene when they are outside of each other");
}

/// Bodies that touch each other and themselves. Each [[contact.pair]] of theirs is a kind of friction, and so
/// is that of [contact], the first one.
void add_body_contacts(System& system, VectorView positions, bool at_start) {
  const Assembly& assembly = system.assembly;
  if (!touches_bodies(assembly.scene)) return;
  const BodyPairs bodies = body_pairs(assembly);
  if (!bodies.is_any_allowed()) return;
  ContactSurface surface = body_surface(assembly);
  refuse_intersections(system, surface, bodies, positions, at_start);
  const std::size_t count = bodies.bodies();
  BodyFrictions frictions{{}, std::vector<std::size_t>(count * count, 0), system.idle == IdleForces::kept};
  std::map<std::size_t, std::size_t> kinds;  // The first is that of [contact].
  for (std::size_t a = 0; a < count; ++a)
    for (std::size_t b = 0; b < count; ++b) {
      const ContactFriction friction = friction_between_bodies(assembly, a, b);
      const auto [kind, is_new] =
          kinds.try_emplace(friction.source.kind == &number::contact_friction ? 0 : friction.source.index + 1,
                            frictions.values.size());
      frictions.kinds[a * count + b] = kind->second;
      if (!is_new) continue;
      frictions.values.push_back(friction.value);
      system.body_friction_sources.push_back({friction.source});
    }
  system.body_contacts = std::make_unique<BodyContacts>(
      std::move(surface), bodies, assembly.scene.contact->thickness, std::move(frictions), *system.threads);
  system.body_contacts->set_scales(body_scales(system));
}

/// Calls add(force, sources) for an obstacle's push and for its friction.
template <class Add>
void add_obstacle(const Assembly& assembly, std::size_t number, bool add_idle, Threads& threads, Add&& add) {
  const ObstacleTrack& track = assembly.obstacles[number];
  const ForceObstacle obstacle{track.penalty(), number, assembly.obstacles.size()};
  const ParameterSource stiffness{{number::obstacle_stiffness, number}};
  const std::vector<ParameterSource> of_surface = surface_sources(track, number);
  const auto with_surface = [&](std::vector<ParameterSource> own) {
    own.insert(own.end(), of_surface.begin(), of_surface.end());
    return own;
  };
  add(make_penalty_force(obstacle, threads), with_surface({stiffness}));
  if (track.friction_stiffness == 0.0 || (track.friction == 0.0 && !add_idle)) return;
  add(make_penalty_friction_force(obstacle, track.friction, track.friction_stiffness, threads),
      with_surface({stiffness,
                    {{number::obstacle_friction, number}},
                    {{number::obstacle_friction_stiffness, number}}}));
}

template <class Add>
void add_water(const WaterTrack& track, std::size_t number, Index vertex_count, Threads& threads, Add&& add) {
  Water water;
  water.density = track.density;
  water.velocity = track.velocity;
  std::copy_n(track.drag.begin(), 4, water.drag.begin());
  std::copy_n(track.thrust.begin(), 4, water.thrust.begin());
  if (track.max_force) water.max_force = *track.max_force;
  add(make_hydrodynamic_force(water, track.faces, vertex_count, threads),
      std::vector<ParameterSource>{{{number::water_density, number}},
                                   {{number::water_velocity, number}},
                                   {{number::water_drag, number}},
                                   {{number::water_thrust, number}}});
}

template <class Add>
void add_ball_contact(const Assembly& assembly, std::size_t number, Add&& add) {
  const BallContactTrack& track = assembly.ball_contacts[number];
  std::vector<BallVertices> balls;
  for (const std::size_t body : track.bodies) {
    const Count first = assembly.body_offsets[body], end = assembly.body_offsets[body + 1];
    balls.push_back({static_cast<Index>(first), static_cast<Index>(end - first)});
  }
  add(make_ball_contact_force({track.radius, track.stiffnesses, track.frictions}, std::move(balls),
                              static_cast<Index>(assembly.masses.size())),
      std::vector<ParameterSource>{{{number::ball_radius, number}},
                                   {{number::ball_stiffnesses, number}},
                                   {{number::ball_frictions, number}}});
}

/// Adds the force between the bodies' charges. Findings about its solver and device are placed at the scene's
/// key.
template <class Add>
void add_coulomb(System& system, const FieldOptions& coulomb, Add&& add) {
  const Index n = system.vertex_count();
  try {
    add(make_coulomb_force(coulomb, n, *system.threads));
    system.field_choice = field_solver_choice(coulomb, n);
    system.field_device = field_device_choice(coulomb, n);
  } catch (const InputError& error) {
    std::vector<Finding> findings = error.findings();
    const char* key = asks_for_gpu(coulomb.device) ? "coulomb.device" : "coulomb.solver";
    for (Finding& finding : findings)
      if (finding.where.file.empty()) finding.where = place_of(system.assembly.scene.source, key);
    throw InputError(std::move(findings));
  }
}

/// The forces in the order in which they are summed, which is that of the tables in the scene format's
/// reference.
void add_forces(System& system, IdleForces idle) {
  const Assembly& assembly = system.assembly;
  const Scene& scene = assembly.scene;
  const Index n = system.vertex_count();
  Threads& threads = *system.threads;
  const auto add = [&](std::unique_ptr<ExplicitForce> force, std::vector<ParameterSource> own = {}) {
    system.forces.push_back(std::move(force));
    system.force_sources.push_back(std::move(own));
  };
  if (scene.coulomb) add_coulomb(system, *scene.coulomb, add);
  std::size_t external = 0;
  for (const auto& track : assembly.external_charges) external += track.points.size();
  if (external > 0) {
    const double constant = scene.coulomb ? scene.coulomb->constant : coulomb_constant;
    add(make_external_charge_force(constant, n, static_cast<Index>(external), threads));
  }
  for (std::size_t k = 0; k < assembly.fields.size(); ++k)
    if (assembly.fields[k].function)
      add(make_field_function_force(assembly.fields[k].function, n));
    else
      add(make_electric_field_force(assembly.fields[k], n, threads), constants_of(k, assembly.fields[k]));
  const bool all = idle == IdleForces::kept;
  if (scene.gravity || all)
    add(make_gravity_force(scene.gravity.value_or(Vec3{}), threads), {{{number::gravity}}});
  // Whatever the scene: a caller's inputs may bring loads and grabs.
  add(make_load_force(n, threads));
  add(make_grab_force());
  add(make_grab_damping_force());
  if (scene.damping.drag != 0.0 || all) add(make_drag_force(scene.damping.drag, threads), {{{number::drag}}});
  if ((scene.damping.spring != 0.0 || all) && !assembly.springs.empty())
    add(make_spring_damping_force(scene.damping.spring, edges_of(assembly.springs), n, threads),
        {{{number::spring_damping}}});
  for (std::size_t w = 0; w < assembly.waters.size(); ++w) add_water(assembly.waters[w], w, n, threads, add);
  for (std::size_t k = 0; k < assembly.ball_contacts.size(); ++k) add_ball_contact(assembly, k, add);
  for (std::size_t o = 0; o < assembly.obstacles.size(); ++o)
    if (!assembly.obstacles[o].is_exact) add_obstacle(assembly, o, all, threads, add);
  system.scene_forces = system.forces.size();
}

/// A caller's own forces, which no assembly knows of.
void take_own_forces(const System& before, System& system) {
  for (std::size_t f = before.scene_forces; f < before.forces.size(); ++f) {
    system.forces.push_back(before.forces[f]);
    system.force_sources.push_back(f < before.force_sources.size() ? before.force_sources[f]
                                                                   : std::vector<ParameterSource>{});
  }
}

/// `positions` are where vertices are; empty: where they start.
std::unique_ptr<System> built(Assembly assembly, std::shared_ptr<Threads> threads, IdleForces idle,
                              VectorView positions) {
  auto system = std::make_unique<System>();
  system->assembly = std::move(assembly);
  system->threads = std::move(threads);
  system->idle = idle;
  system->time_step = system->assembly.scene.time.step;
  collect_pins(*system);
  system->schedule = Schedule(system->assembly, system->pins);
  add_springs(*system);
  add_solids(*system);
  check_masses(system->assembly);
  add_forces(*system, idle);
  add_contacts(*system, positions.empty());
  add_body_contacts(*system, positions.empty() ? VectorView(system->assembly.initial_positions) : positions,
                    positions.empty());
  return system;
}

}  // namespace

std::unique_ptr<System> compile(Assembly assembly, int threads, IdleForces idle) {
  check_assembly(assembly);
  return built(std::move(assembly), std::make_shared<Threads>(threads), idle, {});
}

std::unique_ptr<System> recompile(Assembly assembly, const System& before, VectorView positions) {
  check_assembly(assembly);
  auto system = built(std::move(assembly), before.threads, before.idle, positions);
  take_own_forces(before, *system);
  return system;
}

State initial_state(const System& system) {
  State state;
  state.positions = system.assembly.initial_positions;
  state.velocities = system.assembly.initial_velocities;
  Inputs now, next;
  system.schedule.evaluate(0.0, now);
  system.schedule.evaluate(system.time_step, next);
  place_pins(system, now.pin_positions, state.positions);
  // The places of an unmoved pin are equal, so that its velocity is exactly 0 whatever the body's is.
  move_pins(system, now.pin_positions, next.pin_positions, system.time_step, state.velocities);
  return state;
}

}  // namespace electret
