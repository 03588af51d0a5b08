#pragma once
/// \file
/// A coarse space for systems of bodies that touch each other: their motions as wholes.

#include <vector>

#include <electret/core/padded.hpp>
#include <electret/dynamics/stage/free_parts.hpp>
#include <electret/dynamics/system.hpp>
#include <electret/linear/preconditioner.hpp>
#include <electret/linear/stencil_matrix.hpp>

namespace electret {

/// B = J⁻¹ + Z E⁻¹ Zᵀ: a preconditioner J⁻¹ of single vertices and, added to it (Nicolaides 1987; two-level
/// additive Schwarz), the rigid motions Z of parts that no pin holds, with E = ZᵀHZ. What carries a push
/// through a stack of bodies are these motions. J⁻¹ alone takes iterations in the number of vertices on the
/// way. Elements resist no rigid motion but for the stresses in them, which E leaves out: it has masses and
/// pairs.
class RigidCorrection final : public Preconditioner {
 public:
  /// `single` is J⁻¹, which is block-diagonal and whose refresh is the caller's. Both must outlive this.
  RigidCorrection(const System& system, Preconditioner& single);

  /// Takes E at the places `x` with `pairs`. Without pairs, for a single part or very many, and where E is
  /// not positive definite, B is J⁻¹.
  void refresh(VectorView x, const StencilMatrix* pairs);

  [[nodiscard]] std::string_view name() const override { return single_.name(); }
  [[nodiscard]] bool refresh(const BlockMatrix& matrix, std::span<const char> held) override {
    return single_.refresh(matrix, held);
  }
  void apply(PaddedView32 r, PaddedSpan32 z) override;
  [[nodiscard]] std::array<float, 9> own_inverse(Index vertex) const override {
    return single_.own_inverse(vertex);
  }
  [[nodiscard]] bool is_block_diagonal() const override { return !is_used_; }
  void apply_rows(PaddedView32 r, PaddedSpan32 z, Count begin, Count end) const override {
    single_.apply_rows(r, z, begin, end);
  }

 private:
  [[nodiscard]] bool invert(const StencilMatrix& pairs);
  void find_arms(VectorView x);

  const System& system_;
  Preconditioner& single_;
  std::vector<JoinedPart> parts_;       ///< Without pins.
  std::vector<Index> part_of_;          ///< n; -1: none.
  VectorArray arms_;                    ///< n, m: from the part's centre of mass.
  std::vector<double> inverse_;         ///< E⁻¹, (6 parts)², by rows.
  std::vector<double> pushes_, moves_;  ///< Zᵀr and E⁻¹Zᵀr.
  bool is_used_ = false;
};

}  // namespace electret
