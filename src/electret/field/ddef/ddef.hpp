#pragma once
/// \file
/// Domain-discretised electric field [MSC 3.1, Algorithm 1], in its consistent form: charges of nearby
/// tetrahedra exactly, all others through the field they make at the vertices of a Delaunay tessellation.
/// docs/ddef.md derives it.

#include <memory>

#include <electret/core/parallel.hpp>
#include <electret/field/direct/direct.hpp>
#include <electret/field/solver.hpp>

namespace electret {

/// What an evaluation at the present positions consists of.
struct DdefStatistics {
  Count grid_points = 0;    ///< Halton points m; the grid has the box's 8 corners besides.
  Count tetrahedra = 0;     ///< Of the tessellation.
  Count occupied = 0;       ///< Tetrahedra that hold a target.
  Count near_pairs = 0;     ///< Ordered pairs of a target and a charge summed exactly, self pairs left out.
  Count far_pairs = 0;      ///< Pairs of a grid vertex and a charge summed for the far field.
  Count removed_pairs = 0;  ///< Of them those a tetrahedron's near set takes out again (with repetition).
  double near_pairs_a_target = 0.0;
};

/// The solver, with what tests and reports ask of it besides.
class DdefFieldSolver : public FieldSolver {
 public:
  /// Of the positions last prepared.
  [[nodiscard]] virtual DdefStatistics statistics() const = 0;

  /// Held, later calls of `prepare` (with arrays of the same sizes) move charges and targets but keep box,
  /// tessellation and each point's tetrahedron, so that the field is a smooth function of the positions: the
  /// one whose derivative products the solver gives.
  virtual void hold(bool held) = 0;

  /// Ignored, `field` sums the charges of nearby tetrahedra alone, as a sum with a cut-off would: what [MSC]
  /// Table 1 compares with. Derivative products do not follow it.
  virtual void ignore_far_field(bool ignored) = 0;
};

/// `solver = "ddef"`: float32 unless an accuracy below 2e-4 is asked. Its own error does not depend on that:
/// see docs/ddef.md. Throws InputError for options out of range, and for a build without Qhull. `threads`
/// must outlive the solver.
std::unique_ptr<DdefFieldSolver> make_ddef_field_solver(const FieldOptions& options, Threads& threads);

/// The same with an instruction set and arithmetic (float64 or float32) of the caller's choice. Derivative
/// products are float64 always.
std::unique_ptr<DdefFieldSolver> make_ddef_field_solver(const FieldOptions& options, Threads& threads,
                                                        direct::InstructionSet instruction_set,
                                                        direct::Arithmetic arithmetic);

/// Whether this build has the solver (it needs Qhull).
bool ddef_available();

/// Halton points for n charges where `FieldOptions::ddef_grid_points` is absent.
Count default_ddef_grid_points(Count n);

/// Up to about where the field's relative L2 error with its own number of grid points lies for most charges:
/// no bound (docs/ddef.md). An accuracy below it asks for more than `ddef` gives.
inline constexpr double ddef_typical_error = 0.2;

}  // namespace electret
