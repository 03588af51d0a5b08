#include <limits>

#include <electret/core/errors.hpp>
#include <electret/record/detail/export_writers.hpp>

namespace electret {
namespace {

enum class Cache { pc2, mdd };

/// Point caches: one file per body, with its points at every frame as float32. PC2 is little-endian and has a
/// header of 32 bytes, then the points. MDD is big-endian and has the numbers of frames and points, the
/// times, then the points.
class CacheWriter final : public ExportWriter {
 public:
  CacheWriter(const ExportPlan& plan, ExportFolder& folder, Cache kind)
      : plan_(plan), order_(kind == Cache::pc2 ? std::endian::little : std::endian::big) {
    for (const RunBody& body : plan.bodies) {
      OutputFile& file = folder.growing(body.file_name + (kind == Cache::pc2 ? ".pc2" : ".mdd"));
      if (file.length() == 0) kind == Cache::pc2 ? begin_pc2(file, body) : begin_mdd(file, body);
      files_.push_back(&file);
    }
  }

  void write_frame(std::size_t k, FrameNumbers& numbers) override {
    for (std::size_t b = 0; b < files_.size(); ++b) {
      const RunBody& body = plan_.bodies[b];
      const VectorArray points = body.shown_points(body.own(numbers.positions()));
      require_float32(plan_, body, k, points);
      for (const Vec3& x : points) files_[b]->write(x, order_);
    }
  }

 private:
  void begin_pc2(OutputFile& file, const RunBody& body) const {
    file.write(std::string_view("POINTCACHE2\0", 12));
    file.write(std::int32_t{1}, order_);  // version
    write_number(file, body.shown_count());
    file.write(0.0F, order_);  // first frame
    file.write(1.0F, order_);  // frames from one sample to the next
    write_number(file, plan_.frames.size());
  }

  void begin_mdd(OutputFile& file, const RunBody& body) const {
    write_number(file, plan_.frames.size());
    write_number(file, body.shown_count());
    for (const double time : plan_.times) file.write(static_cast<float>(time), order_);
  }

  void write_number(OutputFile& file, std::size_t number) const {
    require(number <= std::numeric_limits<std::int32_t>::max(), "a point cache of too many frames or points");
    file.write(static_cast<std::int32_t>(number), order_);
  }

  const ExportPlan& plan_;
  std::endian order_;
  std::vector<OutputFile*> files_;
};

}  // namespace

std::unique_ptr<ExportWriter> make_pc2_writer(const ExportPlan& plan, ExportFolder& folder) {
  return std::make_unique<CacheWriter>(plan, folder, Cache::pc2);
}

std::unique_ptr<ExportWriter> make_mdd_writer(const ExportPlan& plan, ExportFolder& folder) {
  return std::make_unique<CacheWriter>(plan, folder, Cache::mdd);
}

}  // namespace electret
