#pragma once
/// \file
/// What every elastic energy shares: assembly and threads. A variant writes one element's stencil.
///
/// \code
///   struct SpringStencil { static constexpr int vertices = 2; double energy(e, corners) const; ... };
///   class SpringEnergy final : public ElementEnergy<SpringStencil> { ... };
/// \endcode
///
/// Elements write their results into a buffer, a corner each; every vertex then sums its corners in ascending
/// order. Each output row is written by one thread, and sums over elements are taken in chunks of fixed size,
/// so results are bitwise the same for any number of threads. Nothing is allocated after construction.

#include <array>
#include <utility>
#include <vector>

#include <electret/core/errors.hpp>
#include <electret/core/parallel.hpp>
#include <electret/elastic/elastic_energy.hpp>
#include <electret/linear/incidence.hpp>

namespace electret {

/// A `Stencil` has, for element number e with corner arrays `Corners` = std::array<Vec3, vertices> (x: its
/// vertices' positions, m; z, v, d: any vectors at them) and `Blocks` = std::array<Mat3, vertices²>
/// row-major:
///
///   static constexpr int vertices, quadrature_points;  static constexpr ElementType type;
///   static constexpr std::string_view name;            static constexpr bool projects;
///   std::span<const ElasticParameter> parameters();    // one value an element each
///   double energy(e, x) const;                                          // J
///   double gradient(e, x, Corners& g) const;                            // overwrites g, returns the energy
///   void hessian(e, x, kind, Blocks& h) const;                          // overwrites h
///   void hessian_product(e, x, d, kind, Corners& out) const;            // overwrites out
///   std::array<double, vertices²> majoriser(e) const;                   // N/m
///   void projection(e, x, Corners& out) const;                          // J p, overwrites out
///   double force_scale(e) const;                                        // N
///   double energy_parameter_derivative(e, x, parameter) const;
///   double gradient_parameter_product(e, x, z, parameter) const;
///   void clamped_form_gradient(e, x, z, v, Corners& out) const;         // ∇_x (zᵀH_c v), overwrites out
///   double clamped_form_parameter_derivative(e, x, z, v, parameter) const;
///
/// An element whose clamped form vanishes for every z and v writes zeros.
template <class Stencil>
class ElementEnergy : public ElasticEnergy {
 public:
  static constexpr std::size_t vertices = Stencil::vertices;
  using Corners = std::array<Vec3, vertices>;
  using Blocks = std::array<Mat3, vertices * vertices>;

  [[nodiscard]] std::string_view name() const override { return Stencil::name; }
  [[nodiscard]] ElementBlock elements() const override {
    return {Stencil::type, Stencil::vertices, Stencil::quadrature_points, connectivity_};
  }
  [[nodiscard]] std::span<const ElasticParameter> parameters() override { return stencil_.parameters(); }
  [[nodiscard]] bool has_projection() const override { return Stencil::projects; }

  double energy(VectorView x) override {
    check(x.size());
    return threads_.sum(
        size(),
        [&](Count begin, Count end) {
          double sum = 0.0;
          for (Count e = begin; e < end; ++e) sum += stencil_.energy(e, corners(e, x));
          return sum;
        },
        chunk);
  }

  double add_gradient(VectorView x, VectorSpan g) override {
    check(x.size(), g.size());
    const double total = threads_.sum(
        size(),
        [&](Count begin, Count end) {
          double sum = 0.0;
          for (Count e = begin; e < end; ++e) sum += stencil_.gradient(e, corners(e, x), buffer(e));
          return sum;
        },
        chunk);
    gather(g);
    return total;
  }

  void add_hessian_product(VectorView x, VectorView d, HessianKind kind, VectorSpan out) override {
    check(x.size(), d.size(), out.size());
    for_elements(
        [&](Count e) { stencil_.hessian_product(e, corners(e, x), corners(e, d), kind, buffer(e)); });
    gather(out);
  }

  void add_hessian_blocks(VectorView x, HessianKind kind, BlockMatrixSink& sink) override {
    check(x.size());
    Blocks blocks;
    for (Count e = 0; e < size(); ++e) {
      stencil_.hessian(e, corners(e, x), kind, blocks);
      for (std::size_t a = 0; a < vertices; ++a)
        for (std::size_t b = 0; b < vertices; ++b)
          sink.add(vertex(e, a), vertex(e, b), blocks[a * vertices + b]);
    }
  }

  void add_majoriser(ScalarMatrixSink& sink) const override {
    for (Count e = 0; e < size(); ++e) {
      const auto weights = stencil_.majoriser(e);
      for (std::size_t a = 0; a < vertices; ++a)
        for (std::size_t b = 0; b < vertices; ++b)
          sink.add(vertex(e, a), vertex(e, b), weights[a * vertices + b]);
    }
  }

  void add_projection(VectorView x, VectorSpan out) override {
    check(x.size(), out.size());
    for_elements([&](Count e) { stencil_.projection(e, corners(e, x), buffer(e)); });
    gather(out);
  }

