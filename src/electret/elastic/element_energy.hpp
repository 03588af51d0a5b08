#pragma once
/// \file
/// What all elastic energies share: assembly and threads. A variant writes one element's stencil.
///
/// \code
///   struct SpringStencil { static constexpr int vertices = 2; ... };
///   class SpringEnergy final : public ElementEnergy<SpringStencil> { ... };
/// \endcode
///
/// Elements write their results to a buffer, one vector per corner. Every vertex then sums its corners in
/// ascending order. Each output row is written by one thread, and sums over elements are taken in chunks of a
/// fixed size, so that results are bitwise the same for any number of threads.
///
/// This is the slow reference of every operation, and sufficient for a small energy. It recomputes an
/// element's second derivatives for each product unless `keeps_hessians_` is set. A fast energy overrides
/// `linearise`, the products and the blocks.

#include <array>
#include <concepts>
#include <memory>
#include <utility>
#include <vector>

#include <electret/core/errors.hpp>
#include <electret/core/parallel.hpp>
#include <electret/elastic/elastic_energy.hpp>
#include <electret/linear/block_matrix.hpp>
#include <electret/linear/lattice_matrix.hpp>

namespace electret {

/// Whether a stencil has third derivatives (see ElementEnergy).
template <class Stencil>
concept HasClampedForm = requires(const Stencil& s, const typename Stencil::Corners& at,
                                  typename Stencil::Corners& out) {
  s.clamped_form_gradient(Count{}, at, at, at, out);
  s.clamped_form_parameter_derivatives(Count{}, at, at, at);
};

/// Whether a stencil's elements have a shape at rest (see ElementEnergy).
template <class Stencil>
concept HasRestShape = requires(const Stencil& s, const typename Stencil::Corners& at,
                                typename Stencil::Corners& out) {
  s.energy_rest_derivatives(Count{}, at, out);
  s.gradient_rest_products(Count{}, at, at, out);
};

/// A `Stencil` has, for element number e with corner arrays `Corners` = std::array<Vec3, vertices> (x: its
/// vertices' positions, m; z, v, d: any vectors at them), `Blocks` = std::array<Mat3, vertices²> row-major
/// and `Slopes` = std::array<double, numbers>, the derivatives by its own parameters one after the other:
///
///   static constexpr int vertices;
///   static constexpr std::string_view name, words;
///   static constexpr bool is_solid;
///   static constexpr double smoother_bound;
///   static constexpr ElementCosts costs;
///   static constexpr int numbers;            // of all parameters for one element
///   std::span<const ElasticParameter> parameters() const;               // all of them per element
///   double energy(e, x) const;                                          // J
///   double gradient(e, x, Corners& g) const;                            // overwrites g, returns the energy
///   void hessian(e, x, kind, Blocks& h) const;                          // overwrites h
///   void hessian_product(e, x, d, kind, Corners& out) const;            // overwrites out
///   std::array<double, vertices²> majoriser(e) const;                   // N/m
///   double force_scale(e) const;                                        // N
///   Slopes energy_parameter_derivatives(e, x) const;
///   Slopes gradient_parameter_products(e, x, z) const;
///
/// If it has third derivatives, it also has those of zᵀH_c v (0 if the form vanishes for every z and v):
///
///   void clamped_form_gradient(e, x, z, v, Corners& out) const;         // ∇_x, overwrites out
///   Slopes clamped_form_parameter_derivatives(e, x, z, v) const;
///
/// If its elements have a shape at rest, it also has derivatives with respect to their rest positions:
///
///   void energy_rest_derivatives(e, x, Corners& out) const;             // overwrites out
///   void gradient_rest_products(e, x, z, Corners& out) const;           // likewise
///
/// An energy whose parameters belong to vertices or to the body overrides the two parameter operations.
template <class Stencil>
class ElementEnergy : public ElasticEnergy {
 public:
  static constexpr std::size_t vertices = Stencil::vertices;
  using Corners = std::array<Vec3, vertices>;
  using Blocks = std::array<Mat3, vertices * vertices>;

