#pragma once
/// \file
/// The assembly: the scene with its meshes read, placed and joined, as flat arrays over all bodies.

#include <array>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include <electret/scene/scene.hpp>

namespace electret {

class ChangedScenes;

/// The surface that a body was filled from, tied to the body's elements: its vertex p is at Σ_a weights[p][a]
/// x[corners[p][a]].
struct CarriedSurface {
  /// How well the body fits the surface.
  struct Fit {
    bool is_closed = true;
    double volume_error = 0.0;  ///< (Body's volume - surface's) / surface's, if closed.
    double outside = 0.0;       ///< Largest distance of the body's boundary vertices from the surface, m.
    double inside = 0.0;        ///< Largest distance of the surface's vertices from the body's boundary, m.
  };
  std::size_t body = 0;                        ///< The body's number.
  std::vector<std::array<Index, 8>> corners;   ///< Global indices; for a tetrahedron 4, then -1.
  std::vector<std::array<double, 8>> weights;  ///< They sum to 1.
  std::vector<Triangle> faces;                 ///< They index the surface's own vertices.
  Fit fit;
};

struct Assembly {
  Scene scene;                             ///< As read.
  VectorArray rest_positions;              ///< n×3, m: meshes as placed.
  VectorArray initial_positions;           ///< n×3, m: where the run starts.
  VectorArray initial_velocities;          ///< n×3, m/s (pins: see initial_state).
  std::vector<double> masses;              ///< n, kg.
  std::vector<double> charges;             ///< n, C: the bodies' own charges, before tracks.
  std::vector<Count> body_offsets;         ///< bodies + 1: vertex ranges.
  std::vector<Spring> springs;             ///< By body, then table; sorted, but `from = "pairs"` is not.
  std::vector<Count> spring_offsets;       ///< Spring tables (of all bodies) + 1.
  std::vector<Count> body_spring_offsets;  ///< bodies + 1: spring ranges.
  std::vector<Triangle> faces;             ///< Global indices, triangulated.
  std::vector<Edge> lines;                 ///< Global indices: the lines of bodies without solid elements.
  std::vector<Tetrahedron> tetrahedra;     ///< Global indices, bodies in order.
  std::vector<Hexahedron> hexahedra;       ///< Likewise.
  std::vector<double> volumes;             ///< n, m³: each element's volume split evenly over its vertices.
  std::vector<NamedElementGroup> element_groups;
  std::vector<MaterialTrack> materials;
  std::vector<MuscleTrack> muscles;
  std::vector<CarriedSurface> surfaces;  ///< Of the bodies that were filled from one.
  std::vector<NamedGroup> groups;        ///< In the order of bodies, then as written.
  std::vector<ChargeTrack> charge_tracks;
  std::vector<PinTrack> pin_tracks;
  std::vector<LoadTrack> load_tracks;
  std::vector<ExternalChargeTrack> external_charges;
  std::vector<FieldExpression> fields;  ///< One per `[[electric_field]]`, parsed.
  std::vector<GrabTrack> grabs;
  std::vector<WaterTrack> waters;
  std::vector<BallContactTrack> ball_contacts;
  std::vector<ObstacleTrack> obstacles;
  double contact_friction = 0.0;  ///< Of `[contact]`.
  std::vector<ContactPairTrack> contact_pairs;
  std::vector<ContactGroup> contact_groups;  ///< In the order of bodies, then as written.
  std::vector<CameraTrack> cameras;
  /// Makes the scene's changes (changes.hpp); null if the scene has none.
  std::shared_ptr<const ChangedScenes> changed;
};

/// The parsed components of `field`. Empty if one of them is no expression; check_scene says which.
FieldExpression parsed_field(const ElectricField& field);

/// Returns the bytes of the file at a path. Throws InputError if there is none.
using FileReader = std::function<std::string(const std::string& path)>;

/// Reads from the file system. Only regular files are read, so that a device or a pipe cannot block the
/// reader.
std::string read_regular_file(const std::string& path);

/// Checks `scene`, reads the meshes and tables that it names, and joins everything. Throws InputError with
/// all findings: values out of range, unreadable or bad meshes, unknown groups, empty groups, wrong numbers
/// of rows, coincident charges, tables that yield no springs, …. A finding whose place is not in
/// `scene.source` is located by its key ("body.0.mesh").
Assembly assemble(Scene scene, const FileReader& read_file = read_regular_file);

}  // namespace electret
