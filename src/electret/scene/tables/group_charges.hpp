#pragma once
/// \file
/// `[[body.group_charge]]`.

#include <string>
#include <vector>

#include <electret/scene/keyframes.hpp>
#include <electret/scene/numbers.hpp>

namespace electret {

struct SceneTable;

/// `[[body.group_charge]]`: the charge of a group. It replaces the body's own charge. Later entries win.
struct GroupCharge {
  std::string group{};
  KeyFrames<double> charge{};  ///< C; one key when given by `value`.
  bool key_framed = false;     ///< Written with times + values.
};

/// The charges of some vertices over time. Tracks are applied in order; later ones win.
struct ChargeTrack {
  std::vector<Index> vertices;  ///< Global indices.
  KeyFrames<double> charge;     ///< C.
  bool key_framed = false;
  std::string name;  ///< "body.NAME.charge[GROUP]".
};

/// Its kinds of numbers.
namespace number {
extern const NumberKind group_charges;
}

/// The table itself.
SceneTable group_charge_table();

}  // namespace electret
