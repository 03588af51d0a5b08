#include <charconv>
#include <fstream>

#include <electret/core/errors.hpp>
#include <electret/record/detail/export_writers.hpp>
#include <electret/record/run_bodies.hpp>

namespace electret {
namespace {

/// The shortest digits that read back to the same bits.
void append_shortest(std::string& text, double value) {
  char digits[32];
  const auto end = std::to_chars(digits, digits + sizeof digits, value).ptr;
  text.append(digits, end);
}

class ObjWriter final : public ExportWriter {
 public:
  explicit ObjWriter(const TrajectoryReader& run) : run_(run), bodies_(run_bodies(run, false)) {}

  Count write_frame(const std::string& folder, Count frame, const std::string& number) override {
    const VectorArray all = run_.positions(frame);
    Count files = 0;
    for (const RunBody& body : bodies_) {
      const bool has_surface = !body.surface_faces.empty();
      if (!has_surface && body.faces.empty()) continue;
      const VectorView own = body.own(all);
      std::string text;
      for (const Vec3& x : has_surface ? body.surface_at(own) : VectorArray(own.begin(), own.end())) {
        text += 'v';
        for (int axis = 0; axis < 3; ++axis) append_shortest(text += ' ', x[axis]);
        text += '\n';
      }
      for (const Triangle& face : has_surface ? body.surface_faces : body.faces) {
        text += 'f';
        for (const Index vertex : face) (text += ' ') += std::to_string(vertex + 1);
        text += '\n';
      }
      write_parts(folder + "/" + body.file_name + number + ".obj", {text});
      ++files;
    }
    return files;
  }

  Count finish(const std::string&, const std::vector<double>&) override { return 0; }

 private:
  const TrajectoryReader& run_;
  std::vector<RunBody> bodies_;
};

}  // namespace

void write_parts(const std::string& path, const std::vector<std::string_view>& parts) {
  std::ofstream file(path, std::ios::binary | std::ios::trunc);
  for (const std::string_view part : parts)
    file.write(part.data(), static_cast<std::streamsize>(part.size()));
  file.close();
  if (!file) throw IoError("cannot write " + path + ": is the disk full?");
}

std::unique_ptr<ExportWriter> make_obj_writer(const TrajectoryReader& run) {
  return std::make_unique<ObjWriter>(run);
}

}  // namespace electret
