#pragma once
/// \file
/// The scene that gradients are checked on, and a loss that sees everything.

#include <string>
#include <vector>

#include <electret/dynamics/loss.hpp>
#include <electret/scene/assembly.hpp>

namespace electret::test {

/// Compressed and stretched springs, charges of both signs, held and moved pins, key-framed charges, external
/// charges, a field with a constant, loads, a grab, gravity, drag and spring damping: every kind of
/// parameter. `overrides` as of read.hpp.
Assembly adjoint_scene(const std::string& method, const std::vector<std::string>& overrides = {});

/// A solid body of two cells, "hex" or "tet", of `model` on one and of `corotated` on all elements, with
/// springs, charges, key-framed and elementwise muscles, a load, a held side and gravity; 20 steps.
Assembly solid_adjoint_scene(const std::string& method, const std::string& element, const std::string& model,
                             const std::vector<std::string>& overrides = {});

/// Two charged bodies in a plane and a sphere with friction, the one sliding, the other creeping; 12 steps.
Assembly obstacle_adjoint_scene(const std::string& method);

/// Two balls of tetrahedra that overlap and push each other, with friction; 12 steps.
Assembly ball_adjoint_scene(const std::string& method);

/// Σ over every third state of Σ_i (c_i·x_i + ½|x_i|² + d_i·v_i), with random c, d; and Σ m_i z_i at the end,
/// which depends on the masses directly.
class MixedLoss : public Loss {
 public:
  [[nodiscard]] bool reads(Count step, Count last_step) const override;
  void start() override { value_ = 0.0; }
  void observe(const LossPoint& at) override;
  [[nodiscard]] double value() const override { return value_; }
  void add_derivatives(const LossPoint& at, double factor, const LossGradients& out) override;

  std::vector<Count> observed;  ///< The steps, as they came.

 private:
  double value_ = 0.0;
};

}  // namespace electret::test
