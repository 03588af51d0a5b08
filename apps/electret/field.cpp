/// \file
/// `electret field CHARGES`: computes the electric field and potential of point charges.

#include <array>
#include <cmath>
#include <cstdio>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <electret/core/errors.hpp>
#include <electret/core/parallel.hpp>
#include <electret/core/stopwatch.hpp>
#include <electret/field/field.hpp>
#include <electret/field/solver.hpp>
#include <electret/scene/words.hpp>

#include "command.hpp"
#include "commands.hpp"
#include "field_files.hpp"
#include "field_options.hpp"
#include "first_use.hpp"
#include "print.hpp"
#include "scene_options.hpp"
#include "terminal.hpp"

namespace electret::app {
namespace {

constexpr const char* inputs_footer =
    R"(CHARGES is a table of x,y,z,q (m, C). POINTS is a table of x,y,z (m). The output is Ex,Ey,Ez,phi (N/C, V), one row
per charge or point. A file whose name ends in .npy is a NumPy array, (n, 4) or (n, 3), float64 or float32; it is much
faster for large sets. Any other file is CSV with these names as its header line, written with 17 significant digits;
- is CSV on standard input. OUT may not be one of the inputs, under whatever name.
A charge does not act on itself. Without softening, another one exactly at a point is left out there and counted on
stderr; with softening E it adds K q/E to the potential, and no field.

Solvers:
)";

constexpr const char* accuracy_footer = R"(
Accuracy A: sqrt(sum of |E - true E|^2 / sum of |true E|^2) over all charges or points.
  direct   meets any A down to the rounding of float64, about 1e-15; without --accuracy it sums in float64
  fmm      meets 1e-10 or more; 1e-3 without --accuracy
  ddef     has an error without a bound, typically up to about 0.2
  On a GPU, direct meets 2e-6 or more in float32, and any A in float64 where the GPU has that; the others meet 1e-6.

Examples:
  electret field charges.csv > field.csv
  electret field charges.csv --at points.csv -o field.csv --verify 100
  electret field charges.npy --accuracy 1e-4 -o field.npy
  electret field charges.npy --device gpu -o field.npy)";

/// The option's help, with one line per solver.
std::string field_footer() {
  std::string text = inputs_footer;
  for (const FieldSolverValue& solver : field_solver_values)
    text += fmt::format("  {:7} {}\n", solver.name, solver.does);
  return text + accuracy_footer;
}

struct FieldCommand {
  std::string charges, points, output;
  bool overwrite = false;
  FieldArguments field;
};

/// Wall time of each part, s.
struct Times {
  double read = 0.0, prepare = 0.0, field = 0.0, write = 0.0;
};

/// What is to be computed, and from which tables.
struct Input {
  FieldSettings settings;
  ChargeTable sources, points;
  bool apart = false;  // the targets are the points

  [[nodiscard]] VectorView targets() const { return apart ? points.positions : sources.positions; }
};

/// The ordered pairs of a source and a target that are at one place; a charge and itself are none.
Count pairs_at_one_place(const Input& input) {
  std::map<std::array<double, 3>, std::array<Count, 2>> places;  // The sources and the targets there.
  const auto place = [&](const Vec3& x) -> auto& {
    return places[{x.x, x.y, x.z}];
  };
  for (const Vec3& x : input.sources.positions) ++place(x)[0];
  for (const Vec3& x : input.targets()) ++place(x)[1];
  Count pairs = 0;
  for (const auto& [at, counts] : places) pairs += counts[0] * (input.apart ? counts[1] : counts[0] - 1);
  return pairs;
}

/// Says which pairs were left out: float64 cannot tell charges from one place that are far closer than 1e-103
/// of the box of all points.
void report_left_out(const Input& input, Count left_out) {
  if (left_out == 0) return;
  const auto pairs = [](Count count) {
    return counted(static_cast<std::size_t>(count), "ordered pair", "ordered pairs");
  };
  const Count at_one_place = pairs_at_one_place(input);
  if (left_out <= at_one_place)
    tell("electret: {} at distance 0 left out\n", pairs(left_out));
  else
    tell(
        "electret: {} left out, of which {} at distance 0: the others are so much closer than the farthest "
        "points that floating-point numbers do not tell them from distance 0; compute far points apart\n",
        pairs(left_out), at_one_place == 1 ? "1 is" : std::to_string(at_one_place) + " are");
}

/// Prints the report on stderr after the results.
void report(const Input& input, Count coincident, const Times& times, int threads) {
  const std::size_t charges = input.sources.positions.size(), targets = input.targets().size();
  tell("electret: {}, {}, {}\n", counted(charges, "charge", "charges"), counted(targets, "target", "targets"),
       to_string(field_solver_choice(input.settings.options, static_cast<Count>(charges), input.apart)));
  tell("electret: read {}, prepare {}, field {}, write {}; {}\n", duration_text(times.read),
       duration_text(times.prepare), duration_text(times.field), duration_text(times.write),
       counted(static_cast<std::size_t>(threads), "thread", "threads"));
  report_left_out(input, coincident);
}

/// Warns of charges that are too close or too large for floating-point numbers.
void report_not_finite(VectorView field, ScalarView potential) {
  std::size_t count = 0;
  for (std::size_t i = 0; i < field.size(); ++i) {
    const Vec3& e = field[i];
    const bool finite =
        std::isfinite(e.x) && std::isfinite(e.y) && std::isfinite(e.z) && std::isfinite(potential[i]);
    count += finite ? 0 : 1;
  }
  if (count == 0) return;
  tell(
      "electret: field or potential is not finite at {} of {}: beyond the range of floating-point "
      "numbers\n",
      count, counted(field.size(), "target", "targets"));
}

