#pragma once
/// \file
/// What the vectorised energies of solid elements share: batches of eight elements, patch by patch
/// (ElementBatches), and element matrices in float32. A variant computes energies, gradients and the matrices
/// of a batch by kernels of its own.

#include <algorithm>

#include <electret/elastic/detail/volume_points.hpp>
#include <electret/elastic/element_energy.hpp>
#include <electret/elastic/rest_shape.hpp>

namespace electret {

/// Float32 products and diagonal blocks keep the elements' matrices, made when first asked for. All blocks
/// are made of these, or without keeping any. A `Stencil` of BatchedEnergy has `shape()`, the RestShape.
template <class Stencil>
class BatchedEnergy : public ElementEnergy<Stencil> {
  using Base = ElementEnergy<Stencil>;

 public:
  [[nodiscard]] double memory_needed() const override {
    constexpr std::size_t bytes = sizeof(Matrices) / width;
    return static_cast<double>(bytes) * static_cast<double>(this->size());
  }

  double linearise(VectorView x, HessianKind kind, VectorSpan g) override {
    matrices_known_ = false;
    return Base::linearise(x, kind, g);
  }

  using Base::add_hessian_product;
  void add_hessian_product(float factor, PaddedView32 d, PaddedSpan32 out) override {
    this->check(d.size(), out.size());
    this->check_linearised();
    need_matrices();
    for_batches([&](Count k) {
      const BatchCorners<float> of = gather<float>(k, d);
      BatchCorners<float> product;
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

 protected:
  static constexpr int count = Stencil::vertices;
  static constexpr std::size_t width = ElementBatches::width;
  static constexpr int points = count == 8 ? 8 : 1;
  static constexpr std::size_t block_count = count * (count + 1) / 2;

  /// Eight elements' corner vectors.
  template <class T>
  struct BatchCorners {
    alignas(64) T at[3 * count][width];
  };
  /// Blocks K_ab, a ≤ b, of eight elements.
  struct Matrices {
    alignas(32) float at[9 * block_count][width];
  };

  BatchedEnergy(std::shared_ptr<ElementBlock> elements, Stencil stencil, Threads& team)
      : Base(std::move(elements), std::move(stencil), team),
        batches_(this->stencil_.shape().batches()),
        sums_(static_cast<std::size_t>(batches_.patches())) {
    for (const ElasticParameter& parameter : this->stencil_.parameters())
      require(parameter.count == this->size(), "elastic energy: not one value of each parameter per element");
  }

  /// The matrices of batch `k` at the last `linearise`.
  virtual void compute(Count k, Matrices& matrices) const = 0;

  [[nodiscard]] detail::BatchShape shape(Count k) const {
    const RestShape& of = this->stencil_.shape();
    return {of.batch(k), of.batch_stride()};
  }
  /// Lanes without an element have the batch's first.
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
  BatchCorners<T> gather(Count k, const View& values) const {
    BatchCorners<T> corners;
    for (std::size_t l = 0; l < width; ++l)
      for (std::size_t a = 0; a < count; ++a)
        for (std::size_t axis = 0; axis < 3; ++axis)
          corners.at[3 * a + axis][l] = coordinate(values[vertex(k, l, a)], axis);
    return corners;
  }

  /// receive(vertex, its x, y, z `width` apart) for every corner.
  template <class T, class Receive>
  void scatter(Count k, const BatchCorners<T>& corners, Receive&& receive) const {
    for (std::size_t l = 0; l < batches_.elements(k).size(); ++l)
      for (std::size_t a = 0; a < count; ++a) receive(vertex(k, l, a), &corners.at[3 * a][l]);
  }

  /// Adds a batch's vectors at corners to the rows of their vertices.
  void add(Count k, const BatchCorners<double>& corners, VectorSpan out) const {
    scatter(k, corners, [&](std::size_t v, const double* part) {
      out[v] += {part[0], part[width], part[2 * width]};
    });
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

  const detail::ElementKernels& kernels_ = detail::VolumePoints::element_kernels(count);
  const ElementBatches& batches_;

 private:
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

  std::vector<double> sums_;  ///< One for each patch.
  std::vector<Matrices> matrices_;
  bool matrices_known_ = false;  ///< Of the present linearisation.
};

}  // namespace electret
