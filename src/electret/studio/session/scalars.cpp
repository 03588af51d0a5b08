#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <utility>

#include <electret/core/constants.hpp>
#include <electret/core/errors.hpp>
#include <electret/field/field.hpp>
#include <electret/record/element_stress.hpp>
#include <electret/record/run_bodies.hpp>
#include <electret/record/trajectory_reader.hpp>
#include <electret/scene/assembly.hpp>
#include <electret/studio/session/scalars.hpp>
#include <electret/studio/session/shown.hpp>

namespace electret::studio {

/// Elements with materials: each body's, with global vertices.
struct Scalars::Elements {
  std::vector<Tetrahedron> tetrahedra;
  std::vector<Hexahedron> hexahedra;
  std::unique_ptr<ElementStresses> stresses;
};

namespace {

double largest_of(ScalarView values) {
  double largest = 0.0;
  for (const double value : values)
    if (std::isfinite(value)) largest = std::max(largest, std::abs(value));
  return largest;
}

/// Materials by element, gathered by model and constants.
std::vector<ElementStresses::Part> parts_of(const Assembly& assembly, double& stiffest) {
  using Key = std::pair<std::string, std::array<double, 2>>;
  std::map<Key, std::vector<Index>> gathered;
  const auto tetrahedra = static_cast<Index>(assembly.tetrahedra.size());
  for (const MaterialTrack& track : assembly.materials) {
    std::vector<Index> elements = track.elements.tetrahedra;
    for (const Index row : track.elements.hexahedra) elements.push_back(tetrahedra + row);
    for (std::size_t k = 0; k < elements.size(); ++k) {
      stiffest = std::max(stiffest, track.youngs_modulus[k]);
      gathered[{track.model, {track.youngs_modulus[k], track.poissons_ratio[k]}}].push_back(elements[k]);
    }
  }
  std::vector<ElementStresses::Part> parts;
  for (auto& [key, elements] : gathered)
    if (const auto model = material_model(key.first))
      parts.push_back({*model, lame(key.second[0], key.second[1]), std::move(elements)});
  return parts;
}

}  // namespace

Scalars::Scalars() = default;
Scalars::~Scalars() = default;
Scalars::Scalars(Scalars&&) noexcept = default;
Scalars& Scalars::operator=(Scalars&&) noexcept = default;

Scalars::Scalars(const Assembly& assembly, const Shown& shown, int threads)
    : field_(assembly.scene.coulomb.value_or(FieldOptions())), threads_(threads) {
  std::vector<double> largest = assembly.charges;
  for (const ChargeTrack& track : assembly.charge_tracks) {
    const double most = largest_of(track.charge.values);
    for (const Index i : track.vertices) {
      double& own = largest[static_cast<std::size_t>(i)];
      own = std::max(std::abs(own), most);
    }
  }
  list_common(shown, assembly.charges, largest, assembly.scene.gravity.value_or(Vec3{}));
  if (assembly.materials.empty()) return;
  double stiffest = 0.0;
  auto parts = parts_of(assembly, stiffest);
  try {
    elements_ = std::make_unique<Elements>(Elements{assembly.tetrahedra, assembly.hexahedra, nullptr});
    elements_->stresses = std::make_unique<ElementStresses>(assembly.tetrahedra, assembly.hexahedra,
                                                            assembly.rest_positions, std::move(parts));
    list_elements(stiffest);
  } catch (const DivergenceError&) {  // An element without a material is flat: no stress is shown.
    elements_.reset();
  }
}

Scalars::Scalars(const TrajectoryReader& run, const Shown& shown, int threads) : threads_(threads) {
  const std::vector<double> charges = run.frames() > 0 ? run.charges(0) : std::vector<double>();
  list_common(shown, charges, charges, {});
  if (!run.has_velocities())
    std::erase_if(list_, [](const ScalarInfo& each) { return each.name == "speed"; });
}

void Scalars::list_common(const Shown& shown, ScalarView charges, ScalarView largest, const Vec3& gravity) {
  centre_ = shown.centre();
  if (norm(gravity) > 0.0) up_ = (-1.0 / norm(gravity)) * gravity;
  const double charge = largest_of(largest), size = shown.size();
  double total = 0.0;
  for (const double q : charges) total += std::abs(q);
  list_.push_back(
      {"charge", "charge", "C", true, charge > 0.0 ? -charge : -1e-6, charge > 0.0 ? charge : 1e-6});
  list_.push_back({"speed", "speed", "m/s", false, 0.0, size});
  list_.push_back({"height", "height", "m", false, -0.5 * size, 0.5 * size});
  if (total > 0.0) {
    const double potential = 4.0 * coulomb_constant * total / size;
    list_.push_back({"potential", "potential", "V", true, -potential, potential});
  }
}

void Scalars::list_elements(double stiffest) {
  // A tenth of strain, which soft bodies reach.
  list_.push_back({"stress", "von Mises stress", "Pa", false, 0.0, 0.1 * stiffest});
  list_.push_back({"energy-density", "elastic energy density", "J/m³", false, 0.0, 0.005 * stiffest});
}

bool Scalars::has(const std::string& name) const {
  return std::any_of(list_.begin(), list_.end(), [&](const ScalarInfo& each) { return each.name == name; });
}

std::optional<std::vector<double>> Scalars::values(const std::string& name, const Moment& moment) const {
  std::vector<double> values;
  values.reserve(moment.positions.size());
  if (name == "charge") return std::vector<double>(moment.charges.begin(), moment.charges.end());
  if (needs_velocities(name)) {
    if (!moment.velocities) return std::nullopt;
    for (const Vec3& v : *moment.velocities) values.push_back(norm(v));
    return values;
  }
  if (name == "height") {
    for (const Vec3& x : moment.positions) values.push_back(dot(x - centre_, up_));
    return values;
  }
  if (name == "potential") return coulomb_field(moment.positions, moment.charges, field_, threads_).potential;
  return of_elements(name == "energy-density", moment.positions);
}

/// Elements' values at their corners: the mean over the elements there.
std::vector<double> Scalars::of_elements(bool energy, VectorView positions) const {
  std::vector<double> sums(positions.size(), 0.0), counts(positions.size(), 0.0);
  const std::vector<ElementStress> found = elements_->stresses->at(positions);
  std::size_t k = 0;
  const auto add = [&](const auto& elements) {
    for (const auto& element : elements) {
      const double value = energy ? found[k].energy_density : found[k].von_mises;
      ++k;
      for (const Index corner : element) {
        sums[static_cast<std::size_t>(corner)] += value;
        counts[static_cast<std::size_t>(corner)] += 1.0;
      }
    }
  };
  add(elements_->tetrahedra);
  add(elements_->hexahedra);
  for (std::size_t i = 0; i < sums.size(); ++i)
    if (counts[i] > 0.0) sums[i] /= counts[i];
  return sums;
}

}  // namespace electret::studio
