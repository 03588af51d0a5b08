#include <Eigen/Core>
#include <algorithm>
#include <cmath>

#include <electret/core/errors.hpp>
#include <electret/linear/detail/band_cholesky.hpp>
#include <electret/linear/detail/subscript.hpp>

namespace electret::detail {
namespace {

/// Float32's rounding in a pivot, as a fraction of its diagonal. A pivot below it is raised; one below -10
/// times it is refused.
constexpr float rounding = 2e-6F;

/// Rows in breadth-first order from `start`, with neighbours ordered by degree, then by index; `seen` marks
/// them.
std::vector<Index> breadth_first(const BlockPattern& pattern, Index start, std::vector<char>& seen) {
  std::vector<Index> queue{start};
  seen[at(start)] = 1;
  const auto degree = [&](Index r) { return pattern.offsets()[at(r) + 1] - pattern.offsets()[at(r)]; };
  for (std::size_t next = 0; next < queue.size(); ++next) {
    const std::size_t first = queue.size();
    for (Count k = pattern.offsets()[at(queue[next])]; k < pattern.offsets()[at(queue[next]) + 1]; ++k) {
      const Index neighbour = pattern.columns()[static_cast<std::size_t>(k)];
      if (seen[at(neighbour)]) continue;
      seen[at(neighbour)] = 1;
      queue.push_back(neighbour);
    }
    std::stable_sort(queue.begin() + static_cast<std::ptrdiff_t>(first), queue.end(),
                     [&](Index a, Index b) { return degree(a) < degree(b); });
  }
  return queue;
}

float product(const float* a, const float* b, std::size_t count) {
  using Map = Eigen::Map<const Eigen::VectorXf>;
  const auto size = static_cast<Eigen::Index>(count);
  return Map(a, size).dot(Map(b, size));
}

}  // namespace

std::vector<Index> narrow_order(const BlockPattern& pattern, std::span<const char> skipped) {
  std::vector<char> seen(at(pattern.rows()), 0);
  if (!skipped.empty()) seen.assign(skipped.begin(), skipped.end());
  std::vector<Index> order;
  for (Index r = 0; r < pattern.rows(); ++r) {
    if (seen[at(r)]) continue;
    // The last row of a breadth-first walk is far from its start. After two walks the start is at the rim.
    Index start = r;
    for (int walk = 0; walk < 2; ++walk) {
      const std::vector<Index> component = breadth_first(pattern, start, seen);
      for (const Index member : component) seen[at(member)] = 0;
      start = component.back();
    }
    const std::vector<Index> component = breadth_first(pattern, start, seen);
    order.insert(order.end(), component.rbegin(), component.rend());
  }
  return order;
}

BandCholesky::BandCholesky(const BlockPattern& pattern, std::span<const char> held)
    : pattern_(pattern), order_(narrow_order(pattern, held)), place_(at(pattern.rows()), -1) {
  for (std::size_t k = 0; k < order_.size(); ++k) place_[at(order_[k])] = static_cast<Index>(k);
  Index reach = 0;
  for (Index r = 0; r < pattern.rows(); ++r)
    for (Count k = pattern.offsets()[at(r)]; k < pattern.offsets()[at(r) + 1]; ++k) {
      const Index column = pattern.columns()[static_cast<std::size_t>(k)];
      if (place_[at(r)] >= 0 && place_[at(column)] >= 0)
        reach = std::max(reach, place_[at(r)] - place_[at(column)]);
    }
  const std::size_t n = 3 * order_.size();
  width_ = 3 * at(reach) + 2;
  band_.resize(n * (width_ + 1));
  inverse_.resize(n);
  work_.resize(n);
}

bool BandCholesky::factorise(const BlockMatrix& matrix) {
  require(&matrix.pattern() == &pattern_, "a band of another pattern");
  std::fill(band_.begin(), band_.end(), 0.0F);
  for (std::size_t k = 0; k < order_.size(); ++k)
    for (Count block = pattern_.offsets()[at(order_[k])]; block < pattern_.offsets()[at(order_[k]) + 1];
         ++block) {
      const Index place = place_[at(pattern_.columns()[static_cast<std::size_t>(block)])];
      if (place < 0 || at(place) > k) continue;
      for (std::size_t r = 0; r < 3; ++r)
        for (std::size_t c = 0; c < 3; ++c) {
          const std::size_t to = 3 * k + r, from = 3 * at(place) + c;
          if (from <= to) row(to)[width_ + from - to] = matrix.block(block)[3 * c + r];
        }
    }
  const std::size_t n = inverse_.size();
  for (std::size_t r = 0; r < n; ++r) {
    const std::size_t first = r > width_ ? r - width_ : 0;
    float* l = row(r) + width_ - r;  // l[c] is column c.
    for (std::size_t c = first; c < r; ++c) {
      const std::size_t begin = std::max(first, c > width_ ? c - width_ : 0);
      const float* other = row(c) + width_ - c;
      l[c] = (l[c] - product(l + begin, other + begin, c - begin)) * inverse_[c];
    }
    const float diagonal = l[r], pivot = diagonal - product(l + first, l + first, r - first);
    if (!(diagonal > 0.0F && pivot > -10.0F * rounding * diagonal)) return false;
    l[r] = std::sqrt(std::max(pivot, rounding * diagonal));
    inverse_[r] = 1.0F / l[r];
  }
  return true;
}

void BandCholesky::solve(PaddedView32 b, PaddedSpan32 x) {
  require(b.size() == place_.size() && x.size() == place_.size(), "a band of another size");
  for (std::size_t k = 0; k < order_.size(); ++k)
    for (std::size_t axis = 0; axis < 3; ++axis) work_[3 * k + axis] = b[at(order_[k])].lane[axis];
  const std::size_t n = inverse_.size();
  for (std::size_t r = 0; r < n; ++r) {
    const std::size_t first = r > width_ ? r - width_ : 0;
    const float* l = row(r) + width_ - r;
    work_[r] = (work_[r] - product(l + first, work_.data() + first, r - first)) * inverse_[r];
  }
  for (std::size_t r = n; r-- > 0;) {
    const std::size_t first = r > width_ ? r - width_ : 0;
    const float* l = row(r) + width_ - r;
    const float value = work_[r] *= inverse_[r];
    for (std::size_t c = first; c < r; ++c) work_[c] -= l[c] * value;
  }
  std::fill(x.begin(), x.end(), Padded32{});
  for (std::size_t k = 0; k < order_.size(); ++k)
    for (std::size_t axis = 0; axis < 3; ++axis) x[at(order_[k])].lane[axis] = work_[3 * k + axis];
}

}  // namespace electret::detail
