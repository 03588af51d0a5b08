#pragma once
// What every ElasticEnergy must satisfy. A new energy joins by one ElasticCase in its test file:
//
//   INSTANTIATE_TEST_SUITE_P(Tetrahedron, ElasticConformance, testing::Values(tetrahedron_case()),
//   case_name);

#include <functional>
#include <memory>
#include <string>

#include <gtest/gtest.h>

#include <electret/elastic/elastic_energy.hpp>

#include "support/differences.hpp"

namespace electret::test {

/// Bodies an energy is tried on. `vertices` is a hint of size (a threaded body has many); `positions` must be
/// a place where the energy is smooth, with elements both stretched and compressed.
struct ElasticCase {
  std::string name;
  std::function<std::unique_ptr<ElasticEnergy>(Index vertices, Threads&)> make;
  std::function<VectorArray(Index vertices)> positions;
  bool majorised = true;  ///< Its majoriser is one (a neo-Hookean energy's is not).

  friend void PrintTo(const ElasticCase& c, std::ostream* out) { *out << c.name; }
};

class ElasticConformance : public testing::TestWithParam<ElasticCase> {
 protected:
  static constexpr Index few = 9;
  static constexpr Index many = 6500;
  Threads threads_{1};
  std::unique_ptr<ElasticEnergy> energy_ = GetParam().make(few, threads_);
  VectorArray x_ = GetParam().positions(few);

  /// x + s·direction.
  [[nodiscard]] VectorArray moved(double s, const VectorArray& direction) const {
    VectorArray result = x_;
    for (std::size_t i = 0; i < result.size(); ++i) result[i] += s * direction[i];
    return result;
  }
  /// The unit vector of coordinate `k` of 3n.
  [[nodiscard]] VectorArray coordinate(std::size_t k) const {
    VectorArray d(x_.size());
    d[k / 3][static_cast<int>(k % 3)] = 1.0;
    return d;
  }
  VectorArray gradient(const VectorArray& x) {
    VectorArray g(x.size());
    energy_->add_gradient(x, g);
    return g;
  }
  VectorArray hessian_product(const VectorArray& x, const VectorArray& d, HessianKind kind) {
    VectorArray out(x.size());
    energy_->add_hessian_product(x, d, kind, out);
    return out;
  }
  /// zᵀ H_c(x) v.
  double clamped_form(const VectorArray& x, const VectorArray& z, const VectorArray& v) {
    return dot(z, hessian_product(x, v, HessianKind::clamped));
  }
  [[nodiscard]] std::size_t elements() const { return static_cast<std::size_t>(energy_->elements().size()); }
};

inline std::string case_name(const testing::TestParamInfo<ElasticCase>& tested) {
  return tested.param.name;
}

}  // namespace electret::test
