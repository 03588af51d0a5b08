#include <type_traits>

#include <electret/core/arguments.hpp>
#include <electret/core/errors.hpp>
#include <electret/scene/assembly_gradient.hpp>

namespace electret {
namespace {

static_assert(sizeof(Spring) % sizeof(double) == 0);

template <class Some>
using DoubleOf = std::conditional_t<std::is_const_v<Some>, const double, double>;

template <class Some>
Numbers<DoubleOf<Some>> whole(Some& values) {
  if (values.empty()) return {};
  if constexpr (std::is_same_v<typename Some::value_type, Vec3>)
    return {&values.front().x, 3 * values.size()};
  else
    return {values.data(), values.size()};
}

template <class Springs>
Numbers<DoubleOf<Springs>> of_springs(Springs& springs, double Spring::*member) {
  if (springs.empty()) return {};
  return {&(springs.front().*member), springs.size(), sizeof(Spring) / sizeof(double)};
}

/// Gravity is 0 without [gravity]. Access for writing creates the table.
Numbers<const double> of_gravity(const std::optional<Vec3>& gravity) {
  static constexpr Vec3 none;
  return {gravity ? &gravity->x : &none.x, 3};
}
Numbers<double> of_gravity(std::optional<Vec3>& gravity) {
  if (!gravity) gravity.emplace();
  return {&gravity->x, 3};
}

/// The item that `source` counts.
template <class Items>
auto& item(Items& items, NumberSource source) {
  require_argument(source.index < items.size(), "numbers of another assembly");
  return items[source.index];
}

template <class SomeAssembly>
Numbers<DoubleOf<SomeAssembly>> of_assembly(SomeAssembly& a, NumberSource source) {
  switch (source.kind) {
    case NumberKind::rest_positions:
      return whole(a.rest_positions);
    case NumberKind::initial_positions:
      return whole(a.initial_positions);
    case NumberKind::initial_velocities:
      return whole(a.initial_velocities);
    case NumberKind::masses:
      return whole(a.masses);
    case NumberKind::charges:
      return whole(a.charges);
    case NumberKind::stiffnesses:
      return of_springs(a.springs, &Spring::stiffness);
    case NumberKind::rest_lengths:
      return of_springs(a.springs, &Spring::rest_length);
    case NumberKind::charge_track:
      return whole(item(a.charge_tracks, source).charge.values);
    case NumberKind::pin_track:
      return whole(item(a.pin_tracks, source).offsets.values);
    case NumberKind::external_charge:
      return whole(item(a.external_charges, source).charge.values);
    case NumberKind::external_position:
      return whole(item(a.external_charges, source).position.values);
    case NumberKind::field_constants:
      return whole(item(a.fields, source).constants);
    case NumberKind::load_forces:
      return whole(item(a.load_tracks, source).forces);
    case NumberKind::load_factor:
      return whole(item(a.load_tracks, source).factor.values);
    case NumberKind::youngs_modulus:
      return whole(item(a.materials, source).youngs_modulus);
    case NumberKind::poissons_ratio:
      return whole(item(a.materials, source).poissons_ratio);
    case NumberKind::muscle_stiffness:
      return whole(item(a.muscles, source).stiffness);
    case NumberKind::activations:
      return whole(item(a.muscles, source).activations);
    case NumberKind::activation_keys:
      return whole(item(a.muscles, source).keys.values);
    case NumberKind::obstacle_stiffness:
      return {&item(a.obstacles, source).stiffness, 1};
    case NumberKind::obstacle_friction:
      return {&item(a.obstacles, source).friction, 1};
    case NumberKind::obstacle_friction_stiffness:
      return {&item(a.obstacles, source).friction_stiffness, 1};
    case NumberKind::gravity:
      return of_gravity(a.scene.gravity);
    case NumberKind::drag:
      return {&a.scene.damping.drag, 1};
    case NumberKind::spring_damping:
      return {&a.scene.damping.spring, 1};
  }
  throw InternalError("an assembly has no numbers of this kind");
}

template <class SomeGradient>
Numbers<DoubleOf<SomeGradient>> of_gradient(SomeGradient& g, NumberSource source) {
  switch (source.kind) {
    case NumberKind::rest_positions:
      return whole(g.rest_positions);
    case NumberKind::initial_positions:
      return whole(g.initial_positions);
    case NumberKind::initial_velocities:
      return whole(g.initial_velocities);
    case NumberKind::masses:
      return whole(g.masses);
    case NumberKind::charges:
      return whole(g.charges);
    case NumberKind::stiffnesses:
      return whole(g.stiffnesses);
    case NumberKind::rest_lengths:
      return whole(g.rest_lengths);
    case NumberKind::charge_track:
      return whole(item(g.charge_tracks, source));
    case NumberKind::pin_track:
      return whole(item(g.pin_tracks, source));
    case NumberKind::external_charge:
      return whole(item(g.external_charges, source).charge);
    case NumberKind::external_position:
      return whole(item(g.external_charges, source).position);
    case NumberKind::field_constants:
      return whole(item(g.fields, source));
    case NumberKind::load_forces:
      return whole(item(g.load_tracks, source).forces);
    case NumberKind::load_factor:
      return whole(item(g.load_tracks, source).factor);
    case NumberKind::youngs_modulus:
      return whole(item(g.materials, source).youngs_modulus);
    case NumberKind::poissons_ratio:
      return whole(item(g.materials, source).poissons_ratio);
    case NumberKind::muscle_stiffness:
      return whole(item(g.muscles, source).stiffness);
    case NumberKind::activations:
      return whole(item(g.muscles, source).activations);
    case NumberKind::activation_keys:
      return whole(item(g.muscles, source).values);
    case NumberKind::obstacle_stiffness:
      return {&item(g.obstacles, source).stiffness, 1};
    case NumberKind::obstacle_friction:
      return {&item(g.obstacles, source).friction, 1};
    case NumberKind::obstacle_friction_stiffness:
      return {&item(g.obstacles, source).friction_stiffness, 1};
    case NumberKind::gravity:
      return {&g.gravity.x, 3};
    case NumberKind::drag:
      return {&g.drag, 1};
    case NumberKind::spring_damping:
      return {&g.spring_damping, 1};
  }
  throw InternalError("a gradient has no numbers of this kind");
}

}  // namespace

AssemblyGradient AssemblyGradient::zero(const Assembly& assembly) {
  AssemblyGradient g;
  const std::size_t n = assembly.masses.size(), s = assembly.springs.size();
  g.rest_positions.resize(n);
  g.initial_positions.resize(n);
  g.initial_velocities.resize(n);
  g.masses.resize(n);
  g.charges.resize(n);
  g.stiffnesses.resize(s);
  g.rest_lengths.resize(s);
  for (const auto& track : assembly.charge_tracks) g.charge_tracks.emplace_back(track.charge.values.size());
  for (const auto& track : assembly.pin_tracks) g.pin_tracks.emplace_back(track.offsets.values.size());
  for (const auto& track : assembly.external_charges)
    g.external_charges.push_back(
        {std::vector<double>(track.charge.values.size()), VectorArray(track.position.values.size())});
  for (const auto& track : assembly.load_tracks)
    g.load_tracks.push_back(
        {VectorArray(track.forces.size()), std::vector<double>(track.factor.values.size())});
  for (const auto& track : assembly.materials)
    g.materials.push_back(
        {std::vector<double>(track.elements.size()), std::vector<double>(track.elements.size())});
  for (const auto& track : assembly.muscles)
    g.muscles.push_back({std::vector<double>(track.stiffness.size()),
                         std::vector<double>(track.activations.size()),
                         std::vector<double>(track.keys.values.size())});
  for (const auto& field : assembly.fields) g.fields.emplace_back(field.constants.size());
  g.obstacles.resize(assembly.obstacles.size());
  return g;
}

Numbers<double> numbers(Assembly& assembly, NumberSource source) {
  return of_assembly(assembly, source);
}

Numbers<const double> numbers(const Assembly& assembly, NumberSource source) {
  return of_assembly(assembly, source);
}

Numbers<double> numbers(AssemblyGradient& gradient, NumberSource source) {
  return of_gradient(gradient, source);
}

Numbers<const double> numbers(const AssemblyGradient& gradient, NumberSource source) {
  return of_gradient(gradient, source);
}

}  // namespace electret
