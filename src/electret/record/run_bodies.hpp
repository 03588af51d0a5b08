#pragma once
/// \file
/// A run's bodies one by one, for exports: what each is made of, numbered within it.

#include <string>
#include <vector>

#include <electret/core/types.hpp>
#include <electret/record/element_stress.hpp>
#include <electret/record/trajectory_reader.hpp>

namespace electret {

struct RunBody {
  std::string name;
  std::string file_name;  ///< The name as a file may be called, another for each body.
  std::size_t first = 0;  ///< Of its vertices in the run.
  std::size_t count = 0;
  std::vector<Tetrahedron> tetrahedra;  ///< Its own vertices, from 0; so the others.
  std::vector<Hexahedron> hexahedra;
  std::vector<Triangle> faces;
  std::vector<Edge> springs;
  std::vector<ElementStresses::Part> materials;  ///< Element numbers: tetrahedra first.

  /// The surface it was filled from: corners (-1: none) and weights of each vertex. Empty for another body.
  std::vector<std::array<Index, 8>> surface_corners;
  std::vector<std::array<double, 8>> surface_weights;
  std::vector<Triangle> surface_faces;

  /// Its part of numbers or vectors of all vertices.
  template <class T>
  [[nodiscard]] std::span<const T> own(const std::vector<T>& all) const {
    return std::span(all).subspan(first, count);
  }
  /// Where its surface is, m: Σ_a weights[p][a] x[corners[p][a]].
  [[nodiscard]] VectorArray surface_at(VectorView own_positions) const;

  /// Whether it was filled from a surface. What is shown of it then is that surface.
  [[nodiscard]] bool is_filled() const { return !surface_faces.empty(); }
  [[nodiscard]] bool has_surface() const { return !shown_faces().empty(); }
  [[nodiscard]] const std::vector<Triangle>& shown_faces() const {
    return is_filled() ? surface_faces : faces;
  }
  [[nodiscard]] std::size_t shown_count() const { return is_filled() ? surface_corners.size() : count; }
  [[nodiscard]] VectorArray shown_points(VectorView own_positions) const;
  /// Of these points, C: a surface's are means of its corners' by weight.
  [[nodiscard]] std::vector<double> shown_charges(ScalarView own_charges) const;
};

/// Materials are those of the scene's text that the run holds; none of a run that was made without one, and
/// where they are not asked for. Throws IoError as the reader does, and where the run's arrays contradict
/// each other; InputError where materials are asked for and the text is no scene of this version.
std::vector<RunBody> run_bodies(const TrajectoryReader& run, bool with_materials);

}  // namespace electret
