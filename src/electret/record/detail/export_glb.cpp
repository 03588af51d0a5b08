#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include <nlohmann/json.hpp>

#include <electret/core/digits.hpp>
#include <electret/core/errors.hpp>
#include <electret/core/text.hpp>
#include <electret/core/version.hpp>
#include <electret/record/detail/export_writers.hpp>

namespace electret {
namespace {

/// Lengths are uint32.
constexpr std::uint64_t longest = std::numeric_limits<std::uint32_t>::max();

/// The least and greatest coordinates of a frame's points.
struct Bounds {
  std::array<float, 3> low{}, high{};

  void set(const VectorArray& points) {
    for (std::size_t axis = 0; axis < 3; ++axis) {
      low[axis] = std::numeric_limits<float>::max();
      high[axis] = -low[axis];
      for (const Vec3& x : points) {
        const auto value = static_cast<float>(x[static_cast<int>(axis)]);
        low[axis] = std::min(low[axis], value);
        high[axis] = std::max(high[axis], value);
      }
    }
  }
};

/// "[x, y, z]", of the same length for all numbers.
std::string vector_text(const std::array<float, 3>& v) {
  constexpr float most = std::numeric_limits<float>::max();
  std::string text;
  for (const float value : v) {
    const std::string number = general_text(static_cast<double>(std::clamp(value, -most, most)), 9);
    text.append(text.empty() ? "[" : ",").append(16 - number.size(), ' ').append(number);
  }
  return text + "]";
}

/// White without charge, red if positive, blue if negative; linear light, opaque.
std::array<std::uint8_t, 4> colour(double part) {
  const auto less = static_cast<std::uint8_t>(std::lround(255.0 * (1.0 - std::min(std::abs(part), 1.0))));
  return part > 0.0 ? std::array<std::uint8_t, 4>{255, less, less, 255}
                    : std::array<std::uint8_t, 4>{less, less, 255, 255};
}

/// Offsets within the binary part, bytes.
struct Layout {
  std::uint64_t indices = 0, charges = 0, colours = 0, times = 0, weights = 0, points = 0, end = 0;
};

/// One body's file: a mesh whose points are those of the first frame, with a morph target for each other
/// frame that holds the differences to the first. The animation gives one frame after the other the weight 1.
/// The text at the start of the file names the bounds of all arrays and is therefore written last.
class GlbFile {
 public:
  GlbFile(const ExportPlan& plan, const RunBody& body)
      : plan_(plan), body_(body), bounds_(plan.frames.size()) {
    set_layout();
    text_size_ = (text().size() + 3) / 4 * 4;
  }

  /// Throws InputError if the file would be too long.
  void check() const {
    if (whole() <= longest) return;
    throw InputError(Finding{
        {},
        in_quotes(name()) + " would have " + std::to_string(whole()) + " bytes",
        "the format takes " + std::to_string(longest) + ": fewer frames (--every), or another format"});
  }
  void open(ExportFolder& folder) { file_ = &folder.growing(name()); }

  /// Writes what comes before the frames.
  void begin(ScalarView charges) {
    if (file_->length() > 0) return;
    file_->write(0x46546C67U, little);  // "glTF"
    file_->write(std::uint32_t{2}, little);
    file_->write(static_cast<std::uint32_t>(whole()), little);
    file_->write(static_cast<std::uint32_t>(text_size_), little);
    file_->write(0x4E4F534AU, little);  // "JSON"
    file_->write(std::string(text_size_, ' '));
    file_->write(static_cast<std::uint32_t>(layout_.end), little);
    file_->write(0x004E4942U, little);  // "BIN"
    write_rows();
    const double most = largest(charges);
    for (const double q : charges) file_->write(static_cast<float>(q), little);
    for (const double q : charges)
      for (const std::uint8_t part : colour(most > 0.0 ? q / most : 0.0)) file_->write(part, little);
    if (frames() == 1) return;
    for (const double time : plan_.times) file_->write(static_cast<float>(time), little);
    for (std::size_t k = 0; k < frames(); ++k)
      for (std::size_t target = 0; target < targets(); ++target)
        file_->write(k == target + 1 ? 1.0F : 0.0F, little);
  }

  /// The k-th frame's points of the file: those of the first frame, or differences to what it holds of them.
  VectorArray note(std::size_t k, VectorArray points) {
    require_float32(plan_, body_, k, points);
    if (k == 0)
      first_ = points;
    else
      for (std::size_t i = 0; i < points.size(); ++i) points[i] -= first_as_stored(i);
    require_float32(plan_, body_, k, points);
    bounds_[k].set(points);
    return points;
  }
  void add(std::size_t k, VectorArray points) {
    for (const Vec3& x : note(k, std::move(points))) file_->write(x, little);
  }
  void finish() {
    require(static_cast<std::uint64_t>(file_->length()) == whole(),
            "a glb file has another length than it says");
    file_->write_over(20, text());
  }

