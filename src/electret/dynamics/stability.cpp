#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>

#include <nanoflann.hpp>

#include <electret/core/arguments.hpp>
#include <electret/dynamics/elastic_inputs.hpp>
#include <electret/dynamics/noise.hpp>
#include <electret/dynamics/stability.hpp>
#include <electret/dynamics/vector_sums.hpp>
#include <electret/geometry/point_cloud.hpp>
#include <electret/geometry/point_search.inl>

namespace electret {
namespace {

using Cloud = PointCloud<VectorView>;
using Tree =
    nanoflann::KDTreeSingleIndexAdaptor<nanoflann::L2_Simple_Adaptor<double, Cloud>, Cloud, 3, std::size_t>;

/// The estimate in `suggested_step` of how near charges come to each other, as a fraction of their distance
/// at the start.
constexpr double closest_approach = 0.5;

class PairSearch {
 public:
  PairSearch(const System& system, VectorView positions, ScalarView charges) : charges_(charges) {
    const FieldOptions& options = *system.assembly.scene.coulomb;
    strength_ = 2.0 * options.constant;
    softening_squared_ = options.softening * options.softening;
    inverse_masses_.reserve(charges.size());
    for (const double m : system.masses()) inverse_masses_.push_back(1.0 / m);
    for (const Index pin : system.fixed) inverse_masses_[static_cast<std::size_t>(pin)] = 0.0;
    for (std::size_t i = 0; i < charges.size(); ++i) {
      if (charges[i] == 0.0 || !is_finite(positions[i])) continue;
      vertices_.push_back(static_cast<Index>(i));
      positions_.push_back(positions[i]);
      lightest_ = std::max(lightest_, inverse_masses_[i]);
    }
  }

  ChargePair fastest() {
    if (positions_.size() < 2) return best_;
    const Cloud cloud{positions_};
    const Tree tree(3, cloud);
    for (std::size_t k = 0; k < positions_.size(); ++k) consider_nearest(tree, k);
    if (!(best_.frequency > 0.0) || !std::isfinite(best_.frequency)) return best_;
    for (std::size_t k = 0; k < positions_.size(); ++k) consider_faster(tree, k);
    return best_;
  }

 private:
  [[nodiscard]] std::size_t vertex(std::size_t k) const { return static_cast<std::size_t>(vertices_[k]); }

  void consider(std::size_t k, std::size_t l, double squared_distance) {
    const std::size_t i = std::min(vertex(k), vertex(l)), j = std::max(vertex(k), vertex(l));
    const double rho = std::sqrt(squared_distance + softening_squared_);
    const double pull = strength_ * std::abs(charges_[i] * charges_[j]);
    const double frequency = std::sqrt(pull * (inverse_masses_[i] + inverse_masses_[j]) / (rho * rho * rho));
    const auto lower = std::pair(static_cast<Index>(i), static_cast<Index>(j));
    if (frequency > best_.frequency || (frequency == best_.frequency && lower < std::pair(best_.i, best_.j)))
      best_ = {lower.first, lower.second, std::sqrt(squared_distance), frequency};
  }

  void consider_nearest(const Tree& tree, std::size_t k) {
    std::size_t found[2];
    double squared_distance[2];
    const std::size_t count = tree.knnSearch(&positions_[k].x, 2, found, squared_distance);
    for (std::size_t r = 0; r < count; ++r)
      if (found[r] != k) consider(k, found[r], squared_distance[r]);
  }

  /// Every pair faster than the best so far lies within this distance of its more strongly charged end.
  void consider_faster(const Tree& tree, std::size_t k) {
    const std::size_t i = vertex(k);
    const double pull = strength_ * charges_[i] * charges_[i] * (inverse_masses_[i] + lightest_);
    const double rho = std::cbrt(pull / (best_.frequency * best_.frequency));
    const double reach = rho * rho - softening_squared_;
    if (!(reach > 0.0)) return;
    find_within(tree, positions_[k], reach, near_);
    for (const auto& [l, squared_distance] : near_)
      if (l != k) consider(k, l, squared_distance);
  }

