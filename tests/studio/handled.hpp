#pragma once
/// \file
/// A played session whose hands are looked at.

#include <algorithm>
#include <string>
#include <vector>

#include "studio/played.hpp"
#include "studio/replayed.hpp"

namespace electret::test {

/// A machine whose hands are looked at.
class Handled : public Played {
 public:
  using Played::Played;

  [[nodiscard]] const std::vector<studio::HandInfo>& hands() const {
    return heard.last<studio::HandsInfo>()->hands;
  }
  /// The kinds of what pulls, as the pages were told.
  [[nodiscard]] std::vector<std::string> kinds() const {
    std::vector<std::string> kinds;
    for (const studio::HandInfo& hand : hands()) kinds.push_back(hand.kind);
    return kinds;
  }
  [[nodiscard]] Vec3 place(std::size_t vertex) const { return state().positions[vertex]; }
  /// Takes hold of a vertex and pulls it by `by`.
  void pull(std::size_t vertex, double brush, const Vec3& by, int page = 1, int hand = 0) {
    const Vec3 at = place(vertex);
    must(studio::HandBegin{hand, static_cast<Count>(vertex), brush, at}, page);
    must(studio::HandMove{hand, at + by}, page);
  }
  /// Ends the session; the checkpoint that it wrote.
  Checkpoint finished() {
    machine->finish();
    machine.reset();
    return read_checkpoint(options.output + "/checkpoint.h5");
  }
  [[nodiscard]] std::string session() const { return options.output + "/session.toml"; }
  Checkpoint repeated(int threads) const { return run_again(session(), folder.path() + "/again", threads); }
};

/// Few states are kept, so that going back takes steps.
inline constexpr studio::PastLimits few_states{std::size_t{256} << 20, 5000};

/// The largest coordinate of all vertices.
inline double farthest(const Handled& session) {
  double most = 0.0;
  for (const Vec3& x : session.state().positions) most = std::max(most, norm(x));
  return most;
}

inline std::string blob_scene(const std::string& step, const std::string& stiffness,
                              const std::string& rest = "") {
  return "[time]\nstep = " + step +
         "\nsteps = 100000\n[integrator]\nmethod = \"imex\"\n"
         "[[body]]\nname = \"blob\"\ngenerate = { shape = \"blob\", vertices = 150 }\nmass = 0.05\n"
         "[[body.springs]]\nfrom = \"nearest\"\nneighbours = 16\nstiffness = " +
         stiffness + "\n" + rest;
}

}  // namespace electret::test
