/// \file
/// `electret field CHARGES`: electric field and potential of point charges.

#include <cmath>
#include <cstdio>
#include <memory>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <electret/core/parallel.hpp>
#include <electret/core/stopwatch.hpp>
#include <electret/field/field.hpp>
#include <electret/field/solver.hpp>

#include "command.hpp"
#include "field_files.hpp"
#include "field_options.hpp"
#include "terminal.hpp"

namespace electret::app {
namespace {

constexpr const char* footer =
    R"(CHARGES is a table of x,y,z,q (m, C), POINTS one of x,y,z (m); the output is Ex,Ey,Ez,phi (N/C, V), a row a charge
or point. A file whose name ends in .npy is a NumPy array, (n, 4) or (n, 3), float64 or float32, and much faster for
large sets; any other is CSV with these names as its header line, written with 17 significant digits.
A charge does not act on itself; a charge exactly at a point is left out there and counted on stderr.

Solvers: auto takes what fits the number of charges and the accuracy, direct sums every pair, ddef interpolates the
far field on a tetrahedral grid, fmm is a fast multipole method.

Accuracy A: sqrt(sum of |E - true E|^2 / sum of |true E|^2) over all charges or points. direct meets any A, in float64
where none is asked; fmm meets 1e-10 or more, 1e-3 where none is asked; ddef has an error of its own, up to about 0.1.

Examples:
  electret field charges.csv > field.csv
  electret field charges.csv --at points.csv -o field.csv --verify 100
  electret field charges.npy --accuracy 1e-4 -o field.npy)";

/// CLI11's own says "not in range 0.000000 to 1797…" with 309 digits.
const CLI::Validator positive(
    [](std::string& text) {
      double value = 0.0;
      const bool good = CLI::detail::lexical_cast(text, value) && value > 0.0 && std::isfinite(value);
      return good ? std::string() : "\"" + text + "\" is not a number > 0";
    },
    "", "");
const CLI::Validator accuracy(
    [](std::string& text) {
      double value = 0.0;
      const bool good = CLI::detail::lexical_cast(text, value) && value > 0.0 && value <= 1.0;
      return good ? std::string() : "\"" + text + "\" is not a number > 0 and ≤ 1";
    },
    "", "");
const CLI::Validator not_negative(
    [](std::string& text) {
      double value = 0.0;
      const bool good = CLI::detail::lexical_cast(text, value) && value >= 0.0 && std::isfinite(value);
      return good ? std::string() : "\"" + text + "\" is not a number ≥ 0";
    },
    "", "");

struct Options {
  std::string charges, points, output;
  FieldOptions field;
  double accuracy = 0.0;  // 0: not asked
  Count grid_points = 0;  // 0: the solver's own rule
  int threads = 0;
  Count verify = 0;
};

/// Wall time of each part, s.
struct Times {
  double read = 0.0, prepare = 0.0, field = 0.0, write = 0.0, verify = 0.0;
};

/// What is on stderr after the results.
void report(const FieldOptions& options, std::size_t charges, std::size_t targets, Count coincident,
            const Times& times, int threads) {
  fmt::print(stderr, "electret: {} charges, {} targets, {}\n", charges, targets,
             field_solver_choice(options, static_cast<Count>(charges)));
  fmt::print(stderr, "electret: read {}, prepare {}, field {}, write {}; {} thread(s)\n",
             duration_text(times.read), duration_text(times.prepare), duration_text(times.field),
             duration_text(times.write), threads);
  if (coincident > 0) fmt::print(stderr, "electret: {} pair(s) at distance 0 left out\n", coincident);
}

void report(const FieldError& error, double seconds) {
  const double potential = error.potential.value_or(0.0);
  if (!std::isfinite(error.relative) || !std::isfinite(potential)) {
    fmt::print(stderr, "electret: no true error: the field leaves the range of floating-point numbers\n");
    return;
  }
  fmt::print(stderr,
             "electret: true error on {} targets: {:.3g} (relative L2), median {:.3g}, worst {:.3g}; of the "
             "potential {:.3g} (relative L2); found in {}\n",
             error.samples, error.relative, error.median, error.worst, potential, duration_text(seconds));
}

int run(const Options& options) {
  FieldOptions field_options = options.field;
  if (options.accuracy > 0.0) field_options.accuracy = options.accuracy;
  if (options.grid_points > 0) field_options.ddef_grid_points = options.grid_points;
  check_field_arguments(field_options);
  const bool apart = !options.points.empty();
  Times times;
  ChargeTable sources, targets;
  Threads threads(options.threads);
  std::unique_ptr<FieldSolver> solver;
  {
    const Stopwatch watch(times.read);
    sources = read_charges(options.charges);
    if (apart) targets = read_points(options.points);
  }
  const VectorArray& at = apart ? targets.positions : sources.positions;
  {
    const Stopwatch watch(times.prepare);
    solver = make_field_solver(field_options, static_cast<Count>(sources.positions.size()), threads);
    apart ? solver->prepare(sources.positions, at) : solver->prepare(sources.positions);
  }
  VectorArray field(at.size());
  std::vector<double> potential(at.size());
  {
    const Stopwatch watch(times.field);
    solver->field(sources.charges, field, potential);
  }
  int signal = 0;
  {
    const Stopwatch watch(times.write);
    signal = write_field(options.output, field, potential);
  }
  if (signal != 0) {
    fmt::print(stderr, "electret: interrupted; nothing is written\n");
    return signal == 15 ? Status::terminated : Status::interrupted;
  }
  report(field_options, sources.positions.size(), at.size(), solver->coincident_pairs(), times,
         threads.count());
  if (options.verify > 0) {
    FieldError error;
    {
      const Stopwatch watch(times.verify);
      error = apart ? verify_field_at(sources.positions, sources.charges, at, field, field_options,
                                      options.verify, potential)
                    : verify_field(at, sources.charges, field, field_options, options.verify, potential);
    }
    report(error, times.verify);
  }
  return Status::done;
}

}  // namespace

