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

/// Second derivatives are computed once at a place.
template <int count>
class VolumeEnergy final : public ReferenceVolumeEnergy<count> {
 public:
  VolumeEnergy(std::shared_ptr<ElementBlock> elements, VolumeStencil<count> stencil, Threads& team)
      : ReferenceVolumeEnergy<count>(std::move(elements), std::move(stencil), team) {
    this->keeps_hessians_ = true;
  }
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
