#include <algorithm>
#include <cmath>
#include <limits>

#include <electret/dynamics/elastic_inputs.hpp>
#include <electret/dynamics/energy_rounding.hpp>
#include <electret/dynamics/noise.hpp>

namespace electret {
namespace {

constexpr double eps = std::numeric_limits<double>::epsilon();
/// For the few samples of the measurement.
constexpr double margin = 4.0;

class Measurement {
 public:
  explicit Measurement(System& system) : system_(system), start_(system.assembly.initial_positions) {
    moved_.resize(start_.size());
    before_ = energy(start_);
  }

  /// ½ (E(x + d) + E(x - d)) - E(x), J, for d of the length `relative` |x| at each vertex: the largest of two
  /// samples. Infinite or not a number if the energy is.
  double curvature(double relative) {
    double largest = 0.0;
    for (int sample = 0; sample < 2; ++sample) {
      const Noise noise = noise_;
      const double there = energy(displaced(relative));
      noise_ = noise;
      const double back = energy(displaced(-relative));
      const double change = std::abs(0.5 * (there + back) - before_);
      if (!std::isfinite(change)) return change;
      largest = std::max(largest, change);
    }
    return largest;
  }

 private:
  double energy(VectorView positions) {
    double sum = 0.0;
    for (auto& energy : system_.elastic) sum += energy->energy(positions);
    return sum;
  }

  VectorView displaced(double relative) {
    for (std::size_t i = 0; i < start_.size(); ++i)
      moved_[i] = start_[i] + (relative * norm(start_[i])) * noise_.next_vector();
    return moved_;
  }

  System& system_;
  VectorView start_;
  VectorArray moved_;
  Noise noise_;
  double before_ = 0.0;
};

}  // namespace

double EnergyRounding::explained(double size, double gravity, Count steps) const {
  const double q = positions * (margin + static_cast<double>(steps));
  return q + 2.0 * std::sqrt(q * size) + margin * (terms + eps * std::abs(gravity));
}

EnergyRounding energy_rounding(System& system) {
  EnergyRounding found;
  if (system.elastic.empty()) return found;
  Inputs first;
  system.schedule.evaluate(0.0, first);
  set_elastic_inputs(system, first);
  Measurement measurement(system);
  // Elements that are far away may invert by the first of these displacements.
  for (const double relative : {std::sqrt(eps), 1e-3 * std::sqrt(eps)}) {
    const double change = measurement.curvature(relative);
    if (!std::isfinite(change)) continue;
    found.positions = change * (eps / relative) * (eps / relative);
    break;
  }
  const double terms = measurement.curvature(eps);
  if (std::isfinite(terms)) found.terms = terms;
  return found;
}

}  // namespace electret
