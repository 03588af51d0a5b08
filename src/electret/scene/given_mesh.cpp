#include <algorithm>
#include <string>

#include <electret/geometry/repeated_elements.hpp>
#include <electret/scene/body_parts.hpp>
#include <electret/scene/words.hpp>

namespace electret {
namespace {

/// Checks the arrays of one mesh. Each array at fault is one finding, which names its first fault.
class MeshCheck {
 public:
  MeshCheck(BodyContext& context, const Mesh& mesh) : context_(context), mesh_(mesh) {}

  bool is_whole() {
    const std::size_t n = mesh_.vertices.size();
    polygons(mesh_.polygons, n, "polygon");
    rows(mesh_.lines, "line");
    rows(mesh_.tetrahedra, "tetrahedron");
    rows(mesh_.hexahedra, "hexahedron");
    for (const auto& [name, members] : mesh_.groups) group(members, "group " + in_quotes(name), "vertex", n);
    for (const auto& [name, members] : mesh_.element_groups)
      group(members, "element group " + in_quotes(name), "element", mesh_.element_count());
    for (const auto& [name, values] : mesh_.attributes)
      if (values.size() != n)
        add("attribute " + in_quotes(name) + " has " + counted(values.size(), "number", "numbers"),
            "one number per vertex: " + std::to_string(n));
    if (!mesh_.element_lines.empty() && mesh_.element_lines.size() != mesh_.element_count())
      add("element_lines has " + counted(mesh_.element_lines.size(), "number", "numbers"),
          "none, or one per element: " + std::to_string(mesh_.element_count()));
    if (mesh_.surface) surface(*mesh_.surface);
    if (is_whole_ && mesh_.element_count() == 0) repeated_polygons();
    return is_whole_;
  }

 private:
  void add(const std::string& what, const std::string& allowed) {
    is_whole_ = false;
    context_.add("mesh", "the given mesh of body " + in_quotes(context_.body.name) + ": " + what,
                 "allowed: " + allowed);
  }

  static bool is_below(Index i, std::size_t count) { return i >= 0 && static_cast<std::size_t>(i) < count; }

  void names_none(const std::string& what, const std::string& kind, Index i, std::size_t count) {
    add(what + " names " + kind + " " + std::to_string(i) + ", but there " +
            (count == 1 ? "is 1" : "are " + std::to_string(count)),
        count == 0 ? "none" : "0 … " + std::to_string(count - 1));
  }

  template <class Rows>
  void rows(const Rows& all, const std::string& kind) {
    const std::size_t n = mesh_.vertices.size();
    for (std::size_t r = 0; r < all.size(); ++r)
      for (const Index i : all[r])
        if (!is_below(i, n)) return names_none(kind + " " + std::to_string(r), "vertex", i, n);
  }

  void polygons(const Polygons& polygons, std::size_t count, const std::string& kind) {
    const auto& offsets = polygons.offsets;
    if (offsets.empty() || offsets.front() != 0 || !std::is_sorted(offsets.begin(), offsets.end()) ||
        offsets.back() != static_cast<Count>(polygons.indices.size()))
      return add("the offsets of its " + kind + "s do not divide their " +
                     counted(polygons.indices.size(), "index", "indices"),
                 "ascending numbers from 0 to " + std::to_string(polygons.indices.size()));
    for (std::size_t p = 0; p < polygons.size(); ++p) {
      const std::string which = kind + " " + std::to_string(p);
      if (polygons[p].size() < 3)
        return add(which + " has " + counted(polygons[p].size(), "vertex", "vertices"), "3 or more");
      for (const Index i : polygons[p])
        if (!is_below(i, count)) return names_none(which, "vertex", i, count);
    }
  }

  void repeated_polygons() {
    const std::vector<RepeatedElement> repeated = repeated_elements(mesh_.polygons);
    if (!repeated.empty())
      add("polygon " + std::to_string(repeated[0].element) + " has the vertices of polygon " +
              std::to_string(repeated[0].first),
          "each polygon once, whichever way it turns");
  }

  void group(const std::vector<Index>& members, const std::string& which, const std::string& kind,
             std::size_t count) {
    for (const Index i : members)
      if (!is_below(i, count)) return names_none(which, kind, i, count);
    const auto disorder = std::adjacent_find(members.begin(), members.end(), std::greater_equal<>());
    if (disorder != members.end())
      add(which + " names " + kind + " " + std::to_string(disorder[1]) + " after " +
              std::to_string(disorder[0]),
          "ascending numbers, none twice");
  }

  void surface(const FilledSurface& surface) {
    const Embedding& points = surface.embedding;
    polygons(surface.polygons, points.elements.size(), "surface polygon");
    if (points.weights.size() != points.elements.size())
      add("its surface has " + counted(points.weights.size(), "row", "rows") + " of weights",
          "one per point: " + std::to_string(points.elements.size()));
    for (const Index e : points.elements)
      if (!is_below(e, mesh_.element_count()))
        return names_none("its surface", "element", e, mesh_.element_count());
  }

  BodyContext& context_;
  const Mesh& mesh_;
  bool is_whole_ = true;
};

}  // namespace

std::optional<Mesh> given_mesh(BodyContext& context) {
  const Mesh& mesh = *context.body.given_mesh;
  if (mesh.vertices.empty()) {
    context.add("mesh", "body " + in_quotes(context.body.name) + " is empty: its mesh has no vertices",
                "at least one is required");
    return std::nullopt;
  }
  if (!MeshCheck(context, mesh).is_whole()) return std::nullopt;
  return mesh;
}

}  // namespace electret