 private:
  [[nodiscard]] std::string name() const { return body_.file_name + ".glb"; }
  [[nodiscard]] std::size_t frames() const { return plan_.frames.size(); }
  [[nodiscard]] std::size_t targets() const { return frames() - 1; }
  /// The number of the first target's accessor, behind those of points, charges, colours, times and weights.
  /// A single frame has neither times nor weights.
  [[nodiscard]] std::size_t first_target() const { return frames() > 1 ? 5 : 3; }
  [[nodiscard]] std::uint64_t whole() const { return 12 + 8 + text_size_ + 8 + layout_.end; }
  [[nodiscard]] bool has_rows() const { return body_.has_surface() || !body_.springs.empty(); }
  [[nodiscard]] std::uint64_t row_entries() const {
    return body_.has_surface() ? 3 * body_.shown_faces().size() : 2 * body_.springs.size();
  }

  static double largest(ScalarView charges) {
    double most = 0.0;
    for (const double q : charges) most = std::max(most, std::abs(q));
    return most;
  }

  void set_layout() {
    const std::uint64_t n = body_.shown_count(), f = frames();
    layout_.charges = 4 * row_entries();
    layout_.colours = layout_.charges + 4 * n;
    layout_.times = layout_.colours + 4 * n;
    layout_.weights = layout_.times + (f > 1 ? 4 * f : 0);
    layout_.points = layout_.weights + 4 * f * (f - 1);
    layout_.end = layout_.points + 12 * n * f;
  }

  void write_rows() {
    if (body_.has_surface()) {
      for (const Triangle& face : body_.shown_faces())
        for (const Index vertex : face) file_->write(vertex, little);
      return;
    }
    for (const Edge& spring : body_.springs)
      for (const Index vertex : spring) file_->write(vertex, little);
  }

  [[nodiscard]] Vec3 first_as_stored(std::size_t i) const {
    Vec3 x = first_[i];
    for (int axis = 0; axis < 3; ++axis) x[axis] = static_cast<double>(static_cast<float>(x[axis]));
    return x;
  }

  /// The JSON part, of the same length for all bounds.
  [[nodiscard]] std::string text() const;
  [[nodiscard]] std::string accessors() const;
  [[nodiscard]] std::string views() const;

