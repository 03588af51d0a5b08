#include <algorithm>

#include <electret/elastic/detail/volume_points.hpp>
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
    require(this->stencil_.parameters()[0].count == this->size(), "a material: E and ν of each element");
  }
};

/// All but the majoriser and the force scale by the vectorised kernels, eight elements at a time. Vertices'
/// rows are added to patch by patch (ElementBatches).
///
/// Float64 products compute the tangents again. Float32 products and diagonal blocks keep the elements'
/// matrices in float32, made when first asked for; all blocks are made of these, or without keeping any.
template <int count>
class VolumeEnergy final : public ReferenceVolumeEnergy<count> {
  using Base = ReferenceVolumeEnergy<count>;

 public:
  VolumeEnergy(std::shared_ptr<ElementBlock> elements, VolumeStencil<count> stencil, Threads& team)
      : Base(std::move(elements), std::move(stencil), team),
        batches_(this->stencil_.shape().batches()),
        points_(this->stencil_.shape(), this->stencil_.model()),
        lame_(static_cast<std::size_t>(batches_.size())),
        sums_(static_cast<std::size_t>(batches_.patches())) {
    for (Count k = 0; k < batches_.size(); ++k)
      for (std::size_t l = 0; l < width; ++l)
        lame_[static_cast<std::size_t>(k)].set(l, this->stencil_.coefficients(element(k, l)));
  }

  [[nodiscard]] double memory_needed() const override {
    return static_cast<double>(sizeof(Matrices) / width) * static_cast<double>(this->size());
  }

  double energy(VectorView x) override {
    this->check(x.size());
    return sum([&](Count k) { return evaluate(x, k).energy; });
  }

  double add_gradient(VectorView x, VectorSpan g) override {
    this->check(x.size(), g.size());
    return sum([&](Count k) {
      const Evaluated at = evaluate(x, k);
      Corners<double> forces;
      kernels_.forces(points_.shape(k), at.stresses.at[0], forces.at[0]);
      scatter(k, forces, [&](std::size_t v, const double* force) {
        g[v] += {force[0], force[width], force[2 * width]};
      });
      return at.energy;
    });
  }

  double linearise(VectorView x, HessianKind kind, VectorSpan g) override {
    matrices_known_ = false;
    return Base::linearise(x, kind, g);
  }

  void add_hessian_product(VectorView d, VectorSpan out) override {
    this->check(d.size(), out.size());
    this->check_linearised();
    for_batches([&](Count k) {
      const auto tangents = tangents_of<double>(k);
      Corners<double> corners = gather<double>(k, d);
      detail::PointMatrices<count> changes, results;
      kernels_.gradients(points_.shape(k), corners.at[0], changes.at[0]);
      points_.kernels().multiply(points, tangents.at[0], changes.at[0], results.at[0]);
      kernels_.forces(points_.shape(k), results.at[0], corners.at[0]);
      scatter(k, corners, [&](std::size_t v, const double* force) {
        out[v] += {force[0], force[width], force[2 * width]};
      });
    });
  }

  void add_hessian_product(float factor, PaddedView32 d, PaddedSpan32 out) override {
    this->check(d.size(), out.size());
    this->check_linearised();
    need_matrices();
    for_batches([&](Count k) {
      const Corners<float> of = gather<float>(k, d);
      Corners<float> product;
      kernels_.product(matrices_[static_cast<std::size_t>(k)].at[0], of.at[0], product.at[0]);
      scatter(k, product, [&](std::size_t v, const float* part) {
        for (std::size_t axis = 0; axis < 3; ++axis) out[v].lane[axis] += factor * part[axis * width];
      });
    });
  }

  void add_hessian_diagonal(float factor, std::span<float> diagonal) override {
    this->check_linearised();
    this->check(diagonal.size() / 9);
    need_matrices();
    for_batches([&](Count k) {
      for (std::size_t l = 0; l < batches_.elements(k).size(); ++l)
        for (std::size_t a = 0; a < count; ++a)
          add_block(factor, k, l, block(a, a), &diagonal[9 * vertex(k, l, a)]);
    });
  }

  void add_hessian_blocks(float factor, BlockMatrix& h) override {
    this->check_linearised();
    this->check_pattern(h, this->elements().attached_blocks());
    const std::span<const Index> slots = this->elements().block_slots();
    float* values = h.values().data();
    for_batches([&](Count k) {
      const auto count_here = static_cast<int>(batches_.elements(k).size());
      std::array<const Index*, width> rows{};
      for (std::size_t l = 0; l < width; ++l)
        rows[l] = &slots[static_cast<std::size_t>(element(k, l)) * count * count];
      if (matrices_known_) {
        kernels_.scatter(matrices_[static_cast<std::size_t>(k)].at[0], rows.data(), count_here, factor,
                         values);
      } else {
        Matrices here;
        compute(k, here);
        kernels_.scatter(here.at[0], rows.data(), count_here, factor, values);
      }
    });
  }

