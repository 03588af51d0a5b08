#include <algorithm>
#include <limits>
#include <set>

#include <electret/core/errors.hpp>
#include <electret/core/same_bits.hpp>
#include <electret/core/text.hpp>
#include <electret/record/run_bodies.hpp>
#include <electret/record/trajectory_writer.hpp>
#include <electret/scene/changed_scene.hpp>
#include <electret/scene/read.hpp>
#include <electret/scene/words.hpp>

namespace electret {
namespace {

/// Rows of the run's array called `name`.
template <class Number, std::size_t columns>
std::vector<std::array<Number, columns>> rows(const TrajectoryReader& run, std::string_view name) {
  const auto flat = std::get<std::vector<Number>>(run.values(run_array(name)));
  std::vector<std::array<Number, columns>> result(flat.size() / columns);
  for (std::size_t k = 0; k < result.size() * columns; ++k) result[k / columns][k % columns] = flat[k];
  return result;
}

/// Whether a row may have -1 in place of a vertex: a corner that a tetrahedron does not have.
enum class Corners { all, some };

/// The body that holds all vertices of each row. The row's indices then count from the body's first vertex.
template <class Row>
std::vector<std::size_t> localised(std::vector<Row>& all, const std::vector<Count>& offsets,
                                   Corners corners = Corners::all) {
  std::vector<std::size_t> bodies;
  for (Row& row : all) {
    const auto above = std::upper_bound(offsets.begin(), offsets.end(), Count{row[0]});
    const auto body = static_cast<std::size_t>(above - offsets.begin());
    if (row[0] < 0 || body < 1 || body >= offsets.size())
      throw IoError("the run's trajectory names vertices that it does not hold");
    for (Index& vertex : row) {
      if (vertex == -1 && corners == Corners::some) continue;
      if (vertex < offsets[body - 1] || vertex >= offsets[body])
        throw IoError("the run's trajectory joins vertices of two bodies");
      vertex -= static_cast<Index>(offsets[body - 1]);
    }
    bodies.push_back(body - 1);
  }
  return bodies;
}

/// `text` without what is beyond `most` bytes; no character of UTF-8 is cut in two.
std::string cut_to(std::string text, std::size_t most) {
  if (text.size() <= most) return text;
  while (most > 0 && (static_cast<unsigned char>(text[most]) & 0xC0U) == 0x80U) --most;
  text.resize(most);
  return text;
}

/// A name that every file system accepts. Names have at most 255 bytes, of which the number of a frame, an
/// ending and the numbers of equal names take some.
std::string file_name_of(const std::string& name, std::set<std::string>& taken) {
  std::string base;
  for (const char c : name) {
    const bool is_plain = static_cast<unsigned char>(c) >= 0x20 &&
                          std::string_view("/\\:*?\"<>|").find(c) == std::string_view::npos;
    base += is_plain && c != 0x7f ? c : '_';
  }
  if (base.empty() || base[0] == '.') base.insert(0, "_");
  base = cut_to(std::move(base), 200);
  std::string result = base;
  for (int number = 2; !taken.insert(result).second; ++number) result = base + "_" + std::to_string(number);
  return result;
}

/// Divides the run into its bodies.
class Parts {
 public:
  explicit Parts(const TrajectoryReader& run) : run_(run), offsets_(run.body_offsets()) {
    const std::vector<std::string> names = run.body_names();
    std::set<std::string> taken;
    for (std::size_t b = 0; b + 1 < offsets_.size(); ++b) {
      RunBody& body = bodies_.emplace_back();
      body.name = b < names.size() ? names[b] : "body" + std::to_string(b + 1);
      body.file_name = file_name_of(body.name, taken);
      body.first = static_cast<std::size_t>(offsets_[b]);
      body.count = static_cast<std::size_t>(offsets_[b + 1] - offsets_[b]);
    }
  }

  std::vector<RunBody> bodies(bool with_materials) {
    hand_out(run_.faces(), &RunBody::faces);
    hand_out(run_.springs(), &RunBody::springs);
    tetrahedra_ = hand_out(rows<Index, 4>(run_, "tetrahedra"), &RunBody::tetrahedra);
    hexahedra_ = hand_out(rows<Index, 8>(run_, "hexahedra"), &RunBody::hexahedra);
    surfaces();
    if (with_materials && !run_.scene().empty()) materials();
    return std::move(bodies_);
  }

