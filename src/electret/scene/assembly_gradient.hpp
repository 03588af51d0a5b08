#pragma once
/// \file
/// The derivatives of a loss with respect to the numbers of an Assembly, and access to those numbers.
///
/// `numbers` reaches all numbers that parameters are made of (parameters.hpp), in the assembly and in its
/// gradient alike.

#include <cstddef>
#include <vector>

#include <electret/scene/assembly.hpp>

namespace electret {

/// ∂ℒ/∂(each number of an Assembly). The arrays have the assembly's shapes.
struct AssemblyGradient {
  struct External {
    std::vector<double> charge;  ///< One per key.
    VectorArray position;        ///< One per key.
  };
  struct Load {
    VectorArray forces;
    std::vector<double> factor;  ///< One per key; empty if the load is constant.
  };
  struct Material {
    std::vector<double> youngs_modulus, poissons_ratio;  ///< One per element.
  };
  struct Muscle {
    std::vector<double> stiffness;    ///< One per element.
    std::vector<double> activations;  ///< One per element; empty if key-framed.
    std::vector<double> values;       ///< One per key.
  };
  struct Obstacle {
    double stiffness = 0.0, friction = 0.0, friction_stiffness = 0.0;
  };
  VectorArray rest_positions;      ///< n×3; initial positions and rest lengths are held fixed.
  VectorArray initial_positions;   ///< n×3; rest lengths are held fixed.
  VectorArray initial_velocities;  ///< n×3.
  std::vector<double> masses;      ///< n.
  std::vector<double> charges;     ///< n; the bodies' own charges, before tracks.
  std::vector<double> stiffnesses, rest_lengths;   ///< One per spring.
  std::vector<std::vector<double>> charge_tracks;  ///< One per key of each track.
  std::vector<VectorArray> pin_tracks;             ///< One per key of each track; empty if held in place.
  std::vector<External> external_charges;          ///< One per track.
  std::vector<Load> load_tracks;                   ///< One per track.
  std::vector<Material> materials;                 ///< One per track.
  std::vector<Muscle> muscles;                     ///< One per track.
  std::vector<std::vector<double>> fields;         ///< One per constant of each field.
  std::vector<Obstacle> obstacles;                 ///< One per obstacle.
  Vec3 gravity;
  double drag = 0.0, spring_damping = 0.0;

  /// Zeros in the shape of `assembly`.
  static AssemblyGradient zero(const Assembly& assembly);
};

/// The kinds of numbers in an assembly.
enum class NumberKind {
  rest_positions,
  initial_positions,
  initial_velocities,
  masses,
  charges,
  stiffnesses,
  rest_lengths,
  charge_track,
  pin_track,
  external_charge,
  external_position,
  field_constants,
  load_forces,
  load_factor,
  youngs_modulus,
  poissons_ratio,
  muscle_stiffness,
  activations,
  activation_keys,
  obstacle_stiffness,
  obstacle_friction,
  obstacle_friction_stiffness,
  gravity,
  drag,
  spring_damping
};

/// One array of an assembly. `index` is the number of the track, external charge, field, load, material,
/// muscle or obstacle if the assembly can have several.
struct NumberSource {
  NumberKind kind = NumberKind::masses;
  std::size_t index = 0;
};

/// `count` doubles that are `stride` doubles apart. They belong to the object that was passed to `numbers`.
template <class Double>
struct Numbers {
  Double* first = nullptr;
  std::size_t count = 0;
  std::size_t stride = 1;
  Double& operator[](std::size_t k) const { return first[k * stride]; }
};

/// The array that `source` names. In a scene without [gravity], gravity is 0; if its numbers are requested
/// for writing, the scene gets the table.
Numbers<double> numbers(Assembly& assembly, NumberSource source);
Numbers<const double> numbers(const Assembly& assembly, NumberSource source);
Numbers<double> numbers(AssemblyGradient& gradient, NumberSource source);
Numbers<const double> numbers(const AssemblyGradient& gradient, NumberSource source);

}  // namespace electret
