#include <algorithm>
#include <bit>
#include <cmath>
#include <utility>

#include <electret/field/gpu/close_pairs.hpp>

namespace electret::gpu {

ExactSums exact_pair(const Vec3& y, const Vec3& x, double charge, double softening, const Vec3& z,
                     const Vec3& u) {
  const Vec3 d = y - x;
  // hypot neither underflows nor overflows where the square of a distance would.
  const double rho = std::hypot(std::hypot(d.x, d.y, d.z), softening);
  if (rho == 0.0) return {};
  const Vec3 e = (1.0 / rho) * d, w = z - u;
  const double potential = charge / rho, over_square = potential / rho, over_cube = over_square / rho;
  const double along = dot(e, w);
  return {over_square * e, over_cube * (w - (3.0 * along) * e), potential, over_square * along};
}

ClosePairs::Read ClosePairs::read(std::size_t allowed) {
  std::int32_t written = 0;
  count_.download({&written, 1});
  // A count that ran over 2³¹ is negative.
  const auto wanted = static_cast<std::size_t>(static_cast<std::uint32_t>(written));
  sorted_.clear();
  if (wanted > allowed) return Read::too_many;
  if (wanted > pairs_.size()) {
    pairs_.resize(std::bit_ceil(wanted));
    return Read::grown;
  }
  sorted_.resize(wanted);
  pairs_.download(sorted_);
  std::sort(sorted_.begin(), sorted_.end(),
            [](const Int2& a, const Int2& b) { return std::pair(a.x, a.y) < std::pair(b.x, b.y); });
  return Read::complete;
}

}  // namespace electret::gpu
