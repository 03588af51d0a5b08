#include <array>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <string_view>
#include <vector>

#include <electret/scene/expression.hpp>

/// Parses the text and evaluates it: with and without derivatives the value is the same.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(bytes), size);
  std::vector<electret::ExpressionError> errors;
  const auto expression = electret::Expression::parse(text, {"a", "b"}, errors);
  for (const auto& error : errors)
    if (error.position > size) std::abort();
  if (!errors.empty() || expression.empty()) return 0;
  const std::array<double, 2> constants{0.5, -2.0};
  std::array<double, 2> d_constants{};
  electret::Vec3 d_position;
  const electret::Vec3 x{0.3, -0.7, 1.1};
  const double value = expression.value(x, 0.2, constants);
  const double same = expression.value_and_gradient(x, 0.2, constants, d_position, d_constants);
  if (value != same && !(std::isnan(value) && std::isnan(same))) std::abort();
  return 0;
}