  ScalarView charges_;
  double strength_ = 0.0, softening_squared_ = 0.0, lightest_ = 0.0;
  std::vector<double> inverse_masses_;
  std::vector<Index> vertices_;  ///< The charged ones,
  VectorArray positions_;        ///< and where they are, m.
  std::vector<NearPoint> near_;
  ChargePair best_;
};

/// Times at which key-framed charges may be largest within the run: the run's ends, the keys, and extrema
/// between the keys of a cubic.
std::vector<double> telling_times(const KeyFrames<double>& keys, double end) {
  std::vector<double> times{0.0, end};
  for (std::size_t k = 0; k < keys.times.size(); ++k) {
    times.push_back(keys.times[k]);
    if (k > 0) times.push_back(0.5 * (keys.times[k - 1] + keys.times[k]));
  }
  std::erase_if(times, [&](double t) { return t < 0.0 || t > end; });
  return times;
}

}  // namespace

ChargePair fastest_charge_pair(const System& system, VectorView positions, ScalarView charges) {
  require_argument(positions.size() == system.masses().size() && charges.size() == positions.size(),
                   "the positions or charges are not as many as the system's vertices");
  if (!system.assembly.scene.coulomb) return {};
  return PairSearch(system, positions, charges).fastest();
}

std::vector<double> largest_charges(const System& system) {
  const Assembly& assembly = system.assembly;
  const double end = system.time(assembly.scene.time.steps);
  std::vector<double> largest;
  for (const double charge : assembly.charges) largest.push_back(std::abs(charge));
  for (const ChargeTrack& track : assembly.charge_tracks) {  // Later ones win.
    double size = 0.0;
    for (const double t : telling_times(track.charge, end))
      size = std::max(size, std::abs(evaluate(track.charge, t, system.time_step)));
    for (const Index vertex : track.vertices) largest[static_cast<std::size_t>(vertex)] = size;
  }
  return largest;
}

double charge_frequency_bound(const System& system, ScalarView charges, double distance) {
  require_argument(charges.size() == system.masses().size(),
                   "the charges are not as many as the system's vertices");
  if (!system.assembly.scene.coulomb) return 0.0;
  const FieldOptions& options = *system.assembly.scene.coulomb;
  double largest = 0.0, lightest = std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < charges.size(); ++i) {
    if (charges[i] == 0.0) continue;
    largest = std::max(largest, std::abs(charges[i]));
    lightest = std::min(lightest, system.masses()[i]);
  }
  if (largest == 0.0) return 0.0;
  const double rho = std::hypot(distance, options.softening);
  return std::sqrt(2.0 * options.constant * largest * largest * (2.0 / lightest) / (rho * rho * rho));
}

double spring_frequency(System& system, VectorView positions) {
  require_argument(positions.size() == system.masses().size(),
                   "the positions are not as many as the system's vertices");
  if (system.elastic.empty()) return 0.0;
  const auto n = static_cast<std::size_t>(system.vertex_count());
  std::vector<double> inverse_masses;
  for (const double m : system.masses()) inverse_masses.push_back(1.0 / m);
  for (const Index pin : system.fixed) inverse_masses[static_cast<std::size_t>(pin)] = 0.0;
  VectorArray d(n), product(n);
  Noise noise;
  for (std::size_t i = 0; i < n; ++i)
    if (inverse_masses[i] > 0.0) d[i] = noise.next_vector();
  for (auto& energy : system.elastic) energy->linearise(positions, HessianKind::clamped, product);
  // Every product with a solid's Hessian computes all tangents again. The quotient hardly grows after a
  // dozen.
  const bool is_solid = std::any_of(system.elastic.begin(), system.elastic.end(),
                                    [](const auto& energy) { return energy->is_solid(); });
  constexpr double standstill = 1e-3;
  double squared_frequency = 0.0;
  for (int iteration = 0; iteration < 60; ++iteration) {
    std::fill(product.begin(), product.end(), Vec3{});
    for (auto& energy : system.elastic) energy->add_hessian_product(d, product);
    double inertia = 0.0;
    for (std::size_t i = 0; i < n; ++i) inertia += system.masses()[i] * squared_norm(d[i]);
    if (!(inertia > 0.0)) return 0.0;
    const double before = squared_frequency;
    squared_frequency = dot(*system.threads, d, product) / inertia;
    if (is_solid && iteration > 0 && squared_frequency - before <= standstill * squared_frequency) break;
    for (std::size_t i = 0; i < n; ++i) d[i] = inverse_masses[i] * product[i];
    const double size = norm(*system.threads, d);
    if (!std::isfinite(size)) return std::numeric_limits<double>::infinity();
    if (!(size > 0.0)) break;
    for (Vec3& entry : d) entry *= 1.0 / size;
  }
  return std::sqrt(std::max(0.0, squared_frequency));
}

std::string elastic_parts(const System& system) {
  std::vector<std::string_view> words;
  for (const auto& energy : system.elastic)
    if (std::find(words.begin(), words.end(), energy->words()) == words.end())
      words.push_back(energy->words());
  std::string text;
  for (std::size_t k = 0; k < words.size(); ++k)
    text += std::string(k == 0 ? "" : k + 1 < words.size() ? ", " : " and ") + std::string(words[k]);
  return text.empty() ? "springs" : text;
}

double Oscillations::suggested_step() const {
  const double fastest = std::hypot(springs, charges);
  return fastest > 0.0 ? 0.2 / fastest : std::numeric_limits<double>::infinity();
}

Oscillations fastest_oscillations(System& system) {
  VectorArray positions = system.assembly.initial_positions;
  Inputs first;
  system.schedule.evaluate(0.0, first);
  set_elastic_inputs(system, first);
  Oscillations found;
  found.springs = spring_frequency(system, positions);
  for (Vec3& place : positions) place *= closest_approach;
  found.charges = fastest_charge_pair(system, positions, largest_charges(system)).frequency;
  return found;
}

double suggested_step(System& system) {
  return fastest_oscillations(system).suggested_step();
}

}  // namespace electret
