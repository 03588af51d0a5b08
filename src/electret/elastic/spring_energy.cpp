#include <algorithm>
#include <atomic>

#include <electret/elastic/detail/spring_kernels.hpp>
#include <electret/elastic/detail/spring_linearisation.hpp>
#include <electret/elastic/element_energy.hpp>
#include <electret/elastic/spring_energy.hpp>
#include <electret/elastic/spring_stencil.hpp>

namespace electret {
namespace {

/// Computes everything by the base's element loops.
class ReferenceSpringEnergy : public ElementEnergy<SpringStencil> {
 public:
  ReferenceSpringEnergy(std::shared_ptr<ElementBlock> springs, SpringStencil stencil, Threads& team)
      : ElementEnergy(std::move(springs), std::move(stencil), team) {
    require(stencil_.stiffness().size() == static_cast<std::size_t>(size()),
            "springs need one stiffness and one rest length each");
    for (std::size_t end = 0; end < connectivity().size(); end += 2)
      require(connectivity()[end] != connectivity()[end + 1], "a spring joins a vertex to itself");
  }
};

/// Computes energy, gradient, products and blocks by the vectorised kernels.
///
/// With few springs, or on one thread, the gradient is scattered: each spring in turn adds to its two rows.
/// Otherwise each vertex sums over its springs, in the springs' order. These are the same sums in the same
/// order, hence the same bits.
class SpringEnergy final : public ReferenceSpringEnergy {
 public:
  SpringEnergy(std::shared_ptr<ElementBlock> springs, SpringStencil stencil, Threads& team)
      : ReferenceSpringEnergy(std::move(springs), std::move(stencil), team),
        parallel_(team.count() > 1 && size() >= parallel_size),
        linearisation_(elements(), stencil_.stiffness(), stencil_.rest_length(), team, parallel_),
        positions_(static_cast<std::size_t>(vertex_count())) {
    if (parallel_)
      factors_.resize(static_cast<std::size_t>(size()));
    else
      rows_.resize(positions_.size());
  }

  /// Of a linearised spring.
  [[nodiscard]] double memory_needed() const override { return 90.0 * static_cast<double>(size()); }

  double energy(VectorView x) override {
    check(x.size());
    load_positions(x);
    return sum([&](const detail::SpringRange& range) { return kernels_.energy(range); });
  }

  double add_gradient(VectorView x, VectorSpan g) override {
    check(x.size(), g.size());
    load_positions(x);
    return parallel_ ? gather(g) : scatter(g);
  }

  double linearise(VectorView x, HessianKind kind, VectorSpan g) override {
    check(x.size());
    const double energy = g.empty() ? 0.0 : add_gradient(x, g);
    linearisation_.set(x, kind == HessianKind::clamped);
    linearised_ = true;
    return energy;
  }

  void add_hessian_product(VectorView d, VectorSpan out) override {
    check(d.size(), out.size());
    check_linearised();
    linearisation_.add_product(d, out);
  }

  void add_hessian_product(float factor, PaddedView32 d, PaddedSpan32 out) override {
    check(d.size(), out.size());
    check_linearised();
    linearisation_.add_product(factor, d, out);
  }

  bool begin_row_products() override {
    check_linearised();
    linearisation_.need_factors();
    return true;
  }

  void add_hessian_product_rows(float factor, PaddedView32 d, PaddedSpan32 out, Count begin,
                                Count end) const override {
    linearisation_.add_product_rows(factor, d, out, begin, end);
  }

  void add_hessian_diagonal(float factor, std::span<float> blocks) override {
    check_linearised();
    check(blocks.size() / 9);
    linearisation_.add_diagonal(factor, blocks);
  }

  void attach(const BlockPattern& pattern) override { linearisation_.attach(pattern); }

  void add_hessian_blocks(float factor, BlockMatrix& h) override {
    check_linearised();
    check_pattern(h, linearisation_.attached_blocks());
    linearisation_.add_blocks(factor, h);
  }

  void add_hessian_to_lattice(float factor, const Lattice& lattice, LatticeMatrix& h) override {
    check_linearised();
    check(lattice.numbers.size());
    linearisation_.add_to_lattice(factor, lattice, h);
  }

 private:
  /// From this many springs on, a second thread pays.
  static constexpr Count parallel_size = 32768;

