#pragma once
/// \file
/// The interface of forces that are evaluated explicitly, at (x, v, t, inputs): Coulomb's force, external
/// charges, electric fields, gravity, loads, grabs, penalty contact and its friction, drag, spring damping.
///
/// No force can be added without its derivative products: the conformance suite (tests/force) checks each of
/// them against differences.

#include <span>
#include <string_view>

#include <electret/core/parallel.hpp>
#include <electret/core/types.hpp>
#include <electret/scene/inputs.hpp>

namespace electret {

/// Where a force is evaluated. All views have n rows and are valid only during the call.
struct ForcePoint {
  VectorView positions;   ///< m.
  VectorView velocities;  ///< m/s.
  ScalarView masses;      ///< kg.
  const Inputs& inputs;   ///< At the time of evaluation.
};

/// Who owns the numbers of a force's parameter: the force itself (gravity, a coefficient, a field's
/// constant), or a field of Inputs that several forces may read.
enum class ParameterOwner { force, charges, external_charges, external_positions, loads, placements, grabs };

/// A parameter of a force: its name and how many numbers it has. The names within one force differ;
/// parameters of different forces may have equal names.
struct ForceParameter {
  std::string_view name{};
  std::string_view unit{};
  /// Number of doubles: 3 per position or load, 12 per placement. 0 for grabs, of which inputs may have any
  /// number: 5 per grab of the inputs.
  std::size_t size = 0;
  ParameterOwner owner = ParameterOwner::force;
};

/// The column of the energy table that a force's potential belongs to.
enum class EnergyColumn { none, coulomb, external, gravity };

/// What a force's values depend on. A Verlet step reuses values that depend only on positions and inputs.
enum class Dependence { position, velocity };

/// What kind of force it is. Methods that treat kinds differently (drag as exact factors, near and far
/// charges) ask for this, never for the name.
enum class ForceRole { coulomb, applied, spring_damping, drag };

/// The products that a backward step requests from a force. An empty span requests nothing.
struct ForceProducts {
  VectorSpan positions;                    ///< += (∂f/∂x)ᵀ z, n×3.
  VectorSpan velocities;                   ///< += (∂f/∂v)ᵀ z, n×3.
  ScalarSpan masses;                       ///< += z·∂f/∂m_i, n.
  std::span<const ScalarSpan> parameters;  ///< += z·∂f/∂θ, one span per parameter of the force, or none.
};

class ExplicitForce {
 public:
  virtual ~ExplicitForce() = default;

  [[nodiscard]] virtual std::string_view name() const = 0;
  [[nodiscard]] virtual EnergyColumn column() const { return EnergyColumn::none; }
  [[nodiscard]] virtual ForceRole role() const { return ForceRole::applied; }
  /// `velocity` means that the force reads the velocities (damping).
  [[nodiscard]] virtual Dependence dependence() const { return Dependence::position; }
  /// True for a force without a potential whose work is accounted as field work (electric fields by
  /// expression, loads).
  [[nodiscard]] virtual bool does_field_work() const { return false; }
  /// False if the force is 0 with these inputs, whatever the positions. Its work then needs no evaluation.
  [[nodiscard]] virtual bool acts(const Inputs&) const { return true; }
  /// True for a force whose work is accounted as dissipation.
  [[nodiscard]] virtual bool dissipates() const { return false; }
  /// Of a force that dissipates: the power Σ f_i·v_s with which what it rubs against drives the vertices,
  /// where v_s is the velocity of that thing at the vertex. W; 0 if it is at rest.
  [[nodiscard]] virtual double driving_power(const ForcePoint&) { return 0.0; }

  /// f += force (n×3, N).
  virtual void add_force(const ForcePoint& at, VectorSpan f) = 0;
  /// Potential energy, J; 0 for a force without one.
  virtual double potential_energy(const ForcePoint&) { return 0.0; }

  /// out += (∂f/∂x)ᵀ z.
  virtual void add_transposed_jacobian_x(const ForcePoint& at, VectorView z, VectorSpan out) = 0;
  /// out += (∂f/∂v)ᵀ z.
  virtual void add_transposed_jacobian_v(const ForcePoint&, VectorView /*z*/, VectorSpan /*out*/) {}
  /// out_i += z·∂f/∂m_i.
  virtual void add_mass_gradient(const ForcePoint&, VectorView /*z*/, ScalarSpan /*out*/) {}

  /// The force's parameters. Gradients are taken with respect to their values at the time of evaluation.
  /// `Schedule` applies the chain rule to key-frames.
  [[nodiscard]] virtual std::span<const ForceParameter> parameters() const { return {}; }
  /// out += z·∂f/∂θ for parameter number `parameter`; `out` has its `size`.
  virtual void add_parameter_gradient(const ForcePoint&, std::size_t /*parameter*/, VectorView /*z*/,
                                      ScalarSpan /*out*/) {}

  /// All requested products, in one pass if the force has one (Coulomb: Jᵀz and the gradient by the charges).
  /// The base class calls the functions above. Throws InternalError unless `out.parameters` is empty or has
  /// one span per parameter, each of which may be empty.
  virtual void add_products(const ForcePoint& at, VectorView z, const ForceProducts& out);

  /// out += ∂U/∂x (n×3, J/m). This differs from -force only if the force does not derive from U.
  virtual void add_potential_gradient(const ForcePoint&, VectorSpan /*out*/) {}
  /// out_i += ∂U/∂m_i.
  virtual void add_potential_mass_gradient(const ForcePoint&, ScalarSpan /*out*/) {}
  /// out += ∂U/∂θ for parameter number `parameter`.
  virtual void add_potential_parameter_gradient(const ForcePoint&, std::size_t /*parameter*/,
                                                ScalarSpan /*out*/) {}

  /// Field evaluations so far (Coulomb only).
  [[nodiscard]] virtual Count field_evaluations() const { return 0; }
};

}  // namespace electret
