#pragma once
/// \file
/// Derivatives of a loss by the numbers of an Assembly, and the numbers themselves under one address.
///
/// Everything that parameters are made of (parameters.hpp) is reached by `numbers`, alike in the assembly and
/// in its gradient.

#include <cstddef>
#include <vector>

#include <electret/scene/assembly.hpp>

namespace electret {

/// ∂ℒ/∂(each number of an Assembly): the same shapes.
struct AssemblyGradient {
  struct External {
    std::vector<double> charge;  ///< One per key.
    VectorArray position;        ///< One per key.
  };
  struct Load {
    VectorArray forces;
    std::vector<double> factor;  ///< One per key; empty where the load is constant.
  };
  struct Material {
    std::vector<double> youngs_modulus, poissons_ratio;  ///< One for each element.
  };
  struct Muscle {
    std::vector<double> stiffness;    ///< One for each element.
    std::vector<double> activations;  ///< Likewise; empty where key-framed.
    std::vector<double> values;       ///< One for each key.
  };
  struct Obstacle {
    double stiffness = 0.0, friction = 0.0, friction_stiffness = 0.0;
  };
  VectorArray rest_positions;                      ///< n×3; initial positions and rest lengths held.
  VectorArray initial_positions;                   ///< n×3; rest lengths held.
  VectorArray initial_velocities;                  ///< n×3.
  std::vector<double> masses;                      ///< n.
  std::vector<double> charges;                     ///< n: by the bodies' own, before tracks.
  std::vector<double> stiffnesses, rest_lengths;   ///< One per spring.
  std::vector<std::vector<double>> charge_tracks;  ///< Per track one per key.
  std::vector<VectorArray> pin_tracks;             ///< Per track one offset per key; empty where unmoved.
  std::vector<External> external_charges;          ///< One per track.
  std::vector<Load> load_tracks;                   ///< One per track.
  std::vector<Material> materials;                 ///< One per track.
  std::vector<Muscle> muscles;                     ///< One per track.
  std::vector<std::vector<double>> fields;         ///< Per field one per constant.
  std::vector<Obstacle> obstacles;                 ///< One per obstacle.
  Vec3 gravity;
  double drag = 0.0, spring_damping = 0.0;

  /// Zeros of the shape of `assembly`.
  static AssemblyGradient zero(const Assembly& assembly);
};

/// Kinds of numbers that an assembly consists of.
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

/// One array of an assembly: of track, external charge, field, load, material, muscle or obstacle number
/// `index` where there are several.
struct NumberSource {
  NumberKind kind = NumberKind::masses;
  std::size_t index = 0;
};

/// `count` doubles, `stride` doubles apart. The owner is what `numbers` was asked of.
template <class Double>
struct Numbers {
  Double* first = nullptr;
  std::size_t count = 0;
  std::size_t stride = 1;
  Double& operator[](std::size_t k) const { return first[k * stride]; }
};

/// The array `source`. Gravity is 0 in a scene without [gravity]; asked for its numbers to write, the scene
/// gets the table.
Numbers<double> numbers(Assembly& assembly, NumberSource source);
Numbers<const double> numbers(const Assembly& assembly, NumberSource source);
Numbers<double> numbers(AssemblyGradient& gradient, NumberSource source);
Numbers<const double> numbers(const AssemblyGradient& gradient, NumberSource source);

}  // namespace electret
