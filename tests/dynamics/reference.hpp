#pragma once
/// \file
/// The oracle: physics.md §1-2 written a second time, as plainly as it is printed there, with dense algebra
/// and none of the library's forces, solvers or integrators.

#include <electret/dynamics/system.hpp>

namespace electret::test {

/// Forces and steps of an assembly with springs, Coulomb (with softening), gravity, drag, spring damping and
/// pins. Charges are the assembly's own.
class Reference {
 public:
  explicit Reference(Assembly assembly);

  State start() const;
  /// One step of `scene.integrator.method`.
  void step(State& state) const;

  VectorArray elastic_gradient(const VectorArray& x) const;
  double elastic_energy(const VectorArray& x) const;
  double coulomb_energy(const VectorArray& x) const;
  VectorArray explicit_force(const VectorArray& x, const VectorArray& v) const;
  /// argmin ½ (x-y)ᵀM(x-y) + a E(x) over free vertices, pins staying at y: Newton's method, dense, exact
  /// Hessian, clamped where indefinite, from y.
  VectorArray minimise(const VectorArray& y, double a) const;
  bool pinned(std::size_t vertex) const { return pinned_[vertex] != 0; }

 private:
  VectorArray force_without_drag(const VectorArray& x, const VectorArray& v) const;
  VectorArray total_force(const VectorArray& x, const VectorArray& v) const;
  VectorArray places(double time) const;
  void hold(State& state, Count from_step) const;
  /// One step of a kick method: half a kick with drag as a factor, the springs' `flow`, the same backwards.
  template <class Flow>
  void kicked_step(State& state, Flow&& flow) const;
  void half_kick(const VectorArray& x, VectorArray& v) const;
  void slow(VectorArray& v) const;
  void midpoint(State& state, Count from_step) const;
  void trbdf2(State& state, Count from_step) const;
  void linear_implicit(State& state, Count from_step) const;

  Assembly assembly_;
  std::vector<char> pinned_;
};

}  // namespace electret::test
