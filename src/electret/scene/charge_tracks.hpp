#pragma once
/// \file
/// Which of several group charges applies to a vertex.

#include <vector>

#include <electret/scene/assembly.hpp>

namespace electret {

/// n numbers: for each vertex that of the charge track that applies to it (later ones win), or -1 if it has
/// its body's own charge.
std::vector<int> winning_charge_tracks(const Assembly& assembly);

}  // namespace electret
