#pragma once
/// \file
/// Trilinear interpolation between a lattice and the next coarser one, P, and the Galerkin product Pᵀ A P.

#include <vector>

#include <electret/linear/lattice_matrix.hpp>

namespace electret::detail {

class LatticeTransfer {
 public:
  /// Interpolates from fine.coarser() to `fine`. Along each axis, nodes at even steps are coarse nodes, and
  /// the others are means of two.
  explicit LatticeTransfer(const LatticeShape& fine);

  [[nodiscard]] const LatticeShape& coarse() const { return coarse_; }

  /// 1 for each coarse number whose node interpolates to a fine one with present[number] = 1.
  [[nodiscard]] std::vector<char> restricted(const std::vector<char>& present) const;

  /// y += P x.
  void add_prolonged(Threads& threads, const LatticeVector& x, LatticeVector& y) const;
  /// y = Pᵀ x.
  void restrict_to(Threads& threads, const LatticeVector& x, LatticeVector& y) const;

  /// `coarse` = Pᵀ `fine` P, axis by axis. P is a product of three interpolations along lines, so that each
  /// pass combines arrays of neighbouring rows. As many parts as there are threads, of whole planes, are
  /// computed in parallel, each number in a fixed order. Allocates nothing after the first call.
  void compute(Threads& threads, const LatticeMatrix& fine, LatticeMatrix& coarse);

 private:
  /// Blocks of one coarse plane. `planes`: x is coarse; 2 (dx = 0 and 1) × 9 × 9 entries of fine lines.
  /// `lines`: y is coarse, too; 5 pairs × 3 × 9. Each of these arrays has zeros before and after it.
  /// `nodes`: one entry of all nodes of these lines.
  struct Work {
    std::vector<float> planes, lines, nodes;
    Count plane_front = 0, plane_size = 0, line_front = 0, line_size = 0;

    [[nodiscard]] float* plane(int dx, int dy, int dz, int k) {
      return planes.data() + plane_front + (((dx * 3 + dy + 1) * 3 + dz + 1) * 9 + k) * plane_size;
    }
    [[nodiscard]] float* line(int pair, int dz, int k) {
      return lines.data() + line_front + ((pair * 3 + dz + 1) * 9 + k) * line_size;
    }
  };
  [[nodiscard]] Index step(int axis) const { return fine_.nodes(axis) == coarse_.nodes(axis) ? 1 : 2; }
  /// Calls visit(node, weight) for the coarse nodes along an axis of which a fine node is the mean.
  template <class Visit>
  void for_parents(int axis, Index node, Visit&& visit) const;
  void combine_planes(const LatticeMatrix& fine, Index plane, Work& work) const;
  void combine_lines(Work& work) const;
  void combine_nodes(Work& work, Index plane, LatticeMatrix& coarse) const;

  LatticeShape fine_, coarse_;
  std::vector<Work> parts_;
};

}  // namespace electret::detail
