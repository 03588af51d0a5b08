#pragma once
// What every ElasticEnergy must satisfy. A new energy joins by one ElasticCase in its test file:
//
//   INSTANTIATE_TEST_SUITE_P(Tetrahedron, ElasticConformance, testing::Values(tetrahedron_case()),
//   case_name);

#include <functional>
#include <memory>
#include <string>

#include <gtest/gtest.h>

#include <electret/core/parallel.hpp>
#include <electret/elastic/elastic_energy.hpp>

#include "support/differences.hpp"

namespace electret::test {

/// Number `number` of a parameter's values, and what is added to it.
struct ParameterChange {
  std::size_t parameter = 0, number = 0;
  double by = 0.0;
};

/// Bodies an energy is tried on. `vertices` is a hint of size (a threaded body has many); `positions` must be
/// a place where the energy is smooth, with elements both stretched and compressed.
struct ElasticCase {
  using Block = std::shared_ptr<ElementBlock>;
  using Make =
      std::function<std::unique_ptr<ElasticEnergy>(Block, Index vertices, Threads&, const ParameterChange&)>;

  std::string name;
  std::function<Block(Index vertices)> elements;
  Make make;
  std::function<VectorArray(Index vertices)> positions;
  /// The energy on another rest shape: each vertex moved by its row. Only of solid elements.
  std::function<std::unique_ptr<ElasticEnergy>(Threads&, const VectorArray& moves)> of_rest_shape{};
  Make reference{};              ///< The slow one, where `make` gives another.
  Count several_chunks = 32768;  ///< So many elements `many` vertices have at least, for several threads.
  bool majorised = true;         ///< Its majoriser is one (a neo-Hookean energy's is not).
  bool indefinite = true;  ///< Compression makes its exact Hessian indefinite (linear elasticity's is not).
  bool objective = true;   ///< Rotations change nothing, so its torques balance (linear elasticity's do not).

  friend void PrintTo(const ElasticCase& c, std::ostream* out) { *out << c.name; }
};

class ElasticConformance : public testing::TestWithParam<ElasticCase> {
 protected:
  static constexpr Index few = 9;
  static constexpr Index many = 6500;
  Threads threads_{1};
  std::unique_ptr<ElasticEnergy> energy_ = make(few, threads_);
  VectorArray x_ = GetParam().positions(few);

  static std::unique_ptr<ElasticEnergy> make(Index vertices, Threads& threads,
                                             const ParameterChange& change = {}) {
    return GetParam().make(GetParam().elements(vertices), vertices, threads, change);
  }

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
  VectorArray gradient(const VectorArray& x) { return gradient(*energy_, x); }
  static VectorArray gradient(ElasticEnergy& energy, const VectorArray& x) {
    VectorArray g(x.size());
    energy.add_gradient(x, g);
    return g;
  }
  VectorArray hessian_product(const VectorArray& x, const VectorArray& d, HessianKind kind) {
    return hessian_product(*energy_, x, d, kind);
  }
  static VectorArray hessian_product(ElasticEnergy& energy, const VectorArray& x, const VectorArray& d,
                                     HessianKind kind) {
    VectorArray g(x.size()), out(x.size());
    energy.linearise(x, kind, g);
    energy.add_hessian_product(d, out);
    return out;
  }
  /// zᵀ H_c(x) v.
  static double clamped_form(ElasticEnergy& energy, const VectorArray& x, const VectorArray& z,
                             const VectorArray& v) {
    return dot(z, hessian_product(energy, x, v, HessianKind::clamped));
  }
  /// One array for each parameter, of its shape.
  static std::vector<std::vector<double>> slopes_of(const ElasticEnergy& energy, double start = 0.0) {
    std::vector<std::vector<double>> slopes;
    for (const ElasticParameter& p : energy.parameters()) slopes.emplace_back(p.values.size(), start);
    return slopes;
  }
};

inline std::string case_name(const testing::TestParamInfo<ElasticCase>& tested) {
  return tested.param.name;
}

}  // namespace electret::test
