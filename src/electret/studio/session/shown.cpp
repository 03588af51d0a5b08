#include <algorithm>
#include <limits>
#include <numeric>
#include <set>
#include <utility>

#include <electret/core/errors.hpp>
#include <electret/record/run_bodies.hpp>
#include <electret/record/trajectory_reader.hpp>
#include <electret/record/trajectory_writer.hpp>
#include <electret/scene/assembly.hpp>
#include <electret/studio/session/shown.hpp>

namespace electret::studio {
namespace {

/// Which body has vertex `i`: the last whose offset is not beyond it.
std::size_t body_of(const std::vector<Count>& offsets, Index i) {
  const auto after = std::upper_bound(offsets.begin(), offsets.end(), static_cast<Count>(i));
  return static_cast<std::size_t>(after - offsets.begin()) - 1;
}

}  // namespace

float as_float(double value) {
  constexpr double most = std::numeric_limits<float>::max();
  return static_cast<float>(std::clamp(value, -most, most));
}

Shown::Shown(const Assembly& assembly) : vertices_(assembly.masses.size()) {
  const std::vector<Count>& offsets = assembly.body_offsets;
  for (std::size_t b = 0; b + 1 < offsets.size(); ++b) {
    BodyInfo body;
    body.name = assembly.scene.bodies[b].name;
    body.first = offsets[b];
    body.count = offsets[b + 1] - offsets[b];
    body.first_spring = assembly.body_spring_offsets[b];
    body.springs = assembly.body_spring_offsets[b + 1] - body.first_spring;
    bodies_.push_back(std::move(body));
  }
  for (const Spring& spring : assembly.springs) springs_.push_back({spring.i, spring.j});
  for (const auto& element : assembly.tetrahedra) bodies_[body_of(offsets, element[0])].solid = true;
  for (const auto& element : assembly.hexahedra) bodies_[body_of(offsets, element[0])].solid = true;
  std::vector<std::vector<Triangle>> faces(bodies_.size());
  for (const Triangle& face : assembly.faces) faces[body_of(offsets, face[0])].push_back(face);
  for (const CarriedSurface& surface : assembly.surfaces) bodies_[surface.body].filled = true;
  for (std::size_t b = 0; b < bodies_.size(); ++b) {
    BodyInfo& body = bodies_[b];
    body.first_face = static_cast<Count>(faces_.size());
    if (!body.filled) faces_.insert(faces_.end(), faces[b].begin(), faces[b].end());
    for (const CarriedSurface& surface : assembly.surfaces)
      if (surface.body == b) add_surface(body, surface.corners, 0, surface.weights, surface.faces);
    body.faces = static_cast<Count>(faces_.size()) - body.first_face;
  }
  add_groups(assembly);
  frame(assembly.initial_positions);
  count_totals(assembly.charges, assembly.masses);
}

Shown::Shown(const TrajectoryReader& run) : vertices_(static_cast<std::size_t>(run.vertices())) {
  const std::vector<RunBody> all = run_bodies(run, false);
  for (const RunBody& each : all) {
    BodyInfo body;
    const auto first = static_cast<Index>(each.first);
    body.name = each.name;
    body.first = static_cast<Count>(each.first);
    body.count = static_cast<Count>(each.count);
    body.first_spring = static_cast<Count>(springs_.size());
    for (const auto& [i, j] : each.springs) springs_.push_back({i + first, j + first});
    body.springs = static_cast<Count>(each.springs.size());
    body.solid = !each.tetrahedra.empty() || !each.hexahedra.empty();
    body.filled = each.is_filled();
    body.first_face = static_cast<Count>(faces_.size());
    if (body.filled)
      add_surface(body, each.surface_corners, first, each.surface_weights, each.surface_faces);
    else
      for (const auto& [i, j, k] : each.faces) faces_.push_back({i + first, j + first, k + first});
    body.faces = static_cast<Count>(faces_.size()) - body.first_face;
    bodies_.push_back(std::move(body));
  }
  const TrajectoryReader::Groups groups = run.groups();
  for (std::size_t b = 0; b < bodies_.size(); ++b)
    if (const auto found = groups.find(link_name(bodies_[b].name)); found != groups.end())
      for (const auto& [link, members] : found->second) add_groups(b, name_of_link(link), members);
  if (run.frames() > 0) {
    frame(run.positions(0));
    count_totals(run.charges(0), run.masses());
  }
}

void Shown::frame(VectorView x) {
  if (x.empty()) return;
  Vec3 low = x[0], high = x[0];
  for (const Vec3& each : x)
    for (int axis = 0; axis < 3; ++axis) {
      low[axis] = std::min(low[axis], each[axis]);
      high[axis] = std::max(high[axis], each[axis]);
    }
  centre_ = 0.5 * (low + high);
  const double diagonal = norm(high - low);
  size_ = diagonal > 0.0 && std::isfinite(diagonal) ? diagonal : 1.0;
}

void Shown::count_totals(ScalarView charges, ScalarView masses) {
  const auto sum = [](ScalarView all, const BodyInfo& body) {
    const ScalarView own =
        all.subspan(static_cast<std::size_t>(body.first), static_cast<std::size_t>(body.count));
    return std::accumulate(own.begin(), own.end(), 0.0);
  };
  for (BodyInfo& body : bodies_) {
    body.charge = sum(charges, body);
    body.mass = sum(masses, body);
  }
}

void Shown::renew_groups(const Assembly& changed) {
  const auto groups = std::exchange(groups_, {});
  const auto indices = std::exchange(group_indices_, {});
  add_groups(changed);
  if (groups_ != groups || group_indices_ != indices) ++topology_number_;
}

void Shown::renew_springs(const Assembly& changed) {
  std::vector<Edge> springs;
  for (const Spring& spring : changed.springs) springs.push_back({spring.i, spring.j});
  for (std::size_t b = 0; b < bodies_.size(); ++b) {
    bodies_[b].first_spring = changed.body_spring_offsets[b];
    bodies_[b].springs = changed.body_spring_offsets[b + 1] - changed.body_spring_offsets[b];
  }
  if (springs == springs_) return;
  springs_ = std::move(springs);
  ++topology_number_;
}

void Shown::add_surface(BodyInfo& body, const std::vector<std::array<Index, 8>>& corners, Index first,
                        const std::vector<std::array<double, 8>>& weights,
                        const std::vector<Triangle>& faces) {
  const auto begin = static_cast<Index>(points());
  body.shown_first = begin;
  body.shown_count = static_cast<Count>(corners.size());
  for (std::size_t p = 0; p < corners.size(); ++p) {
    auto own = corners[p];
    for (Index& corner : own) corner = corner < 0 ? -1 : corner + first;
    corners_.push_back(own);
    weights_.push_back(weights[p]);
  }
  for (const auto& [i, j, k] : faces) faces_.push_back({i + begin, j + begin, k + begin});
}

void Shown::add_groups(const Assembly& assembly) {
  for (const NamedGroup& group : assembly.groups) {
    add_groups(group.body, group.name, group.vertices);
    for (const GroupCharge& each : assembly.scene.bodies[group.body].group_charges)
      groups_.back().charged |= each.group == group.name;
  }
}

void Shown::add_groups(std::size_t body, const std::string& name, const std::vector<Index>& members) {
  groups_.push_back({static_cast<Count>(body), name, static_cast<Count>(group_indices_.size()),
                     static_cast<Count>(members.size())});
  group_indices_.insert(group_indices_.end(), members.begin(), members.end());
}

std::vector<std::string> Shown::charging_groups(Count body, const std::set<Index>& vertices) const {
  std::vector<std::string> names;
  for (const GroupInfo& group : groups_) {
    const auto first = group_indices_.begin() + static_cast<std::ptrdiff_t>(group.offset);
    const auto is_meant = [&](Index vertex) { return vertices.contains(vertex); };
    if (group.charged && group.body == body &&
        std::any_of(first, first + static_cast<std::ptrdiff_t>(group.count), is_meant))
      names.push_back(group.name);
  }
  return names;
}

bool Shown::share_vertices(Count body, const std::string& one, const std::string& other) const {
  const auto called = [&](const std::string& name) {
    return std::find_if(groups_.begin(), groups_.end(),
                        [&](const GroupInfo& each) { return each.body == body && each.name == name; });
  };
  const auto a = called(one), b = called(other);
  if (a == groups_.end() || b == groups_.end() || a == b) return true;
  const auto members = [&](const GroupInfo& group) {
    const auto first = group_indices_.begin() + static_cast<std::ptrdiff_t>(group.offset);
    return std::set<Index>(first, first + static_cast<std::ptrdiff_t>(group.count));
  };
  const std::set<Index> own = members(*a), theirs = members(*b);
  return std::any_of(own.begin(), own.end(), [&](Index vertex) { return theirs.contains(vertex); });
}

Topology Shown::topology(std::uint32_t generation) const {
  return {generation, static_cast<std::uint32_t>(points()), centre_, springs_, faces_, group_indices_};
}

std::vector<RunBody> Shown::drawn_bodies() const {
  std::vector<RunBody> drawn;
  for (const BodyInfo& info : bodies_) {
    RunBody& body = drawn.emplace_back();
    const auto first = static_cast<Index>(info.first);
    body.name = info.name;
    body.first = static_cast<std::size_t>(info.first);
    body.count = static_cast<std::size_t>(info.count);
    for (Count k = info.first_spring; k < info.first_spring + info.springs; ++k) {
      const auto& [i, j] = springs_[static_cast<std::size_t>(k)];
      body.springs.push_back({i - first, j - first});
    }
    const auto origin = static_cast<Index>(info.filled ? info.shown_first : info.first);
    auto& faces = info.filled ? body.surface_faces : body.faces;
    for (Count k = info.first_face; k < info.first_face + info.faces; ++k) {
      const auto& [i, j, l] = faces_[static_cast<std::size_t>(k)];
      faces.push_back({i - origin, j - origin, l - origin});
    }
    for (Count k = 0; info.filled && k < info.shown_count; ++k) {
      const std::size_t p = static_cast<std::size_t>(info.shown_first + k) - vertices_;
      std::array<Index, 8> corners = corners_[p];
      for (Index& corner : corners) corner = corner < 0 ? -1 : corner - first;
      body.surface_corners.push_back(corners);
      body.surface_weights.push_back(weights_[p]);
    }
  }
  return drawn;
}

std::size_t Shown::body_of_point(std::size_t point) const {
  const auto p = static_cast<Count>(point);
  for (std::size_t b = 0; b < bodies_.size(); ++b) {
    const BodyInfo& body = bodies_[b];
    if (p >= body.first && p < body.first + body.count) return b;
    if (body.filled && p >= body.shown_first && p < body.shown_first + body.shown_count) return b;
  }
  throw InternalError("a point of no body");
}

Vec3 Shown::place(std::size_t point, VectorView x) const {
  if (point < vertices_) return x[point];
  const std::size_t p = point - vertices_;
  Vec3 at;
  for (std::size_t a = 0; a < 8 && corners_[p][a] >= 0; ++a)
    at += weights_[p][a] * x[static_cast<std::size_t>(corners_[p][a])];
  return at;
}

Floats Shown::positions(VectorView x) const {
  auto floats = std::make_shared<std::vector<float>>();
  floats->reserve(3 * points());
  const auto add = [&](const Vec3& at) {
    const Vec3 from_centre = at - centre_;
    for (int axis = 0; axis < 3; ++axis) floats->push_back(as_float(from_centre[axis]));
  };
  for (const Vec3& each : x) add(each);
  for (std::size_t p = vertices_; p < points(); ++p) add(place(p, x));
  return floats;
}

Floats Shown::values(ScalarView values) const {
  auto floats = std::make_shared<std::vector<float>>();
  floats->reserve(points());
  for (const double value : values) floats->push_back(as_float(value));
  for (std::size_t p = 0; p < corners_.size(); ++p) {
    double mean = 0.0;
    for (std::size_t a = 0; a < 8 && corners_[p][a] >= 0; ++a)
      mean += weights_[p][a] * values[static_cast<std::size_t>(corners_[p][a])];
    floats->push_back(as_float(mean));
  }
  return floats;
}

VectorArray Shown::vertices_of(const Floats& positions) const {
  VectorArray x(vertices_);
  for (std::size_t i = 0; i < vertices_; ++i)
    x[i] = centre_ + Vec3{(*positions)[3 * i], (*positions)[3 * i + 1], (*positions)[3 * i + 2]};
  return x;
}

}  // namespace electret::studio
