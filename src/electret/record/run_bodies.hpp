#pragma once
/// \file
/// The bodies of a run for exports: each with its parts, numbered within the body.

#include <string>
#include <vector>

#include <electret/core/types.hpp>
#include <electret/record/element_stress.hpp>
#include <electret/record/trajectory_reader.hpp>

namespace electret {

/// The materials of a body from a change of the scene on.
struct MaterialStage {
  double after = 0.0;  ///< Frames later than this have them, s; the first stage's is below every time.
  std::vector<ElementStresses::Part> parts;  ///< Elements are numbered with the tetrahedra first.
};

struct RunBody {
  std::string name;
  std::string file_name;  ///< The name in a form that files may have; no two bodies share one.
  std::size_t first = 0;  ///< Index of its first vertex in the run.
  std::size_t count = 0;
  std::vector<Tetrahedron> tetrahedra;  ///< Indices are of its own vertices, from 0, here and below.
  std::vector<Hexahedron> hexahedra;
  std::vector<Triangle> faces;
  std::vector<Edge> springs;
  /// In the order of time; empty without materials in any of them.
  std::vector<MaterialStage> materials;

  /// The surface from which it was filled: each vertex's corners (-1: none) and their weights. Empty for
  /// other bodies.
  std::vector<std::array<Index, 8>> surface_corners;
  std::vector<std::array<double, 8>> surface_weights;
  std::vector<Triangle> surface_faces;

  /// Its part of an array with one entry per vertex of the run.
  template <class T>
  [[nodiscard]] std::span<const T> own(const std::vector<T>& all) const {
    return std::span(all).subspan(first, count);
  }
  /// The number of the stage of its materials in a frame at `time`, s.
  [[nodiscard]] std::size_t stage_at(double time) const;
  /// The positions of its surface's vertices, m: Σ_a weights[p][a] x[corners[p][a]].
  [[nodiscard]] VectorArray surface_at(VectorView own_positions) const;

  /// Whether it was filled from a surface. If so, that surface is shown.
  [[nodiscard]] bool is_filled() const { return !surface_faces.empty(); }
  [[nodiscard]] bool has_surface() const { return !shown_faces().empty(); }
  [[nodiscard]] const std::vector<Triangle>& shown_faces() const {
    return is_filled() ? surface_faces : faces;
  }
  [[nodiscard]] std::size_t shown_count() const { return is_filled() ? surface_corners.size() : count; }
  [[nodiscard]] VectorArray shown_points(VectorView own_positions) const;
  /// The charges of these points, C. A surface vertex has the weighted mean of its corners' charges.
  [[nodiscard]] std::vector<double> shown_charges(ScalarView own_charges) const;
};

/// The bodies of `run`. Materials come from the scene text that the run holds, and from its changes; there
/// are none if the run was made without a scene, or without `with_materials`. Throws IoError as the reader
/// does, and if the run's arrays contradict each other. Throws InputError if materials are requested and the
/// text is not a scene of this version, or a change gives a material other elements than the run names.
std::vector<RunBody> run_bodies(const TrajectoryReader& run, bool with_materials);

}  // namespace electret
