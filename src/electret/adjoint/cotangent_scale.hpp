#pragma once
/// \file
/// Factors of the derivatives that a reverse sweep carries. Backward solves square them, and the squares of
/// very large or small ones leave the range of numbers.

#include <electret/dynamics/backward.hpp>
#include <electret/scene/numbers.hpp>

namespace electret {

/// The largest |derivative| with respect to positions, velocities and the method's memory; NaN if one is NaN.
[[nodiscard]] double largest_of(const StepCotangent& cotangent);

/// A power of two, so that multiplying by it rounds nothing, that takes `largest` to 1 … 2. It is 1 for 0,
/// for what is not finite, and for what is well within the range: 2^±256.
[[nodiscard]] double scale_for(double largest);

void multiply(StepCotangent& by, double factor);
void multiply(StepInputGradients& by, double factor);
void multiply(ParameterGradients& by, double factor);
/// `assembly` is the one to whose shape the gradient was made.
void multiply(AssemblyGradient& by, const Assembly& assembly, double factor);

}  // namespace electret