  void add_hessian_to_lattice(float factor, const Lattice& lattice, LatticeMatrix& h) override {
    this->check_linearised();
    this->check(lattice.numbers.size());
    for_batches([&](Count k) {
      Matrices here;
      if (!matrices_known_) compute(k, here);
      const Matrices& matrices = matrices_known_ ? matrices_[static_cast<std::size_t>(k)] : here;
      if (is_line(lattice, k))
        kernels_.add_to_lattice(matrices.at[0], places(lattice, k, 0, h).data(), h.stride(), factor);
      else
        add_one_by_one(factor, lattice, k, matrices, h);
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
      points_.kernels().multiply(points, tangents.at[0], d.at[0], changes.at[0]);
      points_.kernels().rest_stress(points, f.at[0], d.at[0], stresses.at[0], changes.at[0], results.at[0]);
      Corners<double> corners;
      kernels_.forces(points_.shape(k), results.at[0], corners.at[0]);
      scatter(k, corners, [&](std::size_t v, const double* sum) {
        out[v] += {sum[0], sum[width], sum[2 * width]};
      });
    });
  }

 private:
  static constexpr std::size_t width = ElementBatches::width;
  static constexpr int points = count == 8 ? 8 : 1;
  static constexpr std::size_t block_count = count * (count + 1) / 2;

  /// Eight elements' corner vectors.
  template <class T>
  struct Corners {
    alignas(64) T at[3 * count][width];
  };
  /// Blocks K_ab, a ≤ b, of eight elements.
  struct Matrices {
    alignas(32) float at[9 * block_count][width];
  };
  struct Evaluated {
    detail::PointScalars<count> energies;
    detail::PointMatrices<count> stresses;
    double energy = 0.0;  ///< Of the batch's elements.
  };

  [[nodiscard]] Index element(Count k, std::size_t lane) const {
    const auto elements = batches_.elements(k);
    return elements[lane < elements.size() ? lane : 0];
  }
  [[nodiscard]] std::size_t vertex(Count k, std::size_t lane, std::size_t corner) const {
    return static_cast<std::size_t>(
        this->connectivity()[static_cast<std::size_t>(element(k, lane)) * count + corner]);
  }
  static constexpr std::size_t block(std::size_t a, std::size_t b) { return a * (2 * count - 1 - a) / 2 + b; }

  static double coordinate(const Vec3& v, std::size_t axis) { return v[static_cast<int>(axis)]; }
  static float coordinate(const Padded32& v, std::size_t axis) { return v.lane[axis]; }

  template <class T, class View>
  Corners<T> gather(Count k, const View& values) const {
    Corners<T> corners;
    for (std::size_t l = 0; l < width; ++l)
      for (std::size_t a = 0; a < count; ++a)
        for (std::size_t axis = 0; axis < 3; ++axis)
          corners.at[3 * a + axis][l] = coordinate(values[vertex(k, l, a)], axis);
    return corners;
  }

  /// receive(vertex, its x, y, z `width` apart) for every corner.
  template <class T, class Receive>
  void scatter(Count k, const Corners<T>& corners, Receive&& receive) const {
    for (std::size_t l = 0; l < batches_.elements(k).size(); ++l)
      for (std::size_t a = 0; a < count; ++a) receive(vertex(k, l, a), &corners.at[3 * a][l]);
  }

  template <class Body>
  void for_batches(Body&& body) {
    batches_.for_patches(this->threads(), [&](Count, Count begin, Count end) {
      for (Count k = begin; k < end; ++k) body(k);
    });
  }

  /// Σ over the batches of part(batch).
  template <class Part>
  double sum(Part&& part) {
    batches_.for_patches(this->threads(), [&](Count patch, Count begin, Count end) {
      double total = 0.0;
      for (Count k = begin; k < end; ++k) total += part(k);
      sums_[static_cast<std::size_t>(patch)] = total;
    });
    TreeSum total;
    for (const double part_sum : sums_) total.add(part_sum);
    return total.total();
  }

  /// visit(point, lane, weight) for the elements of the batch.
  template <class Visit>
  void for_points(Count k, Visit&& visit) const {
    const detail::BatchShape shape = points_.shape(k);
    for (std::size_t q = 0; q < points; ++q)
      for (std::size_t l = 0; l < batches_.elements(k).size(); ++l)
        visit(q, l, shape.values[static_cast<std::size_t>(shape.stride) * q + 9 * width + l]);
  }

