#include <algorithm>

#include <electret/scene/tables/groups.hpp>
#include <electret/scene/tables/table_file.hpp>

namespace electret {

namespace {

std::vector<Index> by_attribute(BodyContext& context, const VertexGroup& group, const std::string& key) {
  if (auto found = vertex_set(context.mesh, group.attribute)) {
    if (!found->empty()) return *found;
    context.report.add(context.scene.source, key + ".attribute",
                       "group " + in_quotes(group.name) + " is empty: attribute " +
                           in_quotes(group.attribute) + " of the mesh holds no vertex",
                       "a group needs at least one vertex");
    return {};
  }
  std::vector<std::string> names;
  for (const auto& [name, members] : context.mesh.groups) names.push_back(name);
  for (const auto& [name, values] : context.mesh.attributes) names.push_back(name);
  context.report.add(
      context.scene.source, key + ".attribute",
      "the mesh of body " + in_quotes(context.body.name) + " has no attribute " + in_quotes(group.attribute),
      names.empty() ? "it has no groups or properties" : suggestion(group.attribute, names));
  return {};
}

std::vector<Index> by_box(BodyContext& context, const VertexGroup& group, const std::string& key) {
  std::vector<Index> members;
  for (std::size_t i = 0; i < context.size(); ++i)
    if (is_inside(context.mesh.vertices[i], *group.box)) members.push_back(static_cast<Index>(i));
  const auto is_bad = [&](const char* name) { return context.report.is_bad(context.key + "." + name); };
  const bool is_placed = !is_bad("scale") && !is_bad("rotate") && !is_bad("translate");
  if (members.empty() && is_placed)
    context.report.add(
        context.scene.source, key + ".box",
        "group " + in_quotes(group.name) + " is empty: no vertex of body " + in_quotes(context.body.name) +
            " is in its box",
        "a group needs at least one vertex; boxes are in world coordinates after placing, in m");
  return members;
}

void check_group(SceneChecking& checking, const VertexGroup& group, const std::string& key) {
  checking.name(group.name, key, "a group", "two groups of body " + in_quotes(checking.body->name),
                "names of groups are unique within a body");
}

std::optional<NamedGroup> named_group(Assembling& assembling, const VertexGroup& group, const std::string&) {
  return NamedGroup{assembling.body->number, group.name, assembling.body->members(group.name)};
}

auto group_identity(const NamedGroup& group) {
  return std::tie(group.body, group.name, group.vertices);
}

}  // namespace

std::vector<Index> written_members(BodyContext& context, std::vector<Index> members, std::size_t count,
                                   const std::string& names, const std::string& key) {
  std::sort(members.begin(), members.end());
  members.erase(std::unique(members.begin(), members.end()), members.end());
  const auto bad = std::find_if(members.begin(), members.end(),
                                [&](Index i) { return i < 0 || static_cast<std::size_t>(i) >= count; });
  if (bad == members.end()) return members;
  context.report.add(context.scene.source, key + ".indices",
                     names + std::to_string(*bad) + " of body " + in_quotes(context.body.name) +
                         ", which has " + std::to_string(count),
                     "allowed: 0 … " + std::to_string(count - 1));
  return {};
}

bool is_inside(const Vec3& x, const std::array<Vec3, 2>& box) {
  for (int axis = 0; axis < 3; ++axis)
    if (x[axis] < box[0][axis] || x[axis] > box[1][axis]) return false;
  return true;
}

std::vector<Index> BodyContext::members(const std::string& group) const {
  const auto found = groups.find(group);
  std::vector<Index> vertices;
  if (found != groups.end()) vertices = found->second;
  for (Index& vertex : vertices) vertex += first;
  return vertices;
}

std::map<std::string, std::vector<Index>> group_members(BodyContext& context) {
  std::map<std::string, std::vector<Index>> members;
  for (std::size_t g = 0; g < context.body.groups.size(); ++g) {
    const VertexGroup& group = context.body.groups[g];
    const std::string key = context.key + ".group." + std::to_string(g);
    if (context.report.is_bad(key)) continue;
    if (group.box)
      members[group.name] = by_box(context, group, key);
    else if (!group.indices.empty())
      members[group.name] = written_members(context, group.indices, context.size(),
                                            "group " + in_quotes(group.name) + " names vertex ", key);
    else
      members[group.name] = by_attribute(context, group, key);
  }
  return members;
}

SceneTable group_table() {
  using namespace schema;
  SceneTable table;
  table.schema = {
      .name = "body.group",
      .is_repeated = true,
      .description = "A named set of the body's vertices.",
      .rows = {row<&VertexGroup::name>("name").required().says("Unique within the body."),
               row<&VertexGroup::box>("box").unit("m").says(
                   "The vertices within `[[x, y, z], [x, y, z]]`, bounds included, world axes, in the mesh "
                   "as placed."),
               row<&VertexGroup::indices>("indices").at_least(0).says("The vertices by number, from 0."),
               row<&VertexGroup::attribute>("attribute")
                   .says("A group of the OBJ or MSH file or of the shape; or the vertices at which a "
                         "property of the PLY file is not 0.")},
      .alternatives = {{.keys = {"box", "indices", "attribute"}, .one_is_required = true}}};
  table.read = read_each<&Body::groups>;
  table.check = check_each<&Body::groups, check_group>;
  table.assemble = add_each<&Body::groups, &Assembly::groups, named_group>;
  table.part = "groups";
  table.identify = identify_tracks<&Assembly::groups, group_identity>;
  return table;
}

}  // namespace electret
