#include <algorithm>

#include <electret/field/ddef/near_sets.hpp>

namespace electret::ddef {
namespace {

/// Inverts the lists: t ∈ result[v] ⇔ v ∈ lists[t].
IndexLists transposed(const IndexLists& lists, Count size) {
  std::vector<std::vector<Index>> result(static_cast<std::size_t>(size));
  for (Index t = 0; t < lists.size(); ++t)
    for (const Index v : lists[t]) result[static_cast<std::size_t>(v)].push_back(t);
  IndexLists flat;
  for (const auto& list : result) flat.append(list);
  return flat;
}

/// result[t] = ∪ over v ∈ through[t] of lists[v].
IndexLists united(const IndexLists& through, const IndexLists& lists, Count largest) {
  IndexLists result;
  std::vector<Index> seen(static_cast<std::size_t>(largest), -1), list;
  for (Index t = 0; t < through.size(); ++t) {
    list.clear();
    for (const Index v : through[t])
      for (const Index s : lists[v])
        if (seen[static_cast<std::size_t>(s)] != t) {
          seen[static_cast<std::size_t>(s)] = t;
          list.push_back(s);
        }
    std::sort(list.begin(), list.end());
    result.append(list);
  }
  return result;
}

IndexLists vertex_lists(const Tessellation& tessellation) {
  IndexLists lists;
  for (auto vertices : tessellation.vertices_of) {
    std::sort(vertices.begin(), vertices.end());
    lists.append(vertices);
  }
  return lists;
}

IndexLists lists_of_near_vertices(const Tessellation& tessellation) {
  IndexLists lists;
  std::vector<Index> list;
  for (std::size_t t = 0; t < tessellation.vertices_of.size(); ++t) {
    const auto& own = tessellation.vertices_of[t];
    list.assign(own.begin(), own.end());
    // A neighbour shares three of t's own vertices; its fourth is the opposite one.
    for (const Index neighbour : tessellation.neighbours[t])
      if (neighbour >= 0)
        for (const Index v : tessellation.vertices_of[static_cast<std::size_t>(neighbour)]) list.push_back(v);
    std::sort(list.begin(), list.end());
    list.erase(std::unique(list.begin(), list.end()), list.end());
    lists.append(list);
  }
  return lists;
}

}  // namespace

NearSets::NearSets(const Tessellation& tessellation) {
  const Count tetrahedra = tessellation.size(), grid = static_cast<Count>(tessellation.grid.size());
  const IndexLists vertices = vertex_lists(tessellation);
  near_vertices = lists_of_near_vertices(tessellation);
  around = transposed(vertices, grid);
  near_of = transposed(near_vertices, grid);
  near = united(vertices, near_of, tetrahedra);
  near_targets = united(near_vertices, around, tetrahedra);
}

}  // namespace electret::ddef
