#include <algorithm>
#include <cmath>
#include <numeric>

#include <electret/core/errors.hpp>
#include <electret/sweep/fit_minima.hpp>

namespace electret {
namespace {

class MinimumFinder {
 public:
  MinimumFinder(const std::vector<FitEndPoint>& ends, const FitScales& scales)
      : ends_(ends), scales_(scales), sizes_(scales.logarithmic.size(), 0.0) {
    require(scales.place_sizes.size() == sizes_.size(), "a sweep of fits has not one scale per value");
    for (const FitEndPoint& end : ends)
      require(end.values.size() == sizes_.size(), "a fit has another number of values than its sweep");
    for (std::size_t k = 0; k < sizes_.size(); ++k) sizes_[k] = median_size(k);
  }

  FitMinima find() {
    // Converged fits first: a minimum must be there before others can count with it.
    for (const bool converged : {true, false})
      for (const std::size_t at : by_loss())
        if (ends_[at].has_converged == converged) take(at);
    return std::move(found_);
  }

 private:
  /// One fit that ran far away must not make all others alike, so it is not the largest.
  [[nodiscard]] double median_size(std::size_t k) const {
    std::vector<double> sizes;
    for (const FitEndPoint& end : ends_)
      if (end.has_converged && std::isfinite(end.loss) && std::isfinite(end.values[k]))
        sizes.push_back(std::abs(end.values[k]));
    if (sizes.empty()) return 0.0;
    const auto middle = sizes.begin() + static_cast<std::ptrdiff_t>(sizes.size() / 2);
    std::nth_element(sizes.begin(), middle, sizes.end());
    return *middle;
  }

  [[nodiscard]] std::vector<std::size_t> by_loss() {
    std::vector<std::size_t> order(ends_.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::erase_if(order, [this](std::size_t at) { return !std::isfinite(ends_[at].loss); });
    std::sort(order.begin(), order.end(), [this](std::size_t a, std::size_t b) {
      return ends_[a].loss != ends_[b].loss ? ends_[a].loss < ends_[b].loss : ends_[a].run < ends_[b].run;
    });
    found_.of.resize(ends_.size(), -1);
    return order;
  }

  void take(std::size_t at) {
    const FitEndPoint& end = ends_[at];
    for (std::size_t m = 0; m < found_.minima.size(); ++m) {
      if (!is_near(end.values, found_.minima[m].values)) continue;
      ++found_.minima[m].fits;
      found_.of[at] = static_cast<int>(m);
      return;
    }
    if (!end.has_converged || found_.minima.size() == most_minima) {
      ++found_.elsewhere;
      return;
    }
    found_.of[at] = static_cast<int>(found_.minima.size());
    found_.minima.push_back({end.run, end.loss, end.values, 1});
  }

  [[nodiscard]] bool is_near(const std::vector<double>& a, const std::vector<double>& b) const {
    for (std::size_t k = 0; k < a.size(); ++k) {
      const bool by_factor = scales_.logarithmic[k] && a[k] > 0.0 && b[k] > 0.0;
      const double apart = by_factor ? std::abs(std::log(a[k] / b[k])) : std::abs(a[k] - b[k]);
      if (!(apart <= minimum_width * (by_factor ? 1.0 : unit(k, a[k], b[k])))) return false;
    }
    return true;
  }

  [[nodiscard]] double unit(std::size_t k, double a, double b) const {
    const double of_place = scales_.place_sizes[k];
    return of_place > 0.0 ? of_place : std::max({std::abs(a), std::abs(b), sizes_[k]});
  }

  const std::vector<FitEndPoint>& ends_;
  const FitScales& scales_;
  std::vector<double> sizes_;  ///< The median size of each value.
  FitMinima found_;
};

}  // namespace

FitMinima distinct_minima(const std::vector<FitEndPoint>& ends, const FitScales& scales) {
  return MinimumFinder(ends, scales).find();
}

}  // namespace electret