  double scatter(VectorSpan out) {
    std::fill(rows_.begin(), rows_.end(), Padded64{});
    double* rows = rows_.empty() ? nullptr : rows_[0].lane;
    const double total =
        sum([&](const detail::SpringRange& range) { return kernels_.scatter_gradient(range, rows); });
    for (std::size_t v = 0; v < rows_.size(); ++v) out[v] += unpadded(rows_[v]);
    return total;
  }

  double gather(VectorSpan out) {
    std::atomic<bool> zero_lengths{false};
    const double total = sum([&](const detail::SpringRange& range) {
      bool zero_length = false;
      const double part = kernels_.gradient_factors(range, factors_.data(), &zero_length);
      if (zero_length) zero_lengths.store(true, std::memory_order_relaxed);
      return part;
    });
    const detail::SpringRows rows{
        incidence().offsets.data(), linearisation_.sides(), positions_[0].lane, factors_.data(),
        connectivity().data(),      zero_lengths.load(),    &out[0].x};
    threads().for_chunks(vertex_count(), chunk,
                         [&](Count begin, Count end) { kernels_.gather(rows, begin, end); });
    return total;
  }

  void load_positions(VectorView x) {
    const auto load = [&](Count begin, Count end) {
      for (auto v = static_cast<std::size_t>(begin); v < static_cast<std::size_t>(end); ++v)
        positions_[v] = padded64(x[v]);
    };
    if (parallel_)
      threads().for_chunks(vertex_count(), chunk, load);
    else
      load(0, vertex_count());
  }

  /// Sums over chunks of springs, with the same tree of additions for any number of threads.
  template <class Kernel>
  double sum(Kernel&& kernel) {
    const auto range = [&](Count begin, Count end) {
      return kernel(detail::SpringRange{connectivity().data(), stencil_.stiffness().data(),
                                        stencil_.rest_length().data(), positions_[0].lane, begin, end});
    };
    if (parallel_) return threads().sum(size(), range, chunk);
    TreeSum total;
    for (Count begin = 0; begin < size(); begin += chunk)
      total.add(range(begin, std::min(size(), begin + chunk)));
    return total.total();
  }

  const detail::SpringKernels& kernels_ = detail::spring_kernels();
  bool parallel_;
  detail::SpringLinearisation linearisation_;
  std::vector<Padded64> positions_;
  std::vector<Padded64> rows_;   ///< For scattering: one row per vertex.
  std::vector<double> factors_;  ///< For gathering: one per spring.
};

std::shared_ptr<ElementBlock> block_of(Index vertex_count, const std::vector<Edge>& springs) {
  std::vector<Index> ends;
  ends.reserve(2 * springs.size());
  for (const Edge& e : springs) ends.insert(ends.end(), {e[0], e[1]});
  return std::make_shared<ElementBlock>(2, vertex_count, std::move(ends));
}

}  // namespace

std::unique_ptr<ElasticEnergy> make_spring_energy(std::shared_ptr<ElementBlock> springs,
                                                  std::vector<double> stiffness,
                                                  std::vector<double> rest_length, Threads& threads) {
  return std::make_unique<SpringEnergy>(std::move(springs),
                                        SpringStencil(std::move(stiffness), std::move(rest_length)), threads);
}

std::unique_ptr<ElasticEnergy> make_spring_energy(Index vertex_count, const std::vector<Edge>& springs,
                                                  std::vector<double> stiffness,
                                                  std::vector<double> rest_length, Threads& threads) {
  return make_spring_energy(block_of(vertex_count, springs), std::move(stiffness), std::move(rest_length),
                            threads);
}

std::unique_ptr<ElasticEnergy> make_reference_spring_energy(std::shared_ptr<ElementBlock> springs,
                                                            std::vector<double> stiffness,
                                                            std::vector<double> rest_length,
                                                            Threads& threads) {
  return std::make_unique<ReferenceSpringEnergy>(
      std::move(springs), SpringStencil(std::move(stiffness), std::move(rest_length)), threads);
}

std::unique_ptr<ElasticEnergy> make_reference_spring_energy(Index vertex_count,
                                                            const std::vector<Edge>& springs,
                                                            std::vector<double> stiffness,
                                                            std::vector<double> rest_length,
                                                            Threads& threads) {
  return make_reference_spring_energy(block_of(vertex_count, springs), std::move(stiffness),
                                      std::move(rest_length), threads);
}

}  // namespace electret
