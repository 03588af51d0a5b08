#include <algorithm>

#include <electret/elastic/detail/batched_energy.hpp>
#include <electret/elastic/muscle_energy.hpp>
#include <electret/elastic/muscle_stencil.hpp>

namespace electret {
namespace {

/// An energy whose elements' activations are those from number `first` on of all activations of a scene.
template <class Base>
class Activated : public Base {
 public:
  template <class Stencil>
  Activated(std::shared_ptr<ElementBlock> elements, Stencil stencil, std::size_t first, Threads& team)
      : Base(std::move(elements), std::move(stencil), team), first_(first) {
    require(this->stencil_.parameters()[0].count == this->size(),
            "a muscle needs one k and one a per element");
  }

  bool reads_activations() const override { return true; }

  void set_activations(ScalarView all) override {
    check_activations(all.size());
    const ScalarSpan own = this->stencil_.activations();
    std::copy_n(all.begin() + static_cast<std::ptrdiff_t>(first_), own.size(), own.begin());
  }

 protected:
  void check_activations(std::size_t all) const {
    require(all >= first_ + static_cast<std::size_t>(this->size()),
            "muscles: there are fewer activations than elements");
  }
  /// Where element `e`'s is among all.
  [[nodiscard]] std::size_t place(Count e) const { return first_ + static_cast<std::size_t>(e); }

 private:
  std::size_t first_;
};

/// Everything by the base's element loops.
template <int count>
class ReferenceMuscleEnergy final : public Activated<ElementEnergy<MuscleStencil<count>>> {
  using Base = Activated<ElementEnergy<MuscleStencil<count>>>;

 public:
  using Base::Base;

  void add_energy_activation_gradient(VectorView x, ScalarSpan out) override {
    this->check(x.size());
    add(out, [&](Count e) { return this->stencil_.energy_activation_derivative(e, this->corners(e, x)); });
  }

  void add_gradient_activation_products(VectorView x, VectorView z, ScalarSpan out) override {
    this->check(x.size(), z.size());
    add(out, [&](Count e) {
      return this->stencil_.gradient_activation_product(e, this->corners(e, x), this->corners(e, z));
    });
  }

 private:
  template <class Derivative>
  void add(ScalarSpan out, Derivative&& derivative) {
    this->check_activations(out.size());
    for (Count e = 0; e < this->size(); ++e) out[this->place(e)] += derivative(e);
  }
};

/// All but the majoriser, the force scale and ∂E/∂X by the vectorised kernels.
template <int vertices>
class MuscleEnergy final : public Activated<BatchedEnergy<MuscleStencil<vertices>>> {
  using Base = Activated<BatchedEnergy<MuscleStencil<vertices>>>;
  using Base::add, Base::batches_, Base::count, Base::element, Base::for_batches, Base::kernels_, Base::place,
      Base::points, Base::shape, Base::sum, Base::width;
  using Corners = typename Base::template BatchCorners<double>;

 public:
  MuscleEnergy(std::shared_ptr<ElementBlock> elements, MuscleStencil<vertices> stencil, std::size_t first,
               Threads& team)
      : Base(std::move(elements), std::move(stencil), first, team),
        numbers_(static_cast<std::size_t>(batches_.size())) {
    const ScalarView stiffness = this->stencil_.parameters()[0].values;
    for (Count k = 0; k < batches_.size(); ++k)
      for (std::size_t l = 0; l < width; ++l) {
        of(k).stiffness[l] = stiffness[static_cast<std::size_t>(element(k, l))];
        for (std::size_t axis = 0; axis < 3; ++axis)
          of(k).fibre[width * axis + l] = this->stencil_.fibre(element(k, l))[static_cast<int>(axis)];
      }
    take_activations();
  }

  void set_activations(ScalarView all) override {
    Base::set_activations(all);
    take_activations();
  }

  double energy(VectorView x) override {
    this->check(x.size());
    return sum([&](Count k) { return evaluate(x, k).energy; });
  }

  double add_gradient(VectorView x, VectorSpan g) override {
    this->check(x.size(), g.size());
    return sum([&](Count k) {
      const Evaluated at = evaluate(x, k);
      add(k, at.gradient, g);
      return at.energy;
    });
  }

