#pragma once
/// \file
/// The domain-discretised electric field of [MSC 3.1, Algorithm 1] in its consistent form. The charges of
/// nearby tetrahedra are summed exactly. All others act through the field that they cause at the vertices of
/// a Delaunay tessellation. docs/ddef.md derives it.

#include <memory>

#include <electret/core/parallel.hpp>
#include <electret/field/direct/direct.hpp>
#include <electret/field/solver.hpp>

namespace electret {

/// The sizes of an evaluation at the current positions.
struct DdefStatistics {
  Count grid_points = 0;    ///< Halton points m; the grid also has the box's 8 corners.
  Count tetrahedra = 0;     ///< Of the tessellation.
  Count occupied = 0;       ///< Tetrahedra that hold a target.
  Count near_pairs = 0;     ///< Ordered pairs summed exactly, without self pairs.
  Count far_pairs = 0;      ///< Pairs of a grid vertex and a charge summed for the far field.
  Count removed_pairs = 0;  ///< Those of them that near sets subtract again (with repetition).
  double near_pairs_a_target = 0.0;
};

/// The solver, with functions for tests and reports.
class DdefFieldSolver : public FieldSolver {
 public:
  /// The statistics of the last prepared positions.
  [[nodiscard]] virtual DdefStatistics statistics() const = 0;

  /// While held, `prepare` (with arrays of the same sizes) moves charges and targets, but keeps the box, the
  /// tessellation and each point's tetrahedron. The field is then a smooth function of the positions. The
  /// solver's derivative products are those of this function.
  virtual void hold(bool held) = 0;

  /// With `ignored`, `field` sums only the charges of nearby tetrahedra, as a sum with a cut-off does. [MSC]
  /// Table 1 compares with this. Derivative products do not follow the setting.
  virtual void ignore_far_field(bool ignored) = 0;
};

/// Makes the solver for `solver = "ddef"`. It sums in float32 unless an accuracy below 2e-4 is requested. The
/// error of the method itself does not depend on that: see docs/ddef.md. Throws InputError for options out of
/// range, and if the build has no Qhull. `threads` must outlive the solver.
std::unique_ptr<DdefFieldSolver> make_ddef_field_solver(const FieldOptions& options, Threads& threads);

/// The same with a given instruction set and arithmetic (float64 or float32). Derivative products are always
/// float64.
std::unique_ptr<DdefFieldSolver> make_ddef_field_solver(const FieldOptions& options, Threads& threads,
                                                        direct::InstructionSet instruction_set,
                                                        direct::Arithmetic arithmetic);

/// Whether this build has the solver (it needs Qhull).
bool ddef_available();

/// The number of Halton points for n charges if `FieldOptions::ddef_grid_points` is absent.
Count default_ddef_grid_points(Count n);

/// The relative L2 error of the field is typically up to about this for most charges, with the default number
/// of grid points. It is no bound (docs/ddef.md). `ddef` does not reach a requested accuracy below it.
inline constexpr double ddef_typical_error = 0.2;

}  // namespace electret
