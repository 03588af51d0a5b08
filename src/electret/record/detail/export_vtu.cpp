#include <utility>

#include <electret/core/errors.hpp>
#include <electret/core/text.hpp>
#include <electret/record/detail/export_writers.hpp>
#include <electret/record/detail/vtk_file.hpp>

namespace electret {
namespace {

/// Cells as VTK's arrays.
struct VtuCells {
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

VtuCells cells_of(const RunBody& body) {
  constexpr std::uint8_t vertex = 1, line = 3, triangle = 5, tetrahedron = 10, hexahedron = 12;
  VtuCells cells;
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

/// The elements' arrays of one frame.
struct CellNumbers {
  std::vector<double> cauchy, von_mises, energy;
  std::vector<std::uint8_t> is_defined;

  explicit CellNumbers(const std::vector<ElementStress>& stresses) {
    for (const ElementStress& each : stresses) {
      cauchy.insert(cauchy.end(), each.cauchy.begin(), each.cauchy.end());
      von_mises.push_back(each.von_mises);
      energy.push_back(each.energy_density);
      is_defined.push_back(each.is_defined ? 1 : 0);
    }
  }

  void add_to(VtkFile& file) const {
    file.begin("CellData");
    file.array("stress", 6, std::span(cauchy),
               " ComponentName0=\"XX\" ComponentName1=\"YY\" ComponentName2=\"ZZ\" ComponentName3=\"XY\" "
               "ComponentName4=\"YZ\" ComponentName5=\"XZ\"");
    file.array("von_mises", 1, std::span(von_mises));
    file.array("energy_density", 1, std::span(energy));
    file.array("stress_is_defined", 1, std::span(is_defined));
    file.end();
  }
};

/// Those of the body's materials; null without one. In a damaged run an element may have no volume at rest.
std::unique_ptr<ElementStresses> stresses_of(const RunBody& body, VectorView rest) {
  if (body.materials.empty()) return nullptr;
  try {
    return std::make_unique<ElementStresses>(body.tetrahedra, body.hexahedra, rest,
                                             body.materials.front().parts);
  } catch (const DivergenceError&) {
    throw InputError(Finding{{},
                             "an element of " + in_quotes(body.name) + " is inverted or flat at rest",
                             "export it to a format without stresses, such as vtp"});
  }
}

class VtuWriter final : public ExportWriter {
 public:
  VtuWriter(const ExportPlan& plan, ExportFolder& folder)
      : plan_(plan), folder_(folder), rest_(plan.run.rest_positions()), masses_(plan.run.masses()) {
    for (const RunBody& body : plan.bodies) {
      cells_.push_back(cells_of(body));
      stresses_.push_back(stresses_of(body, body.own(rest_)));
      stages_.push_back(0);
    }
  }

  void write_frame(std::size_t k, FrameNumbers& numbers) override {
    for (std::size_t b = 0; b < plan_.bodies.size(); ++b) {
      const RunBody& body = plan_.bodies[b];
      VtkFile file("UnstructuredGrid", " NumberOfPoints=\"" + std::to_string(body.count) +
                                           "\" NumberOfCells=\"" + std::to_string(cells_[b].types.size()) +
                                           "\"");
      add_points(file, body, numbers, plan_.run.single_precision(), body.own(rest_), body.own(masses_),
                 displacement_);
      std::optional<CellNumbers> cell_numbers;
      if (stresses_[b]) {
        go_to_stage(b, body.stage_at(plan_.times[k]));
        cell_numbers.emplace(stresses_[b]->at(body.own(numbers.positions()))).add_to(file);
      }
      file.begin("Cells");
      file.array("connectivity", 1, std::span<const std::int32_t>(cells_[b].connectivity));
      file.array("offsets", 1, std::span<const std::int64_t>(cells_[b].offsets));
      file.array("types", 1, std::span<const std::uint8_t>(cells_[b].types));
      file.end();
      file.write(folder_.path(plan_.file_name(body, k, ".vtu")));
    }
  }

  void finish() override { write_collections(plan_, folder_, ".vtu"); }

 private:
  void go_to_stage(std::size_t b, std::size_t stage) {
    if (std::exchange(stages_[b], stage) != stage)
      stresses_[b]->set_parts(plan_.bodies[b].materials[stage].parts);
  }

  const ExportPlan& plan_;
  ExportFolder& folder_;
  VectorArray rest_, displacement_;
  std::vector<double> masses_;
  std::vector<VtuCells> cells_;
  std::vector<std::unique_ptr<ElementStresses>> stresses_;
  std::vector<std::size_t> stages_;  ///< Those whose materials the stresses have.
};

}  // namespace

std::unique_ptr<ExportWriter> make_vtu_writer(const ExportPlan& plan, ExportFolder& folder) {
  return std::make_unique<VtuWriter>(plan, folder);
}

}  // namespace electret
