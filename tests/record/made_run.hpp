#pragma once
/// \file
/// A made-up body and motion whose every number is known in advance: x = v-th vertex of frame f, by formula.

#include <vector>

#include <electret/record/trajectory_writer.hpp>

namespace electret::test {

/// Frame f, vertex i: positions (f + i/8, f·i, -f), velocities minus half of them, charges f - i; every
/// fourth vertex is pinned, reactions (i, -f, f·i/2). All exact in binary, in single precision too while f·i
/// < 2²⁴.
struct MadeRun {
  explicit MadeRun(Index count, bool charges_change) : changing(charges_change) {
    for (Index i = 0; i < count; ++i) {
      masses.push_back(1.0 + i);
      rest.push_back({0.5 * i, -1.0 * i, 2.0});
    }
    positions.resize(rest.size());
    velocities.resize(rest.size());
    charges.resize(rest.size());
    for (Index i = 0; i + 1 < count; ++i) springs.push_back({i, i + 1, 10.0 + i, 0.25 * i});
    for (Index i = 0; i < count; i += 4) pins.push_back(i);
    reactions.resize(pins.size());
    for (Index i = 0; i + 2 < count; i += 3) faces.push_back({i, i + 1, i + 2});
    body_offsets = {0, count};
  }

  [[nodiscard]] TrajectoryHeader header() const {
    TrajectoryHeader made = {masses,
                             charges,
                             changing,
                             rest,
                             springs,
                             faces,
                             body_offsets,
                             "[time]\nstep = 0.5\n",
                             "body.0.mass=2\ntime.step = 0.5",
                             0.5,
                             {"one"},
                             groups};
    made.pins = pins;
    return made;
  }

  FrameView frame(Count f) {
    const auto number = static_cast<double>(f);
    for (std::size_t i = 0; i < positions.size(); ++i) {
      const auto vertex = static_cast<double>(i);
      positions[i] = {number + vertex / 8, number * vertex, -number};
      velocities[i] = -0.5 * positions[i];
      charges[i] = number - vertex;
    }
    for (std::size_t k = 0; k < pins.size(); ++k)
      reactions[k] = {static_cast<double>(pins[k]), -number, 0.5 * number * pins[k]};
    return {0.5 * number, positions, velocities, charges, reactions};
  }

  bool changing;
  std::vector<double> masses, charges;
  VectorArray rest, positions, velocities, reactions;
  std::vector<Index> pins;
  std::vector<Spring> springs;
  std::vector<Triangle> faces;
  std::vector<Count> body_offsets;
  std::vector<NamedGroup> groups = {{0, "ends", {0}}, {0, "a/b", {}}};
};

}  // namespace electret::test