  [[nodiscard]] std::string_view name() const override { return Stencil::name; }
  [[nodiscard]] const ElementBlock& elements() const override { return *elements_; }
  [[nodiscard]] std::span<const ElasticParameter> parameters() const override {
    return stencil_.parameters();
  }

  [[nodiscard]] std::string_view words() const override { return Stencil::words; }
  [[nodiscard]] bool is_solid() const override { return Stencil::is_solid; }
  [[nodiscard]] double smoother_bound() const override { return Stencil::smoother_bound; }
  [[nodiscard]] ElementCosts element_costs() const override { return Stencil::costs; }

  [[nodiscard]] double memory_needed() const override {
    return keeps_hessians_ ? static_cast<double>(sizeof(Blocks)) * static_cast<double>(size()) : 0.0;
  }

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
    const std::span<Vec3> buffer = elements_->corner_buffer();
    const double total = threads_.sum(
        size(),
        [&](Count begin, Count end) {
          double sum = 0.0;
          Corners out;
          for (Count e = begin; e < end; ++e) {
            sum += stencil_.gradient(e, corners(e, x), out);
            put(buffer, e, out);
          }
          return sum;
        },
        chunk);
    gather(buffer, [&](std::size_t v, const Vec3& sum) { g[v] += sum; });
    return total;
  }

  double linearise(VectorView x, HessianKind kind, VectorSpan g) override {
    const double energy = g.empty() ? 0.0 : add_gradient(x, g);
    check(x.size());
    positions_.assign(x.begin(), x.end());
    kind_ = kind;
    linearised_ = true;
    if (keeps_hessians_) keep_hessians();
    return energy;
  }

  void add_hessian_product(VectorView d, VectorSpan out) override {
    check(d.size(), out.size());
    for_products(d, [&](std::size_t v, const Vec3& sum) { out[v] += sum; });
  }

  void add_hessian_product(float factor, PaddedView32 d, PaddedSpan32 out) override {
    check(d.size(), out.size());
    for_products(d, [&](std::size_t v, const Vec3& sum) {
      const Padded32 scaled = padded32(static_cast<double>(factor) * sum);
      for (int axis = 0; axis < 3; ++axis) out[v].lane[axis] += scaled.lane[axis];
    });
  }

  void attach(const BlockPattern& pattern) override { elements_->attach(pattern); }

  void add_hessian_blocks(float factor, BlockMatrix& h) override {
    check_linearised();
    check_pattern(h, elements_->attached_blocks());
    const std::span<const Index> slots = elements_->block_slots();
    for_vertices([&](Count v) {
      Blocks blocks;
      for (const Index corner : incidence()[v]) {
        const auto from = static_cast<std::size_t>(corner);
        const std::size_t a = from % vertices;
        const auto e = static_cast<Count>(from / vertices);
        const Blocks& of_element = hessian_of(e, blocks);
        for (std::size_t b = 0; b < vertices; ++b)
          add_block(static_cast<double>(factor), of_element[a * vertices + b],
                    h.block(slots[from * vertices + b]));
      }
    });
  }

  void add_hessian_to_lattice(float factor, const Lattice& lattice, LatticeMatrix& h) override {
    check_linearised();
    check(lattice.numbers.size());
    for_vertices([&](Count v) {
      Blocks blocks;
      const Index row = lattice.numbers[static_cast<std::size_t>(v)];
      for (const Index corner : incidence()[v]) {
        const auto from = static_cast<std::size_t>(corner);
        const auto e = static_cast<Count>(from / vertices);
        const Blocks& of_element = hessian_of(e, blocks);
        for (std::size_t b = 0; b < vertices; ++b) {
          const int code = lattice.shape.code(row, lattice.numbers[static_cast<std::size_t>(vertex(e, b))]);
          if (code < 0) continue;
          const Mat3& block = of_element[from % vertices * vertices + b];
          for (int k = 0; k < 9; ++k)
            h.entry(code, k)[row] += static_cast<float>(static_cast<double>(factor) *
                                                        block.rows[static_cast<std::size_t>(k / 3)][k % 3]);
        }
      }
    });
  }

