#include <electret/record/detail/export_writers.hpp>

namespace electret {
namespace {

/// One table per body, with one row per frame and vertex.
class CsvWriter final : public ExportWriter {
 public:
  CsvWriter(const ExportPlan& plan, ExportFolder& folder) : plan_(plan) {
    for (const RunBody& body : plan.bodies) {
      OutputFile& file = folder.growing(body.file_name + ".csv");
      if (file.length() == 0) {
        file.write("frame,time,vertex,x,y,z,");
        if (plan.run.has_velocities()) file.write("vx,vy,vz,");
        file.write("charge");
        if (plan.run.has_pin_reactions()) file.write(",rx,ry,rz");
        if (plan.run.has_contacts()) file.write(",cx,cy,cz,contact");
        if (plan.run.has_contact_pairs()) file.write(",bx,by,bz");
        file.write("\n");
      }
      files_.push_back(&file);
    }
  }

  void write_frame(std::size_t k, FrameNumbers& numbers) override {
    for (std::size_t b = 0; b < files_.size(); ++b) {
      const RunBody& body = plan_.bodies[b];
      OutputFile& file = *files_[b];
      for (std::size_t i = 0; i < body.count; ++i) {
        file.write_digits(plan_.frames[k]);
        file.write(",");
        file.write_digits(plan_.times[k]);
        file.write(",");
        file.write_digits(static_cast<Count>(i));
        file.write(",");
        write_vector(file, numbers.positions()[body.first + i]);
        if (plan_.run.has_velocities()) write_vector(file, numbers.velocities()[body.first + i]);
        file.write_digits(numbers.charges()[body.first + i]);
        if (plan_.run.has_pin_reactions()) {
          file.write(",");
          write_digits(file, numbers.pin_reactions()[body.first + i]);
        }
        if (plan_.run.has_contacts()) {
          file.write(",");
          write_vector(file, numbers.contacts().forces[body.first + i]);
          file.write_digits(static_cast<Count>(numbers.contacts().states[body.first + i]));
        }
        if (plan_.run.has_contact_pairs()) {
          file.write(",");
          write_digits(file, numbers.pair_forces()[body.first + i]);
        }
        file.write("\n");
      }
    }
  }

 private:
  static void write_digits(OutputFile& file, const Vec3& vector) {
    for (int axis = 0; axis < 3; ++axis) {
      if (axis > 0) file.write(",");
      file.write_digits(vector[axis]);
    }
  }

  static void write_vector(OutputFile& file, const Vec3& vector) {
    write_digits(file, vector);
    file.write(",");
  }

  const ExportPlan& plan_;
  std::vector<OutputFile*> files_;
};

}  // namespace

std::unique_ptr<ExportWriter> make_csv_writer(const ExportPlan& plan, ExportFolder& folder) {
  return std::make_unique<CsvWriter>(plan, folder);
}

}  // namespace electret
