#pragma once
/// \file
/// The scene with its meshes read, placed and joined: flat arrays over all bodies, every finding reported.

#include <array>
#include <functional>
#include <string>
#include <vector>

#include <electret/geometry/penalty.hpp>
#include <electret/scene/expression.hpp>
#include <electret/scene/scene.hpp>

namespace electret {

/// Charges of some vertices over time. Applied in order, later ones win.
struct ChargeTrack {
  std::vector<Index> vertices;  ///< Global indices.
  KeyFrames<double> charge;     ///< C.
  bool key_framed = false;
  std::string name;  ///< "body.NAME.charge[GROUP]".
};

/// A `[[body.group]]`.
struct NamedGroup {
  std::size_t body = 0;  ///< Its number.
  std::string name;
  std::vector<Index> vertices;  ///< Global indices, sorted.
};

/// Pinned vertices (Dirichlet), each in one track only.
struct PinTrack {
  std::vector<Index> vertices;  ///< Global indices, sorted.
  KeyFrames<Vec3> offsets;      ///< m; empty: unmoved.
  std::string name;             ///< "body.NAME.pin[GROUP]".
};

/// One `[[body.load]]`: `forces` (N; one for all of `vertices`, or one for each) times `factor`(t).
struct LoadTrack {
  std::vector<Index> vertices;  ///< Global indices, sorted.
  VectorArray forces;           ///< 1 or vertices.size(), N.
  KeyFrames<double> factor;     ///< Empty: 1 for all time.
  std::string name;             ///< "body.NAME.load.I".

  /// The force on vertices[k] where the factor is 1, N.
  [[nodiscard]] const Vec3& force(std::size_t k) const { return forces[forces.size() == 1 ? 0 : k]; }
};

/// One `[[external_charge]]`: `points` (m; one at the origin for a single charge) each carry
/// charge(t)/points.size() at points[k] + position(t).
struct ExternalChargeTrack {
  VectorArray points;
  KeyFrames<double> charge;  ///< C, of the whole.
  KeyFrames<Vec3> position;  ///< m.
  double width = 0.0;        ///< m.
};

/// One `[[obstacle]]`.
struct ObstacleTrack {
  RigidSurface surface;
  double stiffness = 0.0;           ///< N/m^(exponent - 1).
  double exponent = 3.0;            ///< ≥ 2.
  double friction = 0.0;            ///< ≥ 0.
  double friction_stiffness = 0.0;  ///< N s/m; 0 where none is written: then there is no friction.
  std::string name;                 ///< "obstacle.NAME".

