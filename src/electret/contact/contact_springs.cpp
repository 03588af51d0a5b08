#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include <electret/contact/contact_springs.hpp>
#include <electret/contact/coulomb_law.hpp>
#include <electret/core/small_matrices.hpp>
#include <electret/core/transverse.hpp>

namespace electret {
namespace {

/// Walls of one obstacle are the same where the cosine between their normals is more.
constexpr double same_wall = 0.7;
/// Of the changes of the largest frictions.
constexpr double least_share = 0.1, most_share = 2.0;

Mat3 tangents(const Vec3& unit) {
  return Mat3::identity() + (-1.0) * outer(unit, unit);
}

}  // namespace

ContactSprings::ContactSprings(ContactSet& contacts, std::vector<double> stiffness)
    : contacts_(contacts),
      stiffness_(std::move(stiffness)),
      pushes_(stiffness_.size()),
      former_(stiffness_.size()),
      responses_(stiffness_.size()) {}

void ContactSprings::clear() {
  std::fill(pushes_.begin(), pushes_.end(), std::array<Push, most_walls>{});
  share_ = raise_ = 1.0;
  settled_ = 0;
}

void ContactSprings::begin(double raise) {
  raise_ = raise;
  std::swap(pushes_, former_);
  std::fill(pushes_.begin(), pushes_.end(), std::array<Push, most_walls>{});
}

void ContactSprings::push(std::size_t k, std::size_t wall, const Vec3& force, bool yields) {
  const ContactSight& sight = contacts_.sight(k, wall);
  const ContactObstacle& obstacle = contacts_.obstacles()[sight.obstacle];
  const Vec3& n = sight.view.normal;
  Push& push = pushes_[k][wall];
  push.obstacle = sight.obstacle;
  push.normal = n;
  push.pressure = std::max(0.0, dot(n, force));
  push.friction = transverse(n, force);
  double friction = obstacle.friction[contacts_.kind(k)];
  if (yields && std::isinf(friction)) friction = yielding_friction;
  push.sticks = std::isinf(friction);
  const Push* former = push_of(former_, k, sight);
  push.most = former != nullptr ? former->most : 0.0;
  push.off = push.sticks ? 0.0 : friction * push.pressure - push.most;
  const double change = push.off - (former != nullptr ? former->off : 0.0);
  along_ += change * (former != nullptr ? former->off : 0.0);
  changed_ += change * change;
}

void ContactSprings::settle() {
  if (settled_++ == 0)
    share_ = 1.0;
  else if (along_ >= 0.0)
    share_ = changed_ > 0.0 ? most_share : share_;
  else
    share_ = std::clamp(-share_ * along_ / changed_, least_share, most_share);
  along_ = changed_ = 0.0;
  for (auto& walls : pushes_)
    for (Push& push : walls) {
      push.most = std::max(0.0, push.most + share_ * push.off);
      if (push.sticks) push.most = push.pressure > 0.0 ? std::numeric_limits<double>::infinity() : 0.0;
      if (const double size = norm(push.friction); size > push.most) push.friction *= push.most / size;
    }
}

const ContactSprings::Push* ContactSprings::push_of(const Pushes& pushes, std::size_t k,
                                                    const ContactSight& sight) {
  for (const Push& push : pushes[k])
    if (push.obstacle == sight.obstacle && dot(push.normal, sight.view.normal) > same_wall) return &push;
  return nullptr;
}

ContactSprings::Response ContactSprings::response(std::size_t k, const Vec3& place) const {
  const double c = raise_ * stiffness_[k];
  Response out;
  for (std::size_t w = 0; w < contacts_.sight_count(k); ++w) {
    const ContactSight& sight = contacts_.sight(k, w);
    const Push* push = push_of(pushes_, k, sight);
    const Vec3& n = sight.view.normal;
    const double pressure = (push != nullptr ? push->pressure : 0.0) - c * sight.view.distance;
    if (pressure > 0.0) {
      out.value += 0.5 * pressure * pressure / c;
      out.force += pressure * n;
      out.slope += c * outer(n, n) + (-pressure) * sight.view.curvature;
      out.clamped_slope += c * outer(n, n);
    }
    if (push == nullptr || push->most == 0.0) continue;
    const Mat3 across = tangents(push->normal);
    const Vec3 pull = push->friction - c * transverse(push->normal, place - sight.carried);
    const double size = norm(pull);
    Mat3 slope = c * across;
    if (size <= push->most) {
      out.value += 0.5 * size * size / c;
      out.force += pull;
    } else {
      const Vec3 along = (1.0 / size) * pull;
      out.value += push->most * (size - 0.5 * push->most) / c;
      out.force += push->most * along;
      slope = (push->most * c / size) * (across + (-1.0) * outer(along, along));
    }
    out.slope += slope;
    out.clamped_slope += slope;
  }
  return out;
}

double ContactSprings::evaluate(VectorView place) {
  contacts_.look(place);
  double value = 0.0;
  for (std::size_t k = 0; k < responses_.size(); ++k) {
    responses_[k] = response(k, place[static_cast<std::size_t>(contacts_.vertices()[k])]);
    value += responses_[k].value;
  }
  return value;
}

void ContactSprings::add_gradient(double factor, VectorSpan out) const {
  for (std::size_t k = 0; k < responses_.size(); ++k)
    out[static_cast<std::size_t>(contacts_.vertices()[k])] -= factor * responses_[k].force;
}

void ContactSprings::append_hessian(bool is_clamped, double factor, std::vector<StencilVertices>& vertices,
                                    std::vector<StencilBlocks>& blocks) const {
  for (std::size_t k = 0; k < responses_.size(); ++k) {
    const Response& response = responses_[k];
    if (response.value == 0.0) continue;
    vertices.push_back({contacts_.vertices()[k], no_vertex, no_vertex, no_vertex});
    blocks.emplace_back().at(0, 0) = factor * (is_clamped ? response.clamped_slope : response.slope);
  }
}

}  // namespace electret
