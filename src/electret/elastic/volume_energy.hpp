#pragma once
/// \file
/// The elastic energy of tetrahedra and hexahedra of a material: E = Σ_elements Σ_q w_q Ψ(F_q)
/// (material.hpp).

#include <memory>
#include <vector>

#include <electret/core/parallel.hpp>
#include <electret/elastic/elastic_energy.hpp>
#include <electret/elastic/material.hpp>
#include <electret/elastic/rest_shape.hpp>

namespace electret {

/// The energy of `elements` (tetrahedra or hexahedra) with the undeformed `shape`; energies of the same
/// elements share both objects. `youngs_modulus` (Pa) and `poissons_ratio` have one entry per element and
/// become the parameters 0 and 1. Bitwise the same for any number of threads. Throws InternalError if sizes
/// or types differ, a modulus is negative, or a ratio is outside (-1, ½). `threads` must outlive the energy.
std::unique_ptr<ElasticEnergy> make_volume_energy(std::shared_ptr<ElementBlock> elements,
                                                  std::shared_ptr<const RestShape> shape, MaterialModel model,
                                                  std::vector<double> youngs_modulus,
                                                  std::vector<double> poissons_ratio, Threads& threads);

/// The reference for tests: the element loops alone, by singular values.
std::unique_ptr<ElasticEnergy> make_reference_volume_energy(
    std::shared_ptr<ElementBlock> elements, std::shared_ptr<const RestShape> shape, MaterialModel model,
    std::vector<double> youngs_modulus, std::vector<double> poissons_ratio, Threads& threads);

}  // namespace electret