 private:
  /// Per row: the element of the body that it became, counted within its kind.
  struct Handed {
    std::vector<std::size_t> bodies;
    std::vector<Index> numbers;
  };

  template <class Row>
  Handed hand_out(std::vector<Row> all, std::vector<Row> RunBody::*member) {
    Handed handed{localised(all, offsets_), {}};
    for (std::size_t k = 0; k < all.size(); ++k) {
      auto& own = bodies_[handed.bodies[k]].*member;
      handed.numbers.push_back(static_cast<Index>(own.size()));
      own.push_back(all[k]);
    }
    return handed;
  }

  void surfaces() {
    const auto starts = rows<std::int64_t, 1>(run_, "surface_offsets");
    auto corners = rows<Index, 8>(run_, "surface_corners");
    const auto weights = rows<double, 8>(run_, "surface_weights");
    if (starts.size() != (corners.empty() ? starts.size() : offsets_.size()) ||
        weights.size() != corners.size())
      throw IoError("the run's trajectory holds surfaces whose arrays do not fit together");
    const std::vector<std::size_t> owners = localised(corners, offsets_, Corners::some);
    std::vector<Index> numbers;
    for (std::size_t p = 0; p < corners.size(); ++p) {
      RunBody& body = bodies_[owners[p]];
      numbers.push_back(static_cast<Index>(body.surface_corners.size()));
      body.surface_corners.push_back(corners[p]);
      body.surface_weights.push_back(weights[p]);
    }
    for (Triangle face : rows<Index, 3>(run_, "surface_faces")) {
      for (const Index vertex : face)
        if (vertex < 0 || static_cast<std::size_t>(vertex) >= owners.size())
          throw IoError("the run's trajectory holds surfaces whose arrays do not fit together");
      RunBody& body = bodies_[owners[static_cast<std::size_t>(face[0])]];
      for (Index& vertex : face) vertex = numbers[static_cast<std::size_t>(vertex)];
      body.surface_faces.push_back(face);
    }
  }

  void materials() {
    std::vector<std::string> overrides;
    for (std::string_view rest = run_.overrides(); !rest.empty();) {
      const std::size_t end = std::min(rest.find('\n'), rest.size());
      overrides.emplace_back(rest.substr(0, end));
      rest.remove_prefix(std::min(end + 1, rest.size()));
    }
    const Scene scene = parse_scene(run_.scene(), "trajectory.h5", ".", overrides);
    const TrajectoryReader::Groups groups = run_.element_groups();
    add_stage(scene, scene, -std::numeric_limits<double>::infinity(), groups);
    const SceneOrigin origin{run_.scene(), {}, "trajectory.h5", ".", overrides};
    for (std::size_t k = 0; k < scene.changes.size(); ++k) {
      // The frame of a change's own state has what was there before.
      const double time = scene.time.at(scene.changes[k].step);
      Report report;
      const Scene changed = changed_scene(origin, scene, k + 1, report);
      report.throw_if_any(origin.file);
      add_stage(scene, changed, time, groups);
    }
    for (RunBody& body : bodies_)
      if (std::all_of(body.materials.begin(), body.materials.end(),
                      [](const MaterialStage& stage) { return stage.parts.empty(); }))
        body.materials.clear();
  }

  /// Adds the materials of `scene`, which is that of frames later than `after`, to the bodies that `start`
  /// has. Bodies whose materials are those of before get no stage.
  void add_stage(const Scene& start, const Scene& scene, double after,
                 const TrajectoryReader::Groups& groups) {
    for (std::size_t b = 0; b < std::min({bodies_.size(), start.bodies.size(), scene.bodies.size()}); ++b) {
      MaterialStage stage{after, {}};
      for (const Material& material : scene.bodies[b].materials) {
        const auto model = material_model(material.model);
        if (!model) continue;
        check_group(start.bodies[b], scene.bodies[b], material.group, after);
        stage.parts.push_back({*model, lame(material.youngs_modulus, material.poissons_ratio),
                               elements_of(b, material.group, groups)});
      }
      auto& stages = bodies_[b].materials;
      if (!stages.empty() && is_same(stages.back().parts, stage.parts)) continue;
      if (!stages.empty() && stages.back().after == after) stages.pop_back();
      stages.push_back(std::move(stage));
    }
  }