  [[nodiscard]] Penalty penalty() const { return {surface, stiffness, exponent}; }
};

/// A set of elements: rows of the assembly's tetrahedra and hexahedra, each ascending.
struct ElementSet {
  std::vector<Index> tetrahedra, hexahedra;
  [[nodiscard]] std::size_t size() const { return tetrahedra.size() + hexahedra.size(); }
};

/// A `[[body.element_group]]`.
struct NamedElementGroup {
  std::size_t body = 0;  ///< Its number.
  std::string name;
  ElementSet elements;
};

/// One `[[body.material]]`. Moduli and ratios are those of its tetrahedra, then of its hexahedra.
struct MaterialTrack {
  std::size_t body = 0;  ///< Its number.
  std::string model;     ///< "corotated".
  ElementSet elements;
  std::vector<double> youngs_modulus;  ///< Pa, one for each element.
  std::vector<double> poissons_ratio;  ///< One for each element.
  std::string name;                    ///< "body.NAME.material.I", or "body.NAME" of a body's only one.
};

/// One `[[body.muscle]]`. Stiffnesses and activations are those of its tetrahedra, then of its hexahedra.
struct MuscleTrack {
  std::size_t body = 0;  ///< Its number.
  ElementSet elements;
  Vec3 fibre;                       ///< At rest, of length 1.
  std::vector<double> stiffness;    ///< Pa, one for each element.
  std::vector<double> activations;  ///< One for each element; empty where key-framed.
  KeyFrames<double> keys;           ///< Of all elements; empty: constant.
  std::string name;                 ///< "body.NAME.muscle.I".
};

struct Spring {
  Index i = 0, j = 0;        ///< Global indices; i < j, except that `pairs` stay as written.
  double stiffness = 0.0;    ///< N/m, ≥ 0.
  double rest_length = 0.0;  ///< m, ≥ 0.
};

/// The surface that a body was filled from, tied to its elements: vertex p is at
/// Σ_a weights[p][a] x[corners[p][a]].
struct CarriedSurface {
  /// How well the body fits it.
  struct Fit {
    bool is_closed = true;
    double volume_error = 0.0;  ///< Part of the surface's volume that the body has too much; of a closed one.
    double outside = 0.0;       ///< m, the body's boundary vertices are this far from it at most,
    double inside = 0.0;        ///< and its vertices from the body's boundary.
  };
  std::size_t body = 0;                        ///< Its number.
  std::vector<std::array<Index, 8>> corners;   ///< Global indices; a tetrahedron's 4, then -1.
  std::vector<std::array<double, 8>> weights;  ///< Their sum is 1.
  std::vector<Triangle> faces;                 ///< Of the surface's own vertices.
  Fit fit;
};

struct Assembly {
  Scene scene;                             ///< As read.
  VectorArray rest_positions;              ///< n×3, m: meshes as placed.
  VectorArray initial_positions;           ///< n×3, m: where the run starts.
  VectorArray initial_velocities;          ///< n×3, m/s (pins: see compile).
  std::vector<double> masses;              ///< n, kg.
  std::vector<double> charges;             ///< n, C: the bodies' own, before tracks.
  std::vector<Count> body_offsets;         ///< bodies + 1: vertex ranges.
  std::vector<Spring> springs;             ///< In the contract's order: bodies, tables, (smaller, larger).
  std::vector<Count> spring_offsets;       ///< One a spring table (over all bodies) + 1.
  std::vector<Count> body_spring_offsets;  ///< bodies + 1: spring ranges.
  std::vector<Triangle> faces;             ///< Global indices, triangulated.
  std::vector<Tetrahedron> tetrahedra;     ///< Global indices, bodies in order.
  std::vector<Hexahedron> hexahedra;       ///< Likewise.
  std::vector<double> volumes;             ///< n, m³: each element's volume split evenly over its vertices.
  std::vector<NamedElementGroup> element_groups;
  std::vector<MaterialTrack> materials;
  std::vector<MuscleTrack> muscles;
  std::vector<CarriedSurface> surfaces;  ///< Of the bodies made from one.
  std::vector<NamedGroup> groups;        ///< Bodies' in their order, each as written.
  std::vector<ChargeTrack> charge_tracks;
  std::vector<PinTrack> pin_tracks;
  std::vector<LoadTrack> load_tracks;
  std::vector<ExternalChargeTrack> external_charges;
  std::vector<FieldExpression> fields;  ///< One a `[[electric_field]]`, parsed.
  std::vector<ObstacleTrack> obstacles;
};

/// The components of `field`, parsed; empty where one of them is no expression (check_scene tells which).
FieldExpression parsed_field(const ElectricField& field);

/// The bytes of the file at a path. Throws InputError if there is none.
using FileReader = std::function<std::string(const std::string& path)>;

/// Of the file system: regular files only, so that a device or a pipe cannot hang a reader.
std::string read_regular_file(const std::string& path);

/// Checks `scene`, reads the meshes and tables it names and joins everything. Throws InputError with all
/// findings: values out of range, unreadable or bad meshes, unknown groups, empty groups, wrong numbers of
/// rows, coincident charges, springs a table does not yield, …. Where `scene.source` does not know a place,
/// the key ("body.0.mesh") is the place.
Assembly assemble(Scene scene, const FileReader& read_file = read_regular_file);

}  // namespace electret
