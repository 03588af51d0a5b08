#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include <electret/core/errors.hpp>
#include <electret/studio/session/shown_moment.hpp>

namespace electret::studio {
namespace {

/// The scales of the page (web/palette.ts).
constexpr std::array<Colour, 5> diverging_stops{{{0.129, 0.400, 0.675},
                                                 {0.573, 0.773, 0.871},
                                                 {0.957, 0.957, 0.949},
                                                 {0.957, 0.647, 0.510},
                                                 {0.698, 0.094, 0.169}}};
constexpr std::array<Colour, 5> sequential_stops{
    {{0.0, 0.13, 0.30}, {0.26, 0.30, 0.42}, {0.49, 0.48, 0.47}, {0.74, 0.68, 0.43}, {1.0, 0.92, 0.27}}};

Colour page_colour(const std::array<Colour, 5>& stops, double part) {
  if (!std::isfinite(part)) part = 0.5;
  const double at = std::clamp(part, 0.0, 1.0) * static_cast<double>(stops.size() - 1);
  const auto low = std::min(static_cast<std::size_t>(at), stops.size() - 2);
  const double t = at - static_cast<double>(low);
  const Colour &a = stops[low], &b = stops[low + 1];
  return {a.red + t * (b.red - a.red), a.green + t * (b.green - a.green), a.blue + t * (b.blue - a.blue)};
}

std::vector<double> first_of(const Floats& values, std::size_t count) {
  if (!values || values->size() < count) return {};
  return {values->begin(), values->begin() + static_cast<std::ptrdiff_t>(count)};
}

void add_balls(const Frame& frame, std::vector<ExternalChargeTrack>& tracks) {
  for (std::size_t k = 0; frame.balls && k + 4 < frame.balls->size(); k += 5) {
    const auto at = [&](std::size_t j) { return static_cast<double>((*frame.balls)[k + j]); };
    tracks.push_back({{Vec3{}},
                      KeyFrames<double>::constant(at(3)),
                      KeyFrames<Vec3>::constant(Vec3{at(0), at(1), at(2)} + frame.origin),
                      at(4)});
  }
}

}  // namespace

PictureMoment moment_of(ShownMoment shown) {
  const Scenery& scenery = shown.scenery;
  const std::size_t n = scenery.shown.vertices();
  PictureMoment moment;
  moment.bodies = scenery.shown.drawn_bodies();
  moment.time = shown.frame.time;
  moment.time_step = scenery.surroundings.time_step();
  moment.rest_positions = std::move(shown.rest_positions);
  moment.positions =
      shown.positions.empty() ? scenery.shown.vertices_of(shown.frame.positions) : std::move(shown.positions);
  moment.external_charges = scenery.surroundings.external_tracks(shown.frame.external, moment.time);
  add_balls(shown.frame, moment.external_charges);
  moment.obstacles = scenery.surroundings.obstacle_tracks();
  if (shown.scalar == "charge") {
    moment.values = shown.charges.empty() ? first_of(shown.frame.charges, n) : std::move(shown.charges);
    moment.largest = std::max(std::abs(shown.low), std::abs(shown.high));
    return moment;
  }
  moment.values = first_of(shown.frame.scalar, n);
  if (moment.values.size() != n)
    throw InputError(Finding{{}, "the picture has no values of what its colours show yet", "ask again"});
  bool is_symmetric = false;
  for (const ScalarInfo& each : scenery.info.scalars)
    if (each.name == shown.scalar) is_symmetric = each.symmetric;
  moment.colour = [is_symmetric, low = shown.low, high = shown.high](double value) {
    const double part = high > low ? (value - low) / (high - low) : 0.5;
    return page_colour(is_symmetric ? diverging_stops : sequential_stops, part);
  };
  return moment;
}

}  // namespace electret::studio
