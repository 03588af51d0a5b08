#pragma once
/// \file
/// The constant system H δ = rhs with pinned vertices, factored once. H = M + aL is the same n×n matrix for
/// x, y and z. Systems that change in time or mix x, y and z are block systems (block_system.hpp).

#include <memory>
#include <span>
#include <string_view>

#include <electret/core/types.hpp>
#include <electret/linear/sparse_matrix.hpp>

namespace electret {

class PrefactoredSystem {
 public:
  virtual ~PrefactoredSystem() = default;
  /// "cholmod", "eigen".
  [[nodiscard]] virtual std::string_view name() const = 0;
  /// Number of non-zeros of the factor.
  [[nodiscard]] virtual Count factor_nonzeros() const = 0;
  /// Solves H_FF δ_F = rhs_F on the free vertices. δ is 0 on pinned ones, whatever `rhs` is there. `solution`
  /// receives δ (n×3) and may be `rhs`. After the first call Electret allocates nothing; CHOLMOD keeps its
  /// own work space.
  virtual void solve(VectorView rhs, VectorSpan solution) = 0;
};

enum class Factorisation { automatic, eigen, cholmod };

/// Factors `matrix`, which is symmetric positive definite on the free vertices, once. Throws InternalError if
/// it is not positive definite, if a pin is not a vertex, or if `cholmod` is requested and not built in.
std::unique_ptr<PrefactoredSystem> make_prefactored_system(
    const SparseMatrix& matrix, std::span<const Index> pins,
    Factorisation factorisation = Factorisation::automatic);

}  // namespace electret
