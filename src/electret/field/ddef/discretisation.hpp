#pragma once
/// \file
/// The grid for one set of positions: box, tessellation, near sets, sorted points.

#include <memory>

#include <electret/field/ddef/near_sets.hpp>
#include <electret/field/ddef/points.hpp>

namespace electret::ddef {

/// The part of the grid that depends only on m and the box's aspect. It is kept between steps.
struct Mesh {
  Mesh(Count grid_points, const Aspect& aspect)
      : tessellation(grid_points, aspect), sets(tessellation), locator(tessellation) {}
  Mesh(const Mesh&) = delete;
  Mesh& operator=(const Mesh&) = delete;

  Tessellation tessellation;
  NearSets sets;
  Locator locator;
};

/// Occupied tetrahedra [begin, end), numbered by their place in `occupied()`. They are neighbours in Morton
/// order and hold some hundred points.
struct Chunk {
  Count begin, end;
};

/// Positions, and the grid laid over them. All lengths are multiplied by `scale`, a power of two that brings
/// the larger of half the box and the softening to (1/2, 1].
class Discretisation {
 public:
  Discretisation(double softening, bool with_float32) : softening_(softening), with_float32_(with_float32) {}

  /// `own`: the targets are the sources. `held`: see DdefFieldSolver::hold.
  void prepare(VectorView sources, VectorView targets, bool own, Count grid_points, bool held,
               Threads& threads);

  [[nodiscard]] const Mesh& mesh() const { return *mesh_; }
  [[nodiscard]] bool own() const { return own_; }
  [[nodiscard]] const SortedPoints& sources() const { return sources_; }
  [[nodiscard]] const SortedPoints& targets() const { return own_ ? sources_ : targets_; }
  [[nodiscard]] const Box& box() const { return box_; }
  [[nodiscard]] double scale() const { return scale_; }
  [[nodiscard]] const Vec3& centre() const { return centre_; }            ///< Of float32 coordinates, scaled.
  [[nodiscard]] double softening() const { return scale_ * softening_; }  ///< Scaled.
  [[nodiscard]] double softening_squared() const { return softening() * softening(); }
  [[nodiscard]] Count grid_size() const { return static_cast<Count>(mesh().tessellation.grid.size()); }
  [[nodiscard]] const Arrays<double>& grid() const { return grid_; }          ///< u_v, scaled.
  [[nodiscard]] const Arrays<float>& grid32() const { return grid32_; }       ///< Centred.
  [[nodiscard]] const std::vector<Chunk>& chunks() const { return chunks_; }  ///< Of the sources.
  /// Parts of `chunks()` with about equally many sources, at most 32 parts; part p is [parts()[p],
  /// parts()[p+1]).
  [[nodiscard]] const std::vector<Count>& parts() const { return parts_; }

  /// The vertices of tetrahedron t, scaled.
  [[nodiscard]] std::array<Vec3, 4> vertices(Index t) const;

 private:
  void choose_mesh(Count grid_points);
  void place_grid(const Vec3& centre);
  void cut_sources();

  double softening_;
  bool with_float32_;
  bool own_ = true;
  double scale_ = 1.0;
  Vec3 centre_;  ///< Scaled.
  Box box_;
  std::shared_ptr<const Mesh> mesh_;
  std::vector<std::shared_ptr<const Mesh>> known_;  ///< The last few meshes, the most recent first.
  SortedPoints sources_, targets_;
  Arrays<double> grid_;
  Arrays<float> grid32_;
  std::vector<Chunk> chunks_;
  std::vector<Count> parts_;
};

}  // namespace electret::ddef
