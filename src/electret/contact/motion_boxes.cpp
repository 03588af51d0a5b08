#include <algorithm>

#include <electret/contact/motion_boxes.hpp>

namespace electret {
namespace {

/// A pair nearer than a thickness must overlap while its vertices stay in their boxes less half a thickness.
/// The rest is room to move before the boxes are placed anew.
constexpr double margin_in_thicknesses = 1.5, margin_in_ways = 0.1;

}  // namespace

MotionBoxes::MotionBoxes(const ContactSurface& surface, bool is_relative, double thickness, Threads& threads)
    : surface_(surface),
      is_relative_(is_relative),
      thickness_(thickness),
      threads_(threads),
      from_(surface.vertices().size()),
      means_(surface.body_count()),
      longest_(surface.body_count()),
      boxes_(surface.vertices().size()) {
  const auto vertices = surface.vertices();
  std::size_t k = 0;
  for (std::size_t b = 0; b < surface.body_count(); ++b) {
    offsets_.push_back(static_cast<Count>(k));
    while (k < vertices.size() && surface.body(vertices[k]) == b) ++k;
  }
  offsets_.push_back(static_cast<Count>(k));
}

template <class Body>
void MotionBoxes::for_vertices(const Body& body) {
  const auto vertices = surface_.vertices();
  threads_.for_chunks(static_cast<Count>(vertices.size()), 1024, [&](Count begin, Count end) {
    for (auto k = static_cast<std::size_t>(begin); k < static_cast<std::size_t>(end); ++k)
      body(k, static_cast<std::size_t>(vertices[k]), surface_.body(vertices[k]));
  });
}

/// Each body's mean motion to `place`, and the longest way relative to it; the mean is 0 in the frame of all.
void MotionBoxes::measure(VectorView place) {
  const auto vertices = surface_.vertices();
  threads_.for_chunks(static_cast<Count>(means_.size()), 1, [&](Count first, Count last) {
    for (auto b = static_cast<std::size_t>(first); b < static_cast<std::size_t>(last); ++b) {
      const auto begin = static_cast<std::size_t>(offsets_[b]),
                 end = static_cast<std::size_t>(offsets_[b + 1]);
      const auto motion = [&](std::size_t k) {
        return place[static_cast<std::size_t>(vertices[k])] - from_[k];
      };
      Vec3 sum;
      for (std::size_t k = begin; is_relative_ && k < end; ++k) sum += motion(k);
      means_[b] = begin < end ? (1.0 / static_cast<double>(end - begin)) * sum : Vec3{};
      double longest = 0.0;
      for (std::size_t k = begin; k < end; ++k)
        longest = std::max(longest, squared_norm(motion(k) - means_[b]));
      longest_[b] = std::sqrt(longest);
    }
  });
}

void MotionBoxes::place(VectorView from, VectorView to) {
  for_vertices([&](std::size_t k, std::size_t v, std::size_t) { from_[k] = from[v]; });
  measure(to);
  for_vertices([&](std::size_t k, std::size_t v, std::size_t body) {
    const double margin = margin_in_thicknesses * thickness_ + margin_in_ways * longest_[body];
    const Vec3 a = from[v], b = to[v] - means_[body];
    for (int axis = 0; axis < 3; ++axis) {
      boxes_[k].low[axis] = std::min(a[axis], b[axis]) - margin;
      boxes_[k].high[axis] = std::max(a[axis], b[axis]) + margin;
    }
  });
}

bool MotionBoxes::covers(VectorView place) {
  measure(place);
  const auto vertices = surface_.vertices();
  const double outside = threads_.sum(static_cast<Count>(vertices.size()), [&](Count begin, Count end) {
    double count = 0.0;
    for (auto k = static_cast<std::size_t>(begin); k < static_cast<std::size_t>(end); ++k) {
      const Vec3 at = place[static_cast<std::size_t>(vertices[k])] - means_[surface_.body(vertices[k])];
      bool is_inside = true;
      for (int axis = 0; axis < 3; ++axis)
        is_inside = is_inside && at[axis] >= boxes_[k].low[axis] + 0.5 * thickness_ &&
                    at[axis] <= boxes_[k].high[axis] - 0.5 * thickness_;
      count += is_inside ? 0.0 : 1.0;
    }
    return count;
  });
  return outside == 0.0;
}

}  // namespace electret
