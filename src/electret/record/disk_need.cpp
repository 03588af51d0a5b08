#include <cmath>
#include <filesystem>
#include <system_error>
#include <type_traits>
#include <variant>

#include <electret/contact/body_contacts.hpp>
#include <electret/record/disk_need.hpp>
#include <electret/record/run_arrays.hpp>
#include <electret/record/run_directory.hpp>
#include <electret/record/trajectory_writer.hpp>

namespace electret {
namespace {

/// The scene's arrays and texts in the trajectory.
double header_bytes(const TrajectoryHeader& header) {
  double bytes = static_cast<double>(header.scene.size() + header.overrides.size());
  for (const RunArray& array : run_arrays())
    bytes += std::visit(
        []<class T>(const std::vector<T>& values) { return static_cast<double>(sizeof(T) * values.size()); },
        array.of(header));
  for (const NamedGroup& group : header.groups)
    bytes += 400.0 + 4.0 * static_cast<double>(group.vertices.size());
  for (const NamedElementGroup& group : header.element_groups)
    bytes += 400.0 + 4.0 * static_cast<double>(group.elements.size());
  return bytes;
}

}  // namespace

DiskNeed disk_need(const System& system) {
  constexpr double row_of_tables = 410.0;  // One of energy.csv and one of observables.csv.
  constexpr double beginnings = 170e3;     // What HDF5 adds to its files, and the plot, also in the page.
  const Assembly& assembly = system.assembly;
  const OutputOptions& output = assembly.scene.output;
  const auto n = static_cast<double>(system.vertex_count());
  DiskNeed need;
  need.frames =
      1.0 + std::floor(static_cast<double>(assembly.scene.time.steps) / static_cast<double>(output.every));
  const auto grows_by = [&](double row) {
    const auto chunk = static_cast<double>(frames_per_chunk(static_cast<Count>(row), output.compression));
    need.per_frame += row;
    need.in_chunks += (std::ceil(need.frames / chunk) * chunk - need.frames) * row;
  };
  const double number = output.precision == "single" ? 4.0 : 8.0;
  grows_by(8.0);
  grows_by(3.0 * number * n);
  if (output.velocities) grows_by(3.0 * number * n);
  if (charges_change(system)) grows_by(8.0 * n);
  if (!system.pins.empty()) grows_by(24.0 * static_cast<double>(system.pins.size()));
  // At most: all vertices that may touch do so.
  if (system.contacts) grows_by(60.0 * static_cast<double>(system.contacts->vertices().size()));
  if (system.body_contacts) grows_by(80.0 * system.body_contacts->expected_pairs());
  need.per_frame += row_of_tables;
  const double state = 48.0 * n;  // The checkpoint's positions and velocities.
  const double charges = charges_change(system) ? 0.0 : 8.0 * n;
  need.fixed = header_bytes(trajectory_header(assembly)) + state + charges + beginnings;
  return need;
}

std::optional<double> disk_available(const std::string& directory) {
  namespace fs = std::filesystem;
  std::error_code error;
  fs::path place = fs::absolute(directory, error);
  while (!fs::exists(place, error) && place.has_relative_path()) place = place.parent_path();
  const fs::space_info space = fs::space(place, error);
  if (error) return std::nullopt;
  auto bytes = static_cast<double>(space.available);
  for (const std::string& file : RunDirectory(directory).files()) {
    const auto size = fs::file_size(directory + "/" + file, error);
    if (!error) bytes += static_cast<double>(size);
  }
  return bytes;
}

}  // namespace electret
