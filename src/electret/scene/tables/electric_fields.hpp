#pragma once
/// \file
/// `[[electric_field]]`.

#include <array>
#include <map>
#include <string>

#include <electret/scene/expression.hpp>
#include <electret/scene/numbers.hpp>

namespace electret {

struct SceneTable;

/// `[[electric_field]]`: three expressions in x, y, z, t (m, s), N/C.
struct ElectricField {
  std::array<std::string, 3> expression{};
  std::map<std::string, double> constants{};
};

/// Its kinds of numbers.
namespace number {
extern const NumberKind field_constants;
}

/// The table itself.
SceneTable electric_field_table();

}  // namespace electret
