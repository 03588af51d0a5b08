#pragma once
/// \file
/// The interface of forces evaluated explicitly, at (x, v, t, inputs): Coulomb, external charges, electric
/// fields, gravity, loads, drag, spring damping; later penalty contact, hydrodynamics.
///
/// A force cannot be added without its derivative products: the conformance suite (tests/force) checks each
/// against differences.

#include <span>
#include <string_view>

#include <electret/core/parallel.hpp>
#include <electret/core/types.hpp>
#include <electret/scene/inputs.hpp>

namespace electret {

/// Where a force is evaluated. All views are of n vertices and outlive the call only.
struct ForcePoint {
  VectorView positions;   ///< m.
  VectorView velocities;  ///< m/s.
  ScalarView masses;      ///< kg.
  const Inputs& inputs;   ///< At the time of evaluation.
};

/// Whose numbers a force's parameter is: the force's own (gravity, a coefficient, a field's constant), or a
/// field of Inputs that several forces may read.
enum class ParameterOwner { force, charges, external_charges, external_positions, loads };

/// A parameter of a force: what gradients by it are called, and their length. Names of one force differ;
/// those of several forces' own may be equal.
struct ForceParameter {
  std::string_view name;
  std::string_view unit;
  std::size_t size = 0;  ///< Number of doubles; 3 for each place or load.
  ParameterOwner owner = ParameterOwner::force;
};

/// Which column of the energy table a force's potential belongs to.
enum class EnergyColumn { none, coulomb, external, gravity };

/// When its values change: a Verlet step reuses what depends on positions and inputs alone.
enum class Dependence { position, velocity };

/// What kind of force it is: methods that treat kinds apart (drag as exact factors, near and far charges) ask
/// this, never the name.
enum class ForceRole { coulomb, applied, spring_damping, drag };

/// What a backward step asks of a force; an empty span is not asked for.
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
  /// `velocity`: the force reads the velocities (damping).
  [[nodiscard]] virtual Dependence dependence() const { return Dependence::position; }
  /// True for a force without a potential whose work is accounted as field work (electric fields by
  /// expression, loads).
  [[nodiscard]] virtual bool does_field_work() const { return false; }
  /// False where the force is 0 with these inputs, whatever the positions: its work needs no evaluation.
  [[nodiscard]] virtual bool acts(const Inputs&) const { return true; }
  /// True for a force whose work is accounted as dissipation.
  [[nodiscard]] virtual bool dissipates() const { return false; }

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

  /// Its parameters, at the values of the time of evaluation (the key-frames' chain rule is elsewhere).
  [[nodiscard]] virtual std::span<const ForceParameter> parameters() const { return {}; }
  /// out += z·∂f/∂θ for parameter number `parameter` (its size doubles).
  virtual void add_parameter_gradient(const ForcePoint&, std::size_t /*parameter*/, VectorView /*z*/,
                                      ScalarSpan /*out*/) {}

  /// All products that are asked for, in one pass where the force has one (Coulomb: Jᵀz and the gradient by
  /// the charges). The base calls the functions above. Throws InternalError unless `out.parameters` is empty
  /// or has a span, which may be empty, per parameter.
  virtual void add_products(const ForcePoint& at, VectorView z, const ForceProducts& out);

  /// out += ∂U/∂x (n×3, J/m); differs from -force only where U does not give the force.
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
