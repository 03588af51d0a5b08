#pragma once
/// \file
/// Springs' second derivatives at one place: products and blocks that need not read the positions again.
///
/// A spring's block is k (1 - r) I + k r β̂β̂ᵀ with r = l/|β|. For float64 products, β̂ and r of each spring
/// are kept; the arithmetic is the stencil's, with the same bits. For float32 products and blocks, 4 floats
/// are kept per end of a spring, in the order of the vertices. Either is made when it is first needed.

#include <vector>

#include <electret/core/padded.hpp>
#include <electret/core/parallel.hpp>
#include <electret/elastic/detail/spring_products.hpp>
#include <electret/elastic/element_block.hpp>

namespace electret {
class BlockMatrix;
class BlockPattern;
class LatticeMatrix;
struct Lattice;
}  // namespace electret

namespace electret::detail {

class SpringLinearisation {
 public:
  /// `springs`, the values (one per spring) and `threads` must outlive this. If `parallel`, loops are cut
  /// into chunks for all threads; the results are the same.
  SpringLinearisation(const ElementBlock& springs, ScalarView stiffness, ScalarView rest_length,
                      Threads& threads, bool parallel);

  /// The springs at each vertex, in the incidence's order. The first call allocates.
  const SpringSide* sides();

  /// Linearises at `x`, one position per vertex. The first call allocates.
  void set(VectorView x, bool clamped);
  void add_product(VectorView d, VectorSpan out);
  void add_product(float factor, PaddedView32 d, PaddedSpan32 out);
  /// Makes the factors that float32 products and blocks read.
  void need_factors();
  /// Computes the product's rows begin … end-1. Call `need_factors` before.
  void add_product_rows(float factor, PaddedView32 d, PaddedSpan32 out, Count begin, Count end) const {
    products_.product32(linearised(), factor, d[0].lane, begin, end, out[0].lane);
  }
  /// 9 floats per vertex.
  void add_diagonal(float factor, std::span<float> blocks);

  /// Throws InternalError if the pattern lacks a block.
  void attach(const BlockPattern& pattern);
  [[nodiscard]] Count attached_blocks() const { return attached_blocks_; }
  void add_blocks(float factor, BlockMatrix& h);
  /// The same if springs join only neighbours on `lattice`.
  void add_to_lattice(float factor, const Lattice& lattice, LatticeMatrix& h);

 private:
  static constexpr Count chunk = 1024;

  template <class Body>
  void for_chunks(Count n, Body&& body);
  [[nodiscard]] LinearisedSprings linearised() const;
  [[nodiscard]] SpringRange range(Count begin, Count end) const;
  void need_directions();

  const SpringKernels& kernels_ = spring_kernels();
  const SpringProducts& products_ = spring_products();
  const ElementBlock& springs_;
  ScalarView stiffness_, rest_length_;
  Threads& threads_;
  bool parallel_;
  std::vector<SpringSide> sides_;
  std::vector<Index> sides_of_springs_;  ///< The indices of each spring's two sides.
  std::vector<Padded64> places_;         ///< Where the energy is linearised.
  bool clamped_ = false;                 ///< Whether it is linearised with clamping.
  std::vector<double> directions_;       ///< β̂ and r, 4 per spring.
  bool directions_known_ = false;        ///< of the present linearisation.
  std::vector<Padded32> factors_;        ///< w and a, one row per side.
  bool factors_known_ = false;           ///< of the present linearisation.
  std::vector<Index> slots_;             ///< The block of each side, off the diagonal.
  std::vector<Index> diagonal_;          ///< The diagonal block of each vertex.
  Count attached_blocks_ = -1;
};

}  // namespace electret::detail
