#pragma once
/// Bodies that touch each other, and what is measured of them.

#include <algorithm>
#include <string>

#include <electret/contact/body_contacts.hpp>
#include <electret/dynamics/body_scales.hpp>
#include <electret/dynamics/simulator.hpp>
#include <electret/scene/read.hpp>

namespace electret::test {

struct BodyContactOptions {
  double thickness = 1e-3;  ///< m.
  double friction = 0.5;
  bool touch_themselves = false;
  bool keeps_idle = false;  ///< Derivatives by a friction of 0 are wanted.
};

/// Lets all bodies of the system touch each other by their faces.
inline void let_bodies_touch(System& system, const BodyContactOptions& options) {
  const Assembly& assembly = system.assembly;
  std::vector<char> free(static_cast<std::size_t>(system.vertex_count()), 1);
  for (const Index pin : system.pins) free[static_cast<std::size_t>(pin)] = 0;
  const std::size_t count = assembly.body_offsets.size() - 1;
  BodyPairs bodies(count);
  for (std::size_t a = 0; a < count; ++a)
    for (std::size_t b = 0; b < a; ++b) bodies.allow(a, b);
  for (std::size_t a = 0; a < count; ++a) bodies.allow(a, a, options.touch_themselves);
  SurfaceParts parts;
  parts.triangles = assembly.faces;
  const std::vector<Count> offsets(assembly.body_offsets.begin(), assembly.body_offsets.end());
  system.body_contacts = std::make_shared<BodyContacts>(
      ContactSurface(parts, offsets, assembly.rest_positions, free), bodies, options.thickness,
      BodyFrictions{{options.friction}, std::vector<std::size_t>(count * count, 0), options.keeps_idle},
      *system.threads);
  system.body_contacts->set_scales(body_scales(system));
}

inline Simulator body_contact_simulator(const std::string& text, const BodyContactOptions& options,
                                        int threads = 1) {
  auto system = compile(assemble(parse_scene(text, "scene.toml", ".")), threads);
  let_bodies_touch(*system, options);
  return Simulator(std::move(system));
}

/// The smallest distance of two candidate parts at the state's places, m.
inline double smallest_gap(Simulator& simulator) {
  BodyContacts& contacts = *const_cast<System&>(simulator.system()).body_contacts;
  const VectorArray& x = simulator.state().positions;
  contacts.pairs().find(x, x);
  double least = contacts.thickness();
  for (const SurfacePair& pair : contacts.pairs().pairs())
    least = std::min(least, pair_distance(pair.kind, places_of(pair, x)).distance);
  return least;
}

/// How many edges of one body go through triangles of another, or of the same without sharing a vertex, by
/// the signs of volumes.
inline int crossings(const Simulator& simulator) {
  const auto& faces = simulator.system().assembly.faces;
  const VectorArray& x = simulator.state().positions;
  const auto at = [&](Index v) { return x[static_cast<std::size_t>(v)]; };
  const auto volume = [](const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d) {
    return dot(cross(b - a, c - a), d - a);
  };
  int count = 0;
  for (const Triangle& f : faces)
    for (std::size_t e = 0; e < 3; ++e) {
      const Index i = f[e], j = f[(e + 1) % 3];
      for (const Triangle& g : faces) {
        if (std::find(g.begin(), g.end(), i) != g.end() || std::find(g.begin(), g.end(), j) != g.end())
          continue;
        const Vec3 a = at(g[0]), b = at(g[1]), c = at(g[2]);
        if (!(volume(a, b, c, at(i)) * volume(a, b, c, at(j)) < 0.0)) continue;
        const double s = volume(at(i), at(j), a, b), t = volume(at(i), at(j), b, c),
                     u = volume(at(i), at(j), c, a);
        count += (s > 0 && t > 0 && u > 0) || (s < 0 && t < 0 && u < 0) ? 1 : 0;
      }
    }
  return count;
}

/// What runs count.
struct StepStatistics {
  int steps = 0, unconverged = 0, most = 0;
  Count newton = 0, linear = 0, clamped = 0;
  void add(const StepReport& report) {
    ++steps;
    unconverged += report.capped || report.failed || report.contact.is_unconverged ? 1 : 0;
    most = std::max(most, report.elastic_iterations);
    newton += report.elastic_iterations;
    linear += report.counts.of("linear_iterations");
    clamped += report.counts.of("clamped_directions");
  }
  [[nodiscard]] std::string text() const {
    const auto mean = [&](Count sum) {
      return std::to_string(static_cast<double>(sum) / std::max(steps, 1));
    };
    return std::to_string(steps) + " steps, Newton " + mean(newton) + " (most " + std::to_string(most) +
           "), CG " + mean(linear) + ", clamped " + mean(clamped) + ", unconverged " +
           std::to_string(unconverged);
  }
};

/// Of all bodies, or of body `only`.
inline Vec3 momentum_of(const Simulator& simulator, int only = -1) {
  Vec3 momentum;
  const Assembly& assembly = simulator.system().assembly;
  for (std::size_t b = 0; b + 1 < assembly.body_offsets.size(); ++b) {
    if (only >= 0 && b != static_cast<std::size_t>(only)) continue;
    for (auto i = static_cast<std::size_t>(assembly.body_offsets[b]);
         i < static_cast<std::size_t>(assembly.body_offsets[b + 1]); ++i)
      momentum += simulator.system().masses()[i] * simulator.state().velocities[i];
  }
  return momentum;
}

inline double mass_of(const Simulator& simulator, std::size_t body) {
  const Assembly& assembly = simulator.system().assembly;
  double mass = 0.0;
  for (auto i = static_cast<std::size_t>(assembly.body_offsets[body]);
       i < static_cast<std::size_t>(assembly.body_offsets[body + 1]); ++i)
    mass += simulator.system().masses()[i];
  return mass;
}

/// A box of 1000 kg/m³ with `more` of its keys.
struct BoxBody {
  std::string name = "box";
  std::array<int, 3> cells{3, 3, 2};
  double cell = 0.05;   ///< m.
  Vec3 place;           ///< Of its middle, m.
  double turned = 0.0;  ///< About z, degrees.
  std::string more;
  double modulus = 1e6;  ///< Pa.
};

inline std::string text_of(const BoxBody& box) {
  const auto list = [](const auto& a, const auto& b, const auto& c) {
    return "[" + std::to_string(a) + ", " + std::to_string(b) + ", " + std::to_string(c) + "]";
  };
  char modulus[40];
  std::snprintf(modulus, sizeof modulus, "%.17e", box.modulus);
  return "[[body]]\nname = \"" + box.name +
         "\"\ngenerate = { shape = \"box\", cells = " + list(box.cells[0], box.cells[1], box.cells[2]) +
         ", cell_size = " + std::to_string(box.cell) + " }\nrotate = [0.0, 0.0, " +
         std::to_string(box.turned) + "]\ntranslate = " + list(box.place.x, box.place.y, box.place.z) +
         "\ndensity = 1000.0\n" + box.more +
         "  [[body.material]]\n  model = \"stable_neo_hookean\"\n  youngs_modulus = " + modulus +
         "\n  poissons_ratio = 0.4\n";
}

struct RunSettings {
  double step = 0.01, tolerance = 1e-9;
  Vec3 gravity{0, 0, -9.81};
};

inline std::string settings_text(const RunSettings& settings) {
  char text[400];
  std::snprintf(
      text, sizeof text,
      "[time]\nstep = %.17e\nsteps = 100000\n[integrator]\ntolerance = %.3e\n[gravity]\nacceleration = "
      "[%.17e, %.17e, %.17e]\n",
      settings.step, settings.tolerance, settings.gravity.x, settings.gravity.y, settings.gravity.z);
  return text;
}

/// Its lowest vertices are pinned.
inline std::string pinned_below(double z) {
  return "  [[body.group]]\n  name = \"base\"\n  box = [[-10, -10, " + std::to_string(z - 1e-3) +
         "], [10, 10, " + std::to_string(z + 1e-3) + "]]\n  [[body.pin]]\n  group = \"base\"\n";
}

}  // namespace electret::test
