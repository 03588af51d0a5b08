#include <algorithm>

#include <electret/scene/body_parts.hpp>
#include <electret/scene/words.hpp>

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

std::vector<Index> by_indices(BodyContext& context, const VertexGroup& group, const std::string& key) {
  std::vector<Index> members = group.indices;
  std::sort(members.begin(), members.end());
  members.erase(std::unique(members.begin(), members.end()), members.end());
  const auto bad = std::find_if(members.begin(), members.end(), [&](Index i) {
    return i < 0 || static_cast<std::size_t>(i) >= context.size();
  });
  if (bad == members.end()) return members;
  context.report.add(context.scene.source, key + ".indices",
                     "group " + in_quotes(group.name) + " names vertex " + std::to_string(*bad) +
                         " of body " + in_quotes(context.body.name) + ", which has " +
                         std::to_string(context.size()),
                     "allowed: 0 … " + std::to_string(context.size() - 1));
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

}  // namespace

bool is_inside(const Vec3& x, const std::array<Vec3, 2>& box) {
  for (int axis = 0; axis < 3; ++axis)
    if (x[axis] < box[0][axis] || x[axis] > box[1][axis]) return false;
  return true;
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
      members[group.name] = by_indices(context, group, key);
    else
      members[group.name] = by_attribute(context, group, key);
  }
  return members;
}

}  // namespace electret
