/// \file
/// `electret field CHARGES`: electric field and potential of point charges, as CSV.

#include <chrono>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <fmt/os.h>

#include <electret/core/errors.hpp>
#include <electret/core/parallel.hpp>
#include <electret/field/field.hpp>
#include <electret/field/solver.hpp>
#include <electret/geometry/csv.hpp>

#include "command.hpp"
#include "terminal.hpp"

namespace electret::app {
namespace {

constexpr const char* footer =
    R"(CHARGES is a CSV file with the header x,y,z,q (m, C), POINTS one with x,y,z (m).
The output has the header Ex,Ey,Ez,phi (N/C, V), a row a charge or point, 17 significant digits.
A charge does not act on itself; a charge exactly at a point is left out there and counted on stderr.

Examples:
  electret field charges.csv > field.csv
  electret field charges.csv --at points.csv -o field.csv --verify 100)";

/// CLI11's own says "not in range 0.000000 to 1797…" with 309 digits.
const CLI::Validator positive(
    [](std::string& text) {
      double value = 0.0;
      const bool good = CLI::detail::lexical_cast(text, value) && value > 0.0 && std::isfinite(value);
      return good ? std::string() : "\"" + text + "\" is not a number > 0";
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
  int threads = 0;
  Count verify = 0;
};

/// Rows of a CSV file as positions and, where there is a fourth column, charges.
struct Points {
  VectorArray positions;
  std::vector<double> charges;
};

Points read_points(const std::string& path, const std::vector<std::string>& header) {
  const NumericTable table = read_numeric_csv(path);
  if (table.columns != header) {
    throw InputError(Finding{{path, 1, 1},
                             fmt::format("the header is \"{}\"", fmt::join(table.columns, ",")),
                             fmt::format("expected \"{}\"", fmt::join(header, ","))});
  }
  Points points;
  for (std::size_t row = 0; row < table.rows(); ++row) {
    points.positions.push_back({table(row, 0), table(row, 1), table(row, 2)});
    if (header.size() > 3) points.charges.push_back(table(row, 3));
  }
  return points;
}

void print_field(std::FILE* file, const VectorArray& field, const std::vector<double>& potential) {
  fmt::memory_buffer text;
  fmt::format_to(std::back_inserter(text), "Ex,Ey,Ez,phi\n");
  for (std::size_t i = 0; i < field.size(); ++i) {
    fmt::format_to(std::back_inserter(text), "{:.17g},{:.17g},{:.17g},{:.17g}\n", field[i].x, field[i].y,
                   field[i].z, potential[i]);
  }
  const bool whole = std::fwrite(text.data(), 1, text.size(), file) == text.size() && std::fflush(file) == 0;
  if (!whole) throw IoError("the field could not be written: is the disk full?");
}

using File = std::unique_ptr<std::FILE, int (*)(std::FILE*)>;

File opened(const std::string& path, const std::string& asked) {
  File file(std::fopen(path.c_str(), "w"), &std::fclose);
  if (!file)
    throw InputError(Finding{{asked, 0, 0}, "cannot be written", "give a path in a writable folder"});
  return file;
}

/// The file that a link stands for, there or not.
std::string link_target(const std::filesystem::path& link) {
  if (std::filesystem::exists(link)) return std::filesystem::canonical(link).string();
  return (link.parent_path() / std::filesystem::read_symlink(link)).string();
}

/// Files are written beside and renamed, so that no half-written one poses as whole; devices and pipes must
/// stay what they are.
void write_output(const std::string& asked, const VectorArray& field, const std::vector<double>& potential) {
  namespace fs = std::filesystem;
  if (asked.empty()) return print_field(stdout, field, potential);
  std::error_code error;
  if (fs::exists(asked, error) && !fs::is_regular_file(asked, error) && !fs::is_directory(asked, error))
    return print_field(opened(asked, asked).get(), field, potential);
  const std::string path = fs::is_symlink(asked, error) ? link_target(asked) : asked;
  const std::string beside = path + ".part";
  File file = opened(beside, asked);
  try {
    print_field(file.get(), field, potential);
  } catch (const IoError&) {
    std::remove(beside.c_str());
    throw IoError("\"" + path + "\" could not be written: is the disk full?");
  }
  file.reset();
  if (std::rename(beside.c_str(), path.c_str()) != 0) {
    std::remove(beside.c_str());
    throw IoError("\"" + path + "\" could not be renamed into place");
  }
}

double seconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

int run(const Options& options) {
  using Clock = std::chrono::steady_clock;
  FieldOptions field_options = options.field;
  if (options.accuracy > 0.0) field_options.accuracy = options.accuracy;
  const auto reading = Clock::now();
  const Points sources = read_points(options.charges, {"x", "y", "z", "q"});
  const bool apart = !options.points.empty();
  const Points targets = apart ? read_points(options.points, {"x", "y", "z"}) : Points{};
  const double read_seconds = seconds_since(reading);

  Threads threads(options.threads);
  const auto solver = make_field_solver(field_options, static_cast<Count>(sources.positions.size()), threads);
  const VectorArray& at = apart ? targets.positions : sources.positions;
  VectorArray field(at.size());
  std::vector<double> potential(at.size());
  const auto evaluating = Clock::now();
  apart ? solver->prepare(sources.positions, at) : solver->prepare(sources.positions);
  solver->field(sources.charges, field, potential);
  const double field_seconds = seconds_since(evaluating);
  write_output(options.output, field, potential);

  fmt::print(stderr, "electret: {} charges, {} targets, {}\n", sources.positions.size(), at.size(),
             field_solver_choice(field_options, static_cast<Count>(sources.positions.size())));
  fmt::print(stderr, "electret: read {}, field {} on {} thread(s)\n", duration_text(read_seconds),
             duration_text(field_seconds), threads.count());
  if (const Count pairs = solver->coincident_pairs(); pairs > 0) {
    fmt::print(stderr, "electret: {} pair(s) at distance 0 left out\n", pairs);
  }
  if (options.verify > 0) {
    const FieldError error =
        apart ? verify_field_at(sources.positions, sources.charges, at, field, field_options, options.verify)
              : verify_field(at, sources.charges, field, field_options, options.verify);
    fmt::print(stderr,
               "electret: true error on {} targets: {:.3g} (relative L2), median {:.3g}, worst {:.3g}\n",
               error.samples, error.relative, error.median, error.worst);
  }
  return Status::done;
}

}  // namespace

void add_field(CLI::App& app, Action& action) {
  auto options = std::make_shared<Options>();
  auto* command = app.add_subcommand("field", "Electric field and potential of point charges");
  command->add_option("CHARGES", options->charges, "CSV of the charges: x,y,z,q")->required()->type_name("");
  command->add_option("--at", options->points, "CSV of the points: x,y,z; absent: at the charges")
      ->type_name("POINTS");
  command->add_option("--solver", options->field.solver, "auto or direct")
      ->type_name("S")
      ->capture_default_str();
  command->add_option("--accuracy", options->accuracy, "Relative L2 error asked for; absent: float64")
      ->type_name("A")
      ->check(positive);
  command
      ->add_option("--constant", options->field.constant,
                   "Coulomb's constant, N m²/C²; default 8.9875517923e9")
      ->type_name("K")
      ->check(positive);
  command->add_option("--softening", options->field.softening, "Plummer softening, m")
      ->type_name("E")
      ->check(not_negative)
      ->capture_default_str();
  command->add_option("-o,--output", options->output, "Write the CSV here instead of to stdout")
      ->type_name("OUT");
  command->add_option("--verify", options->verify, "Report the true error on N sampled targets")
      ->type_name("N")
      ->check(positive);
  command->add_option("--threads", options->threads, "Number of threads; 0: all")
      ->type_name("N")
      ->check(CLI::Range(0, 4096));
  command->footer(footer);
  command->callback([options, &action] { action = [options] { return run(*options); }; });
}

}  // namespace electret::app