  void add_hessian_diagonal(float factor, std::span<float> diagonal) override {
    check_linearised();
    check(diagonal.size() / 9);
    for_vertices([&](Count v) {
      Blocks blocks;
      for (const Index corner : incidence()[v]) {
        const auto from = static_cast<std::size_t>(corner);
        const std::size_t a = from % vertices;
        const auto e = static_cast<Count>(from / vertices);
        add_block(static_cast<double>(factor), hessian_of(e, blocks)[a * vertices + a],
                  &diagonal[9 * static_cast<std::size_t>(v)]);
      }
    });
  }

  void add_majoriser(ScalarMatrixSink& sink) const override {
    for (Count e = 0; e < size(); ++e) {
      const auto weights = stencil_.majoriser(e);
      for (std::size_t a = 0; a < vertices; ++a)
        for (std::size_t b = 0; b < vertices; ++b)
          sink.add(vertex(e, a), vertex(e, b), weights[a * vertices + b]);
    }
  }

  void add_force_scale(ScalarSpan out) const override {
    check(out.size());
    for (Count e = 0; e < size(); ++e)
      for (std::size_t a = 0; a < vertices; ++a)
        out[static_cast<std::size_t>(vertex(e, a))] += stencil_.force_scale(e);
  }

  void add_energy_parameter_gradients(VectorView x, std::span<const ScalarSpan> outs) override {
    check(x.size());
    add_slopes(outs, [&](Count e) { return stencil_.energy_parameter_derivatives(e, corners(e, x)); });
  }

  void add_gradient_parameter_products(VectorView x, VectorView z,
                                       std::span<const ScalarSpan> outs) override {
    check(x.size(), z.size());
    add_slopes(
        outs, [&](Count e) { return stencil_.gradient_parameter_products(e, corners(e, x), corners(e, z)); });
  }

  [[nodiscard]] bool has_rest_shape() const override { return HasRestShape<Stencil>; }
  void add_energy_rest_gradient(VectorView x, VectorSpan out) override {
    check(x.size(), out.size());
    if constexpr (HasRestShape<Stencil>)
      for_elements(
          [&](Count e, Corners& result) { stencil_.energy_rest_derivatives(e, corners(e, x), result); },
          [&](std::size_t v, const Vec3& sum) { out[v] += sum; });
  }
  void add_gradient_rest_products(VectorView x, VectorView z, VectorSpan out) override {
    check(x.size(), z.size(), out.size());
    if constexpr (HasRestShape<Stencil>)
      for_elements(
          [&](Count e, Corners& result) {
            stencil_.gradient_rest_products(e, corners(e, x), corners(e, z), result);
          },
          [&](std::size_t v, const Vec3& sum) { out[v] += sum; });
  }

  [[nodiscard]] ClampedForm* clamped_form() override {
    if constexpr (HasClampedForm<Stencil>) return &clamped_form_;
    return nullptr;
  }

 protected:
  /// Throws InternalError for elements with another number of vertices than the stencil's.
  ElementEnergy(std::shared_ptr<ElementBlock> elements, Stencil stencil, Threads& threads)
      : stencil_(std::move(stencil)), elements_(std::move(elements)), threads_(threads) {
    static_assert(Stencil::vertices > 0);
    require(elements_->vertices_per_element() == Stencil::vertices,
            "elastic energy: elements with another number of vertices");
  }
  // `clamped_form_` refers to this.
  ElementEnergy(const ElementEnergy&) = delete;
  ElementEnergy& operator=(const ElementEnergy&) = delete;

  /// Elements or vertices per chunk. A loop over fewer runs on the caller's thread.
  static constexpr Count chunk = 1024;

  [[nodiscard]] Count size() const { return elements_->size(); }
  [[nodiscard]] const Incidence& incidence() const { return elements_->incidence(); }
  [[nodiscard]] Threads& threads() const { return threads_; }
  [[nodiscard]] Index vertex_count() const { return elements_->vertex_count(); }
  [[nodiscard]] std::span<const Index> connectivity() const { return elements_->connectivity(); }

