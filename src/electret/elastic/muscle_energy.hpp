#pragma once
/// \file
/// The elastic energy of muscles: elements that pull towards a given stretch along a fibre [DiffPD].

#include <memory>
#include <vector>

#include <electret/core/parallel.hpp>
#include <electret/elastic/elastic_energy.hpp>
#include <electret/elastic/rest_shape.hpp>

namespace electret {

/// The muscle elements' part of a scene's activations.
struct Activations {
  std::size_t first = 0;       ///< Which of all activations the first element's is.
  std::vector<double> values;  ///< One for each element, until `set_activations`.
};

/// `elements`, tetrahedra or hexahedra, of the undeformed `shape`, with fibres along `fibre` at rest;
/// `stiffness` (Pa), one for each element, becomes the parameter 0. Bitwise the same for any number of
/// threads. Throws InternalError where sizes or types differ, for a fibre of length 0 and for negative
/// stiffnesses or activations. `threads` must outlive the energy.
std::unique_ptr<ElasticEnergy> make_muscle_energy(std::shared_ptr<ElementBlock> elements,
                                                  std::shared_ptr<const RestShape> shape, const Vec3& fibre,
                                                  std::vector<double> stiffness, Activations activations,
                                                  Threads& threads);

}  // namespace electret
