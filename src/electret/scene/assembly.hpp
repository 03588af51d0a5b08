#pragma once
/// \file
/// The assembly: the scene with its meshes read, placed and joined, as flat arrays over all bodies.

#include <array>
#include <functional>
#include <string>
#include <vector>

#include <electret/geometry/penalty.hpp>
#include <electret/scene/expression.hpp>
#include <electret/scene/scene.hpp>

namespace electret {

/// The charges of some vertices over time. Tracks are applied in order; later ones win.
struct ChargeTrack {
  std::vector<Index> vertices;  ///< Global indices.
  KeyFrames<double> charge;     ///< C.
  bool key_framed = false;
  std::string name;  ///< "body.NAME.charge[GROUP]".
};

/// A `[[body.group]]`.
struct NamedGroup {
  std::size_t body = 0;  ///< The body's number.
  std::string name;
  std::vector<Index> vertices;  ///< Global indices, sorted.
};

/// Pinned vertices (Dirichlet conditions). Each vertex is in one track only.
struct PinTrack {
  std::vector<Index> vertices;  ///< Global indices, sorted.
  KeyFrames<Vec3> offsets;      ///< m; empty: held in place.
  std::string name;             ///< "body.NAME.pin[GROUP]".
};

/// One `[[body.load]]`: `forces` times `factor`(t). `forces` is one force for all of `vertices`, or one per
/// vertex.
struct LoadTrack {
  std::vector<Index> vertices;  ///< Global indices, sorted.
  VectorArray forces;           ///< 1 or vertices.size(), N.
  KeyFrames<double> factor;     ///< Empty: 1 for all time.
  std::string name;             ///< "body.NAME.load.I".

  /// The force on vertices[k] if the factor is 1, N.
  [[nodiscard]] const Vec3& force(std::size_t k) const { return forces[forces.size() == 1 ? 0 : k]; }
};

/// One `[[external_charge]]`. A single charge has one point, at the origin. Point k is at points[k] +
/// position(t) and carries charge(t)/points.size().
struct ExternalChargeTrack {
  VectorArray points;
  KeyFrames<double> charge;  ///< C, of all points together.
  KeyFrames<Vec3> position;  ///< m.
  double width = 0.0;        ///< m.
};

/// One `[[obstacle]]`.
struct ObstacleTrack {
  RigidSurface surface;
  double stiffness = 0.0;           ///< N/m^(exponent - 1).
  double exponent = 3.0;            ///< ≥ 2.
  double friction = 0.0;            ///< ≥ 0.
  double friction_stiffness = 0.0;  ///< N s/m; 0 if the scene has none: no friction.
  std::string name;                 ///< "obstacle.NAME".

  [[nodiscard]] Penalty penalty() const { return {surface, stiffness, exponent}; }
};

/// A set of elements: rows of the assembly's tetrahedra and of its hexahedra, each in ascending order.
struct ElementSet {
  std::vector<Index> tetrahedra, hexahedra;
  [[nodiscard]] std::size_t size() const { return tetrahedra.size() + hexahedra.size(); }
};

/// A `[[body.element_group]]`.
struct NamedElementGroup {
  std::size_t body = 0;  ///< The body's number.
  std::string name;
  ElementSet elements;
};

/// One `[[body.material]]`. Moduli and ratios are listed for its tetrahedra first, then for its hexahedra.
struct MaterialTrack {
  std::size_t body = 0;  ///< The body's number.
  std::string model;     ///< "corotated".
  ElementSet elements;
  std::vector<double> youngs_modulus;  ///< Pa, one per element.
  std::vector<double> poissons_ratio;  ///< One per element.
  std::string name;                    ///< "body.NAME.material.I"; "body.NAME" if it is the only one.
};

/// One `[[body.muscle]]`. Stiffnesses and activations are listed for its tetrahedra first, then for its
/// hexahedra.
struct MuscleTrack {
  std::size_t body = 0;  ///< The body's number.
  ElementSet elements;
  Vec3 fibre;                       ///< At rest; a unit vector.
  std::vector<double> stiffness;    ///< Pa, one per element.
  std::vector<double> activations;  ///< One per element; empty if key-framed.
  KeyFrames<double> keys;           ///< The same for all elements; empty: constant.
  std::string name;                 ///< "body.NAME.muscle.I".
};

struct Spring {
  Index i = 0, j = 0;        ///< Global indices; i < j, but `from = "pairs"` keeps the scene's order.
  double stiffness = 0.0;    ///< N/m, ≥ 0.
  double rest_length = 0.0;  ///< m, ≥ 0.
};

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
  std::vector<ObstacleTrack> obstacles;
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
