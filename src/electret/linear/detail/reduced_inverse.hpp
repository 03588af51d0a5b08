#pragma once
/// \file
/// What a preconditioner of H is made into for the reduced system (WᵀHV + D) ξ = rhs.

#include <array>
#include <span>
#include <vector>

#include <electret/core/padded.hpp>
#include <electret/core/parallel.hpp>
#include <electret/linear/detail/reduction.hpp>
#include <electret/linear/preconditioner.hpp>

namespace electret::detail {

/// ρ → PᵀB(Pρ), with P = V at the vertices where D = 0. Where D is not, P = V Fᵀ with F b Fᵀ = (b⁻¹ + D)⁻¹,
/// b = VᵀH_ii⁻¹V: the vertex gives way by as much less as D resists. If B is block-diagonal, the vertex' own
/// block is just (b⁻¹ + D)⁻¹. Symmetric and positive definite if B is. Only D's symmetric part counts, and
/// only if b⁻¹ + D is positive definite.
class ReducedInverse {
 public:
  /// `reduction` must outlive the use of this. Allocates if there are more constraints than before.
  void set(const Reduction& reduction, const Preconditioner& inverse);

  /// P x, in `work`. If all constraints are pins, it is x itself, which is 0 there.
  [[nodiscard]] PaddedView32 expanded(Threads& threads, PaddedView32 x, std::vector<Padded32>& work) const;
  /// y_i ← Pᵀ y_i.
  void project(Threads& threads, PaddedSpan32 y) const;
  /// Of a block-diagonal B: z_i ← (b⁻¹ + D)⁻¹ r_i at the constrained vertices among begin … end-1, 0 at pins.
  void own_rows(PaddedView32 r, PaddedSpan32 z, Count begin, Count end) const;

 private:
  struct Basis {
    Index vertex = 0;
    int columns = 0;
    std::array<Vec3, 3> trial{};  ///< The columns of P.
    std::array<Vec3, 3> own{};    ///< The rows of (b⁻¹ + D)⁻¹.
  };
  static Basis basis_of(const VertexConstraint& constraint, const std::array<float, 9>& inverse);

  std::vector<Basis> bases_;  ///< Ascending by vertex.
  std::span<const Index> pins_;
};

}  // namespace electret::detail