void add_field(CLI::App& app, Action& action) {
  auto options = std::make_shared<Options>();
  auto* command = app.add_subcommand("field", "Electric field and potential of point charges");
  command->add_option("CHARGES", options->charges, "Table of the charges: x,y,z,q (CSV or .npy)")
      ->required()
      ->type_name("");
  command->add_option("--at", options->points, "Table of the points: x,y,z; absent: at the charges")
      ->type_name("POINTS");
  command->add_option("--solver", options->field.solver, "auto, direct, ddef or fmm")
      ->type_name("S")
      ->capture_default_str();
  command
      ->add_option("--accuracy", options->accuracy,
                   "Relative L2 error of the field over all targets to aim at, > 0 and ≤ 1; see below")
      ->type_name("A")
      ->check(accuracy);
  command
      ->add_option("--grid-points", options->grid_points,
                   "Points of ddef's grid; absent: about a hundredth of the charges")
      ->type_name("M")
      ->check(CLI::Range(Count{1}, most_ddef_grid_points));
  command->add_flag("--half-taylor", options->field.ddef_half_taylor,
                    "ddef interpolates with half the first Taylor term: about half the error");
  command
      ->add_option("--constant", options->field.constant,
                   "Coulomb's constant, N m²/C²; default 8.9875517923e9")
      ->type_name("K")
      ->check(positive);
  command->add_option("--softening", options->field.softening, "Plummer softening, m")
      ->type_name("E")
      ->check(not_negative)
      ->capture_default_str();
  command
      ->add_option("-o,--output", options->output, "Write the table here (.npy: binary) instead of to stdout")
      ->type_name("OUT");
  command
      ->add_option("--verify", options->verify,
                   "Report the true error of field and potential on N random targets, the same every time")
      ->type_name("N")
      ->check(positive);
  command->add_option("--threads", options->threads, "Number of threads; 0: all")
      ->type_name("N")
      ->check(CLI::Range(0, 4096));
  command->footer(footer);
  command->callback([options, &action] { action = [options] { return run(*options); }; });
}

}  // namespace electret::app
