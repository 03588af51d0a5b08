#include <electret/record/detail/export_writers.hpp>

namespace electret {
namespace {

class ObjWriter final : public ExportWriter {
 public:
  ObjWriter(const ExportPlan& plan, ExportFolder& folder) : plan_(plan), folder_(folder) {}

  void write_frame(std::size_t k, FrameNumbers& numbers) override {
    for (const RunBody& body : plan_.bodies) {
      if (!body.has_surface()) continue;
      OutputFile file(folder_.path(plan_.file_name(body, k, ".obj")));
      for (const Vec3& x : body.shown_points(body.own(numbers.positions()))) {
        file.write("v");
        for (int axis = 0; axis < 3; ++axis) {
          file.write(" ");
          file.write_digits(x[axis]);
        }
        file.write("\n");
      }
      for (const Triangle& face : body.shown_faces()) {
        file.write("f");
        for (const Index vertex : face) {
          file.write(" ");
          file.write_digits(Count{vertex} + 1);
        }
        file.write("\n");
      }
      file.close();
    }
  }

 private:
  const ExportPlan& plan_;
  ExportFolder& folder_;
};

}  // namespace

std::unique_ptr<ExportWriter> make_obj_writer(const ExportPlan& plan, ExportFolder& folder) {
  return std::make_unique<ObjWriter>(plan, folder);
}

}  // namespace electret
