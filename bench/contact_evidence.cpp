/// \file
/// The rows of the table with which contact between bodies was designed, by Electret: counts and errors,
/// beside the prototype's. contact_evidence.md has the table.
///
///   bench_contact_evidence [PART OF A ROW'S NAME]

#include <cmath>
#include <cstdio>
#include <functional>
#include <string>
#include <vector>

#include "dynamics/body_contact_scenes.hpp"

namespace electret::bench {
namespace {

using namespace electret::test;

constexpr double thickness = 1e-3, g = 9.81;

std::string text(const char* format, auto... values) {
  char buffer[400];
  std::snprintf(buffer, sizeof buffer, format, values...);
  return buffer;
}

/// Steps of a scene that are counted, with what is near.
struct Run {
  Simulator simulator;
  StepStatistics counts;
  double gap = 1.0;   ///< In thicknesses, after any step.
  int crossings = 0;  ///< Edges through triangles, after every fifth step.
  double reach = thickness;

  Run(const std::string& scene, const BodyContactOptions& options)
      : simulator(body_contact_simulator(scene, options)), reach(options.thickness) {}
  void go(int steps) {
    for (int k = 0; k < steps; ++k) {
      counts.add(simulator.step());
      gap = std::min(gap, simulator.system().body_contacts->state().smallest_gap / reach);
      if (k % 5 == 4) crossings += test::crossings(simulator);
    }
  }
  [[nodiscard]] std::string row() const {
    const double steps = counts.steps;
    return text("%.1f Newton, %.0f CG a step, at most %d; gap ≥ %.3g D; %d unconverged, %d crossings",
                static_cast<double>(counts.newton) / steps, static_cast<double>(counts.linear) / steps,
                counts.most, gap, counts.unconverged, crossings);
  }
};

/// A block of two layers on a long pinned slab in a tilted gravity. `gap`: at the start, in thicknesses.
std::string block_on_slope(double angle, double turned, double gap) {
  const RunSettings tilted{0.01, 1e-9, {g * std::sin(angle), 0, -g * std::cos(angle)}};
  const BoxBody slab{"slab", {16, 4, 1}, 0.05, {0.3, 0, 0}, 0.0, pinned_below(-0.025)};
  const BoxBody block{"block", {2, 2, 2}, 0.04, {0.003, 0.002, 0.025 + gap * thickness + 0.04}, turned, ""};
  return settings_text(tilted) + text_of(slab) + text_of(block);
}

double speed_of(const Run& run) {
  return momentum_of(run.simulator, 1).x / mass_of(run.simulator, 1);
}

/// Takes `steps` steps; the last one that changes a bit of a position.
int last_motion(Run& run, int steps) {
  int last = 0;
  VectorArray before;
  for (int k = 1; k <= steps; ++k) {
    run.go(1);
    if (run.simulator.state().positions != before) last = k;
    before = run.simulator.state().positions;
  }
  return last;
}

std::string holds(double share) {
  std::string result;
  for (const double turned : {0.0, 17.0}) {
    Run run(block_on_slope(std::atan(0.5 * share), turned, 0.97), {.friction = 0.5});
    const int still = last_motion(run, 300);
    result +=
        text("%s: velocity %.0e m/s after 300 steps, no bit of a position changes from step %d on%s",
             turned == 0.0 ? "aligned" : "turned", std::abs(speed_of(run)), still, turned == 0.0 ? "; " : "");
  }
  return result;
}

/// Accelerations along the slope of steps `skipped` to `steps`, their mean, least and largest.
std::string slides(double friction, double angle, int skipped, int steps) {
  const double exact = g * (std::sin(angle) - friction * std::cos(angle));
  std::string result = text("exact %.5f; ", exact);
  for (const double turned : {17.0, 0.0}) {
    Run run(block_on_slope(angle, turned, 0.97), {.friction = friction});
    run.go(skipped);
    const double first = speed_of(run);
    double last = first, low = 1e9, high = -1e9;
    for (int k = skipped; k < steps; ++k) {
      run.go(1);
      const double now = speed_of(run), a = (now - last) / 0.01;
      low = std::min(low, a), high = std::max(high, a), last = now;
    }
    result += text("%s mean %.5f, steps %.5f-%.5f; ", turned == 0.0 ? "aligned" : "turned",
                   (last - first) / (0.01 * (steps - skipped)), low, high);
  }
  return result.substr(0, result.size() - 2);
}

std::string rests() {
  Run run(block_on_slope(std::atan(0.5 * 0.93), 17.0, 0.97), {.friction = 0.5});
  run.go(100);
  const BodyContacts& contacts = *run.simulator.system().body_contacts;
  Vec3 sum;  // On the block.
  double normal = 0.0;
  for (const PairForce& force : contacts.state().forces) {
    const double sign = contacts.surface().body(force.pair.vertices[0]) == 1 ? 1.0 : -1.0;
    sum += sign * (force.normal * force.direction + force.friction);
    normal += sign * force.normal * force.direction.z;
  }
  const double weight = mass_of(run.simulator, 1) * g * std::cos(std::atan(0.5 * 0.93));
  return text("%.6f N of %.6f N, off by %.0e; with what friction has across the slope off by %.0e", normal,
              weight, std::abs(normal / weight - 1.0), std::abs(sum.z / weight - 1.0));
}

std::string stacks() {
  std::string scene = settings_text({0.01, 1e-6, {0, 0, -g}});
  for (int k = 0; k < 5; ++k)
    scene += text_of({"block" + std::to_string(k),
                      {3, 3, 3},
                      0.04,
                      {0, 0, k * (0.12 + 0.99 * thickness)},
                      5.0 * k,
                      k == 0 ? pinned_below(-0.06) : ""});
  Run run(scene, {});
  run.go(100);
  return run.row();
}

std::string falls_on_a_jelly() {
  Run run(settings_text({0.01, 1e-6, {0, 0, -g}}) +
              text_of({"below", {6, 6, 6}, 0.02, {0, 0, 0}, 0.0, pinned_below(-0.06), 1e5}) +
              text_of({"above", {6, 6, 6}, 0.02, {0.02, 0.01, 0.15}, 30.0, "velocity = [0, 0, -2.0]\n", 1e5}),
          {});
  run.go(60);
  return run.row();
}

struct Cloth {
  int rows, columns;
  double width, height, mass, stiffness;
  std::string turned = "[0, 0, 0]";
  Vec3 place;
  double bending = 1.0;
  std::string more{};
};

std::string text_of(const Cloth& c) {
  std::string scene =
      "[[body]]\nname = \"sheet\"\ngenerate = { shape = \"grid\", rows = " + std::to_string(c.rows) +
      ", columns = " + std::to_string(c.columns) +
      text(", width = %g, height = %g }\nrotate = ", c.width, c.height) + c.turned +
      text("\ntranslate = [%.9g, %.9g, %.9g]\ntotal_mass = %.9g\n", c.place.x, c.place.y, c.place.z, c.mass) +
      c.more;
  for (const auto& [from, stiffness] :
       {std::pair{"edges", c.stiffness}, {"diagonals", 0.5 * c.stiffness}, {"bending", c.bending}})
    scene +=
        std::string("  [[body.springs]]\n  from = \"") + from + text("\"\n  stiffness = %.9g\n", stiffness);
  return scene;
}

std::string drapes(int side, double stiffness_per_mass, int steps) {
  const double mass = 0.2, stiffness = stiffness_per_mass * mass / (side * side);
  const BoxBody block{"block", {4, 4, 2}, 0.1, {0, 0, -0.1}, 15.0, pinned_below(-0.2)};
  Run run(settings_text({0.01, 1e-6, {0, 0, -g}}) + test::text_of(block) +
              text_of(Cloth{
                  side, side, 1.2, 1.2, mass, stiffness, "[0, 0, 0]", {0.01, 0.007, 0.02}, 1e-2 * stiffness}),
          {.thickness = 4e-3, .touch_themselves = true});
  run.go(steps);
  return run.row() +
         text(", %.1f clamped a step", static_cast<double>(run.counts.clamped) / run.counts.steps);
}

std::string folds() {
  Run run(settings_text({0.01, 1e-6, {0, 0, -g}}) +
              test::text_of(BoxBody{"floor", {3, 3, 1}, 0.1, {0, 0, -0.05}, 0.0, pinned_below(-0.1)}) +
              text_of(Cloth{25, 6, 0.05, 0.24, 0.0024, 30.0, "[88, 0, 10]", {0, 0, 0.14}, 3.0}),
          {.touch_themselves = true});
  run.go(60);
  return run.row();
}

/// Its two halves fly at each other.
std::string closes(double tolerance) {
  Run run(settings_text({0.01, tolerance, {}}) +
              text_of(Cloth{7, 25, 0.24, 0.06, 0.0024, 30.0, "[0, 0, 0]", {}, 0.3}),
          {.touch_themselves = true});
  Simulator& simulator = run.simulator;
  State start = simulator.state();
  for (std::size_t i = 0; i < start.positions.size(); ++i) {
    const double x = start.positions[i].x;
    start.velocities[i] = {0.0, 0.0, 8.0 * std::abs(x) - 0.3};
    start.positions[i].z = 0.3 * std::abs(x);
  }
  simulator.restore(start, {});
  const Vec3 before = momentum_of(simulator);
  run.go(60);
  double scale = 0.0;
  for (std::size_t i = 0; i < start.velocities.size(); ++i)
    scale += simulator.system().masses()[i] * norm(start.velocities[i]);
  return run.row() + text("; momentum changes by %.0e of %.0e kg m/s at %.0e",
                          norm(momentum_of(simulator) - before), scale, tolerance);
}

/// A block with charges of one sign under one with those of the other, no gravity.
std::string attract() {
  Run run(settings_text({0.01, 1e-9, {}}) + "[coulomb]\nsoftening = 0.02\n" +
              test::text_of(
                  BoxBody{"low", {4, 4, 1}, 0.04, {0, 0, 0}, 0.0, "charge = 5e-8\n" + pinned_below(-0.02)}) +
              test::text_of(
                  BoxBody{"high", {4, 4, 1}, 0.04, {0.003, 0.002, 0.04 + 1e-3}, 17.0, "charge = -5e-8\n"}),
          {});
  const int still = last_motion(run, 150);
  double push = 0.0;
  for (const PairForce& force : run.simulator.system().body_contacts->state().forces)
    push += force.normal * force.direction.z;
  return run.row() + text("; no bit changes from step %d on; pressed by %.3f N", still, std::abs(push));
}

std::string shoots(double speed) {
  Run run(settings_text({0.01, 1e-6, {}}) +
              test::text_of(BoxBody{"slab", {4, 4, 1}, 0.05, {0, 0, 0}, 0.0, pinned_below(-0.025)}) +
              test::text_of(BoxBody{"cube",
                                    {2, 2, 2},
                                    0.05,
                                    {0.01, 0.007, 0.025 + 0.05 + 0.15},
                                    17.0,
                                    text("velocity = [0, 0, %.1f]\n", -speed)}),
          {});
  run.go(10);
  return run.row() + (momentum_of(run.simulator, 1).z > 0.0 ? "; thrown back" : "; NOT thrown back");
}

/// Two cubes that meet obliquely; momenta by the sum of the sizes of both.
std::string collides(double friction, double step) {
  Run run(settings_text({step, 1e-10, {}}) +
              test::text_of(BoxBody{"low", {3, 3, 3}, 0.03, {0, 0, 0}, 0.0, "velocity = [0, 0, 1.0]\n"}) +
              test::text_of(BoxBody{
                  "high", {3, 3, 3}, 0.03, {0.03, 0.02, 0.11}, 17.0, "velocity = [0.3, 0.1, -1.0]\n"}),
          {.friction = friction});
  const auto turning = [&] {
    Vec3 sum;
    for (std::size_t i = 0; i < run.simulator.state().positions.size(); ++i)
      sum += run.simulator.system().masses()[i] *
             cross(run.simulator.state().positions[i], run.simulator.state().velocities[i]);
    return sum;
  };
  const Vec3 before = momentum_of(run.simulator), turns = turning();
  const double size = norm(momentum_of(run.simulator, 0)) + norm(momentum_of(run.simulator, 1));
  run.go(static_cast<int>(std::lround(0.06 / step)));
  return text("μ = %.1f: momentum %.0e of %.2g kg m/s, angular momentum %.1e of %.1e kg m²/s, %d unconverged",
              friction, norm(momentum_of(run.simulator) - before), size, norm(turning() - turns), norm(turns),
              run.counts.unconverged);
}

struct Row {
  std::string name, prototype;
  std::function<std::string()> measure;
};

std::vector<Row> rows() {
  const double slope = 20.0 * 3.14159265358979323846 / 180.0;
  return {
      {"holds at tan θ/μ = 0.93", "velocity exactly 0 from step 20-40 on", [] { return holds(0.93); }},
      {"holds at 0.99", "velocity exactly 0 from step 20-40 on", [] { return holds(0.99); }},
      {"slides at 1.01, m/s²", "exact .03291; mean over .6 s turned .0325, aligned .0331; steps .029-.037",
       [] { return slides(0.5, std::atan(0.505), 10, 70); }},
      {"slides at 20°, μ = 0.2", "exact 1.51155; mean 1.5115; steps 1.5114-1.5142",
       [=] { return slides(0.2, slope, 5, 45); }},
      {"slides at 20°, μ = 0", "exact 3.35522; steps 3.3552", [=] { return slides(0.0, slope, 5, 35); }},
      {"sum of normal forces at rest", "3.16191 N of 3.16192 N, off by 3e-6", rests},
      {"5 blocks, 320 vertices, turned by 5° each, 100 steps",
       "3.2 Newton, 296 CG a step, at most 17; gap ≥ .918 D", stacks},
      {"jelly falls on a jelly at 2 m/s, 686 vertices", "6.2 Newton, 546 CG, at most 14; gap ≥ .11 D",
       falls_on_a_jelly},
      {"cloth over a solid, 1036 vertices", "15.6 Newton, 518 CG, at most 34; gap ≥ .21 D",
       [] { return drapes(31, 8e5, 60); }},
      {"finer and stiffer, 2191 vertices, k/m 4e6", "the step after touch-down 261, then 78, 45 … 26",
       [] { return drapes(46, 4e6, 30); }},
      {"strip folds on itself and on a floor", "14.3 Newton, 409 CG, at most 61; gap ≥ .83 D", folds},
      {"free sheet closes on itself", "10.1 Newton, 285 CG, at most 34; gap ≥ .92 D; momentum 6e-9 at 1e-6",
       [] { return closes(1e-6); }},
      {"two charged blocks, 25 charges on each face", "2.5 Newton; rest after 50 steps; pressed by .483 N",
       attract},
      {"head-on at 20 m/s", "no intersection; at most 129 Newton", [] { return shoots(20.0); }},
      {"head-on at 50 m/s", "no intersection; at most 129 Newton", [] { return shoots(50.0); }},
      {"collision with friction, h = 2 ms", "momentum 2e-11 of 1; angular momentum 1.5e-4 of 3.6e-2",
       [] { return collides(0.5, 0.002); }},
      {"the same without friction", "angular momentum 4.8e-6 of 3.6e-2",
       [] { return collides(0.0, 0.002); }}};
}

}  // namespace
}  // namespace electret::bench

int main(int count, char** arguments) {
  std::printf("| scene | prototype | Electret |\n| --- | --- | --- |\n");
  for (const electret::bench::Row& row : electret::bench::rows()) {
    if (count > 1 && row.name.find(arguments[1]) == std::string::npos) continue;
    std::printf("| %s | %s | %s |\n", row.name.c_str(), row.prototype.c_str(), row.measure().c_str());
    std::fflush(stdout);
  }
  return 0;
}
