#pragma once
/// \file
/// The elastic energy of muscles, which are elements that pull towards a given stretch along a fibre
/// [DiffPD].

#include <memory>
#include <vector>

#include <electret/core/parallel.hpp>
#include <electret/elastic/elastic_energy.hpp>
#include <electret/elastic/rest_shape.hpp>

namespace electret {

/// One muscle's part of a scene's activations.
struct Activations {
  std::size_t first = 0;       ///< The index of the first element's activation among all.
  std::vector<double> values;  ///< One per element, until `set_activations`.
};

/// The muscle made of `elements` (tetrahedra or hexahedra) with the undeformed `shape` and `fibres` at rest,
/// one per element, of any length but 0. `stiffness` (Pa, one per element) becomes the parameter 0. Bitwise
/// the same for any number of threads. Throws InternalError if sizes or types differ, for a fibre of length
/// 0, for negative stiffnesses, and for activations that are not finite. Below 0 an activation aims at a
/// stretch that cannot be, and the muscle pulls at any length. `threads` must outlive the energy.
std::unique_ptr<ElasticEnergy> make_muscle_energy(std::shared_ptr<ElementBlock> elements,
                                                  std::shared_ptr<const RestShape> shape,
                                                  std::vector<Vec3> fibres, std::vector<double> stiffness,
                                                  Activations activations, Threads& threads);

/// The reference for tests: the element loops alone.
std::unique_ptr<ElasticEnergy> make_reference_muscle_energy(std::shared_ptr<ElementBlock> elements,
                                                            std::shared_ptr<const RestShape> shape,
                                                            std::vector<Vec3> fibres,
                                                            std::vector<double> stiffness,
                                                            Activations activations, Threads& threads);

}  // namespace electret
