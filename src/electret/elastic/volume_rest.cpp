#include <electret/elastic/rest_derivatives.hpp>
#include <electret/elastic/volume_stencil.hpp>

namespace electret {

template <int count>
void VolumeStencil<count>::energy_rest_derivatives(Count e, const Corners& x, Corners& out) const {
  const auto stress = [&](const Mat3& f, Mat3& p) { return point_stress(model_, coefficients(e), f, p); };
  electret::energy_rest_derivatives(*shape_, e, x, stress, out);
}

template <int count>
void VolumeStencil<count>::gradient_rest_products(Count e, const Corners& x, const Corners& z,
                                                  Corners& out) const {
  const auto change = [&](const Mat3& f, const Mat3& d, Mat3& p, Mat3& dp) {
    Tangent tangent;
    point_stress(model_, coefficients(e), f, p);
    point_tangent(model_, coefficients(e), f, HessianKind::exact, tangent);
    for (std::size_t ij = 0; ij < 9; ++ij)
      for (std::size_t kl = 0; kl < 9; ++kl)
        dp.rows[ij / 3][static_cast<int>(ij % 3)] +=
            tangent[9 * ij + kl] * d.rows[kl / 3][static_cast<int>(kl % 3)];
  };
  electret::gradient_rest_products(*shape_, e, x, z, change, out);
}

template void VolumeStencil<4>::energy_rest_derivatives(Count, const Corners&, Corners&) const;
template void VolumeStencil<8>::energy_rest_derivatives(Count, const Corners&, Corners&) const;
template void VolumeStencil<4>::gradient_rest_products(Count, const Corners&, const Corners&, Corners&) const;
template void VolumeStencil<8>::gradient_rest_products(Count, const Corners&, const Corners&, Corners&) const;

}  // namespace electret
