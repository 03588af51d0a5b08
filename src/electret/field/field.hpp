#pragma once
/// \file
/// Coulomb sums in one line, and the true error of a field.
///
/// \code
///   electret::VectorArray positions = {{0, 0, 0}, {1, 0, 0}};  // m
///   std::vector<double> charges = {1e-6, -1e-6};               // C
///   const auto [field, potential, coincident] = electret::coulomb_field(positions, charges);
/// \endcode
///
/// For many evaluations, keep a solver: `make_field_solver` (solver.hpp).

#include <optional>
#include <vector>

#include <electret/core/types.hpp>
#include <electret/field/options.hpp>
#include <electret/field/solver.hpp>

namespace electret {

/// A field at t targets.
struct CoulombField {
  VectorArray field;              ///< t×3, N/C.
  std::vector<double> potential;  ///< t, V.
  Count coincident_pairs = 0;     ///< Pairs at distance 0, left out (FieldSolver::coincident_pairs).
};

/// The field and the potential of charges (n, C) at their own positions (n×3, m), without self pairs.
/// `threads` is the number of threads (0: all). Throws InputError for options that this version lacks, and
/// std::invalid_argument if the sizes do not fit or if a position or charge is not finite.
CoulombField coulomb_field(VectorView positions, ScalarView charges, const FieldOptions& options = {},
                           int threads = 0);

/// The same at other points: `targets` (t×3, m).
CoulombField coulomb_field_at(VectorView positions, ScalarView charges, VectorView targets,
                              const FieldOptions& options = {}, int threads = 0);

/// The error of a field and its potential, compared with plain float64 sums over all charges at some of the
/// targets.
struct FieldError {
  Count samples = 0;      ///< Targets compared.
  double relative = 0.0;  ///< sqrt(Σ|E - E_ref|² / Σ|E_ref|²); absolute if the reference is 0.
  double median = 0.0;    ///< Median of |E - E_ref| / |E_ref|.
  double worst = 0.0;     ///< Largest of |E - E_ref| / |E_ref|.
  /// sqrt(Σ(φ - φ_ref)² / Σφ_ref²); absolute if the reference is 0, absent if no potential was given.
  std::optional<double> potential;
};

/// How much a field (t×3, N/C) differs from a reference, at all of its t targets. Potentials (t, V) are
/// compared, too, unless both are empty. Throws std::invalid_argument if the sizes do not fit.
FieldError field_difference(VectorView field, ScalarView potential, VectorView reference,
                            ScalarView reference_potential);

/// The true error of `field` (n×3, N/C) at the charges' own positions, and of `potential` (n, V) unless that
/// is empty. Compares them with the reference at `samples` targets, or at all if samples ≥ n. The targets are
/// a pseudo-random subset, so that they are not correlated with the order of the points (such as the rows of
/// a grid). The subset is the same in every call. O(samples·n). Throws std::invalid_argument if the sizes do
/// not fit or `samples` is negative.
FieldError verify_field(VectorView positions, ScalarView charges, VectorView field,
                        const FieldOptions& options, Count samples, ScalarView potential = {});

/// The same for a field at other points: `targets` (t×3, m).
FieldError verify_field_at(VectorView positions, ScalarView charges, VectorView targets, VectorView field,
                           const FieldOptions& options, Count samples, ScalarView potential = {});

}  // namespace electret
