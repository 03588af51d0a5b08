#pragma once
/// \file
/// Which of several group charges a vertex takes.

#include <vector>

#include <electret/scene/assembly.hpp>

namespace electret {

/// For each vertex the number of the charge track whose charge it takes (later ones win), -1 where it has the
/// body's own: n.
std::vector<int> winning_charge_tracks(const Assembly& assembly);

}  // namespace electret
