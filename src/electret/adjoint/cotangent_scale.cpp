#include <algorithm>
#include <cmath>
#include <vector>

#include <electret/adjoint/cotangent_scale.hpp>
#include <electret/scene/assembly.hpp>

namespace electret {
namespace {

void multiply_one(double& number, double factor) {
  number *= factor;
}
void multiply_one(Vec3& vector, double factor) {
  vector = factor * vector;
}
void multiply_one(PinholeGradient& by, double factor) {
  multiply_one(by.rotate, factor);
  multiply_one(by.translate, factor);
  multiply_one(by.zoom, factor);
}
void multiply_one(InputGradients& by, double factor) {
  for (const InputField* field : input_fields) {
    if (field->columns == 0) continue;
    const InputRows<double> rows = rows_of(*field, by);
    for (std::size_t r = 0; r < rows.count; ++r)
      for (std::size_t c = 0; c < field->columns; ++c) rows(r, c) *= factor;
  }
}
template <class Item>
void multiply_one(std::vector<Item>& items, double factor) {
  for (Item& item : items) multiply_one(item, factor);
}

}  // namespace

double largest_of(const StepCotangent& cotangent) {
  double largest = 0.0;
  const auto take = [&](double number) {
    if (!(std::abs(number) <= largest) && !std::isnan(largest)) largest = std::abs(number);
  };
  for (const VectorArray* array : {&cotangent.positions, &cotangent.velocities})
    for (const Vec3& d : *array) take(d.x), take(d.y), take(d.z);
  for (const auto& array : cotangent.memory.arrays)
    for (const double number : array.values) take(number);
  return largest;
}

double scale_for(double largest) {
  constexpr int within = 256, most = 1000;  // 2^±1000 has an inverse.
  if (!(largest > 0.0) || !std::isfinite(largest)) return 1.0;
  const int exponent = std::ilogb(largest);
  return std::abs(exponent) <= within ? 1.0 : std::ldexp(1.0, std::clamp(-exponent, -most, most));
}

void multiply(StepCotangent& by, double factor) {
  multiply_one(by.positions, factor);
  multiply_one(by.velocities, factor);
  multiply_one(by.position_force, factor);
  for (auto& array : by.memory.arrays) multiply_one(array.values, factor);
}

void multiply(StepInputGradients& by, double factor) {
  multiply_one(by.start, factor);
  multiply_one(by.end, factor);
  multiply_one(by.stages, factor);
}

void multiply(ParameterGradients& by, double factor) {
  multiply_one(by.masses, factor);
  multiply_one(by.elastic, factor);
  multiply_one(by.forces, factor);
  multiply_one(by.contacts, factor);
  multiply_one(by.body_frictions, factor);
  multiply_one(by.body_scales, factor);
  multiply_one(by.cameras, factor);
  multiply_one(by.rest_positions, factor);
}

void multiply(AssemblyGradient& by, const Assembly& assembly, double factor) {
  for (const NumberKind* kind : number_kinds())
    for (std::size_t k = 0; k < kind->arrays(assembly); ++k)
      for (double& number : by.scalars({*kind, k})) number *= factor;
}

}  // namespace electret
