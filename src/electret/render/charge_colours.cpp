#include <algorithm>
#include <array>
#include <cmath>

#include <electret/core/digits.hpp>
#include <electret/render/charge_colours.hpp>

namespace electret {
namespace {

// From blue over white to red. Each half darkens evenly to the eye and stays light enough for shading to be
// seen.
constexpr std::array<Colour, 7> stops{{{0.10, 0.36, 0.78},
                                       {0.30, 0.58, 0.86},
                                       {0.65, 0.81, 0.93},
                                       {0.96, 0.96, 0.95},
                                       {0.98, 0.75, 0.64},
                                       {0.93, 0.47, 0.36},
                                       {0.82, 0.17, 0.16}}};

struct Prefix {
  double unit;
  const char* sign;
};
constexpr std::array<Prefix, 6> prefixes{
    {{1.0, ""}, {1e-3, "m"}, {1e-6, "µ"}, {1e-9, "n"}, {1e-12, "p"}, {1e-15, "f"}}};

}  // namespace

Colour charge_colour(double part) {
  if (std::isnan(part)) part = 0.0;
  const double at = (std::clamp(part, -1.0, 1.0) + 1.0) * 0.5 * (stops.size() - 1);
  const auto low = std::min(static_cast<std::size_t>(at), stops.size() - 2);
  const double t = at - static_cast<double>(low);
  const Colour &a = stops[low], &b = stops[low + 1];
  return {a.red + t * (b.red - a.red), a.green + t * (b.green - a.green), a.blue + t * (b.blue - a.blue)};
}

std::string charge_text(double charge) {
  if (charge == 0.0) return "0";
  const auto* prefix = std::find_if(prefixes.begin(), prefixes.end() - 1, [&](const Prefix& each) {
    return std::abs(charge) >= 0.9995 * each.unit;
  });
  return general_text(charge / prefix->unit, 3) + " " + prefix->sign + "C";
}

}  // namespace electret