  static bool is_same(const std::vector<ElementStresses::Part>& one,
                      const std::vector<ElementStresses::Part>& other) {
    return std::equal(one.begin(), one.end(), other.begin(), other.end(), [](const auto& a, const auto& b) {
      return a.model == b.model && same_bits(a.lame.mu, b.lame.mu) &&
             same_bits(a.lame.lambda, b.lame.lambda) && a.elements == b.elements;
    });
  }

  /// The run holds the elements of groups as they are at the start.
  static void check_group(const Body& start, const Body& changed, const std::string& group, double after) {
    const auto of = [&](const Body& body) {
      return std::find_if(body.element_groups.begin(), body.element_groups.end(),
                          [&](const ElementGroup& each) { return each.name == group; });
    };
    const auto before = of(start), now = of(changed);
    const bool is_in_start = before != start.element_groups.end(),
               is_now = now != changed.element_groups.end();
    if (is_in_start == is_now &&
        (!is_now || (before->indices == now->indices && before->attribute == now->attribute &&
                     before->box.has_value() == now->box.has_value() &&
                     (!now->box || same_bits(*before->box, *now->box)))))
      return;
    throw InputError(Finding{{},
                             "the change at " + number_text(after) + " s gives the element group " +
                                 in_quotes(group) + " of " + in_quotes(changed.name) +
                                 " other elements, which the run does not hold",
                             "export it to a format without stresses, such as vtp"});
  }

  /// The elements of a group, or all elements, as the body numbers them.
  std::vector<Index> elements_of(std::size_t b, const std::string& group,
                                 const TrajectoryReader::Groups& groups) const {
    std::vector<Index> elements;
    if (group.empty()) {
      elements.resize(bodies_[b].tetrahedra.size() + bodies_[b].hexahedra.size());
      for (std::size_t e = 0; e < elements.size(); ++e) elements[e] = static_cast<Index>(e);
      return elements;
    }
    const auto body = groups.find(link_name(bodies_[b].name));
    if (body == groups.end() || !body->second.contains(link_name(group))) return elements;
    for (const Index row : body->second.at(link_name(group))) {
      const auto k = static_cast<std::size_t>(row);
      const bool is_tetrahedron = k < tetrahedra_.numbers.size();
      const Handed& handed = is_tetrahedron ? tetrahedra_ : hexahedra_;
      const std::size_t own = is_tetrahedron ? k : k - tetrahedra_.numbers.size();
      if (row < 0 || own >= handed.numbers.size() || handed.bodies[own] != b)
        throw IoError(
            "the run's trajectory holds an element group with elements that the body does not have");
      elements.push_back(handed.numbers[own] +
                         (is_tetrahedron ? 0 : static_cast<Index>(bodies_[b].tetrahedra.size())));
    }
    return elements;
  }

  const TrajectoryReader& run_;
  std::vector<Count> offsets_;
  std::vector<RunBody> bodies_;
  Handed tetrahedra_, hexahedra_;
};

}  // namespace

std::size_t RunBody::stage_at(double time) const {
  std::size_t stage = 0;
  while (stage + 1 < materials.size() && time > materials[stage + 1].after) ++stage;
  return stage;
}

VectorArray RunBody::surface_at(VectorView own_positions) const {
  VectorArray points(surface_corners.size());
  for (std::size_t p = 0; p < points.size(); ++p)
    for (std::size_t a = 0; a < 8 && surface_corners[p][a] >= 0; ++a)
      points[p] += surface_weights[p][a] * own_positions[static_cast<std::size_t>(surface_corners[p][a])];
  return points;
}

VectorArray RunBody::shown_points(VectorView own_positions) const {
  return is_filled() ? surface_at(own_positions) : VectorArray(own_positions.begin(), own_positions.end());
}

std::vector<double> RunBody::shown_charges(ScalarView own_charges) const {
  if (!is_filled()) return {own_charges.begin(), own_charges.end()};
  std::vector<double> charges(surface_corners.size(), 0.0);
  for (std::size_t p = 0; p < charges.size(); ++p)
    for (std::size_t a = 0; a < 8; ++a)
      if (const Index corner = surface_corners[p][a]; corner >= 0)
        charges[p] += surface_weights[p][a] * own_charges[static_cast<std::size_t>(corner)];
  return charges;
}

std::vector<RunBody> run_bodies(const TrajectoryReader& run, bool with_materials) {
  return Parts(run).bodies(with_materials);
}

}  // namespace electret