  void add_force_scale(ScalarSpan out) const override {
    check(out.size());
    for (Count e = 0; e < size(); ++e)
      for (std::size_t a = 0; a < vertices; ++a)
        out[static_cast<std::size_t>(vertex(e, a))] += stencil_.force_scale(e);
  }

  void add_energy_parameter_gradient(VectorView x, std::size_t parameter, ScalarSpan out) override {
    check(x.size());
    check_parameter(parameter, out.size());
    for_elements([&](Count e) {
      out[static_cast<std::size_t>(e)] += stencil_.energy_parameter_derivative(e, corners(e, x), parameter);
    });
  }

  void add_gradient_parameter_product(VectorView x, VectorView z, std::size_t parameter,
                                      ScalarSpan out) override {
    check(x.size(), z.size());
    check_parameter(parameter, out.size());
    for_elements([&](Count e) {
      out[static_cast<std::size_t>(e)] +=
          stencil_.gradient_parameter_product(e, corners(e, x), corners(e, z), parameter);
    });
  }

  void add_clamped_form_gradient(VectorView x, VectorView z, VectorView v, VectorSpan out) override {
    check(x.size(), z.size(), v.size(), out.size());
    for_elements([&](Count e) {
      stencil_.clamped_form_gradient(e, corners(e, x), corners(e, z), corners(e, v), buffer(e));
    });
    gather(out);
  }

  void add_clamped_form_parameter_gradient(VectorView x, VectorView z, VectorView v, std::size_t parameter,
                                           ScalarSpan out) override {
    check(x.size(), z.size(), v.size());
    check_parameter(parameter, out.size());
    for_elements([&](Count e) {
      out[static_cast<std::size_t>(e)] += stencil_.clamped_form_parameter_derivative(
          e, corners(e, x), corners(e, z), corners(e, v), parameter);
    });
  }

 protected:
  /// `connectivity`: elements × vertices. Throws InternalError for an index out of range.
  ElementEnergy(Index vertex_count, std::vector<Index> connectivity, Stencil stencil, Threads& threads)
      : stencil_(std::move(stencil)),
        threads_(threads),
        vertex_count_(vertex_count),
        connectivity_(std::move(connectivity)),
        incidence_(vertex_count, connectivity_),
        buffer_(connectivity_.size() / vertices) {
    require(connectivity_.size() % vertices == 0, "connectivity: a whole number of elements");
  }

  /// Elements a chunk: below it a loop runs on the caller's thread.
  static constexpr Count chunk = 1024;

  [[nodiscard]] Count size() const { return static_cast<Count>(buffer_.size()); }
  [[nodiscard]] const Incidence& incidence() const { return incidence_; }
  [[nodiscard]] Threads& threads() const { return threads_; }
  [[nodiscard]] Index vertex_count() const { return vertex_count_; }
  [[nodiscard]] std::span<const Index> connectivity() const { return connectivity_; }

  /// Throws InternalError unless each is the number of vertices.
  template <class... Sizes>
  void check(Sizes... sizes) const {
    require(((sizes == static_cast<std::size_t>(vertex_count_)) && ...),
            "elastic energy: an array does not have a row a vertex");
  }

  Stencil stencil_;

 private:
  void check_parameter(std::size_t parameter, std::size_t values) {
    require(parameter < stencil_.parameters().size() && values == buffer_.size(),
            "elastic energy: no such parameter, or not one value an element");
  }

  [[nodiscard]] Index vertex(Count e, std::size_t corner) const {
    return connectivity_[static_cast<std::size_t>(e) * vertices + corner];
  }

  [[nodiscard]] Corners corners(Count e, VectorView values) const {
    Corners result;
    for (std::size_t a = 0; a < vertices; ++a) result[a] = values[static_cast<std::size_t>(vertex(e, a))];
    return result;
  }

  [[nodiscard]] Corners& buffer(Count e) { return buffer_[static_cast<std::size_t>(e)]; }

  template <class Element>
  void for_elements(Element&& element) {
    threads_.for_chunks(size(), chunk, [&](Count begin, Count end) {
      for (Count e = begin; e < end; ++e) element(e);
    });
  }

  /// out_v += Σ over the corners at v, ascending, of the buffer.
  void gather(VectorSpan out) {
    const Vec3* corner = buffer_.empty() ? nullptr : buffer_[0].data();
    threads_.for_chunks(vertex_count_, chunk, [&](Count begin, Count end) {
      for (Count v = begin; v < end; ++v) {
        Vec3 sum;
        for (const Count slot : incidence_[v]) sum += corner[slot];
        out[static_cast<std::size_t>(v)] += sum;
      }
    });
  }

  Threads& threads_;
  Index vertex_count_;
  std::vector<Index> connectivity_;
  Incidence incidence_;
  std::vector<Corners> buffer_;
};

}  // namespace electret
