#pragma once
/// \file
/// `[[body.muscle]]`.

#include <map>
#include <optional>
#include <string>
#include <vector>

#include <electret/scene/activation_formula.hpp>
#include <electret/scene/keyframes.hpp>
#include <electret/scene/numbers.hpp>
#include <electret/scene/per_item.hpp>
#include <electret/scene/tables/element_groups.hpp>

namespace electret {

struct SceneTable;

/// How a muscle's fibres run at rest, world axes.
struct FibreDirection {
  Vec3 along{};                  ///< Of every element; any length but 0.
  std::optional<Vec3> around{};  ///< If given, the axis around which they run, through the body's middle.
};

/// `[[body.muscle]]`: elements that pull towards a target stretch along a fibre. Exactly one of fibre and
/// fibres, and of activation, activations, keys and expression.
struct Muscle {
  std::string group{};                        ///< An element group; empty: all elements.
  std::optional<FibreDirection> fibre{};      ///< Of all elements.
  double stiffness = 0.0;                     ///< Pa, > 0.
  std::optional<double> activation{};         ///< Target stretch: 1 at rest.
  PerItem<double> activations{};              ///< One per element, in the group's order.
  KeyFrames<double> keys{};                   ///< The same for all elements, over time.
  PerItem<Vec3> fibres{};                     ///< One per element, in the group's order; any length but 0.
  std::string expression{};                   ///< The same for all elements, in t, h (s) and the constants.
  std::map<std::string, double> constants{};  ///< Of the expression.
};

/// One `[[body.muscle]]`. Stiffnesses and activations are listed for its tetrahedra first, then for its
/// hexahedra.
struct MuscleTrack {
  std::size_t body = 0;  ///< The body's number.
  ElementSet elements;
  std::vector<Vec3> fibres;         ///< At rest; unit vectors, one per element.
  std::vector<double> stiffness;    ///< Pa, one per element.
  std::vector<double> activations;  ///< One per element; empty if they change.
  KeyFrames<double> keys;           ///< The same for all elements; empty: not key-framed.
  ActivationFormula formula;        ///< The same for all elements; empty: none.
  std::string name;                 ///< "body.NAME.muscle.I".

  /// Whether all elements have the same activation, which is a function of time.
  [[nodiscard]] bool changes() const { return !keys.empty() || !formula.empty(); }
};

/// Its kinds of numbers.
namespace number {
extern const NumberKind muscle_stiffness, activations, activation_keys, activation_constants;
}

/// The table itself.
SceneTable muscle_table();

}  // namespace electret