  const ExportPlan& plan_;
  const RunBody& body_;
  VectorArray first_;
  std::vector<Bounds> bounds_;
  Layout layout_;
  std::uint64_t text_size_ = 0;
  OutputFile* file_ = nullptr;
};

/// The text in quotes, as JSON takes it.
std::string in_json(const std::string& text) {
  return nlohmann::json(text).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

std::string GlbFile::text() const {
  std::string morph_list, weights;
  for (std::size_t k = 0; k < targets(); ++k) {
    morph_list +=
        (k > 0 ? "," : "") + std::string("{\"POSITION\":") + std::to_string(first_target() + k) + "}";
    weights += k > 0 ? ",0" : "0";
  }
  std::string indices, morphs, start, animation;
  if (has_rows()) indices = "\"indices\":" + std::to_string(first_target() + targets()) + ",";
  if (frames() > 1) {
    morphs = ",\"targets\":[" + morph_list + "]";
    start = "\"weights\":[" + weights + "],";
    animation =
        R"("animations":[{"name":"run","channels":[{"sampler":0,"target":{"node":0,"path":"weights"}}],"samplers":[{"input":3,"output":4,"interpolation":"LINEAR"}]}],)";
  }
  const std::string name = "\"name\":" + in_json(body_.name);
  const char* mode = body_.has_surface() ? "4" : body_.springs.empty() ? "0" : "1";
  // In Electret the z axis is up, in glTF the y axis. The node turns; the points stay the run's.
  return R"({"asset":{"version":"2.0","generator":"Electret )" + std::string(version) +
         R"("},"scene":0,"scenes":[{"nodes":[0]}],"nodes":[{)" + name +
         R"(,"mesh":0,"rotation":[-0.70710678118654757,0,0,0.70710678118654757]}],)" +
         R"("materials":[{"doubleSided":true,"pbrMetallicRoughness":{"metallicFactor":0,"roughnessFactor":0.7}}],)" +
         R"("meshes":[{)" + name + "," + start +
         R"("primitives":[{"attributes":{"POSITION":0,"_CHARGE":1,"COLOR_0":2},)" + indices +
         R"("material":0,"mode":)" + mode + morphs + "}]}]," + animation + R"("buffers":[{"byteLength":)" +
         std::to_string(layout_.end) + "}]," + views() + "," + accessors() + "}";
}

std::string GlbFile::views() const {
  std::string text = "\"bufferViews\":[";
  const auto view = [&](std::uint64_t begin, std::uint64_t end, const char* more) {
    if (text.back() != '[') text += ",";
    text += "{\"buffer\":0,\"byteOffset\":" + std::to_string(begin) +
            ",\"byteLength\":" + std::to_string(end - begin) + more + "}";
  };
  view(layout_.charges, layout_.colours, ",\"target\":34962");
  view(layout_.colours, layout_.times, ",\"target\":34962");
  if (frames() > 1) {
    view(layout_.times, layout_.weights, "");
    view(layout_.weights, layout_.points, "");
  }
  view(layout_.points, layout_.end, ",\"byteStride\":12,\"target\":34962");
  if (has_rows()) view(0, layout_.charges, ",\"target\":34963");
  return text + "]";
}

std::string GlbFile::accessors() const {
  const std::size_t view_of_points = frames() > 1 ? 4 : 2;
  const std::string n = std::to_string(body_.shown_count()), f = std::to_string(frames());
  const auto real = [](std::size_t view, const std::string& count) {
    return "{\"bufferView\":" + std::to_string(view) + ",\"componentType\":5126,\"count\":" + count;
  };
  const auto time_text = [&](double time) {
    return "[" + general_text(static_cast<double>(static_cast<float>(time)), 9) + "]";
  };
  const auto points = [&](std::size_t k) {
    return real(view_of_points, n) + ",\"byteOffset\":" + std::to_string(12 * body_.shown_count() * k) +
           ",\"type\":\"VEC3\",\"min\":" + vector_text(bounds_[k].low) +
           ",\"max\":" + vector_text(bounds_[k].high) + "}";
  };
  std::string text = "\"accessors\":[" + points(0) + "," + real(0, n) + ",\"type\":\"SCALAR\"},";
  text +=
      "{\"bufferView\":1,\"componentType\":5121,\"normalized\":true,\"count\":" + n + ",\"type\":\"VEC4\"}";
  if (frames() > 1) {
    text += "," + real(2, f) + ",\"type\":\"SCALAR\",\"min\":" + time_text(plan_.times.front()) +
            ",\"max\":" + time_text(plan_.times.back()) + "},";
    text += real(3, std::to_string(frames() * targets())) + ",\"type\":\"SCALAR\"}";
  }
  for (std::size_t k = 1; k < frames(); ++k) text += "," + points(k);
  if (has_rows())
    text += ",{\"bufferView\":" + std::to_string(view_of_points + 1) +
            ",\"componentType\":5125,\"type\":\"SCALAR\",\"count\":" + std::to_string(row_entries()) + "}";
  return text + "]";
}

class GlbWriter final : public ExportWriter {
 public:
  GlbWriter(const ExportPlan& plan, ExportFolder& folder) : plan_(plan) {
    for (const RunBody& body : plan.bodies) {
      files_.push_back(std::make_unique<GlbFile>(plan, body));
      files_.back()->open(folder);
    }
  }

  void write_frame(std::size_t k, FrameNumbers& numbers) override {
    for (std::size_t b = 0; b < files_.size(); ++b) {
      const RunBody& body = plan_.bodies[b];
      if (k == 0) files_[b]->begin(body.shown_charges(body.own(numbers.charges())));
      files_[b]->add(k, body.shown_points(body.own(numbers.positions())));
    }
  }
  void pass_frame(std::size_t k, FrameNumbers& numbers) override {
    for (std::size_t b = 0; b < files_.size(); ++b)
      files_[b]->note(k, plan_.bodies[b].shown_points(plan_.bodies[b].own(numbers.positions())));
  }
  void finish() override {
    for (const auto& file : files_) file->finish();
  }

 private:
  const ExportPlan& plan_;
  std::vector<std::unique_ptr<GlbFile>> files_;
};

/// The times of an animation are float32, and each is greater than the one before.
void check_times(const ExportPlan& plan) {
  for (std::size_t k = 1; k < plan.times.size(); ++k)
    if (!(static_cast<float>(plan.times[k]) > static_cast<float>(plan.times[k - 1])))
      throw InputError(Finding{{},
                               "frames " + std::to_string(plan.frames[k - 1]) + " and " +
                                   std::to_string(plan.frames[k]) +
                                   " are at one time in float32, in which glb has times",
                               "fewer frames (--every), or another format"});
}

}  // namespace

void check_glb(const ExportPlan& plan) {
  check_times(plan);
  for (const RunBody& body : plan.bodies) GlbFile(plan, body).check();
}

std::unique_ptr<ExportWriter> make_glb_writer(const ExportPlan& plan, ExportFolder& folder) {
  return std::make_unique<GlbWriter>(plan, folder);
}

}  // namespace electret
