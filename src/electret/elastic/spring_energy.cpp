#include <algorithm>
#include <atomic>

#include <electret/elastic/detail/spring_kernels.hpp>
#include <electret/elastic/element_energy.hpp>
#include <electret/elastic/spring_energy.hpp>
#include <electret/elastic/spring_stencil.hpp>

namespace electret {
namespace {

std::vector<Index> connectivity_of(const std::vector<Edge>& springs) {
  std::vector<Index> ends;
  ends.reserve(2 * springs.size());
  for (const Edge& e : springs) {
    require(e[0] != e[1], "a spring joins a vertex to itself");
    ends.insert(ends.end(), {e[0], e[1]});
  }
  return ends;
}

/// Everything by the base's element loops.
class ReferenceSpringEnergy : public ElementEnergy<SpringStencil> {
 public:
  ReferenceSpringEnergy(Index vertex_count, const std::vector<Edge>& springs, SpringStencil stencil,
                        Threads& team)
      : ElementEnergy(vertex_count, connectivity_of(springs), std::move(stencil), team) {
    require(stencil_.stiffness().size() == springs.size(), "springs: a stiffness and a rest length each");
  }
};

/// A vector with an idle fourth lane, so that it is one register.
struct alignas(32) PaddedVector {
  double lane[4] = {0.0, 0.0, 0.0, 0.0};
};

/// Energy, gradient and projection by the vectorised kernels.
///
/// Few springs, or one thread: spring after spring adds to its two rows. Otherwise every vertex sums over its
/// springs, in the springs' order: the same sums in the same order, hence the same bits.
class SpringEnergy final : public ReferenceSpringEnergy {
 public:
  SpringEnergy(Index vertex_count, const std::vector<Edge>& springs, SpringStencil stencil, Threads& team)
      : ReferenceSpringEnergy(vertex_count, springs, std::move(stencil), team),
        parallel_(team.count() > 1 && size() >= parallel_size),
        positions_(static_cast<std::size_t>(vertex_count)) {
    if (!parallel_) {
      rows_.resize(positions_.size());
      return;
    }
    factors_.resize(springs.size());
    for (const Count slot : incidence().slots) {
      const auto other = connectivity()[static_cast<std::size_t>(slot % 2 == 0 ? slot + 1 : slot - 1)];
      sides_.push_back({other, static_cast<Index>(slot / 2)});
    }
  }

  double energy(VectorView x) override {
    check(x.size());
    load_positions(x);
    return sum([&](const detail::SpringRange& range) { return kernels_.energy(range); });
  }

  double add_gradient(VectorView x, VectorSpan g) override {
    return parallel_ ? gather(x, g, kernels_.gradient_factors) : scatter(x, g, kernels_.scatter_gradient);
  }

  void add_projection(VectorView x, VectorSpan out) override {
    parallel_ ? gather(x, out, kernels_.projection_factors) : scatter(x, out, kernels_.scatter_projection);
  }

 private:
  /// From this many springs on a second thread pays.
  static constexpr Count parallel_size = 32768;

  double scatter(VectorView x, VectorSpan out, double (*kernel)(const detail::SpringRange&, double*)) {
    check(x.size(), out.size());
    load_positions(x);
    std::fill(rows_.begin(), rows_.end(), PaddedVector{});
    double* rows = rows_.empty() ? nullptr : rows_[0].lane;
    const double total = sum([&](const detail::SpringRange& range) { return kernel(range, rows); });
    for (std::size_t v = 0; v < rows_.size(); ++v) {
      const double* row = rows_[v].lane;
      out[v] += Vec3{row[0], row[1], row[2]};
    }
    return total;
  }

  double gather(VectorView x, VectorSpan out, double (*kernel)(const detail::SpringRange&, double*, bool*)) {
    check(x.size(), out.size());
    load_positions(x);
    std::atomic<bool> zero_lengths{false};
    const double total = sum([&](const detail::SpringRange& range) {
      bool zero_length = false;
      const double part = kernel(range, factors_.data(), &zero_length);
      if (zero_length) zero_lengths.store(true, std::memory_order_relaxed);
      return part;
    });
    const detail::SpringRows rows{
        incidence().offsets.data(), sides_.data(),       positions_[0].lane, factors_.data(),
        connectivity().data(),      zero_lengths.load(), &out[0].x};
    threads().for_chunks(vertex_count(), chunk,
                         [&](Count begin, Count end) { kernels_.gather(rows, begin, end); });
    return total;
  }

  void load_positions(VectorView x) {
    const auto load = [&](Count begin, Count end) {
      for (auto v = static_cast<std::size_t>(begin); v < static_cast<std::size_t>(end); ++v)
        positions_[v] = {{x[v].x, x[v].y, x[v].z, 0.0}};
    };
    if (parallel_)
      threads().for_chunks(vertex_count(), chunk, load);
    else
      load(0, vertex_count());
  }

  /// Σ over chunks of springs, in their order.
  template <class Kernel>
  double sum(Kernel&& kernel) {
    const auto range = [&](Count begin, Count end) {
      return kernel(detail::SpringRange{connectivity().data(), stencil_.stiffness().data(),
                                        stencil_.rest_length().data(), positions_[0].lane, begin, end});
    };
    if (parallel_) return threads().sum(size(), range, chunk);
    double total = 0.0;
    for (Count begin = 0; begin < size(); begin += chunk)
      total += range(begin, std::min(size(), begin + chunk));
    return total;
  }

  const detail::SpringKernels& kernels_ = detail::spring_kernels();
  bool parallel_;
  std::vector<PaddedVector> positions_;
  std::vector<PaddedVector> rows_;         ///< Scattering: one a vertex.
  std::vector<double> factors_;            ///< Gathering: one a spring,
  std::vector<detail::SpringSide> sides_;  ///< and the springs at each vertex.
};

}  // namespace

std::unique_ptr<ElasticEnergy> make_spring_energy(Index vertex_count, const std::vector<Edge>& springs,
                                                  std::vector<double> stiffness,
                                                  std::vector<double> rest_length, Threads& threads) {
  return std::make_unique<SpringEnergy>(vertex_count, springs,
                                        SpringStencil(std::move(stiffness), std::move(rest_length)), threads);
}

std::unique_ptr<ElasticEnergy> make_reference_spring_energy(Index vertex_count,
                                                            const std::vector<Edge>& springs,
                                                            std::vector<double> stiffness,
                                                            std::vector<double> rest_length,
                                                            Threads& threads) {
  return std::make_unique<ReferenceSpringEnergy>(
      vertex_count, springs, SpringStencil(std::move(stiffness), std::move(rest_length)), threads);
}

}  // namespace electret
