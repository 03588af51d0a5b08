#include <bit>
#include <cstring>
#include <optional>

#include <electret/record/detail/export_writers.hpp>
#include <electret/record/detail/files.hpp>
#include <electret/record/run_bodies.hpp>

namespace electret {
namespace {

/// A grid's text and, behind it, its arrays as bytes.
class VtuFile {
 public:
  VtuFile(std::size_t points, std::size_t cells) {
    text_ = "<?xml version=\"1.0\"?>\n<VTKFile type=\"UnstructuredGrid\" version=\"1.0\" byte_order=\"" +
            std::string(std::endian::native == std::endian::big ? "BigEndian" : "LittleEndian") +
            "\" header_type=\"UInt64\">\n<UnstructuredGrid>\n<Piece NumberOfPoints=\"" +
            std::to_string(points) + "\" NumberOfCells=\"" + std::to_string(cells) + "\">\n";
  }

  void begin(const char* section) { (section_ = section), text_ += "<" + section_ + ">\n"; }
  void end() { text_ += "</" + section_ + ">\n"; }

  template <class T>
  void array(const char* type, const char* name, int components, const std::vector<T>& values,
             const char* more = "") {
    text_ += "<DataArray type=\"" + std::string(type) + "\" Name=\"" + name + "\" NumberOfComponents=\"" +
             std::to_string(components) + "\"" + more + " format=\"appended\" offset=\"" +
             std::to_string(bytes_.size()) + "\"/>\n";
    append(static_cast<std::uint64_t>(values.size() * sizeof(T)));
    bytes_.append(reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T));
  }

  /// Vectors and scalars of the run, in its precision.
  void stored(const char* name, int components, std::vector<double> values, bool is_single) {
    if (is_single)
      array("Float32", name, components, std::vector<float>(values.begin(), values.end()));
    else
      array("Float64", name, components, values);
  }

  void write(const std::string& path) {
    text_ += "</Piece>\n</UnstructuredGrid>\n<AppendedData encoding=\"raw\">\n_";
    write_parts(path, {text_, bytes_, "\n</AppendedData>\n</VTKFile>\n"});
  }

 private:
  void append(std::uint64_t number) { bytes_.append(reinterpret_cast<const char*>(&number), sizeof number); }

  std::string text_, bytes_, section_;
};

std::vector<double> flat(VectorView vectors) {
  std::vector<double> numbers;
  numbers.reserve(3 * vectors.size());
  for (const Vec3& v : vectors) numbers.insert(numbers.end(), {v.x, v.y, v.z});
  return numbers;
}

/// Cells as VTK's arrays.
struct Cells {
  std::vector<std::int32_t> connectivity;
  std::vector<std::int64_t> offsets;
  std::vector<std::uint8_t> types;

  template <class Rows>
  void add(const Rows& rows, std::uint8_t type) {
    for (const auto& row : rows) {
      connectivity.insert(connectivity.end(), row.begin(), row.end());
      offsets.push_back(static_cast<std::int64_t>(connectivity.size()));
      types.push_back(type);
    }
  }
};

Cells cells_of(const RunBody& body) {
  constexpr std::uint8_t vertex = 1, line = 3, triangle = 5, tetrahedron = 10, hexahedron = 12;
  Cells cells;
  cells.add(body.tetrahedra, tetrahedron);
  cells.add(body.hexahedra, hexahedron);
  if (cells.types.empty()) cells.add(body.faces, triangle);
  if (cells.types.empty()) cells.add(body.springs, line);
  if (cells.types.empty()) {
    std::vector<std::array<Index, 1>> points(body.count);
    for (std::size_t i = 0; i < body.count; ++i) points[i] = {static_cast<Index>(i)};
    cells.add(points, vertex);
  }
  return cells;
}

/// "a&b" in an attribute is "a&amp;b".
std::string escaped(const std::string& text) {
  std::string result;
  for (const char c : text)
    if (c == '&')
      result += "&amp;";
    else if (c == '<')
      result += "&lt;";
    else if (c == '"')
      result += "&quot;";
    else
      result += c;
  return result;
}

class VtuWriter final : public ExportWriter {
 public:
  explicit VtuWriter(const TrajectoryReader& run)
      : run_(run), bodies_(run_bodies(run, true)), rest_(run.rest_positions()), masses_(run.masses()) {
    for (const RunBody& body : bodies_) {
      cells_.push_back(cells_of(body));
      if (body.materials.empty())
        stresses_.emplace_back();
      else
        stresses_.push_back(std::make_unique<ElementStresses>(body.tetrahedra, body.hexahedra,
                                                              body.own(rest_), body.materials));
    }
  }