  /// Throws InternalError unless each number is the number of vertices.
  template <class... Sizes>
  void check(Sizes... sizes) const {
    require(((sizes == static_cast<std::size_t>(vertex_count())) && ...),
            "elastic energy: an array does not have one row per vertex");
  }
  /// Throws InternalError before the first `linearise`.
  void check_linearised() const { require(linearised_, "elastic energy: call linearise before products"); }
  /// Throws InternalError unless each array that is not empty has its parameter's shape.
  void check_slopes(std::span<const ScalarSpan> outs) const {
    const std::span<const ElasticParameter> parameters = stencil_.parameters();
    require(outs.size() == parameters.size(), "elastic energy: not one array per parameter");
    for (std::size_t p = 0; p < outs.size(); ++p)
      require(outs[p].empty() || outs[p].size() == parameters[p].values.size(),
              "elastic energy: an array does not have its parameter's shape");
  }
  /// Throws InternalError unless `h` has as many rows and blocks as the attached pattern.
  void check_pattern(const BlockMatrix& h, Count attached_blocks) const {
    require(attached_blocks == h.pattern().blocks() && vertex_count() == h.pattern().rows(),
            "elastic energy: attach the matrix's pattern first");
  }

  /// The rows of `values` at the corners of element `e`.
  template <class View>
  [[nodiscard]] Corners corners(Count e, const View& values) const {
    Corners result;
    for (std::size_t a = 0; a < vertices; ++a)
      result[a] = vector_of(values[static_cast<std::size_t>(vertex(e, a))]);
    return result;
  }

  Stencil stencil_;
  /// Whether `linearise` keeps every element's ∇²E (72 bytes per block) for the products and blocks at x.
  /// This is worth it if ∇²E costs far more to compute than to multiply by. Set it before the first
  /// `linearise`.
  bool keeps_hessians_ = false;
  VectorArray positions_;                  ///< Of the last linearise.
  HessianKind kind_ = HessianKind::exact;  ///< Likewise.
  bool linearised_ = false;

 private:
  [[nodiscard]] Index vertex(Count e, std::size_t corner) const {
    return connectivity()[static_cast<std::size_t>(e) * vertices + corner];
  }

  static const Vec3& vector_of(const Vec3& v) { return v; }
  static Vec3 vector_of(const Padded32& v) { return unpadded(v); }

  /// The third derivatives, if the stencil has them.
  class ElementClampedForm final : public ClampedForm {
   public:
    explicit ElementClampedForm(ElementEnergy& energy) : energy_(energy) {}

    void add_diagonal(VectorView x, VectorSpan out) override {
      energy_.check(x.size(), out.size());
      energy_.for_elements(
          [&](Count e, Corners& result) {
            Blocks blocks;
            energy_.stencil_.hessian(e, energy_.corners(e, x), HessianKind::clamped, blocks);
            for (std::size_t c = 0; c < vertices; ++c) {
              const Mat3& block = blocks[c * vertices + c];
              result[c] = {block.rows[0][0], block.rows[1][1], block.rows[2][2]};
            }
          },
          [&](std::size_t row, const Vec3& sum) { out[row] += sum; });
    }
    void add_gradient(VectorView x, VectorView z, VectorView v, VectorSpan out) override {
      energy_.check(x.size(), z.size(), v.size(), out.size());
      if constexpr (HasClampedForm<Stencil>) {
        energy_.for_elements(
            [&](Count e, Corners& result) {
              energy_.stencil_.clamped_form_gradient(e, energy_.corners(e, x), energy_.corners(e, z),
                                                     energy_.corners(e, v), result);
            },
            [&](std::size_t row, const Vec3& sum) { out[row] += sum; });
      }
    }
    void add_parameter_gradients(VectorView x, VectorView z, VectorView v,
                                 std::span<const ScalarSpan> outs) override {
      energy_.check(x.size(), z.size(), v.size());
      if constexpr (HasClampedForm<Stencil>) {
        energy_.add_slopes(outs, [&](Count e) {
          return energy_.stencil_.clamped_form_parameter_derivatives(
              e, energy_.corners(e, x), energy_.corners(e, z), energy_.corners(e, v));
        });
      }
    }

   private:
    ElementEnergy& energy_;
  };

