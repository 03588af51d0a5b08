#pragma once
/// \file
/// A moment that pictures show like a frame of a run, but that is in no file.

#include <functional>
#include <vector>

#include <electret/core/types.hpp>
#include <electret/record/canvas.hpp>
#include <electret/record/run_bodies.hpp>
#include <electret/scene/assembly.hpp>

namespace electret {

struct PictureMoment {
  std::vector<RunBody> bodies{};
  double time = 0.0, time_step = 0.0;  ///< s.
  Vec3 up{0.0, 0.0, 1.0};              ///< Against gravity; a unit vector.
  VectorArray rest_positions{};        ///< n×3, m; they say how thick rods and balls are.
  VectorArray positions{};             ///< n×3, m.
  std::vector<double> values{};        ///< n: charges, C, or what colours show in their place.
  /// The charge at the ends of the scale, C; 0: the largest one.
  double largest = 0.0;
  /// The colour of a value; empty: that of a charge, as in pictures of runs.
  std::function<Colour(double)> colour{};
  std::vector<ExternalChargeTrack> external_charges{};
  std::vector<ObstacleTrack> obstacles{};
};

}  // namespace electret
