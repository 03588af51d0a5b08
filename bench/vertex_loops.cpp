/// \file
/// How much of a step one thread does alone, which is what more threads cannot shorten: processor time of a
/// step of a million vertices within the parallel loops and outside of them. vertex_loops.md has the table
/// and what it says.
///
/// The linker leads every parallel loop (Threads::run) to this program, which runs the chunks one after the
/// other and counts the calling thread's processor time. Other programs on the machine therefore change
/// little. Code that knows of one thread alone takes other ways, so that teams of one and of two are
/// measured.

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <utility>

#include <time.h>

#include <electret/electret.hpp>

namespace electret::bench {
namespace {

double own_seconds() {
  timespec now{};
  ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

double within_loops = 0.0;  ///< s.

/// n × n vertices with edges and diagonals, hanging from its top.
Scene sheet(const std::string& method, double n) {
  Scene scene;
  scene.time = {.step = method == "verlet" ? 1e-4 : 0.01, .steps = 1'000'000};
  scene.integrator.method = method;
  scene.integrator.tolerance = 1e-4;
  scene.gravity = Vec3{0, -9.81, 0};
  Body& body = scene.bodies.emplace_back();
  body.name = "sheet";
  const double width = 0.01 * (n - 1.0);
  body.generate = GeneratorSpec{"grid", {{"rows", n}, {"columns", n}, {"width", width}, {"height", width}}};
  body.mass = 1e-3;
  for (const char* from : {"edges", "diagonals"}) {
    SpringTable& springs = body.springs.emplace_back();
    springs.from = from;
    springs.stiffness = 50.0;
  }
  VertexGroup& top = body.groups.emplace_back();
  top.name = top.attribute = "top";
  body.pins.emplace_back().group = "top";
  return scene;
}

/// Seconds of a step, and those of them outside of parallel loops.
std::pair<double, double> measured(const std::string& method, double n, int threads, int steps) {
  Simulator simulator(compile(assemble(sheet(method, n)), threads));
  simulator.run(1);  // Buffers have their sizes.
  const double before = own_seconds();
  within_loops = 0.0;
  simulator.run(steps);
  const double whole = own_seconds() - before;
  return {whole / steps, (whole - within_loops) / steps};
}

void measure(const std::string& method, double n, int steps) {
  const double by_one = measured(method, n, 1, steps).first;
  const auto [whole, alone] = measured(method, n, 2, steps);
  std::printf("| `%s` | %.0f | %.0f | %.1f | %.1f %% |\n", method.c_str(), 1e3 * by_one, 1e3 * whole,
              1e3 * alone, 100.0 * alone / whole);
  std::fflush(stdout);
}

}  // namespace
}  // namespace electret::bench

extern "C" {

/// In place of Threads::run(n, chunk, function, context).
void __wrap__ZN8electret7Threads3runEllPFvPvllES1_(void*, long n, long chunk,
                                                   void (*function)(void*, long, long), void* context);
void __wrap__ZN8electret7Threads3runEllPFvPvllES1_(void*, long n, long chunk,
                                                   void (*function)(void*, long, long), void* context) {
  const double before = electret::bench::own_seconds();
  for (long begin = 0; begin < n; begin += chunk) function(context, begin, std::min(n, begin + chunk));
  electret::bench::within_loops += electret::bench::own_seconds() - before;
}
}

int main(int argc, char** argv) {
  const double n = argc > 1 ? std::atof(argv[1]) : 1000.0;
  std::printf(
      "| method | team of one: processor ms a step | team of two | outside of loops | serial |\n"
      "| --- | --- | --- | --- | --- |\n");
  for (const auto& [method, steps] :
       {std::pair("verlet", 10), std::pair("kick_midpoint", 2), std::pair("imex", 2)})
    electret::bench::measure(method, n, steps);
  return 0;
}
