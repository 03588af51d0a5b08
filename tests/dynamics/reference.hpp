#pragma once
/// \file
/// The oracle of energies and of an implicit stage. It is docs/physics.md, "Forces" and "Time integrators",
/// written a second time as plainly as it is printed there, with dense algebra and none of the library's
/// forces or solvers. The oracle of whole methods is in tests/end_to_end/oracle.

#include <electret/dynamics/system.hpp>

namespace electret::test {

/// Springs, Coulomb potentials (with softening) and pins of an assembly. Charges are the assembly's own.
class Reference {
 public:
  explicit Reference(Assembly assembly);

  VectorArray elastic_gradient(const VectorArray& x) const;
  double elastic_energy(const VectorArray& x) const;
  double coulomb_energy(const VectorArray& x) const;
  /// argmin ½ (x-y)ᵀM(x-y) + a E(x) over the free vertices; pins stay at y. By Newton's method from y, with
  /// the dense exact Hessian, which is clamped where it is indefinite.
  VectorArray minimise(const VectorArray& y, double a) const;
  bool pinned(std::size_t vertex) const { return pinned_[vertex] != 0; }

 private:
  Assembly assembly_;
  std::vector<char> pinned_;
};

}  // namespace electret::test
