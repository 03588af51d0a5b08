#include <bit>

#include <electret/elastic/detail/volume_points.hpp>

namespace electret::detail {
namespace {

constexpr std::size_t width = VolumePoints::width;

// Kernels are found by the model's number.
static_assert(material_models[0] == "projective" && material_models[1] == "corotated" &&
              material_models[2] == "fixed_corotated" && material_models[3] == "neo_hookean" &&
              material_models[4] == "stable_neo_hookean" && material_models[5] == "linear");

/// Calls visit(point, element) for the set bits.
template <class Visit>
void for_bits(PointMask points, Visit&& visit) {
  for (; points != 0; points &= points - 1) {
    const auto bit = static_cast<std::size_t>(std::countr_zero(points));
    visit(bit / width, bit % width);
  }
}

Mat3 matrix_at(const double* matrices, std::size_t q, std::size_t l) {
  Mat3 m;
  for (std::size_t k = 0; k < 9; ++k)
    m.rows[k / 3][static_cast<int>(k % 3)] = matrices[(9 * q + k) * width + l];
  return m;
}

Lame lame_at(const VolumePoints::LameBatch& lame, std::size_t l) {
  return {lame.mu[l], lame.lambda[l]};
}

}  // namespace

void VolumePoints::stress_by_singular_values(PointMask points, const double* f, const LameBatch& lame,
                                             double* energies, double* stresses) const {
  for_bits(points, [&](std::size_t q, std::size_t l) {
    Mat3 stress;
    energies[q * width + l] = point_stress(model_, lame_at(lame, l), matrix_at(f, q, l), stress);
    for (std::size_t k = 0; k < 9; ++k)
      stresses[(9 * q + k) * width + l] = stress.rows[k / 3][static_cast<int>(k % 3)];
  });
}

template <class T>
void VolumePoints::tangent_by_singular_values(PointMask points, const double* f, const LameBatch& lame,
                                              HessianKind kind, T* tangents) const {
  for_bits(points, [&](std::size_t q, std::size_t l) {
    Tangent tangent;
    point_tangent(model_, lame_at(lame, l), matrix_at(f, q, l), kind, tangent);
    T* entry = tangents + q * tangent_entries * width + l;
    for (std::size_t ij = 0; ij < 9; ++ij)
      for (std::size_t kl = ij; kl < 9; ++kl, entry += width) *entry = static_cast<T>(tangent[9 * ij + kl]);
  });
}

template void VolumePoints::tangent_by_singular_values(PointMask, const double*, const LameBatch&,
                                                       HessianKind, float*) const;
template void VolumePoints::tangent_by_singular_values(PointMask, const double*, const LameBatch&,
                                                       HessianKind, double*) const;

}  // namespace electret::detail
