/// \file
/// What a step with contact costs beside one of the same bodies without: a box that slides on an obstacle,
/// stacks of blocks, and a cloth that falls over a block. contact_steps.md has the table.
///
///   bench_contact_steps [THREADS]

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include <time.h>

#include <electret/contact/body_contacts.hpp>
#include <electret/contact/contact_set.hpp>
#include <electret/dynamics/simulator.hpp>
#include <electret/scene/read.hpp>

namespace electret::bench {
namespace {

/// Steps after the first touch that are not measured: the first ones of a contact cost more than all later
/// ones.
constexpr int skipped = 4;

double seconds(clockid_t clock) {
  timespec now{};
  ::clock_gettime(clock, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

/// Means over the steps that were measured.
struct Cost {
  double wall = 0.0, processor = 0.0;  ///< ms a step.
  double newton = 0.0, krylov = 0.0;
  int most = 0, unconverged = 0;
};

bool touches(const System& system) {
  if (system.body_contacts && !system.body_contacts->state().forces.empty()) return true;
  if (!system.contacts) return false;
  const auto states = system.contacts->states();
  return std::any_of(states.begin(), states.end(), [](ContactState s) { return s != ContactState::free; });
}

/// `steps` steps of a scene, from the first touch on if something touches within 300 steps, and `waits`.
Cost measure(const std::string& text, int steps, int threads, bool waits = true) {
  Simulator simulator(compile(assemble(parse_scene(text, "scene.toml", ".")), threads));
  const System& system = simulator.system();
  if (waits && (system.contacts || system.body_contacts))
    for (int step = 0; step < 300 && !touches(system); ++step) simulator.step();
  for (int step = 0; step < skipped; ++step) simulator.step();
  Cost cost;
  const double wall = seconds(CLOCK_MONOTONIC), processor = seconds(CLOCK_PROCESS_CPUTIME_ID);
  for (int step = 0; step < steps; ++step) {
    const StepReport report = simulator.step();
    cost.newton += report.elastic_iterations;
    cost.krylov += static_cast<double>(report.counts.of("linear_iterations"));
    cost.most = std::max(cost.most, report.elastic_iterations);
    cost.unconverged += report.capped || report.failed ? 1 : 0;
  }
  cost.wall = 1e3 * (seconds(CLOCK_MONOTONIC) - wall) / steps;
  cost.processor = 1e3 * (seconds(CLOCK_PROCESS_CPUTIME_ID) - processor) / steps;
  cost.newton /= steps;
  cost.krylov /= steps;
  return cost;
}

void print(const std::string& name, const Cost& with, const Cost& without) {
  std::printf("| %s | %.1f | %.1f | %.1f | %.1f | %.1f (%d) | %.1f | %.0f | %.0f | %d |\n", name.c_str(),
              with.wall, without.wall, with.wall / without.wall, with.processor / without.processor,
              with.newton, with.most, without.newton, with.krylov, without.krylov, with.unconverged);
  std::fflush(stdout);
}

std::string settings(const std::string& gravity) {
  return "[time]\nstep = 0.01\nsteps = 100000\n[integrator]\ntolerance = 1e-6\n[gravity]\nacceleration = " +
         gravity + "\n";
}

std::string number(double value) {
  std::array<char, 40> text{};
  std::snprintf(text.data(), text.size(), "%.9g", value);
  return text.data();
}

struct Box {
  std::string name;
  std::array<int, 3> cells;
  double cell;    ///< m.
  double height;  ///< Of its lowest face, m.
  double turned;  ///< About z, degrees.
  std::string keys;
  bool is_held;  ///< By its lowest vertices.
  std::string modulus = "1e6";
};

std::string text_of(const Box& box) {
  const auto [nx, ny, nz] = box.cells;
  const double middle = box.height + 0.5 * nz * box.cell;
  std::string text = "[[body]]\nname = \"" + box.name + "\"\ngenerate = { shape = \"box\", cells = [" +
                     std::to_string(nx) + ", " + std::to_string(ny) + ", " + std::to_string(nz) +
                     "], cell_size = " + number(box.cell) + " }\nrotate = [0.0, 0.0, " + number(box.turned) +
                     "]\ntranslate = [0.0, 0.0, " + number(middle) + "]\ndensity = 1000.0\n" + box.keys;
  if (box.is_held)
    text += "  [[body.group]]\n  name = \"base\"\n  box = [[-9.0, -9.0, " + number(box.height - 1e-4) +
            "], [9.0, 9.0, " + number(box.height + 1e-4) + "]]\n  [[body.pin]]\n  group = \"base\"\n";
  return text + "  [[body.material]]\n  model = \"stable_neo_hookean\"\n  youngs_modulus = " + box.modulus +
         "\n  poissons_ratio = 0.4\n";
}

/// A box of 2673 vertices, 297 of which lie on a floor that is exact. It is thrown along it and down.
void on_an_obstacle(int threads) {
  const auto box = [](bool is_held) {
    return settings("[0.0, 0.0, -9.81]") +
           text_of({"box", {32, 8, 8}, 0.025, 0.0, 0.0, "velocity = [1.0, 0.0, -0.5]\n", is_held, "1e5"});
  };
  const Cost without = measure(box(true), 40, threads);
  for (const char* friction : {"0.0", "0.3", "0.6", "1.0"})
    print(std::string("box on a floor, μ = ") + friction,
          measure(box(false) +
                      "[[obstacle]]\nname = \"floor\"\nshape = \"plane\"\npoint = [0.0, 0.0, 0.0]\nnormal = "
                      "[0.0, 0.0, 1.0]\nfriction = " +
                      friction + "\n",
                  40, threads),
          without);
}

/// Five blocks of `cells` cells a side, each turned by `turn` degrees more, on the lowest one, which is held.
/// Without contact all are held; in both cases they begin with a push sideways.
void stack(int cells, double turn, int threads) {
  constexpr double thickness = 1e-3, side = 0.12;
  const auto blocks = [&](bool touch) {
    std::string text = settings("[0.0, 0.0, -9.81]");
    if (touch)
      text += "[contact]\nagainst = [\"bodies\"]\nthickness = " + number(thickness) + "\nfriction = 0.5\n";
    for (int b = 0; b < 5; ++b)
      text += text_of({"block" + std::to_string(b),
                       {cells, cells, cells},
                       side / cells,
                       b * (side + 0.99 * thickness),
                       turn * b,
                       "velocity = [0.05, 0.0, -0.05]\n",
                       b == 0 || !touch});
    return text;
  };
  const int vertices = 5 * (cells + 1) * (cells + 1) * (cells + 1);
  print("5 blocks, " + std::to_string(vertices) + " vertices, turned by " + number(turn) + "° each",
        measure(blocks(true), 30, threads), measure(blocks(false), 30, threads));
}

/// A stiff solid of 18785 vertices beside a small one that might touch it, and does not.
void beside(int threads) {
  const auto bodies = [](bool may_touch) {
    return settings("[0.0, 0.0, -9.81]") +
           (may_touch ? "[contact]\nagainst = [\"bodies\"]\nthickness = 0.001\n" : "") +
           text_of({"large", {64, 16, 16}, 0.025, 0.0, 0.0, "velocity = [1.0, 0.0, -0.5]\n", true, "1e7"}) +
           text_of({"small", {2, 2, 2}, 0.025, 9.5, 0.0, "", false, "1e7"});
  };
  print("18785 vertices beside a body that does not touch", measure(bodies(true), 15, threads, false),
        measure(bodies(false), 15, threads, false));
}

/// A sheet of 31×31 vertices falls over a block that is held; without contact its middle is held.
void drape(int threads) {
  const auto cloth = [](bool touch) {
    std::string text = settings("[0.0, 0.0, -9.81]");
    if (touch)
      text += "[contact]\nagainst = [\"bodies\", \"self\"]\nthickness = 0.004\nfriction = 0.5\n" +
              text_of({"block",
                       {4, 4, 2},
                       0.1,
                       -0.2,
                       15.0,
                       "  [[body.group]]\n  name = \"all\"\n  box = [[-9.0, -9.0, -9.0], [9.0, 9.0, 9.0]]\n  "
                       "[[body.pin]]\n  group = \"all\"\n",
                       false});
    text +=
        "[[body]]\nname = \"cloth\"\ngenerate = { shape = \"grid\", width = 1.2, height = 1.2, rows = 31, "
        "columns = "
        "31 }\ntranslate = [0.0, 0.0, 0.02]\ntotal_mass = 0.2\n";
    if (!touch)
      text +=
          "  [[body.group]]\n  name = \"middle\"\n  box = [[-0.2, -0.2, -9.0], [0.2, 0.2, 9.0]]\n  "
          "[[body.pin]]\n  "
          "group = \"middle\"\n";
    for (const char* springs : {"\"edges\"\n  stiffness = 60.0", "\"diagonals\"\n  stiffness = 30.0",
                                "\"bending\"\n  stiffness = 1.0"})
      text += std::string("  [[body.springs]]\n  from = ") + springs + "\n";
    return text;
  };
  print("a cloth of 961 vertices over a block", measure(cloth(true), 60, threads),
        measure(cloth(false), 60, threads));
}

}  // namespace
}  // namespace electret::bench

int main(int count, char** arguments) {
  const int threads = count > 1 ? std::atoi(arguments[1]) : 2;
  std::printf(
      "%d threads\n\n| scene | with contact, ms a step | without, ms | ratio | ratio of processor time | "
      "Newton "
      "(most) | without | Krylov | without | unconverged |\n"
      "| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |\n",
      threads);
  electret::bench::on_an_obstacle(threads);
  for (const int cells : {6, 9})
    for (const double turn : {5.0, 0.0}) electret::bench::stack(cells, turn, threads);
  electret::bench::beside(threads);
  electret::bench::drape(threads);
  return 0;
}
