#pragma once
/// \file
/// The global system H δ = rhs with constrained vertices: H = M + aL, the same n×n matrix for x, y and z.
///
/// Constraints are reduced bases a vertex: δ_vertex = V ξ, tested by W, with an own diagonal D; a pin has k =
/// 0 columns (δ = 0 there, its prescribed displacement moved to the right-hand side). Contact will bring k =
/// 1, 2 with W ≠ V (then CG becomes GMRES and the adjoint needs the transposed solve); the signatures leave
/// room for it, and a `LinearSystem` that cannot do it throws InternalError.

#include <array>
#include <memory>
#include <string_view>
#include <vector>

#include <electret/core/parallel.hpp>
#include <electret/core/types.hpp>

namespace electret {

/// A symmetric n×n matrix in compressed rows, both triangles, columns ascending. 64-bit offsets.
struct SparseMatrix {
  Index rows = 0;
  std::vector<Count> offsets;  ///< rows + 1.
  std::vector<Index> columns;
  std::vector<double> values;

  /// Σ_j A_ij x_j into `out`, for n×3 x; rows in parallel, each in column order.
  void multiply(Threads& threads, VectorView x, VectorSpan out) const;
};

/// Sums duplicate (row, column, value) entries, in the order they were added, into a SparseMatrix.
class SparseMatrixBuilder {
 public:
  explicit SparseMatrixBuilder(Index rows);
  void add(Index row, Index column, double value);
  [[nodiscard]] SparseMatrix build() const;

 private:
  struct Entry {
    Index row, column;
    double value;
  };
  Index rows_;
  std::vector<Entry> entries_;
};

/// A reduced basis at one vertex: δ = V ξ with k = `columns` (0: pinned, 3: free), equations tested by W.
struct VertexConstraint {
  Index vertex = 0;
  int columns = 0;
  std::array<Vec3, 2> trial{};       ///< V, columns (k ≤ 2).
  std::array<Vec3, 2> test{};        ///< W, columns.
  std::array<double, 4> diagonal{};  ///< D, k×k, row-major.
};

class LinearSystem {
 public:
  virtual ~LinearSystem() = default;
  /// "cholmod", "eigen".
  [[nodiscard]] virtual std::string_view name() const = 0;
  /// Number of non-zeros of the factor.
  [[nodiscard]] virtual Count factor_nonzeros() const = 0;
  /// Solves on the free vertices H_FF δ_F = rhs_F - H_FP δ_P with δ_P = `prescribed` (its pinned rows; others
  /// ignored; empty: zero); writes δ (n×3). After the first call it allocates nothing of ours (CHOLMOD keeps
  /// its own work space).
  virtual void solve(VectorView rhs, VectorView prescribed, VectorSpan solution) = 0;
  /// The transposed system (the adjoint's); the same where W = V.
  virtual void solve_transposed(VectorView rhs, VectorView prescribed, VectorSpan solution) = 0;
};

enum class Factorisation { automatic, eigen, cholmod };

/// Factors `matrix` (symmetric positive definite on the free vertices) once. Throws InternalError when it is
/// not positive definite or when `cholmod` is asked for and not built in. `threads` must outlive the system.
std::unique_ptr<LinearSystem> make_linear_system(const SparseMatrix& matrix,
                                                 const std::vector<VertexConstraint>& constraints,
                                                 Threads& threads,
                                                 Factorisation factorisation = Factorisation::automatic);

}  // namespace electret