  using Base::add_hessian_product;
  void add_hessian_product(VectorView d, VectorSpan out) override {
    this->check(d.size(), out.size());
    this->check_linearised();
    for_batches([&](Count k) {
      const Corners x = positions(this->positions_, k), change = positions(d, k);
      Corners product;
      muscles_.product(shape(k), muscle(k), is_clamped(), x.at[0], change.at[0], product.at[0]);
      add(k, product, out);
    });
  }

  void add_energy_parameter_gradients(VectorView x, std::span<const ScalarSpan> outs) override {
    this->check(x.size());
    this->check_slopes(outs);
    if (outs[0].empty()) return;
    for_slopes(
        [&](Count k, Slopes& slopes) { energy_slopes(x, k, slopes); },
        [&](Count e, double by_stiffness, double) { outs[0][static_cast<std::size_t>(e)] += by_stiffness; });
  }

  void add_gradient_parameter_products(VectorView x, VectorView z,
                                       std::span<const ScalarSpan> outs) override {
    this->check(x.size(), z.size());
    this->check_slopes(outs);
    if (outs[0].empty()) return;
    for_slopes(
        [&](Count k, Slopes& slopes) { gradient_slopes(x, z, k, slopes); },
        [&](Count e, double by_stiffness, double) { outs[0][static_cast<std::size_t>(e)] += by_stiffness; });
  }

  void add_gradient_rest_products(VectorView x, VectorView z, VectorSpan out) override {
    this->check(x.size(), z.size(), out.size());
    for_batches([&](Count k) {
      detail::PointMatrices<vertices> f, d, stresses, changes, results;
      kernels_.gradients(shape(k), positions(x, k).at[0], f.at[0]);
      kernels_.gradients(shape(k), positions(z, k).at[0], d.at[0]);
      muscles_.stresses(muscle(k), f.at[0], d.at[0], stresses.at[0], changes.at[0]);
      detail::VolumePoints::kernels().rest_stress(points, f.at[0], d.at[0], stresses.at[0], changes.at[0],
                                                  results.at[0]);
      Corners forces;
      kernels_.forces(shape(k), results.at[0], forces.at[0]);
      add(k, forces, out);
    });
  }

  void add_energy_activation_gradient(VectorView x, ScalarSpan out) override {
    this->check(x.size());
    this->check_activations(out.size());
    for_slopes([&](Count k, Slopes& slopes) { energy_slopes(x, k, slopes); },
               [&](Count e, double, double by_activation) { out[place(e)] += by_activation; });
  }

  void add_gradient_activation_products(VectorView x, VectorView z, ScalarSpan out) override {
    this->check(x.size(), z.size());
    this->check_activations(out.size());
    for_slopes([&](Count k, Slopes& slopes) { gradient_slopes(x, z, k, slopes); },
               [&](Count e, double, double by_activation) { out[place(e)] += by_activation; });
  }

 private:
  /// k, a and m of a batch's elements.
  struct Numbers {
    alignas(64) std::array<double, ElementBatches::width> stiffness{}, activation{};
    alignas(64) std::array<double, 3 * ElementBatches::width> fibre{};
  };
  /// Derivatives of a batch's elements by k and by a.
  struct Slopes {
    alignas(64) double by_stiffness[ElementBatches::width], by_activation[ElementBatches::width];
  };
  struct Evaluated {
    Corners gradient;
    double energy = 0.0;  ///< Of the batch's elements.
  };

  static const detail::MuscleKernels& muscle_kernels() {
    const detail::VolumeKernels& all = detail::VolumePoints::kernels();
    return vertices == 8 ? all.hexahedron_muscle : all.tetrahedron_muscle;
  }
  [[nodiscard]] Numbers& of(Count k) { return numbers_[static_cast<std::size_t>(k)]; }
  [[nodiscard]] detail::BatchMuscle muscle(Count k) const {
    const Numbers& numbers = numbers_[static_cast<std::size_t>(k)];
    return {numbers.stiffness.data(), numbers.activation.data(), numbers.fibre.data()};
  }
  [[nodiscard]] bool is_clamped() const { return this->kind_ == HessianKind::clamped; }
  [[nodiscard]] Corners positions(VectorView values, Count k) const {
    return this->template gather<double>(k, values);
  }

