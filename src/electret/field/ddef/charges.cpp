#include <electret/field/ddef/charges.hpp>
#include <electret/field/direct/arrays.hpp>

namespace electret::ddef {

void SortedCharges::assign(const SortedPoints& sources, ScalarView charges, bool with_float32) {
  scale = direct::power_of_two_scale(charges);
  float64.assign(static_cast<std::size_t>(sources.size() + padding), 0.0);
  for (Count k = 0; k < sources.size(); ++k)
    float64[static_cast<std::size_t>(k)] = scale * charges[sources.caller(k)];
  if (!with_float32) return;
  float32.resize(float64.size());
  std::transform(float64.begin(), float64.end(), float32.begin(),
                 [](double q) { return static_cast<float>(q); });
}

}  // namespace electret::ddef
