#include <algorithm>
#include <cmath>

#include <electret/core/arguments.hpp>
#include <electret/dynamics/compile_checks.hpp>
#include <electret/elastic/material.hpp>

namespace electret {
namespace {

template <class Indices>
bool are_below(const Indices& indices, std::size_t count) {
  return std::all_of(indices.begin(), indices.end(),
                     [count](Index i) { return i >= 0 && static_cast<std::size_t>(i) < count; });
}

bool are_not_negative(const std::vector<double>& values) {
  return std::all_of(values.begin(), values.end(), [](double value) { return value >= 0.0; });
}

/// Key-frames with at least one key, or none if `may_be_empty`.
template <class T>
bool are_keys(const KeyFrames<T>& keys, bool may_be_empty) {
  return keys.times.size() == keys.values.size() && (may_be_empty || !keys.empty());
}

void check_vertices(const Assembly& a) {
  const std::size_t n = a.masses.size();
  for (const VectorArray* rows : {&a.rest_positions, &a.initial_positions, &a.initial_velocities})
    require_argument(rows->size() == n, "assembly: positions or velocities are not as many as masses");
  require_argument(a.charges.size() == n, "assembly: charges are not as many as masses");
  require_argument(a.scene.time.step > 0.0 && std::isfinite(a.scene.time.step),
                   "assembly: the time step is not positive and finite");
  for (const VectorArray* rows : {&a.rest_positions, &a.initial_positions, &a.initial_velocities})
    require_argument(std::all_of(rows->begin(), rows->end(), [](const Vec3& row) { return is_finite(row); }),
                     "assembly: a position or velocity is not finite");
  require_argument(
      std::all_of(a.charges.begin(), a.charges.end(), [](double charge) { return std::isfinite(charge); }),
      "assembly: a charge is not finite");
}

void check_springs(const Assembly& a) {
  for (const Spring& spring : a.springs) {
    require_argument(are_below(Edge{spring.i, spring.j}, a.masses.size()),
                     "assembly: a spring's end is no vertex");
    require_argument(spring.i != spring.j, "assembly: a spring joins a vertex to itself");
    require_argument(spring.stiffness >= 0.0 && spring.rest_length >= 0.0,
                     "assembly: a spring's stiffness or rest length is negative");
  }
}

void check_set(const Assembly& a, const ElementSet& set) {
  require_argument(
      are_below(set.tetrahedra, a.tetrahedra.size()) && are_below(set.hexahedra, a.hexahedra.size()),
      "assembly: a material or muscle names an element that does not exist");
}

void check_solids(const Assembly& a) {
  const std::size_t n = a.masses.size();
  for (const Tetrahedron& cell : a.tetrahedra)
    require_argument(are_below(cell, n), "assembly: a tetrahedron's corner is no vertex");
  for (const Hexahedron& cell : a.hexahedra)
    require_argument(are_below(cell, n), "assembly: a hexahedron's corner is no vertex");
  for (const MaterialTrack& track : a.materials) {
    check_set(a, track.elements);
    const std::size_t count = track.elements.size();
    require_argument(material_model(track.model).has_value(), "assembly: there is no such material model");
    require_argument(track.youngs_modulus.size() == count && track.poissons_ratio.size() == count,
                     "assembly: a material's constants are not as many as its elements");
    require_argument(are_not_negative(track.youngs_modulus) &&
                         std::all_of(track.poissons_ratio.begin(), track.poissons_ratio.end(),
                                     [](double ratio) { return ratio > -1.0 && ratio < 0.5; }),
                     "assembly: a material's E is negative, or its Poisson's ratio is outside (-1, 0.5)");
  }
  for (const MuscleTrack& track : a.muscles) {
    check_set(a, track.elements);
    const std::size_t count = track.elements.size();
    require_argument(track.stiffness.size() == count &&
                         (track.keys.empty() ? track.activations.size() == count
                                             : track.keys.times.size() == track.keys.values.size()),
                     "assembly: a muscle's numbers are not as many as its elements");
    require_argument(are_not_negative(track.stiffness) && are_not_negative(track.activations) &&
                         are_not_negative(track.keys.values),
                     "assembly: a muscle's stiffness or activation is negative");
    require_argument(norm(track.fibre) > 0.0, "assembly: a muscle's fibre has no direction");
  }
}

void check_tracks(const Assembly& a) {
  const std::size_t n = a.masses.size();
  for (const ChargeTrack& track : a.charge_tracks)
    require_argument(are_below(track.vertices, n) && are_keys(track.charge, false),
                     "assembly: a charge track names no vertex, or has no keys");
  for (const LoadTrack& track : a.load_tracks)
    require_argument(are_below(track.vertices, n) && are_keys(track.factor, true) &&
                         (track.forces.size() == 1 || track.forces.size() == track.vertices.size()),
                     "assembly: a load's vertices, forces and factors do not fit");
  for (const ExternalChargeTrack& track : a.external_charges)
    require_argument(are_keys(track.charge, false) && are_keys(track.position, false),
                     "assembly: an external charge has no charge or position");
  for (const FieldExpression& field : a.fields)
    require_argument(field.constants.size() == field.constant_names.size(),
                     "assembly: a field's constants are not as many as their names");
}

void check_pins(const Assembly& a) {
  std::vector<char> is_pinned(a.masses.size(), 0);
  for (const PinTrack& track : a.pin_tracks) {
    require_argument(are_below(track.vertices, a.masses.size()) && are_keys(track.offsets, true),
                     "assembly: a pin names no vertex, or its keys do not fit");
    for (const Index vertex : track.vertices) {
      char& mark = is_pinned[static_cast<std::size_t>(vertex)];
      require_argument(mark == 0, "assembly: a vertex is pinned twice");
      mark = 1;
    }
  }
}

}  // namespace

void check_assembly(const Assembly& assembly) {
  check_vertices(assembly);
  check_springs(assembly);
  check_solids(assembly);
  check_tracks(assembly);
  check_pins(assembly);
}

void check_masses(const Assembly& a) {
  require_argument(std::all_of(a.masses.begin(), a.masses.end(),
                               [](double mass) { return mass > 0.0 && std::isfinite(mass); }),
                   "assembly: a mass is not positive and finite");
}

}  // namespace electret
