#pragma once
/// \file
/// The transpose of a stage whose vertices touch obstacles: docs/contact.md, "Gradients".

#include <vector>

#include <electret/contact/contact_set.hpp>
#include <electret/dynamics/stage/stage_solver.hpp>

namespace electret {

/// Solves Jᵀw = rhs, where J has the rows of ∇²g at vertices that touch nothing and those of the contact law
/// at the others, in the states that the step ended in. z = C_fᵀw takes the part that w has without contacts.
class ContactAdjoint {
 public:
  /// `scales` are the law's c of each vertex of the system's contacts, kg. All must outlive this.
  ContactAdjoint(const System& system, ScalarView scales)
      : system_(system), contacts_(*system.contacts), scales_(scales) {}

  /// Writes the forces (kg m; ∇g) and modes of a step's end, one of each per vertex of the set, into arrays
  /// of all `vertices`.
  void keep(VectorView forces, std::span<const CornerMode> modes, std::size_t vertices, StepTape& tape) const;
  /// z (n×3) from `rhs` at the step's end `x`; `hessian` is linearised there. Throws std::invalid_argument
  /// without the step's tape.
  HessianSolve solve(StageHessian& hessian, VectorView x, VectorView rhs, double tolerance,
                     const StageRecord& record, VectorSpan z);
  /// Adds the derivatives by the places at the step's start, the obstacles' placements and parameters. Of
  /// those by the rollers' places, what the method adds without contacts is left out.
  void add(VectorView start, VectorSpan by_start, const StepGradients& out);

 private:
  /// A vertex that an obstacle pushes.
  struct Touching {
    std::size_t vertex = 0, kind = 0;
    CornerPoint point;
    CornerMode mode;
    std::array<std::size_t, most_walls> obstacles{};  ///< Of its walls.
    Vec3 place;                                       ///< x.
    const Roller* roller = nullptr;                   ///< What holds it; null: nothing.
    Vec3 remainder;                                   ///< Of the linear system without contacts.
    CornerCotangent by;
  };
  void read(VectorView x, const StageRecord& record);

  const System& system_;
  ContactSet& contacts_;
  ScalarView scales_;
  std::vector<Touching> touching_;
  std::vector<VertexConstraint> constraints_;
  VectorArray reduced_, product_;
};

}  // namespace electret
