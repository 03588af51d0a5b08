#include <algorithm>
#include <limits>
#include <numeric>

#include <electret/geometry/read.hpp>
#include <electret/scene/assemble_scene.hpp>
#include <electret/scene/body_parts.hpp>
#include <electret/scene/check.hpp>
#include <electret/scene/obstacle.hpp>
#include <electret/scene/placing.hpp>
#include <electret/scene/words.hpp>

namespace electret {
namespace {

class Assembler {
 public:
  Assembler(Scene scene, const FileReader& read_file, Report& report)
      : read_file_(read_file), report_(report) {
    result_.scene = std::move(scene);
    result_.body_offsets = result_.spring_offsets = result_.body_spring_offsets = {0};
  }

  Assembly assemble() {
    const Scene& scene = result_.scene;
    bool is_whole = !report_.is_bad("body");
    for (std::size_t b = 0; b < scene.bodies.size(); ++b) is_whole &= add_body(b);
    for (std::size_t e = 0; e < scene.external_charges.size(); ++e) is_whole &= add_external(e);
    for (const ElectricField& field : scene.electric_fields) {
      FieldExpression parsed = parsed_field(field);
      if (!parsed.components[0].empty()) result_.fields.push_back(std::move(parsed));
    }
    for (std::size_t o = 0; o < scene.obstacles.size(); ++o)
      if (!report_.is_bad("obstacle." + std::to_string(o)))
        result_.obstacles.push_back(obstacle_track(scene.obstacles[o]));
    result_.springs.shrink_to_fit();  // By far the largest array; it grew by doubling.
    // If a body is missing or misplaced, nothing can be said about coincident vertices.
    if (is_whole && !report_.is_bad("body") && !report_.is_bad("external_charge"))
      check_coincidences(result_, report_), check_resolution(result_, report_);
    return std::move(result_);
  }

 private:
  /// Whether the body's vertices could be added.
  bool add_body(std::size_t number) {
    const Scene& scene = result_.scene;
    const Body& body = scene.bodies[number];
    BodyContext context{scene, body, "body." + std::to_string(number), read_file_, report_, {}, {}};
    auto mesh = mesh_of(context);
    if (!mesh) {
      missing_mass(context);
      close_body();
      return false;
    }
    context.mesh = std::move(*mesh);
    place(context.mesh.vertices, body.scale, body.rotate, body.translate);
    const auto finite = std::all_of(context.mesh.vertices.begin(), context.mesh.vertices.end(), is_finite);
    if (!finite)
      context.add("mesh", "body " + in_quotes(body.name) + " reaches beyond the largest number as placed",
                  "allowed: finite coordinates");
    const Count first = result_.body_offsets.back();
    if (first + static_cast<Count>(context.size()) > std::numeric_limits<Index>::max()) {
      context.add("mesh", "the bodies have more vertices than can be numbered", "allowed: 2147483647");
      close_body();
      return false;
    }
    append(result_.rest_positions, context.mesh.vertices);
    append(result_.initial_positions, vertex_positions(context));
    append(result_.initial_velocities, vertex_velocities(context));
    context.first_tetrahedron = result_.tetrahedra.size(),
    context.first_hexahedron = result_.hexahedra.size();
    append(result_.volumes, vertex_volumes(context));
    append(result_.masses, vertex_masses(context));
    append(result_.charges, vertex_charges(context));
    add_springs(context, static_cast<Index>(first));
    if (context.mesh.surface)
      result_.surfaces.push_back(surface_of(context, number, static_cast<Index>(first)));
    add_elements(context, static_cast<Index>(first));
    add_materials(context, number);
    check_start_shape(context, VectorView(result_.initial_positions).subspan(static_cast<std::size_t>(first)),
                      result_.materials, number);
    for (Triangle t : triangulated(context.mesh.polygons)) {
      for (Index& vertex : t) vertex += static_cast<Index>(first);
      result_.faces.push_back(t);
    }
    const auto groups = group_members(context);
    for (const VertexGroup& group : body.groups)
      result_.groups.push_back({number, group.name, members(groups, group.name, static_cast<Index>(first))});
    add_charge_tracks(context, groups, static_cast<Index>(first));
    add_pin_tracks(context, groups, static_cast<Index>(first));
    add_load_tracks(context, groups, static_cast<Index>(first));
    close_body();
    return finite;
  }

