#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include <electret/adjoint/differences.hpp>
#include <electret/core/arguments.hpp>
#include <electret/core/errors.hpp>

namespace electret {
namespace {

constexpr std::size_t levels = 7;
constexpr double rounding = 1e-14;  // of a run's loss, relative
constexpr double converged = 1e-7;  // relative error after which no smaller steps are tried
constexpr double infinity = std::numeric_limits<double>::infinity();

/// Extrapolates estimates over steps h, h/2, h/4, … whose error is a series in powers of h.
class Extrapolation {
 public:
  /// `first` is the lowest power of h in the error; `step` is the distance to the next power.
  Extrapolation(int first, int step) : first_(first), step_(step) {}

  /// `noise` is how much of the estimate may be rounding. False if further steps would only add rounding.
  bool add(double estimate, double noise) {
    if (!std::isfinite(estimate)) {
      count_ = 0;
      return true;
    }
    std::array<double, levels> row{estimate};
    for (std::size_t k = 1; k <= count_; ++k) {
      const double gain = std::exp2(first_ + step_ * static_cast<int>(k - 1)) - 1.0;
      row[k] = row[k - 1] + (row[k - 1] - last_[k - 1]) / gain;
      // Neighbours that agree more closely than rounding allows do so by chance, which says nothing.
      keep(row[k], std::max({std::abs(row[k] - row[k - 1]), std::abs(row[k] - last_[k - 1]), noise}));
    }
    if (count_ == 0 && !std::isfinite(best_.error)) best_.value = estimate;
    const bool worse = count_ > 1 && std::abs(row[count_] - last_[count_ - 1]) > 4.0 * best_.error;
    last_ = row;
    ++count_;
    return !worse;
  }
  [[nodiscard]] Difference best() const { return best_; }

 private:
  void keep(double value, double error) {
    if (error <= best_.error) best_ = {value, error};
  }
  int first_, step_;
  std::size_t count_ = 0;
  std::array<double, levels> last_{};
  Difference best_{std::numeric_limits<double>::quiet_NaN(), infinity};
};

/// How a value is moved: by steps of at most `reach`, to both sides or to one.
struct Way {
  double reach = 0.0;
  bool is_one_sided = false;
  double sign = 1.0;  ///< -1: the one side is below.
};

/// The largest step size is a hundredth of the values' size, less near an end of their range. A value that
/// is at an end, or so near to it that steps to both sides would be rounding, is moved away from it alone.
Way way_of(double value, const NumberRange& range, double size) {
  constexpr double reach = 0.01, least_room = 1e-9, part = 0.9;  // An end itself may be excluded.
  const double below = value - range.minimum, above = range.maximum - value;
  const double nearest = std::min(below, above), widest = std::max(below, above);
  if (nearest >= least_room * size) return {std::min(reach * size, part * nearest)};
  return {widest > 0.0 ? std::min(reach * size, part * widest) : reach * size, true,
          above > below ? 1.0 : -1.0};
}

}  // namespace

Difference difference(const std::function<double(double offset)>& f, double reach, bool one_sided) {
  require_argument(f != nullptr && reach > 0.0 && std::isfinite(reach),
                   "a difference needs a function and a finite, positive step size");
  // The error of a central difference has even powers of h; that of a one-sided one has all powers from h²
  // on.
  const double now = one_sided ? f(0.0) : 0.0;
  const auto sweep = [&](double step) {
    Extrapolation extrapolation(2, one_sided ? 1 : 2);
    for (std::size_t level = 0; level < levels; ++level, step *= 0.5) {
      const double up = f(step), down = one_sided ? f(0.5 * step) : f(-step);
      const double estimate = one_sided ? (4.0 * down - up - 3.0 * now) / step : (up - down) / (2.0 * step);
      const double noise = rounding * std::max(std::abs(up), std::abs(down)) / step;
      if (!extrapolation.add(estimate, noise)) break;
    }
    return extrapolation.best();
  };
  const Difference first = sweep(reach);
  if (first.error <= converged * std::abs(first.value)) return first;
  // f may have a kink or a bend within `reach`, so that the sweep goes on from where it would have ended.
  const Difference second = sweep(std::exp2(-static_cast<double>(levels)) * reach);
  return second.error < first.error || std::isnan(first.value) ? second : first;
}

std::vector<Difference> differences(const Assembly& assembly, const Parameter& parameter,
                                    const std::function<double(Assembly)>& loss, const Control& control) {
  require_argument(loss != nullptr, "differences need a loss");
  const std::vector<double> base = parameter.read(assembly);
  const double size = typical_size(assembly, parameter, base);
  const NumberRange range = parameter.range_in(assembly);
  std::vector<Difference> result;
  for (std::size_t k = 0; k < base.size(); ++k) {
    const Way way = way_of(base[k], range, size);
    const auto at = [&](double offset) {
      if (control.stop.stop_requested()) throw Cancelled();
      std::vector<double> moved = base;
      moved[k] += way.sign * offset;
      Assembly changed = assembly;
      parameter.write(changed, moved);
      try {
        return loss(std::move(changed));
      } catch (const DivergenceError&) {
        return infinity;
      }
    };
    Difference found = difference(at, way.reach, way.is_one_sided);
    found.value *= way.sign;
    result.push_back(found);
    if (control.progress) control.progress({static_cast<Count>(k + 1), static_cast<Count>(base.size())});
  }
  return result;
}

}  // namespace electret
