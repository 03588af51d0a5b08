#include <algorithm>

#include <electret/elastic/detail/batched_energy.hpp>
#include <electret/elastic/volume_energy.hpp>
#include <electret/elastic/volume_stencil.hpp>

namespace electret {
namespace {

/// Everything by the base's element loops.
template <int count>
class ReferenceVolumeEnergy : public ElementEnergy<VolumeStencil<count>> {
 public:
  ReferenceVolumeEnergy(std::shared_ptr<ElementBlock> elements, VolumeStencil<count> stencil, Threads& team)
      : ElementEnergy<VolumeStencil<count>>(std::move(elements), std::move(stencil), team) {
    require(this->stencil_.parameters()[0].count == this->size(),
            "a material needs one E and one ν per element");
  }
};

/// All but the majoriser and the force scale by the vectorised kernels. Float64 products compute the tangents
/// again.
template <int vertices>
class VolumeEnergy final : public BatchedEnergy<VolumeStencil<vertices>> {
  using Base = BatchedEnergy<VolumeStencil<vertices>>;
  using Base::add, Base::batches_, Base::count, Base::element, Base::for_batches, Base::kernels_,
      Base::points, Base::shape, Base::sum, Base::width;
  using Corners = typename Base::template BatchCorners<double>;

 public:
  VolumeEnergy(std::shared_ptr<ElementBlock> elements, VolumeStencil<vertices> stencil, Threads& team)
      : Base(std::move(elements), std::move(stencil), team),
        points_(this->stencil_.model()),
        lame_(static_cast<std::size_t>(batches_.size())) {
    for (Count k = 0; k < batches_.size(); ++k)
      for (std::size_t l = 0; l < width; ++l)
        lame_[static_cast<std::size_t>(k)].set(l, this->stencil_.coefficients(element(k, l)));
  }

  double energy(VectorView x) override {
    this->check(x.size());
    return sum([&](Count k) { return evaluate(x, k).energy; });
  }

  double add_gradient(VectorView x, VectorSpan g) override {
    this->check(x.size(), g.size());
    return sum([&](Count k) {
      const Evaluated at = evaluate(x, k);
      Corners forces;
      kernels_.forces(shape(k), at.stresses.at[0], forces.at[0]);
      add(k, forces, g);
      return at.energy;
    });
  }

  using Base::add_hessian_product;
  void add_hessian_product(VectorView d, VectorSpan out) override {
    this->check(d.size(), out.size());
    this->check_linearised();
    for_batches([&](Count k) {
      const auto tangents = tangents_of<double>(k);
      Corners corners = this->template gather<double>(k, d);
      detail::PointMatrices<count> changes, results;
      kernels_.gradients(shape(k), corners.at[0], changes.at[0]);
      detail::VolumePoints::kernels().multiply(points, tangents.at[0], changes.at[0], results.at[0]);
      kernels_.forces(shape(k), results.at[0], corners.at[0]);
      add(k, corners, out);
    });
  }

  void add_energy_parameter_gradients(VectorView x, std::span<const ScalarSpan> outs) override {
    this->check(x.size());
    add_slopes(outs, [&](Count k, const detail::VolumePoints::LameBatch& unit) {
      const Evaluated at = evaluate(x, k, unit);
      std::array<double, width> sums{};
      for_points(
          k, [&](std::size_t q, std::size_t l, double weight) { sums[l] += weight * at.energies.at[q][l]; });
      return sums;
    });
  }

  void add_gradient_parameter_products(VectorView x, VectorView z,
                                       std::span<const ScalarSpan> outs) override {
    this->check(x.size(), z.size());
    add_slopes(outs, [&](Count k, const detail::VolumePoints::LameBatch& unit) {
      const Evaluated at = evaluate(x, k, unit);
      const detail::PointMatrices<count> changes = field_gradient(z, k);
      std::array<double, width> sums{};
      for_points(k, [&](std::size_t q, std::size_t l, double weight) {
        for (std::size_t ij = 0; ij < 9; ++ij)
          sums[l] += weight * at.stresses.at[9 * q + ij][l] * changes.at[9 * q + ij][l];
      });
      return sums;
    });
  }

  void add_gradient_rest_products(VectorView x, VectorView z, VectorSpan out) override {
    this->check(x.size(), z.size(), out.size());
    for_batches([&](Count k) {
      const detail::VolumePoints::LameBatch& lame = lame_[static_cast<std::size_t>(k)];
      const detail::PointMatrices<count> f = field_gradient(x, k), d = field_gradient(z, k);
      detail::PointScalars<count> energies;
      detail::PointMatrices<count> stresses, changes, results;
      detail::PointTangents<count, double> tangents;
      points_.stress(f, lame, energies, stresses);
      points_.tangent(f, lame, HessianKind::exact, tangents);
      detail::VolumePoints::kernels().multiply(points, tangents.at[0], d.at[0], changes.at[0]);
      detail::VolumePoints::kernels().rest_stress(points, f.at[0], d.at[0], stresses.at[0], changes.at[0],
                                                  results.at[0]);
      Corners corners;
      kernels_.forces(shape(k), results.at[0], corners.at[0]);
      add(k, corners, out);
    });
  }

