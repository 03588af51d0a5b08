#include <algorithm>
#include <cmath>

#include <electret/core/errors.hpp>
#include <electret/record/element_stress.hpp>
#include <electret/scene/assembly.hpp>

namespace electret {
namespace {

/// The rest shape of the elements of one kind; null if there are none.
template <std::size_t corners>
std::unique_ptr<RestShape> at_rest(const std::vector<std::array<Index, corners>>& elements,
                                   VectorView rest_positions) {
  if (elements.empty()) return nullptr;
  std::vector<Index> flat;
  for (const auto& element : elements) flat.insert(flat.end(), element.begin(), element.end());
  return std::make_unique<RestShape>(
      ElementBlock(static_cast<int>(corners), static_cast<Index>(rest_positions.size()), std::move(flat)),
      rest_positions);
}

Mat3 product(const Mat3& a, const Mat3& b) {
  Mat3 result;
  for (std::size_t i = 0; i < 3; ++i) result.rows[i] = transposed_product(b, a.rows[i]);
  return result;
}

/// Cauchy's stress where the first Piola-Kirchhoff stress is `p`, Pa. The linear law knows small strains
/// alone, at which both are one. Its p is symmetric, and p Fᵀ / det F is not.
Mat3 cauchy_stress(MaterialModel model, const Mat3& f, const Mat3& p) {
  const double j = dot(f.rows[0], cross(f.rows[1], f.rows[2]));
  // Flat elements have no finite stress, by any law.
  if (model == MaterialModel::linear && j != 0.0) return p;
  Mat3 result;
  for (std::size_t a = 0; a < 3; ++a)
    for (std::size_t b = 0; b < 3; ++b)
      result.rows[a][static_cast<int>(b)] = 1.0 / j * dot(p.rows[a], f.rows[b]);
  return result;
}

/// Adds one material's part of an element's sums over its quadrature points.
template <std::size_t corners>
void add(const ElementStresses::Part& part, const RestShape& rest, Count e,
         const std::array<Index, corners>& element, VectorView x, ElementStress& sums) {
  double volume = 0.0, energy = 0.0;
  std::array<double, 6> stress{};
  for (std::size_t q = 0; q < rest.points(); ++q) {
    Mat3 along;
    for (std::size_t a = 0; a < corners; ++a)
      along += outer(x[static_cast<std::size_t>(element[a])], rest.slopes(q)[a]);
    const Mat3 f = product(along, rest.inverse(e, q));
    const double w = rest.weight(e, q);
    Mat3 p;
    energy += w * point_stress(part.model, part.lame, f, p);
    volume += w;
    const Mat3 sigma = cauchy_stress(part.model, f, p);
    constexpr int places[6][2] = {{0, 0}, {1, 1}, {2, 2}, {0, 1}, {1, 2}, {0, 2}};
    for (std::size_t k = 0; k < 6; ++k)
      stress[k] += w * sigma.rows[static_cast<std::size_t>(places[k][0])][places[k][1]];
  }
  sums.energy_density += energy / volume;
  for (std::size_t k = 0; k < 6; ++k) sums.cauchy[k] += stress[k] / volume;
}

bool is_finite(const ElementStress& stress) {
  return std::isfinite(stress.energy_density) && std::isfinite(stress.von_mises) &&
         std::all_of(stress.cauchy.begin(), stress.cauchy.end(), [](double s) { return std::isfinite(s); });
}

double von_mises(const std::array<double, 6>& s) {
  const double xy = s[0] - s[1], yz = s[1] - s[2], zx = s[2] - s[0];
  return std::sqrt(0.5 * (xy * xy + yz * yz + zx * zx) + 3.0 * (s[3] * s[3] + s[4] * s[4] + s[5] * s[5]));
}

}  // namespace

ElementStresses::ElementStresses(std::vector<std::array<Index, 4>> tetrahedra,
                                 std::vector<std::array<Index, 8>> hexahedra, VectorView rest_positions,
                                 std::vector<Part> parts)
    : tetrahedra_(std::move(tetrahedra)),
      hexahedra_(std::move(hexahedra)),
      tetrahedra_at_rest_(at_rest(tetrahedra_, rest_positions)),
      hexahedra_at_rest_(at_rest(hexahedra_, rest_positions)),
      parts_(std::move(parts)) {}

std::vector<ElementStress> ElementStresses::at(VectorView positions) const {
  std::vector<ElementStress> result(tetrahedra_.size() + hexahedra_.size());
  for (const Part& part : parts_)
    for (const Index number : part.elements) {
      const auto e = static_cast<std::size_t>(number);
      if (e < tetrahedra_.size())
        add(part, *tetrahedra_at_rest_, static_cast<Count>(e), tetrahedra_[e], positions, result[e]);
      else
        add(part, *hexahedra_at_rest_, static_cast<Count>(e - tetrahedra_.size()),
            hexahedra_[e - tetrahedra_.size()], positions, result[e]);
    }
  for (ElementStress& each : result) {
    each.von_mises = von_mises(each.cauchy);
    if (is_finite(each)) continue;
    each = {};
    each.is_defined = false;
  }
  return result;
}

namespace {

/// Elements of one kind that have a material. They are numbered in the order in which tracks name them.
template <std::size_t corners>
struct WithMaterial {
  explicit WithMaterial(const std::vector<std::array<Index, corners>>& every_element)
      : all(every_element), numbers(every_element.size(), -1) {}

