#include <algorithm>
#include <cmath>

#include <electret/dynamics/body_scales.hpp>

namespace electret {
namespace {

/// Vertices of one colour share no element, so that second derivatives by each alone are read from one
/// product.
class Colours {
 public:
  explicit Colours(const System& system) : of_(static_cast<std::size_t>(system.vertex_count()), -1) {
    std::vector<std::vector<Index>> beside(of_.size());
    for (const auto& energy : system.elastic) {
      const auto corners = energy->elements().connectivity();
      const auto each = static_cast<std::size_t>(energy->elements().vertices_per_element());
      for (std::size_t first = 0; first < corners.size(); first += each)
        for (std::size_t i = 0; i < each; ++i)
          for (std::size_t j = 0; j < each; ++j)
            if (i != j) beside[static_cast<std::size_t>(corners[first + i])].push_back(corners[first + j]);
    }
    std::vector<std::size_t> taken_by;
    for (std::size_t v = 0; v < of_.size(); ++v) {
      taken_by.resize(static_cast<std::size_t>(count_) + 1, of_.size());
      for (const Index other : beside[v])
        if (const int colour = of_[static_cast<std::size_t>(other)]; colour >= 0)
          taken_by[static_cast<std::size_t>(colour)] = v;
      int colour = 0;
      while (taken_by[static_cast<std::size_t>(colour)] == v) ++colour;
      of_[v] = colour;
      count_ = std::max(count_, colour + 1);
    }
  }

  [[nodiscard]] int count() const { return count_; }
  [[nodiscard]] bool has(std::size_t vertex, int colour) const { return of_[vertex] == colour; }

