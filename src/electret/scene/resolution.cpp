#include <algorithm>
#include <cmath>
#include <limits>

#include <electret/core/disjoint_sets.hpp>
#include <electret/scene/body_parts.hpp>
#include <electret/scene/resolution_warnings.hpp>
#include <electret/scene/words.hpp>

namespace electret {
namespace {

/// The largest h²k/m of an implicit step. The matrix of the step is M + h²L, where L is the Laplacian of the
/// springs' stiffnesses. Its entries are sums of numbers m and h²k, and float64 loses up to 1.1e-16 of h²k in
/// each sum. On a part of the scene that no pin holds, only the masses make the matrix definite, so they must
/// be larger than what is lost. This limit is a fifth of 1/2.2e-16.
constexpr double largest_ratio = 1e15;

/// The largest ratio of the springs' stiffness times length to the weight. Solves end at four roundings of
/// the first, which beyond this limit hide a tenth of the second.
constexpr double largest_pull = 0.1 / (4.0 * std::numeric_limits<double>::epsilon());

/// Sums over the vertices of one connected part.
struct Sums {
  double mass = 0.0;       ///< kg.
  double stiffness = 0.0;  ///< N/m, of all springs at each vertex.
  double pull = 0.0;       ///< N: the same times their rest lengths.
  std::size_t vertices = 0;
  std::size_t stiffest = 0;  ///< The number of its stiffest spring.
  bool is_held = false;      ///< A spring leads to a pinned vertex.
};

std::size_t at(Index vertex) {
  return static_cast<std::size_t>(vertex);
}

/// The sums of each part, at the vertex that represents it; the sums at other vertices are empty.
std::vector<Sums> sums_of_parts(const Assembly& assembly) {
  std::vector<bool> pinned(assembly.masses.size(), false);
  for (const Index vertex : pinned_vertices(assembly)) pinned[at(vertex)] = true;
  // The parts: free vertices that springs join to each other.
  DisjointSets parts(static_cast<Index>(assembly.masses.size()));
  for (const Spring& spring : assembly.springs)
    if (spring.stiffness > 0.0 && !pinned[at(spring.i)] && !pinned[at(spring.j)])
      parts.join(spring.i, spring.j);
  std::vector<Sums> sums(assembly.masses.size());
  for (std::size_t v = 0; v < sums.size(); ++v) {
    if (pinned[v]) continue;
    Sums& own = sums[at(parts.of(static_cast<Index>(v)))];
    own.mass += assembly.masses[v];
    ++own.vertices;
  }
  for (std::size_t s = 0; s < assembly.springs.size(); ++s) {
    const Spring& spring = assembly.springs[s];
    if (!(spring.stiffness > 0.0)) continue;
    for (const auto& [end, other] : {std::pair(spring.i, spring.j), std::pair(spring.j, spring.i)}) {
      if (pinned[at(end)]) continue;
      Sums& own = sums[at(parts.of(end))];
      if (own.stiffness == 0.0 || spring.stiffness > assembly.springs[own.stiffest].stiffness)
        own.stiffest = s;
      own.stiffness += spring.stiffness;
      own.pull += spring.stiffness * spring.rest_length;
      own.is_held = own.is_held || pinned[at(other)];
    }
  }
  return sums;
}

/// The key that sets the masses of body `number`.
std::string mass_key(const Assembly& assembly, std::size_t number) {
  const Body& body = assembly.scene.bodies[number];
  return "body." + std::to_string(number) +
         (body.mass             ? ".mass"
          : body.total_mass     ? ".total_mass"
          : body.masses.given() ? ".masses"
                                : ".mesh");
}

/// The key that sets the stiffness of a spring.
std::string stiffness_key(const Assembly& assembly, std::size_t body, std::size_t spring) {
  std::size_t tables_before = 0;
  for (std::size_t b = 0; b < body; ++b) tables_before += assembly.scene.bodies[b].springs.size();
  const auto& offsets = assembly.spring_offsets;
  const auto table = static_cast<std::size_t>(
      std::upper_bound(offsets.begin(), offsets.end(), static_cast<Count>(spring)) - offsets.begin() - 1);
  const SpringTable& own = assembly.scene.bodies[body].springs[table - tables_before];
  return "body." + std::to_string(body) + ".springs." + std::to_string(table - tables_before) +
         (own.stiffness ? ".stiffness"
          : own.modulus ? ".modulus"
                        : ".stiffnesses");
}

bool is_explicit(const Scene& scene) {
  return std::find(explicit_integrator_methods.begin(), explicit_integrator_methods.end(),
                   scene.integrator.method) != explicit_integrator_methods.end();
}

}  // namespace

void check_resolution(const Assembly& assembly, Report& report) {
  const Scene& scene = assembly.scene;
  if (is_explicit(scene)) return;
  const double h = scene.time.step;
  const std::vector<Sums> sums = sums_of_parts(assembly);
  for (std::size_t b = 0; b < scene.bodies.size(); ++b)
    for (Count v = assembly.body_offsets[b]; v < assembly.body_offsets[b + 1]; ++v) {
      const Sums& part = sums[static_cast<std::size_t>(v)];
      const double ratio = h * h * part.stiffness / part.mass;
      if (part.is_held || part.stiffness == 0.0 || ratio <= largest_ratio) continue;
      const double mass = part.mass / static_cast<double>(part.vertices);
      const double stiffness = part.stiffness / static_cast<double>(part.vertices);
      // The number that is further from everyday sizes is more likely to be the mistake.
      const bool blame_mass = std::abs(std::log10(mass)) > std::abs(std::log10(stiffness));
      report.add(
          scene.source, blame_mass ? mass_key(assembly, b) : stiffness_key(assembly, b, part.stiffest),
          "h²k/m of body " + in_quotes(scene.bodies[b].name) + " is " + brief_text(ratio) +
              ", beyond what float64 resolves in an implicit step: step " + brief_text(h) +
              " s, springs of together " + brief_text(stiffness) + " N/m at a vertex of " + brief_text(mass) +
              " kg",
          "allowed: up to 1e15; use a smaller step, larger masses, softer springs or method = \"verlet\"");
      break;
    }
}

std::vector<ResolutionWarning> resolution_warnings(const Assembly& assembly) {
  const Scene& scene = assembly.scene;
  const double gravity = scene.gravity ? norm(*scene.gravity) : 0.0;
  if (is_explicit(scene) || gravity == 0.0) return {};
  std::vector<ResolutionWarning> found;
  const std::vector<Sums> sums = sums_of_parts(assembly);
  for (std::size_t b = 0; b < scene.bodies.size(); ++b)
    for (Count v = assembly.body_offsets[b]; v < assembly.body_offsets[b + 1]; ++v) {
      const Sums& part = sums[static_cast<std::size_t>(v)];
      const double weight = part.mass * gravity;
      if (part.pull <= largest_pull * weight) continue;
      found.push_back(
          {stiffness_key(assembly, b, part.stiffest),
           "the springs of body " + in_quotes(scene.bodies[b].name) + ", stiffness times length, are " +
               brief_text(part.pull / weight) +
               " times its weight: float64 rounds their forces to more than a tenth of it, so that "
               "the body may stay where it starts",
           "use softer springs, which up to 1e9 times the weight are as good as rigid, or larger masses"});
      break;
    }
  return found;
}

}  // namespace electret