  void close_body() {
    result_.body_offsets.push_back(static_cast<Count>(result_.rest_positions.size()));
    result_.body_spring_offsets.push_back(static_cast<Count>(result_.springs.size()));
  }

  std::optional<Mesh> mesh_of(BodyContext& context) {
    const Body& body = context.body;
    if (body.given_mesh) return given_mesh(context);
    if (body.mesh.empty()) {
      if (!body.generate || report_.is_bad(context.key + ".generate")) return std::nullopt;
      if (find_shape(body.generate->shape)->build_within != nullptr) return solid_within(context);
      return generate(*body.generate);
    }
    context.mesh_file = path_of(context.scene, body.mesh);
    return load_mesh(context.scene, body.mesh, context.key + ".mesh", read_file_, report_);
  }

  /// The solid that is filled from the surface in a file.
  std::optional<Mesh> solid_within(BodyContext& context) {
    const GeneratorSpec& spec = *context.body.generate;
    const std::string key = context.key + ".generate";
    const auto surface = load_mesh(context.scene, std::get<std::string>(spec.parameters.at("surface")),
                                   key + ".surface", read_file_, report_);
    if (!surface) return std::nullopt;
    std::vector<ParameterFinding> findings;
    Mesh mesh = generate_within(spec, *surface, findings);
    for (const ParameterFinding& finding : findings)
      report_.add(context.scene.source, key + "." + finding.parameter, finding.message, finding.allowed);
    if (!findings.empty()) return std::nullopt;
    return mesh;
  }

  /// A body whose mesh is missing can still lack a mass: no generated mesh and no OBJ file brings one.
  void missing_mass(BodyContext& context) {
    const MeshFormat* format = find_mesh_format(context.mesh_file);
    const auto& given = context.body.given_mesh;
    const bool brings_none = given ? !given->attributes.contains("mass") && !context.body.masses.given()
                                   : format == nullptr || !format->has_properties;
    if (brings_none && !context.body.density) vertex_masses(context);
  }

  static CarriedSurface surface_of(const BodyContext& context, std::size_t number, Index first) {
    const FilledSurface& made = *context.mesh.surface;
    CarriedSurface surface{number, {}, made.embedding.weights, triangulated(made.polygons), {}};
    for (const Index element : made.embedding.elements) {
      auto& corners = surface.corners.emplace_back();
      corners.fill(-1);
      const auto own = context.mesh.element(static_cast<std::size_t>(element));
      for (std::size_t a = 0; a < own.size(); ++a) corners[a] = first + own[a];
    }
    const double scale = context.body.scale;
    surface.fit = {made.is_closed, made.volume_error, scale * made.outside, scale * made.inside};
    return surface;
  }

  void add_elements(const BodyContext& context, Index first) {
    const auto add = [&](auto& all, const auto& more) {
      for (auto element : more) {
        for (Index& vertex : element) vertex += first;
        all.push_back(element);
      }
    };
    add(result_.tetrahedra, context.mesh.tetrahedra);
    add(result_.hexahedra, context.mesh.hexahedra);
  }

  void add_materials(BodyContext& context, std::size_t number) {
    const std::map<std::string, ElementSet> groups = element_group_members(context);
    for (const ElementGroup& group : context.body.element_groups)
      if (const auto found = groups.find(group.name); found != groups.end())
        result_.element_groups.push_back({number, group.name, found->second});
    for (std::size_t m = 0; m < context.body.materials.size(); ++m)
      if (auto track = material_track(context, m, groups)) {
        track->body = number;
        result_.materials.push_back(std::move(*track));
      }
    for (std::size_t m = 0; m < context.body.muscles.size(); ++m)
      if (auto track = muscle_track(context, m, groups)) {
        track->body = number;
        result_.muscles.push_back(std::move(*track));
      }
  }

  void add_springs(BodyContext& context, Index first) {
    for (std::size_t t = 0; t < context.body.springs.size(); ++t) {
      for (Spring spring : table_springs(context, t)) {
        spring.i += first, spring.j += first;
        result_.springs.push_back(spring);
      }
      result_.spring_offsets.push_back(static_cast<Count>(result_.springs.size()));
    }
  }

  using Groups = std::map<std::string, std::vector<Index>>;

  static std::vector<Index> members(const Groups& groups, const std::string& name, Index first) {
    const auto found = groups.find(name);
    std::vector<Index> vertices;
    if (found != groups.end()) vertices = found->second;
    for (Index& vertex : vertices) vertex += first;
    return vertices;
  }

