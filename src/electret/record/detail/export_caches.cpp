#include <array>
#include <bit>
#include <cstring>
#include <fstream>

#include <electret/core/errors.hpp>
#include <electret/record/detail/export_writers.hpp>
#include <electret/record/run_bodies.hpp>

namespace electret {
namespace {

enum class Cache { pc2, mdd };

/// Bytes of numbers of four bytes in the order of `endian`.
class Numbers {
 public:
  explicit Numbers(std::endian order) : order_(order) {}

  template <class Number>
  void add(Number value) {
    static_assert(sizeof(Number) == 4);
    auto bytes = std::bit_cast<std::array<char, 4>>(value);
    if (order_ != std::endian::native) bytes = {bytes[3], bytes[2], bytes[1], bytes[0]};
    text_.append(bytes.data(), bytes.size());
  }
  void add(const Vec3& x) {
    for (int axis = 0; axis < 3; ++axis) add(static_cast<float>(x[axis]));
  }
  void add(std::string_view bytes) { text_ += bytes; }
  [[nodiscard]] const std::string& text() const { return text_; }

 private:
  std::endian order_;
  std::string text_;
};

/// Point caches: a file for each body, with its points at every frame as float32. PC2 is little-endian: a
/// head of 32 bytes, then the points. MDD is big-endian: the numbers of frames and points, the times, then
/// the points.
class CacheWriter final : public ExportWriter {
 public:
  CacheWriter(const TrajectoryReader& run, Cache kind)
      : run_(run), kind_(kind), bodies_(run_bodies(run, false)), files_(bodies_.size()) {}

  Count write_frame(const std::string& folder, Count frame, const std::string&) override {
    const VectorArray all = run_.positions(frame);
    for (std::size_t b = 0; b < bodies_.size(); ++b) {
      const RunBody& body = bodies_[b];
      const VectorView own = body.own(all);
      const VectorArray points =
          body.surface_faces.empty() ? VectorArray(own.begin(), own.end()) : body.surface_at(own);
      Numbers numbers(kind_ == Cache::pc2 ? std::endian::little : std::endian::big);
      if (!files_[b].is_open()) {
        files_[b].open(path(folder, body), std::ios::binary | std::ios::trunc);
        add_head(numbers, points.size());
      }
      for (const Vec3& x : points) numbers.add(x);
      files_[b].write(numbers.text().data(), static_cast<std::streamsize>(numbers.text().size()));
      if (!files_[b]) fail(folder, body);
    }
    return 0;
  }

  Count finish(const std::string& folder, const std::vector<double>&) override {
    Count files = 0;
    for (std::size_t b = 0; b < bodies_.size(); ++b) {
      if (!files_[b].is_open()) continue;  // a run without frames
      files_[b].close();
      if (!files_[b]) fail(folder, bodies_[b]);
      ++files;
    }
    return files;
  }

 private:
  [[nodiscard]] std::string path(const std::string& folder, const RunBody& body) const {
    return folder + "/" + body.file_name + (kind_ == Cache::pc2 ? ".pc2" : ".mdd");
  }

  [[noreturn]] void fail(const std::string& folder, const RunBody& body) const {
    throw IoError("cannot write " + path(folder, body) + ": is the disk full?");
  }

  void add_head(Numbers& numbers, std::size_t points) const {
    const auto frames = static_cast<std::int32_t>(run_.frames()), count = static_cast<std::int32_t>(points);
    if (kind_ == Cache::pc2) {
      numbers.add(std::string_view("POINTCACHE2\0", 12));
      numbers.add(std::int32_t{1});  // version
      numbers.add(count);
      numbers.add(0.0F);  // first frame
      numbers.add(1.0F);  // frames from one sample to the next
      numbers.add(frames);
      return;
    }
    numbers.add(frames);
    numbers.add(count);
    const std::vector<double> times = run_.times();
    for (std::int32_t f = 0; f < frames; ++f)
      numbers.add(static_cast<float>(times[static_cast<std::size_t>(f)]));
  }

  const TrajectoryReader& run_;
  Cache kind_;
  std::vector<RunBody> bodies_;
  std::vector<std::ofstream> files_;
};

}  // namespace

std::unique_ptr<ExportWriter> make_pc2_writer(const TrajectoryReader& run) {
  return std::make_unique<CacheWriter>(run, Cache::pc2);
}

std::unique_ptr<ExportWriter> make_mdd_writer(const TrajectoryReader& run) {
  return std::make_unique<CacheWriter>(run, Cache::mdd);
}

}  // namespace electret
