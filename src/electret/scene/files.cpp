#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <string_view>

#include <electret/geometry/csv.hpp>
#include <electret/geometry/read.hpp>
#include <electret/scene/body_parts.hpp>
#include <electret/scene/schema.hpp>
#include <electret/scene/words.hpp>

namespace electret {
namespace {

/// The bytes of a file that the scene names at `key`. If the file cannot be read, the finding is at the key,
/// not in the file.
std::optional<std::string> bytes_of(const Scene& scene, const std::string& file, const std::string& key,
                                    const FileReader& read_file, Report& report) {
  const std::string path = path_of(scene, file);
  try {
    return read_file(path);
  } catch (const InputError& error) {
    const std::string why = error.findings().empty() ? "" : ": " + error.findings().front().message;
    report.add(scene.source, key, "file " + in_quotes(file) + " cannot be read" + why,
               "files are named relative to the scene's folder, here " + in_quotes(scene.folder));
    return std::nullopt;
  }
}

/// The columns of the components x, y and z: their names end in these letters and are the same before, as
/// in "vx", "vy", "vz". Nothing if the names are others.
std::optional<std::array<std::size_t, 3>> component_columns(const std::vector<std::string>& names) {
  std::array<std::size_t, 3> columns{};
  for (std::size_t axis = 0; axis < 3; ++axis) {
    const auto found = std::find_if(names.begin(), names.end(), [&](const std::string& name) {
      return name.ends_with("xyz"[axis]) || name.ends_with("XYZ"[axis]);
    });
    if (found == names.end()) return std::nullopt;
    columns[axis] = static_cast<std::size_t>(found - names.begin());
    const std::string_view first = names[columns[0]], name = *found;
    if (name.substr(0, name.size() - 1) != first.substr(0, first.size() - 1)) return std::nullopt;
  }
  return columns;
}

/// Puts the columns of a table of vectors in the order x, y, z. Returns false if their names are others.
bool order_components(NumericTable& table) {
  const auto columns = component_columns(table.columns);
  if (!columns) return false;
  for (std::size_t r = 0; r < table.rows(); ++r) {
    const Vec3 row{table(r, (*columns)[0]), table(r, (*columns)[1]), table(r, (*columns)[2])};
    for (int axis = 0; axis < 3; ++axis) table.values[3 * r + static_cast<std::size_t>(axis)] = row[axis];
  }
  return true;
}

/// The rows of a CSV file, `width` numbers each, vectors as x, y, z; every number is in the row's range.
std::optional<NumericTable> csv_rows(BodyContext& context, const std::string& file, const std::string& key,
                                     const SchemaRow& row, std::size_t width) {
  const auto bytes = bytes_of(context.scene, file, key, context.read_file, context.report);
  if (!bytes) return std::nullopt;
  const std::string path = path_of(context.scene, file);
  NumericTable table;
  try {
    table = parse_numeric_csv(*bytes, path);
  } catch (const InputError& error) {
    context.report.add_all(error.findings(), key);
    return std::nullopt;
  }
  if (table.columns.size() != width) {
    context.report.add_at({path, 1, 1}, key,
                          in_quotes(row.key) + " from " + in_quotes(file) + ": " +
                              counted(table.columns.size(), "column", "columns"),
                          "allowed: a header line, then rows of " + counted(width, "number", "numbers"));
    return std::nullopt;
  }
  if (width == 3 && !order_components(table)) {
    context.report.add_at(
        {path, 1, 1}, key,
        in_quotes(row.key) + " from " + in_quotes(file) + ": the columns are called " + joined(table.columns),
        "allowed: x, y and z in any order, or names that end in them, such as vx, vy and vz");
    return std::nullopt;
  }
  ListFindings findings;
  Location last;
  const std::string named = in_quotes(row.key) + " from " + in_quotes(file);
  for (std::size_t r = 0; r < table.rows(); ++r)
    for (std::size_t c = 0; c < width; ++c) {
      if (row.range.contains(table(r, c)) || !findings.admit_another()) continue;
      last = {path, table.lines[r], 0};
      context.report.add_at(last, key, named + ": " + number_text(table(r, c)) + " is out of range",
                            allowed_values(row));
    }
  findings.report_omitted(context.report, last, key, named, allowed_values(row));
  if (!findings.empty()) return std::nullopt;
  return table;
}

double item_of(const NumericTable& table, std::size_t row, double) {
  return table(row, 0);
}
Vec3 item_of(const NumericTable& table, std::size_t row, const Vec3&) {
  return {table(row, 0), table(row, 1), table(row, 2)};
}

}  // namespace

std::string path_of(const Scene& scene, const std::string& file) {
  if (scene.folder.empty() || scene.folder == ".") return file;
  return (std::filesystem::path(scene.folder) / file).string();
}

std::string read_regular_file(const std::string& path) {
  std::error_code code;
  const auto status = std::filesystem::status(path, code);
  if (std::filesystem::exists(status) && !std::filesystem::is_regular_file(status))
    throw InputError(Finding{{path, 0, 0}, "it is not a regular file", "allowed: the path of a file"});
  if (!std::filesystem::exists(status))
    throw InputError(Finding{{path, 0, 0}, "there is no such file", "allowed: the path of a file"});
  return read_whole_file(path);
}

std::optional<Mesh> load_mesh(const Scene& scene, const std::string& file, const std::string& key,
                              const FileReader& read_file, Report& report) {
  if (report.is_bad(key)) return std::nullopt;
  const auto bytes = bytes_of(scene, file, key, read_file, report);
  if (!bytes) return std::nullopt;
  const std::string path = path_of(scene, file), companion = companion_of(file);
  std::optional<std::string> more = std::string();
  if (!companion.empty()) more = bytes_of(scene, companion, key, read_file, report);
  if (!more) return std::nullopt;
  try {
    Mesh mesh = parse_mesh(*find_mesh_format(file), path, *bytes, *more);  // check_scene checked the format.
    if (!mesh.vertices.empty()) return mesh;
    report.add_at({path, 0, 0}, key, "the mesh " + in_quotes(file) + " has no vertices",
                  "at least one is required");
  } catch (const InputError& error) {
    report.add_all(error.findings(), key);
  }
  return std::nullopt;
}

template <class T>
std::optional<std::vector<T>> per_item(BodyContext& context, const PerItem<T>& given, const std::string& key,
                                       const char* table_name, std::size_t wanted, const std::string& what) {
  if (context.report.is_bad(key)) return std::nullopt;
  const SchemaRow& row = *schema_table(table_name).row(key.substr(key.rfind('.') + 1));
  std::vector<T> values = given.values;
  if (!given.file.empty()) {
    const auto table = csv_rows(context, given.file, key, row, sizeof(T) / sizeof(double));
    if (!table) return std::nullopt;
    values.resize(table->rows());
    for (std::size_t r = 0; r < values.size(); ++r) values[r] = item_of(*table, r, T{});
  }
  if (values.size() == wanted) return values;
  if (context.mesh.vertices.empty()) return std::nullopt;  // The mesh is missing: nobody knows how many.
  const std::string where = given.file.empty() ? "" : " from " + in_quotes(given.file);
  context.report.add(context.scene.source, key,
                     in_quotes(row.key) + where + " has " + counted(values.size(), "entry", "entries"),
                     "allowed: " + std::to_string(wanted) + ", one for each of the " + what);
  return std::nullopt;
}

template std::optional<std::vector<double>> per_item(BodyContext&, const PerItem<double>&, const std::string&,
                                                     const char*, std::size_t, const std::string&);
template std::optional<std::vector<Vec3>> per_item(BodyContext&, const PerItem<Vec3>&, const std::string&,
                                                   const char*, std::size_t, const std::string&);

}  // namespace electret
