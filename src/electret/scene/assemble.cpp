#include <algorithm>
#include <limits>
#include <numeric>

#include <electret/core/stop_scope.hpp>
#include <electret/geometry/placing.hpp>
#include <electret/geometry/read.hpp>
#include <electret/scene/assemble_scene.hpp>
#include <electret/scene/body_parts.hpp>
#include <electret/scene/changes.hpp>
#include <electret/scene/check.hpp>
#include <electret/scene/tables/table.hpp>
#include <electret/scene/words.hpp>

namespace electret {
namespace {

class Assembler {
 public:
  Assembler(Scene scene, const FileReader& read_file, Report& report, MeshStore* store,
            const Control& control)
      : read_file_(read_file), report_(report), store_(store), control_(control) {
    result_.scene = std::move(scene);
    result_.body_offsets = result_.spring_offsets = result_.body_spring_offsets = {0};
  }

  Assembly assemble() {
    const Scene& scene = result_.scene;
    const StopScope stop(control_.stop);
    bool is_whole = !report_.is_bad("body");
    tell_progress(0);
    for (std::size_t b = 0; b < scene.bodies.size(); ++b) {
      is_whole &= add_body(b);
      tell_progress(b + 1);
    }
    assemble_tables("", nullptr);
    result_.springs.shrink_to_fit();  // By far the largest array; it grew by doubling.
    // If a body is missing or misplaced, nothing can be said about coincident vertices.
    if (is_whole && !report_.is_bad("body") && !report_.is_bad("external_charge"))
      check_coincidences(result_, report_), check_resolution(result_, report_),
          check_body_contact(result_, report_);
    check_contact(result_, report_);
    tell_progress(scene.bodies.size() + 1);
    return std::move(result_);
  }

 private:
  void tell_progress(std::size_t done) const {
    throw_if_stopped();
    if (control_.progress)
      control_.progress({static_cast<Count>(done), static_cast<Count>(result_.scene.bodies.size()) + 1});
  }
  /// Says what comes next and may take long.
  void tell(const std::string& what) const {
    if (control_.notice) control_.notice(what);
    throw_if_stopped();
  }

  /// Whether the body's vertices could be added.
  bool add_body(std::size_t number) {
    const Scene& scene = result_.scene;
    const Body& body = scene.bodies[number];
    BodyContext context{scene, body, "body." + std::to_string(number), read_file_, report_, number};
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
    context.first = static_cast<Index>(first);
    append(result_.rest_positions, context.mesh.vertices);
    append(result_.initial_positions, vertex_positions(context));
    append(result_.initial_velocities, vertex_velocities(context));
    context.first_tetrahedron = result_.tetrahedra.size(),
    context.first_hexahedron = result_.hexahedra.size();
    append(result_.volumes, vertex_volumes(context));
    append(result_.masses, vertex_masses(context));
    append(result_.charges, vertex_charges(context));
    if (context.mesh.surface) result_.surfaces.push_back(surface_of(context, number, context.first));
    add_elements(context, context.first);
    context.groups = group_members(context);
    context.element_groups = element_group_members(context);
    tell("joining the vertices of body " + in_quotes(body.name));
    assemble_tables("body", &context);
    check_start_shape(context, VectorView(result_.initial_positions).subspan(static_cast<std::size_t>(first)),
                      result_.materials, number);
    for (Triangle t : triangulated(context.mesh.polygons)) {
      for (Index& vertex : t) vertex += context.first;
      result_.faces.push_back(t);
    }
    // The segments of a solid's mesh are marks on it, or within it.
    if (context.mesh.element_count() == 0)
      for (const Edge& line : context.mesh.lines)
        result_.lines.push_back({line[0] + context.first, line[1] + context.first});
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
      const GeneratorSpec& shape = *body.generate;
      if (find_shape(shape.shape)->build_within != nullptr)
        return stored([&] { return key_of_solid(context); }, [&] { return solid_within(context); });
      return stored([&] { return key_of(shape); },
                    [&] {
                      tell("making body " + in_quotes(body.name) + " of shape " + shape.shape);
                      return std::optional(generate(shape));
                    });
    }
    context.mesh_file = path_of(context.scene, body.mesh);
    const auto key = [&] {
      const std::string companion = companion_of(context.mesh_file);
      return store_->key_of_file(context.mesh_file) +
             (companion.empty() ? "" : store_->key_of_file(companion));
    };
    return stored(key, [&] {
      tell("reading " + context.mesh_file);
      return load_mesh(context.scene, body.mesh, context.key + ".mesh", read_file_, report_);
    });
  }

