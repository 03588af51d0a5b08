#include <algorithm>
#include <utility>

#include <electret/core/vertex_loops.hpp>
#include <electret/field/fmm/tree/morton.hpp>

namespace electret::fmm {
namespace {

/// For the passes that count and place. The other passes are cheaper per point and use smaller chunks.
constexpr Count chunk_size = Count{1} << 16;
constexpr int radix_bits = 10, radix = 1 << radix_bits;

/// Spreads ten bits to every third place.
std::uint32_t spread(std::uint32_t a) {
  a = (a | (a << 16)) & 0x030000FFU;
  a = (a | (a << 8)) & 0x0300F00FU;
  a = (a | (a << 4)) & 0x030C30C3U;
  return (a | (a << 2)) & 0x09249249U;
}

std::uint32_t cut(double offset, double inverse_size) {
  constexpr double most = 1023.0;
  return static_cast<std::uint32_t>(std::min(most, std::max(0.0, offset * inverse_size)));
}

}  // namespace

std::uint32_t MortonFrame::key(const Vec3& p) const {
  return spread(cut(p.x - low.x, inverse_size)) << 2 | spread(cut(p.y - low.y, inverse_size)) << 1 |
         spread(cut(p.z - low.z, inverse_size));
}

MortonFrame morton_frame(const Vec3& low, const Vec3& high) {
  const Vec3 size = high - low;
  return {low, 1024.0 / std::max({size.x, size.y, size.z})};
}

const std::vector<std::uint64_t>& MortonOrder::sort(VectorView points, const MortonFrame& frame,
                                                    Threads& threads) {
  const std::size_t n = points.size();
  const bool known = entries_.size() == n;
  entries_.resize(n);
  keys_.resize(n);
  const auto for_all = [&](auto body) { for_vertices(threads, n, body, chunk_size / 4); };
  for_all([&](std::size_t i) { keys_[i] = frame.key(points[i]); });
  const auto entry = [&](std::uint64_t index) { return std::uint64_t{keys_[index]} << 32 | index; };
  if (known) {
    for_all([&](std::size_t i) { entries_[i] = entry(entries_[i] & 0xFFFFFFFFU); });
    if (mend()) return entries_;
  }
  for_all([&](std::size_t i) { entries_[i] = entry(i); });
  radix_sort(threads);
  return entries_;
}

/// Restores the order if few points have left their places: removes these, sorts them and merges them again.
/// Returns false and leaves the entries as they were if there are many.
bool MortonOrder::mend() {
  const std::size_t n = entries_.size(), most = n / 16;
  strays_.clear();
  if (std::is_sorted(entries_.begin(), entries_.end())) return true;
  other_.resize(n);
  std::size_t kept = 0;
  for (std::size_t i = 0; i < n; ++i) {
    const std::uint64_t e = entries_[i];
    const bool before_last = kept > 0 && e < other_[kept - 1];
    const bool leaps = i + 1 < n && entries_[i + 1] < e && (kept == 0 || entries_[i + 1] > other_[kept - 1]);
    if (!before_last && !leaps) {
      other_[kept++] = e;
    } else {
      strays_.push_back(e);
      if (strays_.size() > most) return false;
    }
  }
  std::sort(strays_.begin(), strays_.end());
  std::merge(other_.begin(), other_.begin() + static_cast<std::ptrdiff_t>(kept), strays_.begin(),
             strays_.end(), entries_.begin());
  return true;
}

/// A stable radix sort with passes over ten bits of the key. The entries start in the order of their indices,
/// so points with equal keys stay sorted by index. Each chunk counts and places its own entries.
void MortonOrder::radix_sort(Threads& threads) {
  const auto n = static_cast<Count>(entries_.size());
  const Count chunks = (n + chunk_size - 1) / chunk_size;
  other_.resize(entries_.size());
  counts_.resize(static_cast<std::size_t>(chunks * radix));
  for (int shift = 32; shift < 32 + key_bits; shift += radix_bits) {
    const auto digit = [shift](std::uint64_t e) {
      return static_cast<std::size_t>(e >> shift) & (radix - 1);
    };
    threads.for_chunks(n, chunk_size, [&](Count begin, Count end) {
      std::uint32_t* counts = counts_.data() + begin / chunk_size * radix;
      std::fill_n(counts, radix, 0);
      for (Count i = begin; i < end; ++i) ++counts[digit(entries_[static_cast<std::size_t>(i)])];
    });
    std::uint32_t place = 0;
    for (int d = 0; d < radix; ++d)
      for (Count c = 0; c < chunks; ++c) {
        std::uint32_t& count = counts_[static_cast<std::size_t>(c * radix + d)];
        place += std::exchange(count, place);
      }
    threads.for_chunks(n, chunk_size, [&](Count begin, Count end) {
      std::uint32_t* places = counts_.data() + begin / chunk_size * radix;
      for (Count i = begin; i < end; ++i) {
        const std::uint64_t e = entries_[static_cast<std::size_t>(i)];
        other_[places[digit(e)]++] = e;
      }
    });
    std::swap(entries_, other_);
  }
}

}  // namespace electret::fmm
