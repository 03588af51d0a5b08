#pragma once
/// \file
/// `[[body.springs]]`.

#include <optional>
#include <string>
#include <vector>

#include <electret/core/types.hpp>
#include <electret/scene/numbers.hpp>
#include <electret/scene/per_item.hpp>

namespace electret {

struct SceneTable;

/// `[[body.springs]]`: one table of springs.
struct SpringTable {
  std::string from = "edges";                 ///< edges | diagonals | bending | nearest | pairs | volume.
  std::optional<double> stiffness{};          ///< N/m; exactly one of stiffness, modulus, stiffnesses.
  std::optional<double> modulus{};            ///< N; stiffness = modulus / rest length.
  PerItem<double> stiffnesses{};              ///< N/m, one per spring.
  std::optional<double> rest_length_scale{};  ///< × initial length; not together with rest_lengths.
  PerItem<double> rest_lengths{};             ///< m, one per spring.
  int neighbours = 6;                         ///< For `nearest` only.
  std::vector<Edge> pairs{};                  ///< For `pairs` only; vertex indices of the body.
};

struct Spring {
  Index i = 0, j = 0;        ///< Global indices; i < j, but `from = "pairs"` keeps the scene's order.
  double stiffness = 0.0;    ///< N/m, ≥ 0.
  double rest_length = 0.0;  ///< m, ≥ 0.
};

/// Its kinds of numbers.
namespace number {
extern const NumberKind spring_stiffness, rest_lengths;
}

/// The table itself.
SceneTable springs_table();

}  // namespace electret