 private:
  std::vector<int> of_;
  int count_ = 0;
};

/// Calls visit(colour, axis) for all.
template <class Visit>
void for_directions(const Colours& colours, Visit&& visit) {
  for (int colour = 0; colour < colours.count(); ++colour)
    for (int axis = 0; axis < 3; ++axis) visit(colour, axis);
}

/// A length by which moving a vertex hardly changes its elements: a part of their extent.
double small_length(const System& system) {
  double shortest = 0.0;
  const VectorArray& rest = system.assembly.rest_positions;
  for (const auto& energy : system.elastic) {
    const auto corners = energy->elements().connectivity();
    const auto each = static_cast<std::size_t>(energy->elements().vertices_per_element());
    for (std::size_t k = 0; k < corners.size(); ++k) {
      if (k % each == 0) continue;
      const double length =
          norm(rest[static_cast<std::size_t>(corners[k])] - rest[static_cast<std::size_t>(corners[k - 1])]);
      if (length > 0.0 && (shortest == 0.0 || length < shortest)) shortest = length;
    }
  }
  return 1e-3 * shortest;
}

/// ∂(∂²E/∂x_ia²)/∂θ by differences of ∂∇E/∂θ at the shape at rest, by the five-point rule: its error is far
/// below that of other derivatives. θ are parameters and, where asked for, the rest shapes of elements.
void add_through_parameters(const System& system, const Colours& colours, ScalarView by_scales,
                            ParameterGradients& out) {
  const auto n = static_cast<std::size_t>(system.vertex_count());
  const double step = small_length(system);
  VectorArray place(n), weight(n);
  constexpr std::array<std::array<double, 2>, 4> points{{{-2, 1}, {-1, -8}, {1, 8}, {2, -1}}};
  for_directions(colours, [&](int colour, int axis) {
    for (const auto& [steps, share] : points) {
      for (std::size_t i = 0; i < n; ++i) {
        place[i] = system.assembly.rest_positions[i];
        weight[i] = {};
        if (!colours.has(i, colour)) continue;
        place[i][axis] += steps * step;
        weight[i][axis] = by_scales[i] * share / (36.0 * step);
      }
      for (std::size_t e = 0; e < system.elastic.size(); ++e) {
        ElasticEnergy& energy = *system.elastic[e];
        if (energy.reads_activations()) continue;
        const std::vector<ScalarSpan> outs(out.elastic[e].begin(), out.elastic[e].end());
        energy.add_gradient_parameter_products(place, weight, outs);
        if (!out.rest_positions.empty()) energy.add_gradient_rest_products(place, weight, out.rest_positions);
      }
    }
  });
}

/// The places at rest are those at which the second derivatives are taken, too: Σ_i w_i ∇(∂²E/∂x_ia²) is the
/// second difference of ∇E along a way on which each vertex of a colour goes by √w_i. Positive and negative
/// w_i go apart.
void add_through_places(const System& system, const Colours& colours, ScalarView by_scales, VectorSpan out) {
  const auto n = static_cast<std::size_t>(system.vertex_count());
  const double step = 10.0 * small_length(system);
  double largest = 0.0;
  for (const double w : by_scales) largest = std::max(largest, std::abs(w));
  if (!(largest > 0.0)) return;
  VectorArray place(n), slope(n);
  constexpr std::array<std::array<double, 2>, 5> points{{{-2, -1}, {-1, 16}, {0, -30}, {1, 16}, {2, -1}}};
  for_directions(colours, [&](int colour, int axis) {
    for (const double sign : {1.0, -1.0})
      for (const auto& [steps, share] : points) {
        for (std::size_t i = 0; i < n; ++i) {
          place[i] = system.assembly.rest_positions[i];
          slope[i] = {};
          if (colours.has(i, colour) && sign * by_scales[i] > 0.0)
            place[i][axis] += steps * step * std::sqrt(sign * by_scales[i] / largest);
        }
        for (const auto& energy : system.elastic)
          if (!energy->reads_activations()) energy->add_gradient(place, slope);
        for (std::size_t i = 0; i < n; ++i)
          out[i] += (sign * largest * share / (36.0 * step * step)) * slope[i];
      }
  });
}

/// The mean of the three second derivatives ∂²E/∂x_ia² of each vertex at the shape at rest, N/m. Negative
/// where springs are pressed together: their transverse stiffness is below 0.
std::vector<double> elastic_scales(const System& system, const Colours& colours) {
  const auto n = static_cast<std::size_t>(system.vertex_count());
  std::vector<double> scales(n, 0.0);
  for (const auto& energy : system.elastic)
    if (!energy->reads_activations())
      energy->linearise(system.assembly.rest_positions, HessianKind::exact, {});
  VectorArray unit(n), product(n);
  for_directions(colours, [&](int colour, int axis) {
    std::fill(product.begin(), product.end(), Vec3{});
    for (std::size_t i = 0; i < n; ++i) unit[i] = {};
    for (std::size_t i = 0; i < n; ++i)
      if (colours.has(i, colour)) unit[i][axis] = 1.0;
    for (const auto& energy : system.elastic)
      if (!energy->reads_activations()) energy->add_hessian_product(unit, product);
    for (std::size_t i = 0; i < n; ++i)
      if (colours.has(i, colour)) scales[i] += product[i][axis] / 3.0;
  });
  return scales;
}

}  // namespace

std::vector<double> body_scales(const System& system) {
  const std::vector<double> elastic = elastic_scales(system, Colours(system));
  std::vector<double> scales(elastic.size());
  // Below 0 contact would pull.
  for (std::size_t i = 0; i < scales.size(); ++i)
    scales[i] = system.masses()[i] / (system.time_step * system.time_step) + std::max(0.0, elastic[i]);
  return scales;
}

void add_body_scale_gradient(const System& system, ScalarView by_scales, ParameterGradients& out) {
  const Colours colours(system);
  const double h = system.time_step;
  for (std::size_t i = 0; i < by_scales.size(); ++i) out.masses[i] += by_scales[i] / (h * h);
  std::vector<double> by_elastic(by_scales.begin(), by_scales.end());
  const std::vector<double> elastic = elastic_scales(system, colours);
  for (std::size_t i = 0; i < by_elastic.size(); ++i)
    if (!(elastic[i] > 0.0)) by_elastic[i] = 0.0;
  add_through_parameters(system, colours, by_elastic, out);
  if (!out.rest_positions.empty()) add_through_places(system, colours, by_elastic, out.rest_positions);
}

}  // namespace electret
