#include <cmath>

#include <electret/field/fmm/near/exact_pairs.hpp>

namespace electret::fmm {

template <class T>
Count ExactPairs<T>::add(Index begin, Index end, std::size_t i, PointSums& sums) const {
  const bool own = targets_.points == sources_.points;
  const Vec3 x = targets_.points->tree().points()[i];
  const bool counts = !targets_.charges || (*targets_.charges)[i] != T{0};
  const auto vector_at = [](const PaddedVectors<T>& v, std::size_t k) {
    return Vec3{static_cast<double>(v[0][k]), static_cast<double>(v[1][k]), static_cast<double>(v[2][k])};
  };
  const Vec3 z = targets_.z ? vector_at(*targets_.z, i) : Vec3{};
  Count coincident = 0;
  for (auto j = static_cast<std::size_t>(begin); j < static_cast<std::size_t>(end); ++j) {
    if (own && i == j) continue;
    const auto q = static_cast<double>((*sources_.charges)[j]);
    const Vec3 r = x - sources_.points->tree().points()[j];
    const double rho2 = squared_norm(r) + softening_squared_;
    if (rho2 == 0.0) {
      if (counts && q != 0.0) ++coincident;
      continue;
    }
    const double k = q / (rho2 * std::sqrt(rho2));
    sums.field += k * r;
    sums.potential += k * rho2;
    if (!targets_.z) continue;
    const Vec3 w = sources_.vectors ? z - vector_at(*sources_.vectors, j) : z;
    const double rw = dot(r, w);
    sums.product += k * (w - (3.0 * rw / rho2) * r);
    sums.charge_product += k * rw;
  }
  return coincident;
}

template class ExactPairs<float>;
template class ExactPairs<double>;

}  // namespace electret::fmm
