#include <electret/scene/charge_tracks.hpp>

namespace electret {

std::vector<int> winning_charge_tracks(const Assembly& assembly) {
  std::vector<int> winner(assembly.charges.size(), -1);
  for (std::size_t k = 0; k < assembly.charge_tracks.size(); ++k)
    for (const Index vertex : assembly.charge_tracks[k].vertices)
      winner[static_cast<std::size_t>(vertex)] = static_cast<int>(k);
  return winner;
}

}  // namespace electret