  /// Σ_a v_a G_aᵀ at the points: of positions F.
  [[nodiscard]] detail::PointMatrices<count> field_gradient(VectorView values, Count k) const {
    const Corners<double> corners = gather<double>(k, values);
    detail::PointMatrices<count> gradients;
    kernels_.gradients(points_.shape(k), corners.at[0], gradients.at[0]);
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

  void compute(Count k, Matrices& matrices) const {
    const auto tangents = tangents_of<float>(k);
    kernels_.matrices(points_.shape(k), tangents.at[0], matrices.at[0]);
  }

  void need_matrices() {
    if (matrices_known_) return;
    matrices_.resize(static_cast<std::size_t>(batches_.size()));
    this->threads().for_chunks(batches_.size(), 8, [&](Count begin, Count end) {
      for (Count k = begin; k < end; ++k) compute(k, matrices_[static_cast<std::size_t>(k)]);
    });
    matrices_known_ = true;
  }

  /// out += factor · block number `block` of the element in lane `l`, which is symmetric.
  void add_block(float factor, Count k, std::size_t l, std::size_t block, float* out) const {
    const auto& entries = matrices_[static_cast<std::size_t>(k)].at;
    for (std::size_t n = 0; n < 9; ++n) out[n] += factor * entries[9 * block + n][l];
  }

  /// Whether each element of the batch lies one step further along z than the one before.
  [[nodiscard]] bool is_line(const Lattice& lattice, Count k) const {
    bool result = batches_.elements(k).size() == width;
    for (std::size_t a = 0; a < count; ++a)
      for (std::size_t l = 1; l < width; ++l)
        result = result &&
                 lattice.numbers[vertex(k, l, a)] == lattice.numbers[vertex(k, 0, a)] + static_cast<Index>(l);
    return result;
  }

  /// Of the blocks a ≤ b of the element in a lane.
  [[nodiscard]] std::array<detail::LatticePlace, block_count> places(const Lattice& lattice, Count k,
                                                                     std::size_t lane,
                                                                     LatticeMatrix& h) const {
    std::array<Index, count> numbers{};
    std::array<int, count> codes{};
    for (std::size_t a = 0; a < count; ++a) {
      numbers[a] = lattice.numbers[vertex(k, lane, a)];
      codes[a] = lattice.shape.code(numbers[0], numbers[a]);
    }
    std::array<detail::LatticePlace, block_count> result{};
    for (std::size_t a = 0; a < count; ++a)
      for (std::size_t b = a; b < count; ++b) {
        // The codes of one element's corners are those of a cube: their differences are codes, too.
        const int code = codes[b] - codes[a];
        result[block(a, b)] = code >= 0 ? detail::LatticePlace{h.entry(code, 0) + numbers[a], false}
                                        : detail::LatticePlace{h.entry(-code, 0) + numbers[b], true};
      }
    return result;
  }

  void add_one_by_one(float factor, const Lattice& lattice, Count k, const Matrices& matrices,
                      LatticeMatrix& h) const {
    for (std::size_t l = 0; l < batches_.elements(k).size(); ++l) {
      const auto to = places(lattice, k, l, h);
      for (std::size_t pair = 0; pair < block_count; ++pair)
        for (std::size_t n = 0; n < 9; ++n) {
          const auto entry = static_cast<Count>(to[pair].transposed ? 3 * (n % 3) + n / 3 : n);
          to[pair].first[entry * h.stride()] += factor * matrices.at[9 * pair + n][l];
        }
    }
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

  const detail::ElementKernels& kernels_ = detail::VolumePoints::element_kernels(count);
  const ElementBatches& batches_;
  detail::VolumePoints points_;
  std::vector<detail::VolumePoints::LameBatch> lame_;
  std::vector<double> sums_;  ///< One for each patch.
  std::vector<Matrices> matrices_;
  bool matrices_known_ = false;  ///< Of the present linearisation.
};

template <template <int> class Energy>
std::unique_ptr<ElasticEnergy> make(std::shared_ptr<ElementBlock> elements,
                                    std::shared_ptr<const RestShape> shape, MaterialModel model,
                                    std::vector<double> youngs_modulus, std::vector<double> poissons_ratio,
                                    Threads& threads) {
  const auto of = [&]<int count>() -> std::unique_ptr<ElasticEnergy> {
    return std::make_unique<Energy<count>>(
        std::move(elements),
        VolumeStencil<count>(std::move(shape), model, std::move(youngs_modulus), std::move(poissons_ratio)),
        threads);
  };
  if (elements->type() == ElementType::tetrahedron) return of.template operator()<4>();
  return of.template operator()<8>();
}

}  // namespace

std::unique_ptr<ElasticEnergy> make_volume_energy(std::shared_ptr<ElementBlock> elements,
                                                  std::shared_ptr<const RestShape> shape, MaterialModel model,
                                                  std::vector<double> youngs_modulus,
                                                  std::vector<double> poissons_ratio, Threads& threads) {
  return make<VolumeEnergy>(std::move(elements), std::move(shape), model, std::move(youngs_modulus),
                            std::move(poissons_ratio), threads);
}

std::unique_ptr<ElasticEnergy> make_reference_volume_energy(
    std::shared_ptr<ElementBlock> elements, std::shared_ptr<const RestShape> shape, MaterialModel model,
    std::vector<double> youngs_modulus, std::vector<double> poissons_ratio, Threads& threads) {
  return make<ReferenceVolumeEnergy>(std::move(elements), std::move(shape), model, std::move(youngs_modulus),
                                     std::move(poissons_ratio), threads);
}

}  // namespace electret
