#pragma once
/// \file
/// The transpose of a stage in which obstacles hold what touches them.

#include <vector>

#include <electret/contact/contact_set.hpp>
#include <electret/dynamics/stage/stage_solver.hpp>

namespace electret {

/// A vertex that was held ended where the obstacle had carried it: x' = x̃. With z = 0 there, its cotangent is
/// that of x', less what H z has taken. What a roller held of it went with the roller.
class StickingAdjoint {
 public:
  /// `contacts` must outlive this.
  explicit StickingAdjoint(ContactSet& contacts) : contacts_(contacts) {}

  /// Writes which vertices of the set were held into an array of all `vertices`.
  void keep(std::span<const char> held, std::size_t vertices, StepTape& tape) const;
  /// z (n×3) from `rhs` at the step's end `x`; `hessian` is linearised there. Throws std::invalid_argument
  /// without the step's tape.
  HessianSolve solve(StageHessian& hessian, VectorView x, VectorView rhs, double tolerance,
                     const StageRecord& record, VectorSpan z);
  /// Adds the derivatives by the places at the step's start and the obstacles' placements.
  void add(VectorSpan by_start, const StepGradients& out);

 private:
  struct Held {
    std::size_t vertex = 0, obstacle = 0;
    std::size_t number = 0;  ///< In the set.
    Vec3 adjoint;            ///< ∂ℒ/∂x̃.
  };
  void read(VectorView x, const StageRecord& record);

  ContactSet& contacts_;
  VectorView start_;  ///< Of the step of the last `solve`.
  std::vector<Held> held_;
  std::vector<VertexConstraint> constraints_;
  VectorArray product_;
};

}  // namespace electret