  static void add_block(double factor, const Mat3& block, float* out) {
    for (int column = 0; column < 3; ++column)
      for (std::size_t row = 0; row < 3; ++row)
        out[3 * column + static_cast<int>(row)] += static_cast<float>(factor * block.rows[row][column]);
  }

  void keep_hessians() {
    hessians_.resize(static_cast<std::size_t>(size()));
    threads_.for_chunks(size(), chunk, [&](Count begin, Count end) {
      for (Count e = begin; e < end; ++e)
        stencil_.hessian(e, corners(e, VectorView(positions_)), kind_,
                         hessians_[static_cast<std::size_t>(e)]);
    });
  }

  /// ∇²E of an element: kept, or computed in `place`.
  const Blocks& hessian_of(Count e, Blocks& place) const {
    if (keeps_hessians_) return hessians_[static_cast<std::size_t>(e)];
    stencil_.hessian(e, corners(e, VectorView(positions_)), kind_, place);
    return place;
  }

  static void multiply(const Blocks& blocks, const Corners& d, Corners& out) {
    for (std::size_t a = 0; a < vertices; ++a) {
      out[a] = Vec3{};
      for (std::size_t b = 0; b < vertices; ++b) out[a] += blocks[a * vertices + b] * d[b];
    }
  }

  static void put(std::span<Vec3> buffer, Count e, const Corners& values) {
    std::copy(values.begin(), values.end(), buffer.begin() + static_cast<std::ptrdiff_t>(e * vertices));
  }

  template <class Body>
  void for_vertices(Body&& body) {
    threads_.for_chunks(vertex_count(), chunk, [&](Count begin, Count end) {
      for (Count v = begin; v < end; ++v) body(v);
    });
  }

  /// Calls element(e, result) for every element, then receive(v, Σ of the results at v) for every vertex.
  template <class Element, class Receive>
  void for_elements(Element&& element, Receive&& receive) {
    const std::span<Vec3> buffer = elements_->corner_buffer();
    threads_.for_chunks(size(), chunk, [&](Count begin, Count end) {
      Corners result;
      for (Count e = begin; e < end; ++e) {
        element(e, result);
        put(buffer, e, result);
      }
    });
    gather(buffer, receive);
  }

  /// Calls receive(v, (∇²E d)_v) for every vertex.
  template <class View, class Receive>
  void for_products(const View& d, Receive&& receive) {
    check_linearised();
    for_elements(
        [&](Count e, Corners& result) {
          if (keeps_hessians_)
            multiply(hessians_[static_cast<std::size_t>(e)], corners(e, d), result);
          else
            stencil_.hessian_product(e, corners(e, VectorView(positions_)), corners(e, d), kind_, result);
        },
        receive);
  }

  /// Calls receive(v, Σ over the corners at v, ascending, of the buffer) for every vertex.
  template <class Receive>
  void gather(std::span<const Vec3> buffer, Receive&& receive) {
    for_vertices([&](Count v) {
      Vec3 sum;
      for (const Index slot : incidence()[v]) sum += buffer[static_cast<std::size_t>(slot)];
      receive(static_cast<std::size_t>(v), sum);
    });
  }

  /// outs[p] += the slopes of every element, for each parameter whose span is not empty.
  template <class Slopes>
  void add_slopes(std::span<const ScalarSpan> outs, Slopes&& slopes) {
    check_slopes(outs);
    const std::span<const ElasticParameter> parameters = stencil_.parameters();
    threads_.for_chunks(size(), chunk, [&](Count begin, Count end) {
      for (Count e = begin; e < end; ++e) {
        const auto values = slopes(e);
        std::size_t next = 0;
        for (std::size_t p = 0; p < outs.size(); ++p) {
          const auto numbers = static_cast<std::size_t>(parameters[p].numbers);
          if (!outs[p].empty())
            for (std::size_t k = 0; k < numbers; ++k)
              outs[p][static_cast<std::size_t>(e) * numbers + k] += values[next + k];
          next += numbers;
        }
      }
    });
  }

  std::shared_ptr<ElementBlock> elements_;
  Threads& threads_;
  std::vector<Blocks> hessians_;  ///< At the last linearise, if they are kept.
  ElementClampedForm clamped_form_{*this};
};

}  // namespace electret
