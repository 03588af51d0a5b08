/// \file
/// Implicit solves of springs beside their peers: time and iterations a step to relative gradient norms of
/// 1e-4, 1e-6 and 1e-10, memory, threads, and how far the loops are from the memory's bandwidth.
/// elastic_solves.md has its tables and what they say.

#include <cmath>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <regex>

#include "elastic_solves/apart.hpp"
#include "elastic_solves/measure.hpp"
#include "elastic_solves/scenes.hpp"
#include "elastic_solves/tables.hpp"

namespace electret::bench {
namespace {

constexpr const char* usage =
    "Usage: bench_elastic_solves [OPTIONS]\n\n"
    "  --quick            small scenes, one tolerance, short limits: under two minutes\n"
    "  --large            blobs of 100 000, sheets of 316² and 1000² too\n"
    "  --rows REGEX       only rows PART/SCENE/METHOD/TOLERANCE that match it; parts: steps, threads, busy,\n"
    "                     adjoint, loops; implies --large\n"
    "  --list             the rows' names\n"
    "  --threads N        of the parts steps, adjoint and busy (default 2)\n"
    "  --limit S          seconds of processor time after which a row is given up (default 60)\n"
    "  --steps N          measured steps of a row (default: the scene's)\n"
    "  --json FILE        the tables as JSON, too\n"
    "  --benchmark_format=json   JSON instead of Markdown on stdout\n";

struct Options {
  bool quick = false, large = false, list = false, json_out = false;
  std::string rows, json_file;
  int threads = 2;
  unsigned limit = 60;
  Count steps = 0;
};

class Program {
 public:
  explicit Program(Options options) : options_(std::move(options)), chosen_(options_.rows) {}

  int run() {
    steps();
    threads();
    adjoint();
    loops();
    if (options_.list) return 0;
    std::string json = "[";
    for (std::size_t k = 0; k < tables_.size(); ++k) json += (k == 0 ? "" : ",\n") + tables_[k].json();
    json += "]\n";
    if (options_.json_out) std::fputs(json.c_str(), stdout);
    if (!options_.json_file.empty()) std::ofstream(options_.json_file) << json;
    return 0;
  }

 private:
  [[nodiscard]] bool is_asked(const SolveScene& scene) const {
    if (!options_.rows.empty()) return true;
    return options_.quick ? scene.cost == Cost::quick : options_.large || scene.cost != Cost::large;
  }
  [[nodiscard]] bool is_asked(const std::string& row) const {
    if (!options_.rows.empty() && !std::regex_search(row, chosen_)) return false;
    if (options_.list) std::printf("%s\n", row.c_str());
    return !options_.list;
  }
  [[nodiscard]] unsigned limit() const {
    return options_.quick ? std::min(5U, options_.limit) : options_.limit;
  }

  [[nodiscard]] Count steps_of(const SolveScene& scene) const {
    return options_.steps > 0 ? options_.steps : scene.steps;
  }

  void finish(Table table) {
    if (table.empty()) return;
    if (!options_.json_out) std::printf("%s\n", table.markdown().c_str());
    std::fflush(stdout);
    tables_.push_back(std::move(table));
  }

  void steps() {
    Table table("Elastic solves by method, " + std::to_string(options_.threads) + " threads",
                {"scene", "method", "tolerance", "ms per step", "processor ms", "field ms", "iterations",
                 "CG", "by multigrid", "first step ms", "peak MB", "bandwidth's share"});
    for (const SolveScene& scene : solve_scenes())
      for (const SolveMethod& method : solve_methods())
        for (const char* tolerance : {"1e-4", "1e-6", "1e-10"}) {
          if (!is_asked(scene) || (options_.quick && std::strcmp(tolerance, "1e-6") != 0)) continue;
          if (!is_asked("steps/" + scene.name + '/' + std::string(method.name) + '/' + tolerance)) continue;
          add_steps(table, scene, method, tolerance);
        }
    finish(std::move(table));
  }

  void add_steps(Table& table, const SolveScene& scene, const SolveMethod& method, const char* tolerance) {
    const auto got = run_apart(
        [&] {
          return measure_steps(scene.make(), method, std::stod(tolerance), options_.threads, steps_of(scene));
        },
        limit());
    table.begin_row();
    for (const std::string& name : {scene.name, std::string(method.name), std::string(tolerance)})
      table.add(name);
    if (!got) {
      table.add("> " + std::to_string(limit()) + " s");
      for (int k = 0; k < 8; ++k) table.add_missing();
      return;
    }
    if (got->capped > 0.0)
      table.add("not reached");
    else
      table.add(got->solve_ms);
    for (const double number : {got->processor_ms, got->field_ms, got->iterations, got->linear_iterations,
                                got->multigrid, got->first_ms, got->peak_megabytes})
      table.add(number);
    if (got->linear_iterations > 0.0 && got->multigrid == 0.0 && method.name != "newton_cholmod")
      table.add(got->linear_iterations * jacobi_iteration_bytes(got->vertices, got->springs) /
                (1e6 * bandwidth(options_.threads) * got->solve_ms));
    else
      table.add_missing();
  }