  void add(Index row) {
    Index& number = numbers[static_cast<std::size_t>(row)];
    if (number >= 0) return;
    number = static_cast<Index>(rows.size());
    rows.push_back(static_cast<std::size_t>(row));
    elements.push_back(all[rows.back()]);
  }

  const std::vector<std::array<Index, corners>>& all;
  std::vector<Index> numbers;     ///< Of each element; -1 if it has no material.
  std::vector<std::size_t> rows;  ///< Of each number.
  std::vector<std::array<Index, corners>> elements;
};

/// Adds the parts of a track: one for each stretch of elements with equal constants.
void add_parts(const MaterialTrack& track, const WithMaterial<4>& tetrahedra,
               const WithMaterial<8>& hexahedra, std::vector<ElementStresses::Part>& parts) {
  const auto model = material_model(track.model);
  require(model.has_value(), "a material of an assembly has an unknown model");
  const std::size_t count = track.elements.tetrahedra.size();
  for (std::size_t k = 0; k < track.elements.size(); ++k) {
    const bool is_same = k > 0 && track.youngs_modulus[k] == track.youngs_modulus[k - 1] &&
                         track.poissons_ratio[k] == track.poissons_ratio[k - 1];
    if (!is_same) parts.push_back({*model, lame(track.youngs_modulus[k], track.poissons_ratio[k]), {}});
    const Index number =
        k < count ? tetrahedra.numbers[static_cast<std::size_t>(track.elements.tetrahedra[k])]
                  : static_cast<Index>(tetrahedra.elements.size()) +
                        hexahedra.numbers[static_cast<std::size_t>(track.elements.hexahedra[k - count])];
    parts.back().elements.push_back(number);
  }
}

}  // namespace

std::vector<ElementStress> element_stresses(const Assembly& assembly, VectorView positions) {
  WithMaterial<4> tetrahedra(assembly.tetrahedra);
  WithMaterial<8> hexahedra(assembly.hexahedra);
  for (const MaterialTrack& track : assembly.materials) {
    for (const Index row : track.elements.tetrahedra) tetrahedra.add(row);
    for (const Index row : track.elements.hexahedra) hexahedra.add(row);
  }
  std::vector<ElementStresses::Part> parts;
  for (const MaterialTrack& track : assembly.materials) add_parts(track, tetrahedra, hexahedra, parts);
  const std::vector<ElementStress> found =
      ElementStresses(tetrahedra.elements, hexahedra.elements, assembly.rest_positions, std::move(parts))
          .at(positions);
  std::vector<ElementStress> result(assembly.tetrahedra.size() + assembly.hexahedra.size());
  for (std::size_t k = 0; k < tetrahedra.rows.size(); ++k) result[tetrahedra.rows[k]] = found[k];
  for (std::size_t k = 0; k < hexahedra.rows.size(); ++k)
    result[assembly.tetrahedra.size() + hexahedra.rows[k]] = found[tetrahedra.rows.size() + k];
  return result;
}

}  // namespace electret
