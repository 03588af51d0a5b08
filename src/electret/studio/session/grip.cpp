#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include <electret/elastic/elastic_energy.hpp>
#include <electret/geometry/measure.hpp>
#include <electret/studio/session/grip.hpp>

namespace electret::studio {
namespace {

/// γ of most methods, and of that which damps nothing.
constexpr double usual_part = 0.3, undamped_part = 0.05;
constexpr std::string_view undamped = "kick_midpoint";
/// Their pulls kick at a step's ends, which the compliance of a whole step does not show: there the kicks may
/// cancel.
constexpr std::array<std::string_view, 2> kicking = {undamped, "kick_trbdf2"};
/// τ, s.
constexpr double time_constant = 0.03;
/// A trial force moves a free grip so much of its body's diagonal.
constexpr double trial_part = 3e-3;

/// Sums the majoriser's diagonal where a grip holds.
class WeightedDiagonal final : public ScalarMatrixSink {
 public:
  explicit WeightedDiagonal(const Grip& grip) : grip_(grip) {}
  void add(Index row, Index column, double value) override {
    if (row != column) return;
    const auto found = std::lower_bound(grip_.vertices.begin(), grip_.vertices.end(), row);
    if (found == grip_.vertices.end() || *found != row) return;
    sum += grip_.weights[static_cast<std::size_t>(found - grip_.vertices.begin())] * value;
  }
  double sum = 0.0;

 private:
  const Grip& grip_;
};

double diagonal_of(VectorView x) {
  const BoundingBox box = bounding_box(x);
  return norm(box.high - box.low);
}

struct Near {
  double squared = 0.0;  ///< Distance from the point.
  Index vertex = 0;
};

/// The body's free vertices by their distance from `place`.
std::vector<Near> by_distance(const System& system, const BodyInfo& body, VectorView x, const Vec3& place) {
  std::vector<Near> near;
  for (Count i = body.first; i < body.first + body.count; ++i) {
    const auto vertex = static_cast<Index>(i);
    if (std::binary_search(system.fixed.begin(), system.fixed.end(), vertex)) continue;
    near.push_back({squared_norm(x[static_cast<std::size_t>(i)] - place), vertex});
  }
  std::sort(near.begin(), near.end(), [](const Near& a, const Near& b) {
    return a.squared != b.squared ? a.squared < b.squared : a.vertex < b.vertex;
  });
  return near;
}

void weigh(std::vector<Near> near, double brush, Grip& grip) {
  const double reach = brush * brush;
  std::size_t held = 1;
  while (held < near.size() && held < most_held && near[held].squared < reach) ++held;
  near.resize(held);
  std::sort(near.begin(), near.end(), [](const Near& a, const Near& b) { return a.vertex < b.vertex; });
  double sum = 0.0;
  for (const Near& each : near) {
    const double fall = each.squared < reach ? 1.0 - each.squared / reach : 0.0;
    grip.vertices.push_back(each.vertex);
    grip.weights.push_back(held == 1 ? 1.0 : fall * fall);
    sum += grip.weights.back();
  }
  for (double& weight : grip.weights) weight /= sum;
}

}  // namespace

Vec3 weighted_mean(const std::vector<Index>& vertices, const std::vector<double>& weights, VectorView a) {
  Vec3 sum;
  for (std::size_t k = 0; k < vertices.size(); ++k)
    sum += weights[k] * a[static_cast<std::size_t>(vertices[k])];
  return sum;
}

void weigh_anew(const System& system, Grip& grip) {
  double mobility = 0.0;
  for (std::size_t k = 0; k < grip.vertices.size(); ++k)
    mobility +=
        grip.weights[k] * grip.weights[k] / system.masses()[static_cast<std::size_t>(grip.vertices[k])];
  grip.mass = 1.0 / mobility;
  WeightedDiagonal diagonal(grip);
  for (const auto& energy : system.elastic) energy->add_majoriser(diagonal);
  grip.stiffness = diagonal.sum;
}

std::optional<Grip> grip_at(const System& system, const Shown& shown, VectorView x, std::size_t point,
                            double brush) {
  const BodyInfo& body = shown.bodies()[shown.body_of_point(point)];
  const Vec3 place = shown.place(point, x);
  std::vector<Near> near = by_distance(system, body, x, place);
  if (near.empty()) return std::nullopt;
  // Beside a pinned vertex that was meant, nothing is taken in its place.
  const bool is_vertex = point < shown.vertices();
  if (is_vertex && near.front().squared > 0.0 && near.front().squared >= brush * brush) return std::nullopt;
  Grip grip;
  weigh(std::move(near), brush, grip);
  weigh_anew(system, grip);
  const double size =
      diagonal_of(x.subspan(static_cast<std::size_t>(body.first), static_cast<std::size_t>(body.count)));
  grip.diagonal = size > 0.0 ? size : shown.size();
  return grip;
}

GripStrength strength_of(const Grip& grip, double compliance, double time_step, std::string_view method,
                         double share, double beside) {
  const double part = (method == undamped ? undamped_part : usual_part) * std::exp2(-beside);
  const double of_free = time_step * time_step / grip.mass;
  double c = compliance > 0.0 ? compliance : 3.0 * of_free;
  if (std::find(kicking.begin(), kicking.end(), method) != kicking.end()) c = std::max(c, 0.5 * of_free);
  const double k = share * std::min(part / c, grip.mass / (time_constant * time_constant) + grip.stiffness);
  return {k, std::min(2.0 * std::sqrt(k * grip.mass), part * time_step / c)};
}

double overlap(const System& system, const Grip& grip, const std::vector<Index>& vertices,
               const std::vector<double>& weights) {
  const ScalarView m = system.masses();
  double both = 0.0, own = 0.0;
  std::size_t at = 0;
  for (std::size_t k = 0; k < vertices.size(); ++k) {
    const double mobility = weights[k] / m[static_cast<std::size_t>(vertices[k])];
    own += weights[k] * mobility;
    while (at < grip.vertices.size() && grip.vertices[at] < vertices[k]) ++at;
    if (at < grip.vertices.size() && grip.vertices[at] == vertices[k]) both += grip.weights[at] * mobility;
  }
  return both > 0.0 ? both * std::sqrt(grip.mass / own) : 0.0;
}

bool may_reach_beyond(std::string_view method) {
  return method != undamped;
}

double trial_force(const Grip& grip, double time_step) {
  return trial_part * grip.diagonal * grip.mass / (time_step * time_step);
}

}  // namespace electret::studio
