#pragma once
/// \file
/// Turning a device's sums into the caller's units, and adding the pairs that the device left out.

#include <electret/field/gpu/direct/solver.hpp>

namespace electret::gpu {

template <class T>
template <class Put, class Pair>
void DirectDeviceSolver<T>::give_out(const HostTask& task, Put put, Pair pair) {
  const double length = frame_.scale, per_charge = 1.0 / task.charge_scale,
               per_vector = 1.0 / task.vector_scale;
  const double potential = length * per_charge, field = length * potential;
  const double charge_product = field * per_vector, product = length * charge_product;
  const auto rest = close_.sorted();
  std::size_t next = 0;
  const auto at = [](VectorView vectors, std::size_t i) { return vectors.empty() ? Vec3{} : vectors[i]; };
  for (std::size_t i = 0; i < task.targets.size(); ++i) {
    ExactSums sums;
    const Row4<T>& f = result_.field[i];
    sums.field = field * Vec3{f.x, f.y, f.z};
    sums.potential = potential * f.w;
    if (!result_.product.empty()) {
      const Row4<T>& p = result_.product[i];
      sums.product = product * Vec3{p.x, p.y, p.z};
      sums.charge_product = charge_product * p.w;
    }
    for (; next < rest.size() && static_cast<std::size_t>(rest[next].x) == i; ++next) {
      const auto j = static_cast<std::size_t>(rest[next].y);
      pair(rest[next]);
      const ExactSums one =
          exact_pair(task.targets[i], task.sources[j], task.charges.empty() ? 1.0 : task.charges[j],
                     options_.softening, at(task.target_vectors, i), at(task.source_vectors, j));
      sums.field += one.field, sums.product += one.product;
      sums.potential += one.potential, sums.charge_product += one.charge_product;
    }
    put(i, sums);
  }
}

}  // namespace electret::gpu
