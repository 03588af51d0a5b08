#include <algorithm>
#include <cmath>

#include <electret/core/errors.hpp>
#include <electret/core/vertex_loops.hpp>
#include <electret/force/detail/face_flow.hpp>
#include <electret/force/hydrodynamics.hpp>
#include <electret/linear/incidence.hpp>

namespace electret {
namespace {

constexpr std::array<ForceParameter, 4> water_parameters{
    {{"density", "kg/m³", 1}, {"velocity", "m/s", 3}, {"drag", "", 4}, {"thrust", "", 4}}};

std::vector<Index> corners_of(const std::vector<WetFace>& faces) {
  std::vector<Index> corners;
  for (const WetFace& face : faces)
    corners.insert(corners.end(), face.corners.begin(), face.corners.begin() + face.corner_count());
  return corners;
}

class HydrodynamicForce final : public ExplicitForce {
 public:
  HydrodynamicForce(const Water& water, std::vector<WetFace> faces, Index vertex_count, Threads& threads)
      : law_{water.density, water.velocity, water.drag, water.thrust},
        max_force_(water.max_force),
        threads_(threads),
        faces_(std::move(faces)),
        incidence_(vertex_count, corners_of(faces_)),
        by_face_(faces_.size()) {
    std::size_t first = 0;
    for (const WetFace& face : faces_) {
      first_corner_.push_back(first);
      first += static_cast<std::size_t>(face.corner_count());
    }
    by_corner_.resize(first);
  }

  [[nodiscard]] std::string_view name() const override { return "hydrodynamics"; }
  [[nodiscard]] Dependence dependence() const override { return Dependence::velocity; }
  [[nodiscard]] bool dissipates() const override { return true; }
  [[nodiscard]] std::span<const ForceParameter> parameters() const override { return water_parameters; }

  void add_force(const ForcePoint& at, VectorSpan f) override {
    check_rows(f.size());
    spread_forces(at);
    for_vertices(threads_, f.size(), [&](std::size_t v) {
      const Vec3 sum = at_vertex(v);
      for (int axis = 0; axis < 3; ++axis) f[v][axis] += std::clamp(sum[axis], -max_force_, max_force_);
    });
  }

  void add_transposed_jacobian_x(const ForcePoint& at, VectorView z, VectorSpan out) override {
    add_products(at, z, {out, {}, {}, {}});
  }
  void add_transposed_jacobian_v(const ForcePoint& at, VectorView z, VectorSpan out) override {
    add_products(at, z, {{}, out, {}, {}});
  }
  void add_parameter_gradient(const ForcePoint& at, std::size_t parameter, VectorView z,
                              ScalarSpan out) override {
    std::array<ScalarSpan, water_parameters.size()> spans{};
    spans[parameter] = out;
    add_products(at, z, {{}, {}, {}, spans});
  }

  void add_products(const ForcePoint& at, VectorView z, const ForceProducts& out) override {
    check_rows(z.size());
    require(out.parameters.empty() || out.parameters.size() == water_parameters.size(),
            "hydrodynamics: not one span per parameter");
    const VectorView own = unclamped(at, z);
    for_vertices(threads_, faces_.size(), [&](std::size_t k) {
      const WetFace& face = faces_[k];
      const int corners = face.corner_count();
      Vec3 mean;
      for (int c = 0; c < corners; ++c) mean += own[vertex(face, c)];
      by_face_[k] = detail::FaceFlow(law_, seen(at, face)).products((1.0 / corners) * mean);
    });
    if (!out.positions.empty()) {
      spread([](const detail::FlowProducts& p, int, std::size_t c) { return p.places[c]; });
      gather(out.positions);
    }
    if (!out.velocities.empty()) {
      spread(
          [](const detail::FlowProducts& p, int corners, std::size_t) { return (-1.0 / corners) * p.flow; });
      gather(out.velocities);
    }
    if (!out.parameters.empty()) add_parameters(out.parameters);
  }

 private:
  static std::size_t vertex(const WetFace& face, int corner) {
    return static_cast<std::size_t>(face.corners[static_cast<std::size_t>(corner)]);
  }
  void check_rows(std::size_t rows) const {
    require(rows + 1 == incidence_.offsets.size(), "hydrodynamics: not one row per vertex");
  }

