#include <algorithm>
#include <cmath>
#include <vector>

#include <electret/contact/unseen_passage.hpp>

namespace electret {

std::optional<UnseenPassage> unseen_passage(const ContactSet& contacts, VectorView from, VectorView to) {
  std::optional<UnseenPassage> found;
  std::vector<Index> passing;
  for (std::size_t o = 0; o < contacts.obstacles().size(); ++o) {
    const PlacedSurface &before = contacts.at_start(o), &after = contacts.at_end(o);
    const double size = contacts.obstacles()[o].surface.shape->reach();
    if (!std::isfinite(size)) continue;  // No way goes through a half space.
    const Vec3 middle = after.origin();
    for (const Index vertex : contacts.vertices()) {
      const auto i = static_cast<std::size_t>(vertex);
      const double way = norm(to[i] - after.carried(before, from[i]));
      // Most are too far away. This is quicker than to look at the shape.
      if (squared_norm(to[i] - middle) > (size + way) * (size + way)) continue;
      const std::optional<WayThrough> through = way_through_thin(before, after, from[i], to[i], size);
      if (!through) continue;
      passing.push_back(vertex);
      if (!found || through->depth > found->deepest.through.depth)
        found = UnseenPassage{{vertex, o, way, *through}, 0};
    }
  }
  if (!found) return found;
  std::sort(passing.begin(), passing.end());
  found->vertices = std::unique(passing.begin(), passing.end()) - passing.begin();
  return found;
}

}  // namespace electret
