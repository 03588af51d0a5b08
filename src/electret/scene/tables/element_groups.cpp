#include <numeric>

#include <electret/scene/tables/element_groups.hpp>
#include <electret/scene/tables/table_file.hpp>

namespace electret {

namespace {

Vec3 mean_vertex(const Mesh& mesh, std::size_t e) {
  Vec3 sum;
  for (const Index vertex : mesh.element(e)) sum += mesh.vertices[static_cast<std::size_t>(vertex)];
  return (1.0 / static_cast<double>(mesh.element(e).size())) * sum;
}

/// The body's element numbers as rows of the assembly.
ElementSet rows_of(const BodyContext& context, const std::vector<Index>& numbers) {
  const std::size_t tetrahedra = context.mesh.tetrahedra.size();
  ElementSet set;
  for (const Index number : numbers) {
    const auto e = static_cast<std::size_t>(number);
    if (e < tetrahedra)
      set.tetrahedra.push_back(static_cast<Index>(context.first_tetrahedron + e));
    else
      set.hexahedra.push_back(static_cast<Index>(context.first_hexahedron + e - tetrahedra));
  }
  return set;
}

std::vector<Index> by_box(const BodyContext& context, const std::array<Vec3, 2>& box) {
  std::vector<Index> members;
  for (std::size_t e = 0; e < context.mesh.element_count(); ++e)
    if (is_inside(mean_vertex(context.mesh, e), box)) members.push_back(static_cast<Index>(e));
  return members;
}

std::vector<Index> by_attribute(BodyContext& context, const ElementGroup& group, const std::string& key) {
  const auto found = context.mesh.element_groups.find(group.attribute);
  if (found != context.mesh.element_groups.end()) return found->second;
  std::vector<std::string> names;
  for (const auto& [name, members] : context.mesh.element_groups) names.push_back(name);
  context.report.add(context.scene.source, key + ".attribute",
                     "the mesh of body " + in_quotes(context.body.name) + " has no physical group " +
                         in_quotes(group.attribute) + " of elements",
                     names.empty() ? "it has none at all" : suggestion(group.attribute, names));
  return {};
}

void check_element_group(SceneChecking& checking, const ElementGroup& group, const std::string& key) {
  checking.name(group.name, key, "an element group",
                "two element groups of body " + in_quotes(checking.body->name),
                "names of element groups are unique within a body");
}

std::optional<NamedElementGroup> named_element_group(Assembling& assembling, const ElementGroup& group,
                                                     const std::string&) {
  const auto& groups = assembling.body->element_groups;
  const auto found = groups.find(group.name);
  if (found == groups.end()) return std::nullopt;
  return NamedElementGroup{assembling.body->number, group.name, found->second};
}

auto element_group_identity(const NamedElementGroup& group) {
  return std::tie(group.body, group.name, group.elements);
}

}  // namespace

bool has_elements(BodyContext& context, const std::string& key, const char* what, const char* allowed) {
  if (context.mesh.element_count() > 0) return true;
  context.report.add(context.scene.source, key,
                     "body " + in_quotes(context.body.name) + " has " + what + ", but no volume elements",
                     allowed);
  return false;
}

std::map<std::string, ElementSet> element_group_members(BodyContext& context) {
  std::map<std::string, ElementSet> result;
  for (std::size_t g = 0; g < context.body.element_groups.size(); ++g) {
    const ElementGroup& group = context.body.element_groups[g];
    const std::string key = context.key + ".element_group." + std::to_string(g);
    if (context.report.is_bad(key)) continue;
    if (!has_elements(context, key + ".name", "an element group",
                      "element groups are for meshes of tetrahedra or hexahedra"))
      continue;
    const std::string names = "element group " + in_quotes(group.name) + " names element ";
    const std::vector<Index> members =
        group.box ? by_box(context, *group.box)
        : !group.indices.empty()
            ? written_members(context, group.indices, context.mesh.element_count(), names, key)
            : by_attribute(context, group, key);
    if (members.empty() && !context.report.is_bad(key))
      context.report.add(
          context.scene.source, key + ".box",
          "element group " + in_quotes(group.name) + " is empty: the mean vertex of no element of body " +
              in_quotes(context.body.name) + " is in its box",
          "an element group needs at least one element; boxes are in world coordinates after placing, in m");
    result[group.name] = rows_of(context, members);
  }
  return result;
}

ElementSet elements_of(const BodyContext& context, const std::string& group) {
  const auto& groups = context.element_groups;
  if (const auto found = groups.find(group); found != groups.end()) return found->second;
  if (!group.empty()) return {};
  std::vector<Index> all(context.mesh.element_count());
  std::iota(all.begin(), all.end(), Index{0});
  return rows_of(context, all);
}

SceneTable element_group_table() {
  using namespace schema;
  SceneTable table;
  table.schema = {
      .name = "body.element_group",
      .is_repeated = true,
      .description = "A named set of the body's volume elements.",
      .rows = {row<&ElementGroup::name>("name").required().says("Unique within the body."),
               row<&ElementGroup::box>("box").unit("m").says(
                   "The elements whose mean vertex is within `[[x, y, z], [x, y, z]]`, bounds included, "
                   "world axes, in the mesh as placed."),
               row<&ElementGroup::indices>("indices")
                   .in_words("list of element indices")
                   .at_least(0)
                   .says("The elements by number, from 0: tetrahedra first, each kind in the file's order."),
               row<&ElementGroup::attribute>("attribute").says("A physical group of the MSH file.")},
      .alternatives = {{.keys = {"box", "indices", "attribute"}, .one_is_required = true}}};
  table.read = read_each<&Body::element_groups>;
  table.check = check_each<&Body::element_groups, check_element_group>;
  table.assemble = add_each<&Body::element_groups, &Assembly::element_groups, named_element_group>;
  table.part = "groups";
  table.identify = identify_tracks<&Assembly::element_groups, element_group_identity>;
  return table;
}

}  // namespace electret