  void take_activations() {
    const ScalarSpan own = this->stencil_.activations();
    for (Count k = 0; k < batches_.size(); ++k)
      for (std::size_t l = 0; l < width; ++l)
        of(k).activation[l] = own[static_cast<std::size_t>(element(k, l))];
  }

  [[nodiscard]] Evaluated evaluate(VectorView x, Count k) const {
    Evaluated at;
    alignas(64) double energies[ElementBatches::width];
    muscles_.gradient(shape(k), muscle(k), positions(x, k).at[0], energies, at.gradient.at[0]);
    for (std::size_t l = 0; l < batches_.elements(k).size(); ++l) at.energy += energies[l];
    return at;
  }

  void compute(Count k, typename Base::Matrices& matrices) const override {
    muscles_.matrices(shape(k), muscle(k), is_clamped(), positions(this->positions_, k).at[0],
                      matrices.at[0]);
  }

  void energy_slopes(VectorView x, Count k, Slopes& slopes) const {
    muscles_.energy_slopes(shape(k), muscle(k), positions(x, k).at[0], slopes.by_stiffness,
                           slopes.by_activation);
  }
  void gradient_slopes(VectorView x, VectorView z, Count k, Slopes& slopes) const {
    muscles_.gradient_slopes(shape(k), muscle(k), positions(x, k).at[0], positions(z, k).at[0],
                             slopes.by_stiffness, slopes.by_activation);
  }

  /// receive(element, derivative by k, derivative by a) for every element.
  template <class Compute, class Receive>
  void for_slopes(Compute&& compute_slopes, Receive&& receive) {
    for_batches([&](Count k) {
      Slopes slopes;
      compute_slopes(k, slopes);
      for (std::size_t l = 0; l < batches_.elements(k).size(); ++l)
        receive(element(k, l), slopes.by_stiffness[l], slopes.by_activation[l]);
    });
  }

  const detail::MuscleKernels& muscles_ = muscle_kernels();
  std::vector<Numbers> numbers_;  ///< One for each batch.
};

template <template <int> class Energy>
std::unique_ptr<ElasticEnergy> make_muscle(std::shared_ptr<ElementBlock> elements,
                                           std::shared_ptr<const RestShape> shape, std::vector<Vec3> fibres,
                                           std::vector<double> stiffness, Activations activations,
                                           Threads& threads) {
  const auto of = [&]<int count>() -> std::unique_ptr<ElasticEnergy> {
    MuscleStencil<count> stencil(std::move(shape), std::move(fibres), std::move(stiffness),
                                 std::move(activations.values));
    return std::make_unique<Energy<count>>(std::move(elements), std::move(stencil), activations.first,
                                           threads);
  };
  if (elements->vertices_per_element() == 4) return of.template operator()<4>();
  return of.template operator()<8>();
}

}  // namespace

std::unique_ptr<ElasticEnergy> make_muscle_energy(std::shared_ptr<ElementBlock> elements,
                                                  std::shared_ptr<const RestShape> shape,
                                                  std::vector<Vec3> fibres, std::vector<double> stiffness,
                                                  Activations activations, Threads& threads) {
  return make_muscle<MuscleEnergy>(std::move(elements), std::move(shape), std::move(fibres),
                                   std::move(stiffness), std::move(activations), threads);
}

std::unique_ptr<ElasticEnergy> make_reference_muscle_energy(std::shared_ptr<ElementBlock> elements,
                                                            std::shared_ptr<const RestShape> shape,
                                                            std::vector<Vec3> fibres,
                                                            std::vector<double> stiffness,
                                                            Activations activations, Threads& threads) {
  return make_muscle<ReferenceMuscleEnergy>(std::move(elements), std::move(shape), std::move(fibres),
                                            std::move(stiffness), std::move(activations), threads);
}

}  // namespace electret
