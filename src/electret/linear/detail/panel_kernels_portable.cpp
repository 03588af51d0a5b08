#include <electret/linear/detail/panel_kernels.hpp>

namespace electret::detail {
namespace {

struct Lanes {
  double lane[4];
};

inline Lanes load(const double* p) {
  return {{p[0], p[1], p[2], p[3]}};
}
inline void store(double* p, const Lanes& v) {
  for (int k = 0; k < 4; ++k) p[k] = v.lane[k];
}
inline Lanes zero() {
  return {{0.0, 0.0, 0.0, 0.0}};
}
inline Lanes multiply_add(Lanes sum, double s, const Lanes& v) {
  for (int k = 0; k < 4; ++k) sum.lane[k] += s * v.lane[k];
  return sum;
}
inline Lanes multiply_subtract(Lanes sum, double s, const Lanes& v) {
  for (int k = 0; k < 4; ++k) sum.lane[k] -= s * v.lane[k];
  return sum;
}
inline Lanes scaled(Lanes v, double s) {
  for (int k = 0; k < 4; ++k) v.lane[k] *= s;
  return v;
}
inline Lanes difference(Lanes a, const Lanes& b) {
  for (int k = 0; k < 4; ++k) a.lane[k] -= b.lane[k];
  return a;
}

#include <electret/linear/detail/panel_kernels.inl>

}  // namespace

const PanelKernels portable_panel_kernels{forward, backward};

}  // namespace electret::detail