void report(const FieldError& error, double seconds) {
  if (error.samples == 0) {
    tell("electret: no true error: there are no targets\n");
    return;
  }
  const double potential = error.potential.value_or(0.0);
  if (!std::isfinite(error.relative) || !std::isfinite(potential)) {
    tell("electret: no true error: the field leaves the range of floating-point numbers\n");
    return;
  }
  tell(
      "electret: true error on {}: {:.3g} (relative L2), median {:.3g}, worst {:.3g}; of the "
      "potential {:.3g} (relative L2); found in {}\n",
      counted(static_cast<std::size_t>(error.samples), "target", "targets"), error.relative, error.median,
      error.worst, potential, duration_text(seconds));
}

using Reader = ChargeTable (*)(const std::string&);

ChargeTable read(Reader reader, const std::string& path, std::vector<Finding>& findings) {
  try {
    return reader(path);
  } catch (const InputError& error) {
    findings.insert(findings.end(), error.findings().begin(), error.findings().end());
    return {};
  }
}

/// Throws InputError with every finding about the options, the tables and the place of the output.
Input read(const FieldCommand& options) {
  std::vector<Finding> findings;
  Input input;
  input.settings = field_settings(options.field, findings);
  input.apart = !options.points.empty();
  if (options.charges == "-" && options.points == "-")
    findings.push_back(
        {{}, "CHARGES and --at are both \"-\", standard input", "give a file for one of them"});
  else {
    input.sources = read(read_charges, options.charges, findings);
    if (input.apart) input.points = read(read_points, options.points, findings);
  }
  check_output(options.output, {options.charges, options.points}, options.overwrite, findings);
  if (!findings.empty()) throw InputError(std::move(findings));
  return input;
}

void verify(const Input& input, VectorView field, ScalarView potential) {
  const auto& [positions, charges] = input.sources;
  const auto& [options, samples, threads] = input.settings;
  double seconds = 0.0;
  FieldError error;
  {
    const Stopwatch watch(seconds);
    error = input.apart
                ? verify_field_at(positions, charges, input.targets(), field, options, samples, potential)
                : verify_field(positions, charges, field, options, samples, potential);
  }
  report(error, seconds);
}

int run_field(const FieldCommand& options) {
  Times times;
  Input input;
  {
    const Stopwatch watch(times.read);
    input = read(options);
  }
  const VectorView sources = input.sources.positions, targets = input.targets();
  Threads threads(input.settings.threads);
  std::unique_ptr<FieldSolver> solver;
  {
    tell_of_first_use(input.settings.options.device);
    const Stopwatch watch(times.prepare);
    solver = make_field_solver(input.settings.options, static_cast<Count>(sources.size()), threads);
    input.apart ? solver->prepare(sources, targets) : solver->prepare(sources);
  }
  VectorArray field(targets.size());
  std::vector<double> potential(targets.size());
  {
    const Stopwatch watch(times.field);
    solver->field(input.sources.charges, field, potential);
  }
  int signal = 0;
  {
    const Stopwatch watch(times.write);
    signal = write_field(options.output, field, potential);
  }
  if (signal != 0) {
    tell("electret: interrupted; nothing is written\n");
    return ended_by(signal);
  }
  report(input, solver->coincident_pairs(), times, threads.count());
  report_not_finite(field, potential);
  if (input.settings.verify > 0) verify(input, field, potential);
  return Status::done;
}

}  // namespace

void add_field(CommandLine& line) {
  auto options = std::make_shared<FieldCommand>();
  Command command = line.add("field", "Electric field and potential of point charges");
  command.option("CHARGES", options->charges, "Table of the charges: x,y,z,q (CSV or .npy)")
      .required()
      .type_name("");
  command.option("--at", options->points, "Table of the points: x,y,z; default: at the charges")
      .type_name("POINTS")
      .not_empty();
  FieldArguments& field = options->field;
  command.option("--solver", field.solver, joined(field_solvers)).type_name("S").shows_default();
  command
      .option("--device", field.device,
              "Where it computes: auto, cpu, gpu or gpu:NAME; electret devices lists what there is")
      .type_name("D")
      .shows_default();
  command
      .option("--accuracy", field.accuracy,
              "Requested relative L2 error of the field over all targets, > 0 and ≤ 1; see below")
      .type_name("A");
  command
      .option("--grid-points", field.grid_points,
              "Points of ddef's grid, 1 to 1000000; default: about a hundredth of the charges")
      .type_name("M");
  command.flag("--half-taylor", field.half_taylor,
               "ddef interpolates with half the first Taylor term: about half the error");
  command.option("--constant", field.constant, "Coulomb's constant, N m²/C²; default 8.9875517923e9")
      .type_name("K");
  command.option("--softening", field.softening, "Plummer softening, m").type_name("E").shows_default();
  command.option("-o,--output", options->output, "Write the table here (.npy: binary) instead of to stdout")
      .type_name("OUT")
      .not_empty();
  command.flag("--overwrite", options->overwrite, "Replace OUT even if it is there already and is no field");
  command
      .option("--verify", field.verify,
              "Report the true error of field and potential on N random targets, the same every time")
      .type_name("N");
  command.option("--threads", field.threads, "Number of threads, at most 4096; 0: all").type_name("N");
  add_instructions_option(command);
  command.footer(field_footer());
  command.does([options] { return run_field(*options); });
}

}  // namespace electret::app