  template <class Key, class Make>
  std::optional<Mesh> stored(Key key, Make make) {
    return store_ != nullptr ? store_->get(key(), make) : make();
  }

  [[nodiscard]] std::string key_of_solid(const BodyContext& context) const {
    const GeneratorSpec& spec = *context.body.generate;
    const auto surface = spec.parameters.find("surface");
    if (surface == spec.parameters.end()) return key_of(spec);
    return key_of(spec) + "\n" +
           store_->key_of_file(path_of(context.scene, std::get<std::string>(surface->second)));
  }

  /// The solid that is filled from the surface in a file.
  std::optional<Mesh> solid_within(BodyContext& context) {
    const GeneratorSpec& spec = *context.body.generate;
    const std::string key = context.key + ".generate";
    tell("filling body " + in_quotes(context.body.name));
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

  /// Has the tables within the one called `name` add what they say: those of a body, or of the scene.
  void assemble_tables(std::string_view name, BodyContext* body) {
    Assembling assembling{result_, read_file_, report_, body};
    for (const SceneTable* table : tables_within(name))
      if (table->assemble != nullptr) table->assemble(*table, assembling);
  }

  template <class T>
  static void append(std::vector<T>& all, const std::vector<T>& more) {
    all.insert(all.end(), more.begin(), more.end());
  }

  Assembly result_;
  const FileReader& read_file_;
  Report& report_;
  MeshStore* store_;
  const Control& control_;
};

}  // namespace

Assembly assemble_scene(Scene scene, const FileReader& read_file, Report& report, MeshStore* store,
                        const Control& control) {
  return Assembler(std::move(scene), read_file, report, store, control).assemble();
}

Assembly assemble_read(Scene scene, std::shared_ptr<ChangedScenes> changed, const FileReader& read_file,
                       Report& report, MeshStore* store, const Control& control) {
  if (!changed) return assemble_scene(std::move(scene), read_file, report, store, control);
  Assembly assembly =
      assemble_scene(std::move(scene), changed->reader(), report, &changed->meshes(), control);
  changed->check_assemblies(assembly, report);
  assembly.changed = std::move(changed);
  return assembly;
}

namespace {

Assembly assembled(Scene scene, const FileReader& read_file, MeshStore* store, const Control& control) {
  Report report;
  check_scene(scene, report);
  const std::string file = place_of(scene.source, "").file;
  std::shared_ptr<ChangedScenes> changed;
  if (!scene.changes.empty() && !scene.text.empty())
    changed = std::make_shared<ChangedScenes>(
        SceneOrigin{scene.text, {}, file, scene.folder, scene.overrides}, read_file);
  else if (!scene.changes.empty())
    report.add(scene.source, "change", "changes need the scene's text, and this scene has none",
               "allowed: a scene that was read, or Simulator::change");
  if (changed) changed->check_keys(scene, report);
  Assembly assembly = assemble_read(std::move(scene), std::move(changed), read_file, report, store, control);
  report.throw_if_any(file);
  return assembly;
}

}  // namespace

Assembly assemble(Scene scene, const FileReader& read_file) {
  return assembled(std::move(scene), read_file, nullptr, {});
}

Assembly assemble(Scene scene, const FileReader& read_file, MeshStore& store, const Control& control) {
  return assembled(std::move(scene), read_file, &store, control);
}

}  // namespace electret
