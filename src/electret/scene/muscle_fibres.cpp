#include <algorithm>

#include <electret/core/direction.hpp>
#include <electret/scene/muscle_fibres.hpp>
#include <electret/scene/words.hpp>

namespace electret {
namespace {

using Fibres = std::optional<std::vector<Vec3>>;

Fibres listed_fibres(BodyContext& context, const Muscle& muscle, std::size_t count, const std::string& key) {
  Fibres fibres =
      per_item(context, muscle.fibres, key + ".fibres", "body.muscle", count, "elements of the muscle");
  if (!fibres) return fibres;
  const auto none = std::find(fibres->begin(), fibres->end(), Vec3{});
  if (none != fibres->end()) {
    context.report.add(context.scene.source, key + ".fibres",
                       "the fibre of element " + std::to_string(none - fibres->begin()) +
                           " of the muscle is [0, 0, 0]: it has no direction",
                       "allowed: three numbers that are not all 0");
    return std::nullopt;
  }
  for (Vec3& fibre : *fibres) fibre = direction_of(fibre);
  return fibres;
}

/// The mean of an element's corners, m.
template <class Element>
Vec3 corners_mean(const Element& element, VectorView vertices) {
  Vec3 sum;
  for (const Index v : element) sum += vertices[static_cast<std::size_t>(v)];
  return (1.0 / static_cast<double>(element.size())) * sum;
}

/// The centres of some elements, tetrahedra first.
class ElementCentres {
 public:
  explicit ElementCentres(const BodyContext& context) : context_(context) {}

  [[nodiscard]] std::vector<Vec3> of_body() const {
    std::vector<Vec3> centres;
    for (const auto& element : context_.mesh.tetrahedra) centres.push_back(centre(element));
    for (const auto& element : context_.mesh.hexahedra) centres.push_back(centre(element));
    return centres;
  }
  [[nodiscard]] std::vector<Vec3> of(const ElementSet& elements) const {
    std::vector<Vec3> centres;
    for (const Index row : elements.tetrahedra)
      centres.push_back(
          centre(context_.mesh.tetrahedra[static_cast<std::size_t>(row) - context_.first_tetrahedron]));
    for (const Index row : elements.hexahedra)
      centres.push_back(
          centre(context_.mesh.hexahedra[static_cast<std::size_t>(row) - context_.first_hexahedron]));
    return centres;
  }

 private:
  template <class Element>
  [[nodiscard]] Vec3 centre(const Element& element) const {
    return corners_mean(element, context_.mesh.vertices);
  }

  const BodyContext& context_;
};

/// c × axis, where c is the way from the mean of the body's elements to the element.
Fibres fibres_around(BodyContext& context, const Vec3& axis, const ElementSet& elements,
                     const std::string& key) {
  const ElementCentres centres(context);
  const std::vector<Vec3> all = centres.of_body();
  Vec3 middle;
  for (const Vec3& centre : all) middle += (1.0 / static_cast<double>(all.size())) * centre;
  double size = 0.0;
  for (const Vec3& centre : all) size = std::max(size, norm(centre - middle));

  std::vector<Vec3> fibres;
  for (const Vec3& centre : centres.of(elements))
    fibres.push_back(cross(centre - middle, direction_of(axis)));
  const auto on_axis = std::find_if(fibres.begin(), fibres.end(),
                                    [&](const Vec3& fibre) { return !(norm(fibre) > 1e-9 * size); });
  if (on_axis != fibres.end()) {
    context.report.add(context.scene.source, key + ".fibre",
                       "element " + std::to_string(on_axis - fibres.begin()) +
                           " of the muscle lies on the axis through the middle of body " +
                           in_quotes(context.body.name) + ": no direction is around it there",
                       "allowed: a muscle without that element, or \"fibres\", one per element");
    return std::nullopt;
  }
  for (Vec3& fibre : fibres) fibre = direction_of(fibre);
  return fibres;
}

}  // namespace

Fibres muscle_fibres(BodyContext& context, const Muscle& muscle, const ElementSet& elements,
                     const std::string& key) {
  if (!muscle.fibre) return listed_fibres(context, muscle, elements.size(), key);
  if (muscle.fibre->around) return fibres_around(context, *muscle.fibre->around, elements, key);
  return std::vector<Vec3>(elements.size(), direction_of(muscle.fibre->along));
}

}  // namespace electret
