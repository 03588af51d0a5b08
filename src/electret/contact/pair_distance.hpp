#pragma once
/// \file
/// The distance between the two parts of a surface pair, with its first and second derivatives.

#include <array>

#include <electret/contact/surface_pair.hpp>

namespace electret {

/// The places of a pair's four vertices, m.
using PairPlaces = std::array<Vec3, 4>;
/// A number per vertex of a pair.
using PairWeights = std::array<double, 4>;
/// 3×3 blocks of a pair's second derivatives: blocks[i][j] belongs to vertices i and j.
using PairBlocks = std::array<std::array<Mat3, 4>, 4>;

/// What of the two parts is closest to each other. `inner`: a vertex over the inside of a triangle, or two
/// edges that cross. The others keep one number of the closest point free or none.
enum class PairFeature : unsigned char {
  inner,
  // A vertex over an edge of the triangle, or over one of its corners.
  edge_0_1,
  edge_1_2,
  edge_2_0,
  corner_0,
  corner_1,
  corner_2,
  // The first edge's start or end over the inside of the second, and the other way round; two ends.
  start_over_second,
  end_over_second,
  start_over_first,
  end_over_first,
  start_start,
  end_start,
  start_end,
  end_end
};

/// The features of a segment: its inside, or its ends.
struct SegmentFeatures {
  PairFeature inside{}, start{}, end{};
};
/// That which is closest to `point`, for the segment between the places `from` and `to`.
PairFeature closest_on(const SegmentFeatures& segment, const Vec3& point, const Vec3& from, const Vec3& to);

/// r = Σ w_i x_i is the vector between the closest points. The weights are linear in the β that the feature
/// leaves free, and minimise |r|.
struct PairDistance {
  PairFeature feature = PairFeature::inner;
  double distance = 0.0;  ///< d = |r|, m.
  Vec3 gap;               ///< r, m.
  Vec3 normal;            ///< n = r/d; 0 where d = 0.
  PairWeights weights{};  ///< w; ∂d/∂x_i = w_i n.
  int free = 0;           ///< The number k of free β: 2, 1 or 0.
  /// ∂w_i/∂β_a for a < k.
  std::array<PairWeights, 2> slopes{};
};

/// The distance of `kind` at `places`. It is finite for flat triangles and for edges without length, too.
PairDistance pair_distance(PairKind kind, const PairPlaces& places);
/// The same with the feature held. Its minimiser may lie outside of the two parts.
PairDistance pair_distance(PairFeature feature, PairKind kind, const PairPlaces& places);

/// How the closest point moves with the vertices: β = -F⁻¹(q·r₀), F_ab = q_a·q_b, q_a = Σ_i (∂_a w_i) x_i.
/// ∂β_a/∂x_i = -Σ_b (F⁻¹)_ab C_b,i, C_a,i = (∂_a w_i) r + w_i q_a.
struct ClosestPointSlopes {
  std::array<std::array<double, 2>, 2> inverse{};  ///< F⁻¹; k×k of it.
  std::array<std::array<Vec3, 4>, 2> moments{};    ///< C_a,i.
};
ClosestPointSlopes closest_point_slopes(const PairDistance& at, const PairPlaces& places);

/// ∇²d = (1/d)[w wᵀ ⊗ (I - n nᵀ) - Σ_ab (F⁻¹)_ab C_a C_bᵀ], 1/m, for d > 0.
PairBlocks distance_hessian(const PairDistance& at, const ClosestPointSlopes& slopes);

/// A weight for two edges that vanishes as they become parallel, where the closest points jump: m = (c/c₀)(2
/// - c/c₀) for c = |u × v|² < c₀, else 1.
struct EdgeMollifier {
  double value = 1.0;                             ///< m.
  bool is_one = true;                             ///< m is 1 here and around; else the derivatives are set.
  Vec3 by_first, by_second;                       ///< ∂m/∂u, ∂m/∂v, 1/m.
  Mat3 first_first, first_second, second_second;  ///< ∂²m/∂u∂u and so on, 1/m².
};
/// `threshold` c₀, m⁴. Below 1e-8 c₀ the value is 0, with no derivatives.
EdgeMollifier edge_mollifier(const Vec3& first, const Vec3& second, double threshold);
/// c₀ of two edges of these vectors at rest.
double mollifier_threshold(const Vec3& first, const Vec3& second);

}  // namespace electret
