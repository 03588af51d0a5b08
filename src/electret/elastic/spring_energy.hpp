#pragma once
/// \file
/// Linear springs: E = Σ_s k_s/2 (|x_i - x_j| - l_s)² [Liu13 eq. 5]; the formulas are in spring_stencil.hpp.

#include <memory>
#include <vector>

#include <electret/core/parallel.hpp>
#include <electret/core/types.hpp>
#include <electret/elastic/elastic_energy.hpp>

namespace electret {

/// Springs between vertices of a body of `vertex_count`. `stiffness` (N/m) and `rest_length` (m) have one
/// entry per spring and become the parameters 0 "stiffness" and 1 "rest_length". Every operation is bitwise
/// the same for any number of threads and on any machine, and allocates nothing after the first call. Throws
/// InternalError if sizes differ, a value is negative, an index is out of range, or a spring's two ends are
/// one vertex. `threads` must outlive the energy.
std::unique_ptr<ElasticEnergy> make_spring_energy(Index vertex_count, const std::vector<Edge>& springs,
                                                  std::vector<double> stiffness,
                                                  std::vector<double> rest_length, Threads& threads);
/// The same for springs that other energies share.
std::unique_ptr<ElasticEnergy> make_spring_energy(std::shared_ptr<ElementBlock> springs,
                                                  std::vector<double> stiffness,
                                                  std::vector<double> rest_length, Threads& threads);

/// The reference for tests: the element loops alone, without the vectorised kernels.
std::unique_ptr<ElasticEnergy> make_reference_spring_energy(Index vertex_count,
                                                            const std::vector<Edge>& springs,
                                                            std::vector<double> stiffness,
                                                            std::vector<double> rest_length,
                                                            Threads& threads);
std::unique_ptr<ElasticEnergy> make_reference_spring_energy(std::shared_ptr<ElementBlock> springs,
                                                            std::vector<double> stiffness,
                                                            std::vector<double> rest_length,
                                                            Threads& threads);

}  // namespace electret