  /// `auto` to 1e-6 by one thread and two, and by two beside two busy programs; whole steps, field included.
  void threads() {
    Table table("Threads, auto to 1e-6: ms per step, field included",
                {"scene", "1 thread", "2 threads", "ratio", "beside 2 busy programs", "times the quiet"});
    const SolveMethod& method = solve_methods().back();
    for (const SolveScene& scene : solve_scenes()) {
      if (!is_asked(scene) || !is_asked("threads/" + scene.name)) continue;
      const auto time = [&](int count, int busy) {
        const BusyPrograms programs(busy);
        const auto got = run_apart(
            [&] { return measure_steps(scene.make(), method, 1e-6, count, steps_of(scene)); }, 3 * limit());
        return got ? got->solve_ms + got->field_ms : std::nan("");
      };
      const double one = time(1, 0), two = time(2, 0), busy = time(2, 2);
      table.begin_row();
      table.add(scene.name);
      for (const double number : {one, two, one / two, busy, busy / two})
        std::isfinite(number) ? table.add(number) : table.add_missing();
    }
    finish(std::move(table));
  }

  void adjoint() {
    Table table("A step's solve to 1e-6 and its adjoint's to 1e-10",
                {"scene", "method", "forward ms", "adjoint ms", "adjoint's iterations"});
    for (const SolveScene& scene : solve_scenes())
      for (const SolveMethod& method : solve_methods()) {
        if (method.name != "auto" && method.name != "lbfgs") continue;
        if (!is_asked(scene) || options_.quick) continue;
        if (!is_asked("adjoint/" + scene.name + '/' + std::string(method.name))) continue;
        const auto got = run_apart(
            [&] { return measure_adjoint(scene.make(), method, options_.threads, steps_of(scene)); },
            limit());
        if (!got) continue;
        table.begin_row();
        table.add(scene.name);
        table.add(std::string(method.name));
        for (const double number : {got->forward_ms, got->adjoint_ms, got->iterations}) table.add(number);
      }
    finish(std::move(table));
  }

  void loops() {
    Table table("Loops beside the memory's bandwidth",
                {"scene", "loop", "threads", "ms", "GB/s at least", "part of the triad's", "ns a spring"});
    constexpr std::pair<const char*, Loop> loops[] = {{"product", Loop::product},
                                                      {"block_product", Loop::block_product},
                                                      {"jacobi_iteration", Loop::jacobi_iteration},
                                                      {"factor_solve", Loop::factor_solve}};
    for (const SolveScene& scene : solve_scenes())
      for (const auto& [name, loop] : loops)
        for (const int count : {1, 2}) {
          const bool many = scene.name == "cloth_1000_hanging_5e4" && loop == Loop::factor_solve;
          if (!is_asked(scene) || many || scene.cost == Cost::quick) continue;
          if (!is_asked("loops/" + scene.name + '/' + name + '/' + std::to_string(count))) continue;
          const auto got =
              run_apart([&, which = loop] { return measure_loop(which, scene.make(), count); }, limit());
          if (!got) continue;
          const double rate = 1e-6 * got->bytes / got->milliseconds;
          table.begin_row();
          table.add(scene.name);
          table.add(name);
          for (const double number : {static_cast<double>(count), got->milliseconds, rate,
                                      rate / bandwidth(count), 1e6 * got->milliseconds / got->springs})
            table.add(number);
        }
    finish(std::move(table));
  }

  /// Of the triad, GB/s.
  double bandwidth(int threads) {
    double& known = bandwidths_[threads == 1 ? 0 : 1];
    if (known == 0.0) {
      const auto got = run_apart([&] { return measure_loop(Loop::triad, {}, threads); }, 60);
      known = got ? 1e-6 * got->bytes / got->milliseconds : std::nan("");
    }
    return known;
  }

  Options options_;
  std::regex chosen_;
  std::vector<Table> tables_;
  double bandwidths_[2] = {0.0, 0.0};
};

/// False where the arguments are none of ours.
bool parse(int argc, char** argv, Options& options) {
  for (int k = 1; k < argc; ++k) {
    const std::string argument = argv[k];
    const bool more = k + 1 < argc;
    if (argument == "--quick")
      options.quick = true;
    else if (argument == "--large")
      options.large = true;
    else if (argument == "--list")
      options.list = true;
    else if (argument == "--benchmark_format=json")
      options.json_out = true;
    else if (argument == "--rows" && more)
      options.rows = argv[++k];
    else if (argument == "--json" && more)
      options.json_file = argv[++k];
    else if (argument == "--threads" && more)
      options.threads = std::stoi(argv[++k]);
    else if (argument == "--steps" && more)
      options.steps = std::stoi(argv[++k]);
    else if (argument == "--limit" && more)
      options.limit = static_cast<unsigned>(std::stoi(argv[++k]));
    else
      return false;
  }
  return true;
}

}  // namespace
}  // namespace electret::bench

int main(int argc, char** argv) {
  electret::bench::Options options;
  if (!electret::bench::parse(argc, argv, options)) {
    std::fputs(electret::bench::usage, stderr);
    return 2;
  }
  return electret::bench::Program(std::move(options)).run();
}
