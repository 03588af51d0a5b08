#include <stdexcept>

#include <electret/field/ddef/discretisation.hpp>
#include <electret/field/direct/arrays.hpp>

namespace electret::ddef {
namespace {

/// The number of meshes that are kept. It is enough for a box whose three sides each waver about a step of
/// their aspect.
constexpr std::size_t most_meshes = 4;
constexpr Count chunk_sources = 256;
constexpr Count part_sources = 2048;
constexpr Count most_parts = 32;

}  // namespace

void Discretisation::prepare(VectorView sources, VectorView targets, bool own, Count grid_points, bool held,
                             Threads& threads) {
  const VectorView others = own ? VectorView{} : targets;
  if (held) {
    if (!mesh_ || own != own_ || static_cast<Count>(sources.size()) != sources_.size() ||
        (!own && static_cast<Count>(targets.size()) != targets_.size()))
      throw std::invalid_argument("ddef: the positions differ in number from those of its discretisation");
  } else {
    own_ = own;
    const direct::Frame frame = direct::frame_of(sources, others, softening_);
    scale_ = frame.scale;
    centre_ = scale_ * frame.centre;
    box_ = bounding_box(sources, others, scale_);
    choose_mesh(grid_points);
    const Count tetrahedra = mesh().tessellation.size();
    sources_.locate(sources, scale_, box_, mesh().locator, tetrahedra, threads);
    if (!own) targets_.locate(targets, scale_, box_, mesh().locator, tetrahedra, threads);
    place_grid(centre_);
    cut_sources();
  }
  sources_.place(sources, scale_, centre_, with_float32_);
  if (!own) targets_.place(targets, scale_, centre_, false);
}

/// The mesh is a function of m and the box's aspect alone, so keeping some meshes changes no result.
void Discretisation::choose_mesh(Count grid_points) {
  const Aspect aspect = aspect_of(box_);
  for (auto& known : known_)
    if (known->tessellation.grid_points == grid_points && known->tessellation.aspect == aspect) {
      mesh_ = known;
      std::rotate(known_.begin(), known_.begin() + (&known - known_.data()),
                  known_.begin() + (&known - known_.data()) + 1);
      return;
    }
  if (known_.size() == most_meshes) known_.pop_back();
  mesh_ = std::make_shared<const Mesh>(grid_points, aspect);
  known_.insert(known_.begin(), mesh_);
}

void Discretisation::place_grid(const Vec3& centre) {
  const auto& unit = mesh().tessellation.grid;
  grid_.resize(grid_size());
  grid32_.resize(grid_size());
  for (Count v = 0; v < grid_size(); ++v) {
    const Vec3 u = box_.point(unit[static_cast<std::size_t>(v)]);
    grid_.set(v, u);
    grid32_.set(v, u - centre);
  }
}

void Discretisation::cut_sources() {
  chunks_.clear();
  parts_.clear();
  const auto& occupied = sources_.occupied();
  const Count n = sources_.size();
  const Count parts = std::clamp<Count>(n / part_sources, 1, most_parts);
  Count held = 0, begin = 0;
  for (Count k = 0; k < static_cast<Count>(occupied.size()); ++k) {
    held += sources_.count(occupied[static_cast<std::size_t>(k)]);
    const bool last = k + 1 == static_cast<Count>(occupied.size());
    if (held < chunk_sources && !last) continue;
    const Count first = sources_.begin(occupied[static_cast<std::size_t>(begin)]);
    if (static_cast<Count>(parts_.size()) < parts && first * parts >= static_cast<Count>(parts_.size()) * n)
      parts_.push_back(static_cast<Count>(chunks_.size()));
    chunks_.push_back({begin, k + 1});
    begin = k + 1;
    held = 0;
  }
  parts_.push_back(static_cast<Count>(chunks_.size()));
}

std::array<Vec3, 4> Discretisation::vertices(Index t) const {
  std::array<Vec3, 4> result;
  for (std::size_t k = 0; k < 4; ++k)
    result[k] = grid_.at(mesh().tessellation.vertices_of[static_cast<std::size_t>(t)][k]);
  return result;
}

}  // namespace electret::ddef
