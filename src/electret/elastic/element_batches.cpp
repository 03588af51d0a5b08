#include <array>
#include <cstdint>
#include <limits>
#include <numeric>

#include <electret/core/errors.hpp>
#include <electret/elastic/element_batches.hpp>
#include <electret/linear/lattice.hpp>

namespace electret {
namespace {

/// Every third bit of the result is one of `a`'s lowest 21.
std::uint64_t spread(std::uint64_t a) {
  a = (a | a << 32U) & 0x1f00000000ffffU;
  a = (a | a << 16U) & 0x1f0000ff0000ffU;
  a = (a | a << 8U) & 0x100f00f00f00f00fU;
  a = (a | a << 4U) & 0x10c30c30c30c30c3U;
  return (a | a << 2U) & 0x1249249249249249U;
}

/// An element's place in the order: patch-wise near, then what is alike.
struct Code {
  std::uint64_t place, kind = 0;
  // NOLINTNEXTLINE(modernize-use-nullptr): clang-tidy 14 sees a pointer in what is compared with.
  friend auto operator<=>(const Code&, const Code&) = default;
};

/// Of elements on a lattice those of eight cells along z together, all that lie alike in their cells one
/// after the other: kernels then find their vertices in lines.
std::vector<Code> codes_of(const ElementBlock& elements, const Lattice& lattice) {
  const auto corners = static_cast<std::size_t>(elements.vertices_per_element());
  const LatticeShape& shape = lattice.shape;
  std::vector<Code> codes;
  std::vector<std::array<Index, 3>> places(corners);
  for (std::size_t first = 0; first < elements.connectivity().size(); first += corners) {
    std::array<Index, 3> cell{};
    for (std::size_t a = 0; a < corners; ++a) {
      const auto v = static_cast<std::size_t>(elements.connectivity()[first + a]);
      Index left = lattice.numbers[v];
      for (std::size_t axis = 0; axis < 3; ++axis) {
        places[a][axis] = left / shape.stride(static_cast<int>(axis));
        left %= shape.stride(static_cast<int>(axis));
        cell[axis] = a == 0 ? places[a][axis] : std::min(cell[axis], places[a][axis]);
      }
    }
    Code& code = codes.emplace_back();
    code.place = spread(static_cast<std::uint64_t>(cell[0])) << 2U |
                 spread(static_cast<std::uint64_t>(cell[1])) << 1U |
                 spread(static_cast<std::uint64_t>(cell[2] / 8));
    for (std::size_t a = 0; a < corners; ++a)
      for (std::size_t axis = 0; axis < 3; ++axis)
        code.kind = code.kind << 1U | static_cast<std::uint64_t>(places[a][axis] - cell[axis]);
    code.kind = code.kind << 3U | static_cast<std::uint64_t>(cell[2] % 8);
  }
  return codes;
}

/// The Morton codes of the elements' mean vertices in the cube around them.
std::vector<Code> codes_of(const ElementBlock& elements, VectorView positions) {
  const auto corners = static_cast<std::size_t>(elements.vertices_per_element());
  const auto connectivity = elements.connectivity();
  VectorArray sums;
  Vec3 lowest{1, 1, 1}, highest;
  for (int axis = 0; axis < 3; ++axis) {
    lowest[axis] = std::numeric_limits<double>::infinity();
    highest[axis] = -lowest[axis];
  }
  for (std::size_t first = 0; first < connectivity.size(); first += corners) {
    Vec3 sum;
    for (std::size_t a = 0; a < corners; ++a)
      sum += positions[static_cast<std::size_t>(connectivity[first + a])];
    for (int axis = 0; axis < 3; ++axis) {
      lowest[axis] = std::min(lowest[axis], sum[axis]);
      highest[axis] = std::max(highest[axis], sum[axis]);
    }
    sums.push_back(sum);
  }
  const Vec3 size = highest - lowest;
  const double largest = std::max({size.x, size.y, size.z});
  const double scale = largest > 0.0 ? ((1 << 21) - 1) / largest : 0.0;
  std::vector<Code> codes;
  for (const Vec3& sum : sums) {
    std::uint64_t code = 0;
    for (int axis = 0; axis < 3; ++axis)
      code = code << 1U | spread(static_cast<std::uint64_t>(scale * (sum[axis] - lowest[axis])));
    codes.push_back({code});
  }
  return codes;
}

}  // namespace

ElementBatches::ElementBatches(const ElementBlock& elements, VectorView positions)
    : batches_per_patch_(elements.vertices_per_element() == 8 ? 8 : 32),
      order_(static_cast<std::size_t>(elements.size())),
      places_(order_.size()) {
  require(positions.size() == static_cast<std::size_t>(elements.vertex_count()),
          "element batches: not one position per vertex");
  const std::vector<ElementList> lists = {{elements.vertices_per_element(), elements.connectivity()}};
  const std::optional<Lattice> lattice = find_lattice(positions, lists);
  const std::vector<Code> codes = lattice ? codes_of(elements, *lattice) : codes_of(elements, positions);
  std::iota(order_.begin(), order_.end(), Index{0});
  std::stable_sort(order_.begin(), order_.end(), [&](Index a, Index b) {
    return codes[static_cast<std::size_t>(a)] < codes[static_cast<std::size_t>(b)];
  });
  for (std::size_t k = 0; k < order_.size(); ++k)
    places_[static_cast<std::size_t>(order_[k])] = static_cast<Index>(k);
  find_colours(elements);
}

/// Round after round takes the patches that none of the round's patches touches.
void ElementBatches::find_colours(const ElementBlock& elements) {
  const auto corners = static_cast<std::size_t>(elements.vertices_per_element());
  const auto in_patch = static_cast<std::size_t>(batches_per_patch_ * width);
  const auto for_vertices = [&](Count patch, auto&& visit) {
    const std::size_t first = static_cast<std::size_t>(patch) * in_patch;
    for (std::size_t k = first; k < std::min(first + in_patch, order_.size()); ++k)
      for (std::size_t a = 0; a < corners; ++a)
        visit(static_cast<std::size_t>(
            elements.connectivity()[static_cast<std::size_t>(order_[k]) * corners + a]));
  };
  std::vector<Count> taken_in(static_cast<std::size_t>(elements.vertex_count()), -1);
  std::vector<Index> left(static_cast<std::size_t>(patches()));
  std::iota(left.begin(), left.end(), Index{0});
  colours_.push_back(0);
  for (Count round = 0; !left.empty(); ++round) {
    std::vector<Index> later;
    for (const Index patch : left) {
      bool free = true;
      for_vertices(patch, [&](std::size_t v) { free = free && taken_in[v] != round; });
      if (!free) {
        later.push_back(patch);
        continue;
      }
      for_vertices(patch, [&](std::size_t v) { taken_in[v] = round; });
      by_colour_.push_back(patch);
    }
    colours_.push_back(static_cast<Count>(by_colour_.size()));
    left = std::move(later);
  }
}

}  // namespace electret
