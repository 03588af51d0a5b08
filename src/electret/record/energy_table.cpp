#include <array>
#include <charconv>
#include <limits>
#include <span>
#include <string_view>

#include <electret/core/errors.hpp>
#include <electret/record/detail/files.hpp>
#include <electret/record/energy_table.hpp>

namespace electret {
namespace {

/// Exactly as many numbers as the line has; false if it has others.
bool parse(std::string_view line, std::span<double> numbers) {
  const char* at = line.data();
  const char* end = line.data() + line.size();
  for (std::size_t k = 0; k < numbers.size(); ++k) {
    const auto [next, error] = std::from_chars(at, end, numbers[k]);
    if (error != std::errc()) return false;
    if (k + 1 == numbers.size()) return next == end;
    if (next == end || *next != ',') return false;
    at = next + 1;
  }
  return false;
}

}  // namespace

std::vector<double> energy_numbers(const EnergyRow& row) {
  const Energies& e = row.energies;
  return {row.time,  e.kinetic, e.elastic, e.coulomb,      e.external,
          e.gravity, e.total(), row.work,  row.dissipation};
}

std::string energy_row(const EnergyRow& row) {
  return row_of_numbers(energy_numbers(row));
}

std::vector<EnergyRow> read_energies(const std::string& path) {
  const std::string text = read_file(path);
  std::string_view rest = text;
  std::vector<EnergyRow> rows;
  constexpr double unknown = std::numeric_limits<double>::quiet_NaN();
  std::array<double, 9> n{0, 0, 0, 0, 0, 0, 0, unknown, unknown};
  std::size_t columns = n.size();
  for (bool header = true;; header = false) {
    const auto length = rest.find('\n');
    if (length == std::string_view::npos) break;  // The end, or a row cut short.
    const std::string_view line = rest.substr(0, length);
    rest.remove_prefix(length + 1);
    if (header && line == energy_header_without_work) columns = 7;
    if (header ? columns == 9 && line != energy_header : !parse(line, std::span(n).first(columns)))
      throw IoError(path + " is not a table of energies", path);
    if (!header) rows.push_back({n[0], {n[1], n[2], n[3], n[4], n[5]}, n[7], n[8]});
  }
  return rows;
}

}  // namespace electret
