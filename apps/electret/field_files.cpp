#include "field_files.hpp"

#include <array>
#include <charconv>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <memory>
#include <stop_token>
#include <string_view>
#include <system_error>

#include <fmt/format.h>
#include <unistd.h>

#include <electret/core/errors.hpp>
#include <electret/core/text.hpp>
#include <electret/geometry/csv.hpp>
#include <electret/geometry/npy.hpp>
#include <electret/geometry/npy_header.hpp>
#include <electret/geometry/read.hpp>
#include <electret/record/unfinished.hpp>

#include "signals.hpp"
#include "standard_input.hpp"

namespace electret::app {
namespace {

constexpr std::string_view field_header = "Ex,Ey,Ez,phi";

/// Reads rows x,y,z or x,y,z,q.
ChargeTable from_rows(ScalarView values, std::size_t columns) {
  const std::size_t rows = values.size() / columns;
  ChargeTable table;
  table.positions.reserve(rows);
  if (columns > 3) table.charges.reserve(rows);
  for (std::size_t row = 0; row < rows; ++row) {
    const double* v = values.data() + row * columns;
    table.positions.push_back({v[0], v[1], v[2]});
    if (columns > 3) table.charges.push_back(v[3]);
  }
  return table;
}

/// Where an input is.
std::string file_of(const std::string& input) {
  return is_standard_input(input) ? "/dev/stdin" : input;
}

/// Standard output. It is written to and never replaced or cut, whatever file it leads to.
bool is_standard_output(const std::string& path) {
  return path.empty() || path == "-" || path == "/dev/stdout";
}

ChargeTable read(const std::string& path, const std::vector<std::string>& header) {
  if (is_npy_name(path)) return from_rows(read_npy(path, header.size()).values, header.size());
  const std::string name = is_standard_input(path) ? std::string(standard_input) : path;
  const NumericTable table =
      parse_numeric_csv(is_standard_input(path) ? text_of_standard_input() : read_whole_file(path), name);
  if (table.columns != header) {
    throw InputError(Finding{{name, 1, 1},
                             fmt::format("the header is \"{}\"", fmt::join(table.columns, ",")),
                             fmt::format("expected \"{}\"", fmt::join(header, ","))});
  }
  return from_rows(table.values, header.size());
}

using File = std::unique_ptr<std::FILE, int (*)(std::FILE*)>;

Finding cannot_be_written(const std::string& path) {
  return {{path, 0, 0}, "cannot be written", "give a path in a writable folder"};
}

File opened(const std::string& path, const std::string& asked) {
  File file(std::fopen(path.c_str(), "wb"), &std::fclose);
  if (!file) throw InputError(cannot_be_written(asked));
  return file;
}

void write_bytes(std::FILE* file, std::string_view bytes) {
  if (std::fwrite(bytes.data(), 1, bytes.size(), file) != bytes.size())
    throw IoError("the field could not be written: is the disk full?");
}

/// Writes 17 significant digits, as C's %.17g, in any locale.
void append_row(std::string& text, const std::array<double, 4>& row) {
  std::array<char, 4 * 32> digits;
  char* at = digits.data();
  for (const double value : row) {
    at = std::to_chars(at, digits.data() + digits.size(), value, std::chars_format::general, 17).ptr;
    *at++ = ',';
  }
  at[-1] = '\n';
  text.append(digits.data(), at);
}

void print_csv(std::FILE* file, VectorView field, ScalarView potential, const std::stop_token& stop) {
  constexpr std::size_t piece = std::size_t{1} << 20U;  // bytes
  std::string text = std::string(field_header) + "\n";
  for (std::size_t i = 0; i < field.size(); ++i) {
    append_row(text, {field[i].x, field[i].y, field[i].z, potential[i]});
    if (text.size() < piece) continue;
    if (stop.stop_requested()) throw Cancelled();
    write_bytes(file, text);
    text.clear();
  }
  write_bytes(file, text);
}

void print_npy(std::FILE* file, VectorView field, ScalarView potential) {
  std::vector<double> rows;
  rows.reserve(4 * field.size());
  for (std::size_t i = 0; i < field.size(); ++i)
    rows.insert(rows.end(), {field[i].x, field[i].y, field[i].z, potential[i]});
  write_bytes(file, npy_file(rows, 4));
}

void print(std::FILE* file, bool binary, VectorView field, ScalarView potential,
           const std::stop_token& stop = {}) {
  binary ? print_npy(file, field, potential) : print_csv(file, field, potential, stop);
  if (std::fflush(file) != 0) throw IoError("the field could not be written: is the disk full?");
}

/// Whether the path is a device or a pipe, which is written to and never replaced.
bool is_special(const std::string& path) {
  namespace fs = std::filesystem;
  std::error_code error;
  return fs::exists(path, error) && !fs::is_regular_file(path, error) && !fs::is_directory(path, error);
}

/// Whether a file holds nothing, or what may be a field that was written before.
bool is_field_or_empty(const std::string& path) {
  const File file(std::fopen(path.c_str(), "rb"), &std::fclose);
  if (!file) return false;
  std::array<char, 1024> buffer{};
  const std::string_view bytes(buffer.data(), std::fread(buffer.data(), 1, buffer.size(), file.get()));
  if (bytes.empty() || bytes.starts_with(field_header)) return true;
  try {
    const npy::Header found = npy::read_header(bytes, path);
    return found.shape.size() == 2 && found.shape[1] == 4;
  } catch (const InputError&) {
    return false;
  }
}

/// A temporary file beside the requested one, or beside that to which it links.
std::unique_ptr<Unfinished> beside(const std::string& path) {
  try {
    return std::make_unique<Unfinished>(path);
  } catch (const IoError&) {
    throw InputError(cannot_be_written(path));
  }
}

}  // namespace

ChargeTable read_charges(const std::string& path) {
  ChargeTable table = read(path, {"x", "y", "z", "q"});
  if (table.positions.empty())
    throw InputError(Finding{{is_standard_input(path) ? std::string(standard_input) : path, 0, 0},
                             "holds no charges",
                             "one row x,y,z,q per charge"});
  return table;
}

FieldTable read_field(const std::string& path) {
  ChargeTable table = read(path, {"Ex", "Ey", "Ez", "phi"});
  return {std::move(table.positions), std::move(table.charges)};
}

ChargeTable read_points(const std::string& path) {
  return read(path, {"x", "y", "z"});
}

void check_output(const std::string& path, const std::vector<std::string>& inputs, bool overwrite,
                  std::vector<Finding>& findings) {
  std::error_code error;
  if (path.empty()) return;
  for (const std::string& input : inputs) {  // Both kinds of links may lead to the same file.
    if (!std::filesystem::is_regular_file(path, error) ||
        !std::filesystem::equivalent(path, file_of(input), error))
      continue;
    findings.push_back({{path, 0, 0},
                        path == input ? "is the input" : "is the same file as the input " + in_quotes(input),
                        "give another path: no command writes over its input"});
    return;
  }
  if (is_standard_output(path)) return;
  if (std::filesystem::is_directory(path, error)) {
    findings.push_back({{path, 0, 0}, "is a folder", "give the path of a file"});
    // A pipe must not be opened twice, because its reader would take the first closing for the end.
  } else if (is_special(path)) {
    if (::access(path.c_str(), W_OK) != 0) findings.push_back(cannot_be_written(path));
  } else if (!overwrite && std::filesystem::exists(path, error) && !is_field_or_empty(path)) {
    findings.push_back(
        {{path, 0, 0}, "is there already and is no field", "take another file, or --overwrite"});
  } else {
    try {  // Only making a file tells whether one can be made: permissions do not hold for root, nor in
           // /proc.
      beside(path);
    } catch (const InputError& refused) {
      findings.insert(findings.end(), refused.findings().begin(), refused.findings().end());
    }
  }
}

int write_field(const std::string& path, VectorView field, ScalarView potential) {
  if (is_standard_output(path)) return print(stdout, false, field, potential), 0;
  const bool binary = is_npy_name(path);
  if (is_special(path)) return print(opened(path, path).get(), binary, field, potential), 0;
  const SignalStop signals;
  const auto unfinished = beside(path);
  try {
    print(opened(unfinished->name(), path).get(), binary, field, potential, signals.token());
  } catch (const IoError&) {
    throw IoError("\"" + path + "\" could not be written: is the disk full?", path);
  } catch (const Cancelled&) {
    return signals.received();
  }
  if (signals.received() != 0) return signals.received();
  unfinished->put_in_place();
  return 0;
}

}  // namespace electret::app