  void add_charge_tracks(const BodyContext& context, const Groups& groups, Index first) {
    for (std::size_t g = 0; g < context.body.group_charges.size(); ++g) {
      if (report_.is_bad(context.key + ".group_charge." + std::to_string(g))) continue;
      const GroupCharge& entry = context.body.group_charges[g];
      result_.charge_tracks.push_back({members(groups, entry.group, first), entry.charge, entry.key_framed,
                                       "body." + context.body.name + ".charge[" + entry.group + "]"});
    }
  }

  void add_load_tracks(BodyContext& context, const Groups& groups, Index first) {
    for (std::size_t l = 0; l < context.body.loads.size(); ++l) {
      const std::string key = context.key + ".load." + std::to_string(l);
      if (report_.is_bad(key)) continue;
      const Load& load = context.body.loads[l];
      LoadTrack track{members(groups, load.group, first), {}, load.factor, ""};
      track.name = "body." + context.body.name + ".load." + std::to_string(l);
      if (load.force) {
        track.forces = {*load.force};
      } else {
        auto forces = per_item(context, load.forces, key + ".forces", "body.load", context.size(),
                               "vertices of body " + in_quotes(context.body.name));
        if (!forces) continue;
        track.forces = std::move(*forces);
        track.vertices.resize(context.size());
        std::iota(track.vertices.begin(), track.vertices.end(), first);
      }
      result_.load_tracks.push_back(std::move(track));
    }
  }

  void add_pin_tracks(BodyContext& context, const Groups& groups, Index first) {
    std::map<Index, std::string> pinned;
    for (std::size_t p = 0; p < context.body.pins.size(); ++p) {
      const std::string key = context.key + ".pin." + std::to_string(p);
      if (report_.is_bad(key)) continue;
      const Pin& pin = context.body.pins[p];
      PinTrack track{members(groups, pin.group, first), pin.offsets,
                     "body." + context.body.name + ".pin[" + pin.group + "]"};
      const auto twice = std::find_if(track.vertices.begin(), track.vertices.end(),
                                      [&](Index vertex) { return pinned.contains(vertex); });
      if (twice != track.vertices.end())
        report_.add(context.scene.source, key + ".group",
                    "vertex " + std::to_string(*twice - first) + " of body " + in_quotes(context.body.name) +
                        " is pinned by group " + in_quotes(pin.group) + " and by group " +
                        in_quotes(pinned[*twice]),
                    "a vertex is in one [[body.pin]] only");
      for (const Index vertex : track.vertices) pinned.emplace(vertex, pin.group);
      result_.pin_tracks.push_back(std::move(track));
    }
  }

  bool add_external(std::size_t number) {
    const Scene& scene = result_.scene;
    const ExternalCharge& charge = scene.external_charges[number];
    ExternalChargeTrack track{{Vec3{}}, charge.charge, charge.position, charge.width};
    if (!charge.mesh.empty()) {
      const std::string key = "external_charge." + std::to_string(number) + ".mesh";
      auto mesh = load_mesh(scene, charge.mesh, key, read_file_, report_);
      if (!mesh) return false;
      track.points = std::move(mesh->vertices);
    }
    result_.external_charges.push_back(std::move(track));
    return true;
  }

  template <class T>
  static void append(std::vector<T>& all, const std::vector<T>& more) {
    all.insert(all.end(), more.begin(), more.end());
  }

  Assembly result_;
  const FileReader& read_file_;
  Report& report_;
};

}  // namespace

FieldExpression parsed_field(const ElectricField& field) {
  FieldExpression parsed;
  for (const auto& [name, value] : field.constants) {
    parsed.constant_names.push_back(name);
    parsed.constants.push_back(value);
  }
  std::vector<ExpressionError> errors;
  for (std::size_t i = 0; i < 3; ++i)
    parsed.components[i] = Expression::parse(field.expression[i], parsed.constant_names, errors);
  if (!errors.empty()) parsed.components = {};
  return parsed;
}

Assembly assemble_scene(Scene scene, const FileReader& read_file, Report& report) {
  return Assembler(std::move(scene), read_file, report).assemble();
}

Assembly assemble(Scene scene, const FileReader& read_file) {
  Report report;
  check_scene(scene, report);
  const std::string file = place_of(scene.source, "").file;
  Assembly assembly = assemble_scene(std::move(scene), read_file, report);
  report.throw_if_any(file);
  return assembly;
}

}  // namespace electret
