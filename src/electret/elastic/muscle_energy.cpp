#include <algorithm>

#include <electret/elastic/muscle_energy.hpp>
#include <electret/elastic/muscle_stencil.hpp>

namespace electret {
namespace {

template <int count>
class MuscleEnergy final : public ElementEnergy<MuscleStencil<count>> {
 public:
  MuscleEnergy(std::shared_ptr<ElementBlock> elements, MuscleStencil<count> stencil, std::size_t first,
               Threads& team)
      : ElementEnergy<MuscleStencil<count>>(std::move(elements), std::move(stencil), team), first_(first) {
    require(this->stencil_.parameters()[0].count == this->size(), "a muscle: k and a of each element");
    this->keeps_hessians_ = true;
  }

  bool reads_activations() const override { return true; }

  void set_activations(ScalarView all) override {
    const ScalarSpan own = this->stencil_.activations();
    check_activations(all.size());
    std::copy_n(all.begin() + static_cast<std::ptrdiff_t>(first_), own.size(), own.begin());
  }

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
  void check_activations(std::size_t all) const {
    require(all >= first_ + static_cast<std::size_t>(this->size()),
            "muscles: there are fewer activations than elements");
  }

  template <class Derivative>
  void add(ScalarSpan out, Derivative&& derivative) {
    check_activations(out.size());
    this->threads().for_chunks(this->size(), this->chunk, [&](Count begin, Count end) {
      for (Count e = begin; e < end; ++e) out[first_ + static_cast<std::size_t>(e)] += derivative(e);
    });
  }

  std::size_t first_;  ///< The index of its first activation among all.
};

}  // namespace

std::unique_ptr<ElasticEnergy> make_muscle_energy(std::shared_ptr<ElementBlock> elements,
                                                  std::shared_ptr<const RestShape> shape, const Vec3& fibre,
                                                  std::vector<double> stiffness, Activations activations,
                                                  Threads& threads) {
  const auto of = [&]<int count>() -> std::unique_ptr<ElasticEnergy> {
    MuscleStencil<count> stencil(std::move(shape), fibre, std::move(stiffness),
                                 std::move(activations.values));
    return std::make_unique<MuscleEnergy<count>>(std::move(elements), std::move(stencil), activations.first,
                                                 threads);
  };
  if (elements->type() == ElementType::tetrahedron) return of.template operator()<4>();
  return of.template operator()<8>();
}

}  // namespace electret
