#include <electret/record/detail/export_writers.hpp>
#include <electret/record/detail/vtk_file.hpp>

namespace electret {
namespace {

/// Cells of one kind as VTK's arrays.
class VtpCells {
 public:
  template <std::size_t corners>
  explicit VtpCells(const std::vector<std::array<Index, corners>>& rows)
      : connectivity_(rows.empty() ? nullptr : rows.front().data(), rows.size() * corners) {
    offsets_.reserve(rows.size());
    for (std::size_t k = 1; k <= rows.size(); ++k) offsets_.push_back(static_cast<std::int64_t>(corners * k));
  }

  [[nodiscard]] std::size_t size() const { return offsets_.size(); }
  void add_to(VtkFile& file, const char* section) const {
    file.begin(section);
    file.array("connectivity", 1, connectivity_);
    file.array("offsets", 1, std::span(offsets_));
    file.end();
  }

 private:
  std::span<const Index> connectivity_;  ///< The body's rows.
  std::vector<std::int64_t> offsets_;
};

/// Vertices of a body with neither springs nor faces.
std::vector<std::array<Index, 1>> lone_vertices(const RunBody& body) {
  std::vector<std::array<Index, 1>> rows;
  if (body.faces.empty() && body.springs.empty())
    for (std::size_t i = 0; i < body.count; ++i) rows.push_back({static_cast<Index>(i)});
  return rows;
}

class VtpWriter final : public ExportWriter {
 public:
  VtpWriter(const ExportPlan& plan, ExportFolder& folder)
      : plan_(plan), folder_(folder), rest_(plan.run.rest_positions()), masses_(plan.run.masses()) {
    for (const RunBody& body : plan.bodies) vertices_.push_back(lone_vertices(body));
    for (std::size_t b = 0; b < plan.bodies.size(); ++b)
      cells_.push_back(
          {VtpCells(vertices_[b]), VtpCells(plan.bodies[b].springs), VtpCells(plan.bodies[b].faces)});
  }

  void write_frame(std::size_t k, FrameNumbers& numbers) override {
    for (std::size_t b = 0; b < plan_.bodies.size(); ++b) {
      const RunBody& body = plan_.bodies[b];
      const auto& [vertices, springs, faces] = cells_[b];
      VtkFile file("PolyData", " NumberOfPoints=\"" + std::to_string(body.count) + "\" NumberOfVerts=\"" +
                                   std::to_string(vertices.size()) + "\" NumberOfLines=\"" +
                                   std::to_string(springs.size()) +
                                   "\" NumberOfStrips=\"0\" NumberOfPolys=\"" + std::to_string(faces.size()) +
                                   "\"");
      add_points(file, body, numbers, plan_.run.single_precision(), body.own(rest_), body.own(masses_),
                 displacement_);
      vertices.add_to(file, "Verts");
      springs.add_to(file, "Lines");
      faces.add_to(file, "Polys");
      file.write(folder_.path(plan_.file_name(body, k, ".vtp")));
    }
  }

  void finish() override { write_collections(plan_, folder_, ".vtp"); }

 private:
  const ExportPlan& plan_;
  ExportFolder& folder_;
  VectorArray rest_, displacement_;
  std::vector<double> masses_;
  std::vector<std::vector<std::array<Index, 1>>> vertices_;
  std::vector<std::array<VtpCells, 3>> cells_;
};

}  // namespace

std::unique_ptr<ExportWriter> make_vtp_writer(const ExportPlan& plan, ExportFolder& folder) {
  return std::make_unique<VtpWriter>(plan, folder);
}

}  // namespace electret