  Count write_frame(const std::string& folder, Count frame, const std::string& number) override {
    const VectorArray positions = run_.positions(frame);
    const std::vector<double> charges = run_.charges(frame);
    VectorArray velocities;
    if (run_.has_velocities()) velocities = run_.velocities(frame);
    for (std::size_t b = 0; b < bodies_.size(); ++b) {
      const RunBody& body = bodies_[b];
      VtuFile file(body.count, cells_[b].types.size());
      const VectorView own = body.own(positions), rest = body.own(rest_);
      std::vector<Vec3> displacement(own.begin(), own.end());
      for (std::size_t i = 0; i < displacement.size(); ++i) displacement[i] -= rest[i];
      file.begin("PointData");
      file.array("Float64", "displacement", 3, flat(displacement));
      if (run_.has_velocities())
        file.stored("velocity", 3, flat(body.own(velocities)), run_.single_precision());
      const auto charge = body.own(charges), mass = body.own(masses_);
      file.array("Float64", "charge", 1, std::vector<double>(charge.begin(), charge.end()));
      file.array("Float64", "mass", 1, std::vector<double>(mass.begin(), mass.end()));
      file.end();
      if (stresses_[b]) add_stresses(file, stresses_[b]->at(own));
      file.begin("Points");
      file.stored("Points", 3, flat(own), run_.single_precision());
      file.end();
      file.begin("Cells");
      file.array("Int32", "connectivity", 1, cells_[b].connectivity);
      file.array("Int64", "offsets", 1, cells_[b].offsets);
      file.array("UInt8", "types", 1, cells_[b].types);
      file.end();
      file.write(folder + "/" + body.file_name + number + ".vtu");
    }
    numbers_.push_back(number);
    return static_cast<Count>(bodies_.size());
  }

  Count finish(const std::string& folder, const std::vector<double>& times) override {
    for (const RunBody& body : bodies_) {
      std::string text =
          "<?xml version=\"1.0\"?>\n<VTKFile type=\"Collection\" version=\"0.1\">\n<Collection>\n";
      for (std::size_t f = 0; f < numbers_.size(); ++f) {
        text += "<DataSet timestep=\"";
        append_number(text, times[f]);
        text += "\" part=\"0\" file=\"" + escaped(body.file_name) + numbers_[f] + ".vtu\"/>\n";
      }
      text += "</Collection>\n</VTKFile>\n";
      write_parts(folder + "/" + body.file_name + ".pvd", {text});
    }
    return static_cast<Count>(bodies_.size());
  }

 private:
  static void add_stresses(VtuFile& file, const std::vector<ElementStress>& stresses) {
    std::vector<double> cauchy, von_mises, energy;
    for (const ElementStress& each : stresses) {
      cauchy.insert(cauchy.end(), each.cauchy.begin(), each.cauchy.end());
      von_mises.push_back(each.von_mises);
      energy.push_back(each.energy_density);
    }
    file.begin("CellData");
    file.array("Float64", "stress", 6, cauchy,
               " ComponentName0=\"XX\" ComponentName1=\"YY\" ComponentName2=\"ZZ\" ComponentName3=\"XY\" "
               "ComponentName4=\"YZ\" ComponentName5=\"XZ\"");
    file.array("Float64", "von_mises", 1, von_mises);
    file.array("Float64", "energy_density", 1, energy);
    file.end();
  }

  const TrajectoryReader& run_;
  std::vector<RunBody> bodies_;
  VectorArray rest_;
  std::vector<double> masses_;
  std::vector<Cells> cells_;
  std::vector<std::unique_ptr<ElementStresses>> stresses_;
  std::vector<std::string> numbers_;
};

}  // namespace

std::unique_ptr<ExportWriter> make_vtu_writer(const TrajectoryReader& run) {
  return std::make_unique<VtuWriter>(run);
}

}  // namespace electret
