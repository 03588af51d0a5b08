#pragma once
/// \file
/// Tetrahedra and hexahedra of an elastic material: E = Σ_elements Σ_q w_q Ψ(F_q) (material.hpp).

#include <memory>
#include <vector>

#include <electret/core/parallel.hpp>
#include <electret/elastic/elastic_energy.hpp>
#include <electret/elastic/material.hpp>
#include <electret/elastic/rest_shape.hpp>

namespace electret {

/// `elements`, tetrahedra or hexahedra, of the undeformed `shape`; `youngs_modulus` (Pa) and
/// `poissons_ratio`, one for each element, become the parameters 0 and 1. Energies of the same elements share
/// both objects. Bitwise the same for any number of threads. Throws InternalError where sizes or types
/// differ, a modulus is negative or a ratio outside (-1, ½). `threads` must outlive the energy.
std::unique_ptr<ElasticEnergy> make_volume_energy(std::shared_ptr<ElementBlock> elements,
                                                  std::shared_ptr<const RestShape> shape, MaterialModel model,
                                                  std::vector<double> youngs_modulus,
                                                  std::vector<double> poissons_ratio, Threads& threads);

/// The oracle: the element loops alone, by singular values.
std::unique_ptr<ElasticEnergy> make_reference_volume_energy(
    std::shared_ptr<ElementBlock> elements, std::shared_ptr<const RestShape> shape, MaterialModel model,
    std::vector<double> youngs_modulus, std::vector<double> poissons_ratio, Threads& threads);

}  // namespace electret