  static detail::FlowFace seen(const ForcePoint& at, const WetFace& face) {
    detail::FlowFace result;
    result.corners = face.corner_count();
    result.has_two_sides = face.has_two_sides;
    for (int c = 0; c < result.corners; ++c) {
      result.places[static_cast<std::size_t>(c)] = at.positions[vertex(face, c)];
      result.velocity += at.velocities[vertex(face, c)];
    }
    result.velocity *= 1.0 / result.corners;
    return result;
  }

  /// Writes what each corner gets of its face's force.
  void spread_forces(const ForcePoint& at) {
    for_vertices(threads_, faces_.size(), [&](std::size_t k) {
      const int corners = faces_[k].corner_count();
      const Vec3 share = (1.0 / corners) * detail::FaceFlow(law_, seen(at, faces_[k])).force();
      std::fill_n(by_corner_.begin() + static_cast<std::ptrdiff_t>(first_corner_[k]), corners, share);
    });
  }

  /// Writes part(products of the face, its corners, c) for each corner.
  template <class Part>
  void spread(Part&& part) {
    for_vertices(threads_, faces_.size(), [&](std::size_t k) {
      const int corners = faces_[k].corner_count();
      for (std::size_t c = 0; c < static_cast<std::size_t>(corners); ++c)
        by_corner_[first_corner_[k] + c] = part(by_face_[k], corners, c);
    });
  }

  /// The sum over a vertex's corners, in ascending order.
  [[nodiscard]] Vec3 at_vertex(std::size_t v) const {
    Vec3 sum;
    for (const Index slot : incidence_[static_cast<Count>(v)])
      sum += by_corner_[static_cast<std::size_t>(slot)];
    return sum;
  }

  void gather(VectorSpan out) {
    for_vertices(threads_, out.size(), [&](std::size_t v) { out[v] += at_vertex(v); });
  }

  /// z without the components at which the vertex's force is clamped.
  VectorView unclamped(const ForcePoint& at, VectorView z) {
    if (std::isinf(max_force_)) return z;
    masked_.resize(z.size());
    spread_forces(at);
    for_vertices(threads_, z.size(), [&](std::size_t v) {
      const Vec3 sum = at_vertex(v);
      masked_[v] = z[v];
      for (int axis = 0; axis < 3; ++axis)
        if (std::abs(sum[axis]) > max_force_) masked_[v][axis] = 0.0;
    });
    return masked_;
  }

  void add_parameters(std::span<const ScalarSpan> out) {
    const auto add = [&](ScalarSpan to, auto&& number) {
      for (std::size_t i = 0; i < to.size(); ++i)
        to[i] +=
            sum_over_vertices(threads_, faces_.size(), [&](std::size_t k) { return number(by_face_[k], i); });
    };
    add(out[0], [](const detail::FlowProducts& p, std::size_t) { return p.density; });
    add(out[1], [](const detail::FlowProducts& p, std::size_t i) { return p.flow[static_cast<int>(i)]; });
    add(out[2], [](const detail::FlowProducts& p, std::size_t i) { return p.drag[i]; });
    add(out[3], [](const detail::FlowProducts& p, std::size_t i) { return p.thrust[i]; });
  }

  detail::WaterLaw law_;
  double max_force_;  ///< N.
  Threads& threads_;
  std::vector<WetFace> faces_;
  Incidence incidence_;                    ///< Slots are corners, face by face.
  std::vector<std::size_t> first_corner_;  ///< One per face.
  VectorArray by_corner_;                  ///< One per corner.
  std::vector<detail::FlowProducts> by_face_;
  VectorArray masked_;  ///< n×3.
};

}  // namespace

std::unique_ptr<ExplicitForce> make_hydrodynamic_force(const Water& water, std::vector<WetFace> faces,
                                                       Index vertex_count, Threads& threads) {
  return std::make_unique<HydrodynamicForce>(water, std::move(faces), vertex_count, threads);
}

}  // namespace electret
