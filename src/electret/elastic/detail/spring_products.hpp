#pragma once
/// \file
/// The loops of springs' Hessian products, one set of functions per instruction set. There is no inline code
/// here, because the files that implement the sets are compiled with flags of their own.
///
/// Each vertex sums over its springs in their order. Each spring is thus computed from both of its ends, and
/// each row is written by one sum. All sets give the same bits; none uses fused multiply-adds.

#include <cstdint>

#include <electret/elastic/detail/spring_kernels.hpp>

namespace electret::detail {

/// The springs at each vertex, linearised: those of vertex v are sides[offsets[v]] ….
struct LinearisedSprings {
  const std::int64_t* offsets;
  const SpringSide* sides;
  const double* stiffness;   ///< k, N/m, one per spring.
  const double* directions;  ///< β̂ and r = l/|β| in 4 doubles per spring.
  const float* factors;      ///< w and a in 4 floats per side; its block is a I + w wᵀ (SpringKernels).
};

struct SpringProducts {
  /// Rows begin … end-1: out_v += Σ k (δ - r (δ - β̂ β̂·δ)) with δ = d_v - d_other; 3 doubles per vertex.
  void (*product)(const LinearisedSprings& springs, const double* d, std::int64_t begin, std::int64_t end,
                  double* out);
  /// Rows begin … end-1: out_v += factor Σ (a δ + w w·δ); 4 floats per vertex, the last 0.
  void (*product32)(const LinearisedSprings& springs, float factor, const float* d, std::int64_t begin,
                    std::int64_t end, float* out);
};

extern const SpringProducts portable_spring_products;
#ifdef ELECTRET_HAS_AVX2
extern const SpringProducts avx2_spring_products;
#endif

/// Those of the instruction set in force.
const SpringProducts& spring_products();

}  // namespace electret::detail
