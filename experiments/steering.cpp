#include "steering.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>

#include <electret/dynamics/simulator.hpp>
#include <electret/linear/symmetric_eigen.hpp>
#include <electret/render/charge_colours.hpp>

namespace electret::experiments {
namespace {

constexpr Colour plain{0.45, 0.66, 0.84}, spring_colour{0.55, 0.57, 0.62};

Colour colour_of(double charge, double largest) {
  return largest > 0.0 ? charge_colour(charge / largest) : plain;
}

void add_springs(const SteeredFrame& frame, const SteeredStyle& style, Picture& picture) {
  double mean = 0.0;
  for (const auto& [a, b] : style.springs)
    mean +=
        norm(frame.positions[static_cast<std::size_t>(a)] - frame.positions[static_cast<std::size_t>(b)]) /
        static_cast<double>(style.springs.size());
  const double rod = 0.012 * mean, ball = 0.09 * mean;
  for (const auto& [a, b] : style.springs)
    picture.rods.push_back({frame.positions[static_cast<std::size_t>(a)],
                            frame.positions[static_cast<std::size_t>(b)], rod, rod, spring_colour});
  for (std::size_t v = 0; v < frame.positions.size(); ++v)
    picture.balls.push_back(
        {frame.positions[v], ball, colour_of(frame.inputs.charges[v], style.largest_charge)});
}

}  // namespace

std::vector<SteeredFrame> steered_run(const Context& context, const SceneSource& scene, Count every,
                                      const std::string& what, double part, double share) {
  context.progress(what, part);
  Simulator simulator(compiled(context, scene));
  const Count last = simulator.system().assembly.scene.time.steps;
  std::vector<SteeredFrame> frames;
  for (Count step = 0;; ++step) {
    const State& state = simulator.state();
    if (step % every == 0)
      frames.push_back(
          {simulator.system().time(step), state.positions, state.velocities, simulator.inputs()});
    if (step == last) return frames;
    context.progress(what, part + share * static_cast<double>(step) / static_cast<double>(last));
    simulator.step();
  }
}

Vec3 centre(const VectorArray& positions) {
  std::vector<Index> all(positions.size());
  std::iota(all.begin(), all.end(), Index{0});
  return centre(positions, all);
}

Vec3 centre(const VectorArray& positions, const std::vector<Index>& members) {
  Vec3 sum;
  for (const Index v : members) sum += positions[static_cast<std::size_t>(v)];
  return (1.0 / static_cast<double>(members.size())) * sum;
}

double gyration(const VectorArray& positions, const std::vector<Index>& members) {
  const Vec3 middle = centre(positions, members);
  double sum = 0.0;
  for (const Index v : members) sum += squared_norm(positions[static_cast<std::size_t>(v)] - middle);
  return std::sqrt(sum / static_cast<double>(members.size()));
}

double spin(const SteeredFrame& frame) {
  const Vec3 middle = centre(frame.positions), drift = centre(frame.velocities);
  double momentum = 0.0, inertia = 0.0;
  for (std::size_t v = 0; v < frame.positions.size(); ++v) {
    const Vec3 x = frame.positions[v] - middle, u = frame.velocities[v] - drift;
    momentum += x.x * u.y - x.y * u.x;
    inertia += x.x * x.x + x.y * x.y;
  }
  return momentum / inertia;
}

Vec3 thin_axis(const VectorArray& positions) {
  const Vec3 middle = centre(positions);
  Rows moments(3, std::vector<double>(3));
  for (const Vec3& place : positions) {
    const Vec3 x = place - middle;
    for (int a = 0; a < 3; ++a)
      for (int b = 0; b < 3; ++b)
        moments[static_cast<std::size_t>(a)][static_cast<std::size_t>(b)] += x[a] * x[b];
  }
  const std::vector<double> axis = symmetric_eigen(moments).vectors.front();
  return {axis[0], axis[1], axis[2]};
}

double angle_between_axes(const Vec3& a, const Vec3& b) {
  return std::acos(std::min(std::abs(dot(a, b)), 1.0)) * 180.0 / std::numbers::pi;
}

Picture steered_picture(const SteeredFrame& frame, const SteeredStyle& style) {
  Picture picture;
  if (style.faces.empty()) {
    add_springs(frame, style, picture);
  } else {
    Surface surface{frame.positions, style.faces};
    for (const double charge : frame.inputs.charges)
      surface.colours.push_back(colour_of(charge, style.largest_charge));
    picture.surfaces.push_back(std::move(surface));
  }
  for (const PlacedCharge& charge : frame.inputs.external_charges)
    picture.balls.push_back(
        {charge.position, style.external_radius, charge_colour(charge.charge > 0.0 ? 1.0 : -1.0)});
  return picture;
}

}  // namespace electret::experiments