 private:
  struct Evaluated {
    detail::PointScalars<count> energies;
    detail::PointMatrices<count> stresses;
    double energy = 0.0;  ///< Of the batch's elements.
  };

  /// visit(point, lane, weight) for the elements of the batch.
  template <class Visit>
  void for_points(Count k, Visit&& visit) const {
    const detail::BatchShape at = shape(k);
    for (std::size_t q = 0; q < points; ++q)
      for (std::size_t l = 0; l < batches_.elements(k).size(); ++l)
        visit(q, l, at.values[static_cast<std::size_t>(at.stride) * q + 9 * width + l]);
  }

  /// Σ_a v_a G_aᵀ at the points: of positions F.
  [[nodiscard]] detail::PointMatrices<count> field_gradient(VectorView values, Count k) const {
    const Corners corners = this->template gather<double>(k, values);
    detail::PointMatrices<count> gradients;
    kernels_.gradients(shape(k), corners.at[0], gradients.at[0]);
    return gradients;
  }

  [[nodiscard]] Evaluated evaluate(VectorView x, Count k, const detail::VolumePoints::LameBatch& lame) const {
    Evaluated at;
    points_.stress(field_gradient(x, k), lame, at.energies, at.stresses);
    for_points(
        k, [&](std::size_t q, std::size_t l, double weight) { at.energy += weight * at.energies.at[q][l]; });
    return at;
  }
  [[nodiscard]] Evaluated evaluate(VectorView x, Count k) const {
    return evaluate(x, k, lame_[static_cast<std::size_t>(k)]);
  }

  template <class T>
  [[nodiscard]] detail::PointTangents<count, T> tangents_of(Count k) const {
    detail::PointTangents<count, T> tangents;
    points_.tangent(field_gradient(this->positions_, k), lame_[static_cast<std::size_t>(k)], this->kind_,
                    tangents);
    return tangents;
  }

  void compute(Count k, typename Base::Matrices& matrices) const override {
    const auto tangents = tangents_of<float>(k);
    kernels_.matrices(shape(k), tangents.at[0], matrices.at[0]);
  }

  /// Derivatives by E and ν from those by μ and λ: of_batch(k, unit) gives them for the coefficients `unit`,
  /// (1, 0) or (0, 1), of which Ψ is a linear function.
  template <class OfBatch>
  void add_slopes(std::span<const ScalarSpan> outs, OfBatch&& of_batch) {
    this->check_slopes(outs);
    static const detail::VolumePoints::LameBatch by_mu({1.0, 0.0}), by_lambda({0.0, 1.0});
    for_batches([&](Count k) {
      const std::array<double, width> mu = of_batch(k, by_mu), lambda = of_batch(k, by_lambda);
      for (std::size_t l = 0; l < batches_.elements(k).size(); ++l) {
        const Count e = element(k, l);
        const auto slopes = this->stencil_.coefficient_slopes(e);
        for (std::size_t p = 0; p < 2; ++p)
          if (!outs[p].empty())
            outs[p][static_cast<std::size_t>(e)] += slopes[p].mu * mu[l] + slopes[p].lambda * lambda[l];
      }
    });
  }

  detail::VolumePoints points_;
  std::vector<detail::VolumePoints::LameBatch> lame_;
};

template <template <int> class Energy>
std::unique_ptr<ElasticEnergy> make_volume(std::shared_ptr<ElementBlock> elements,
                                           std::shared_ptr<const RestShape> shape, MaterialModel model,
                                           std::vector<double> youngs_modulus,
                                           std::vector<double> poissons_ratio, Threads& threads) {
  const auto of = [&]<int count>() -> std::unique_ptr<ElasticEnergy> {
    return std::make_unique<Energy<count>>(
        std::move(elements),
        VolumeStencil<count>(std::move(shape), model, std::move(youngs_modulus), std::move(poissons_ratio)),
        threads);
  };
  if (elements->vertices_per_element() == 4) return of.template operator()<4>();
  return of.template operator()<8>();
}

}  // namespace

std::unique_ptr<ElasticEnergy> make_volume_energy(std::shared_ptr<ElementBlock> elements,
                                                  std::shared_ptr<const RestShape> shape, MaterialModel model,
                                                  std::vector<double> youngs_modulus,
                                                  std::vector<double> poissons_ratio, Threads& threads) {
  return make_volume<VolumeEnergy>(std::move(elements), std::move(shape), model, std::move(youngs_modulus),
                                   std::move(poissons_ratio), threads);
}

std::unique_ptr<ElasticEnergy> make_reference_volume_energy(
    std::shared_ptr<ElementBlock> elements, std::shared_ptr<const RestShape> shape, MaterialModel model,
    std::vector<double> youngs_modulus, std::vector<double> poissons_ratio, Threads& threads) {
  return make_volume<ReferenceVolumeEnergy>(std::move(elements), std::move(shape), model,
                                            std::move(youngs_modulus), std::move(poissons_ratio), threads);
}

}  // namespace electret
