#include <electret/record/detail/export_writers.hpp>

namespace electret {
namespace {

/// One mesh per body and frame. If the body was filled from a surface, it is that surface, whose points have
/// neither mass nor charge.
class PlyWriter final : public ExportWriter {
 public:
  PlyWriter(const ExportPlan& plan, ExportFolder& folder)
      : plan_(plan), folder_(folder), masses_(plan.run.masses()) {}

  void write_frame(std::size_t k, FrameNumbers& numbers) override {
    for (const RunBody& body : plan_.bodies) {
      OutputFile file(folder_.path(plan_.file_name(body, k, ".ply")));
      file.write(header(body));
      if (body.is_filled())
        for (const Vec3& x : body.surface_at(body.own(numbers.positions()))) write_vector(file, x);
      else
        write_vertices(file, body, numbers);
      for (const Triangle& face : body.shown_faces()) {
        file.write(std::uint8_t{3}, little);
        for (const Index vertex : face) file.write(vertex, little);
      }
      if (body.shown_faces().empty())
        for (const Edge& spring : body.springs)
          for (const Index vertex : spring) file.write(vertex, little);
      file.close();
    }
  }

 private:
  [[nodiscard]] std::string header(const RunBody& body) const {
    const std::string real = plan_.run.single_precision() ? "float" : "double";
    std::string text =
        "ply\nformat binary_little_endian 1.0\nelement vertex " + std::to_string(body.shown_count()) + "\n";
    const auto property = [&](const std::string& type, const char* name) {
      text += "property " + type + " " + name + "\n";
    };
    for (const char* name : {"x", "y", "z"}) property(real, name);
    if (!body.is_filled()) {
      if (plan_.run.has_velocities())
        for (const char* name : {"vx", "vy", "vz"}) property(real, name);
      property("double", "charge");
      property("double", "mass");
    }
    if (!body.shown_faces().empty()) {
      text += "element face " + std::to_string(body.shown_faces().size()) + "\n";
      property("list uchar int", "vertex_indices");
    } else if (!body.springs.empty()) {
      text += "element edge " + std::to_string(body.springs.size()) + "\n";
      for (const char* name : {"vertex1", "vertex2"}) property("int", name);
    }
    return text + "end_header\n";
  }

  void write_vertices(OutputFile& file, const RunBody& body, FrameNumbers& numbers) const {
    for (std::size_t i = body.first; i < body.first + body.count; ++i) {
      write_vector(file, numbers.positions()[i]);
      if (plan_.run.has_velocities()) write_vector(file, numbers.velocities()[i]);
      file.write(numbers.charges()[i], little);
      file.write(masses_[i], little);
    }
  }

  /// In the run's precision.
  void write_vector(OutputFile& file, const Vec3& vector) const {
    if (plan_.run.single_precision()) return file.write(vector, little);
    for (int axis = 0; axis < 3; ++axis) file.write(vector[axis], little);
  }

  const ExportPlan& plan_;
  ExportFolder& folder_;
  std::vector<double> masses_;
};

}  // namespace

std::unique_ptr<ExportWriter> make_ply_writer(const ExportPlan& plan, ExportFolder& folder) {
  return std::make_unique<PlyWriter>(plan, folder);
}

}  // namespace electret
