#pragma once
/// \file
/// The interface of export formats: a writer writes one frame after the other, and the rest at the end. And
/// the list of the formats.

#include <array>
#include <memory>
#include <string>
#include <vector>

#include <electret/record/detail/export_folder.hpp>
#include <electret/record/detail/vertex_contacts.hpp>
#include <electret/record/export.hpp>
#include <electret/record/run_bodies.hpp>
#include <electret/record/trajectory_reader.hpp>

namespace electret {

/// What of a run is exported.
struct ExportPlan {
  const TrajectoryReader& run;
  std::string format;
  std::vector<Count> frames;  ///< Frames of the run.
  std::vector<double> times;  ///< The times of these frames, s.
  std::vector<RunBody> bodies;

  /// The name of a body's file of the k-th exported frame, such as "cloth_0010.ply". `ending` includes the
  /// dot. There are as many digits as the run's last frame has, at least 4.
  [[nodiscard]] std::string file_name(const RunBody& body, std::size_t k, const std::string& ending) const;
};

/// The numbers of one frame of a run. Each array is read when it is first used.
class FrameNumbers {
 public:
  explicit FrameNumbers(const TrajectoryReader& run) : run_(run), pins_(run.pins()) {}
  void go_to(Count frame);
  const VectorArray& positions();
  const VectorArray& velocities();  ///< Empty if the run stores none.
  const std::vector<double>& charges();
  /// n×3, N: each pin's reaction, 0 elsewhere. Empty if the run stores none.
  const VectorArray& pin_reactions();
  /// What obstacles push each vertex with. Empty if the run stores no contacts.
  const VertexContacts& contacts();
  /// n×3, N: what bodies that touch each other push each vertex with. Empty if the run stores no pairs.
  const VectorArray& pair_forces();

 private:
  const TrajectoryReader& run_;
  std::vector<Index> pins_;
  Count frame_ = -1;
  bool has_positions_ = false, has_velocities_ = false, has_charges_ = false, has_reactions_ = false,
       has_contacts_ = false, has_pair_forces_ = false;
  VectorArray positions_, velocities_, reactions_, pair_forces_;
  std::vector<double> charges_;
  VertexContacts contacts_;
};

class ExportWriter {
 public:
  ExportWriter() = default;
  virtual ~ExportWriter() = default;
  ExportWriter(const ExportWriter&) = delete;
  ExportWriter& operator=(const ExportWriter&) = delete;

  /// Writes the k-th exported frame. Throws IoError.
  virtual void write_frame(std::size_t k, FrameNumbers& numbers) = 0;
  /// Called instead of `write_frame` if the k-th frame was written before the export was interrupted. Notes
  /// what later frames need of it.
  virtual void pass_frame(std::size_t, FrameNumbers&) {}
  /// Writes what belongs to all frames together.
  virtual void finish() {}
};

/// Throws InputError, which names the frame and the body, unless the numbers are finite as float32: for
/// formats that store nothing else.
void require_float32(const ExportPlan& plan, const RunBody& body, std::size_t k, VectorView points);

/// Throws InputError if a body's file would be longer than the format allows.
void check_glb(const ExportPlan& plan);

/// Plan and folder must outlive the writer. Files that grow by frames are at their beginning, or where an
/// interrupted export left them.
using MakeWriter = std::unique_ptr<ExportWriter>(const ExportPlan& plan, ExportFolder& folder);
MakeWriter make_vtu_writer, make_vtp_writer, make_obj_writer, make_ply_writer, make_pc2_writer,
    make_mdd_writer, make_glb_writer, make_csv_writer;
/// Writes BODY.json beside each body's files, in every format.
MakeWriter make_sidecar_writer;

/// Points of vtu and vtp are in the run's precision, with `displacement` from rest (m), `velocity`, `charge`
/// and `mass`, `pin_reaction` (N, 0 at vertices that no pin holds) if the run has pins, and `contact_force`
/// (N) and `contact_state` (0 free, 1 sticks, 2 slips) if obstacles push exactly, and `body_contact_force`
/// (N) if bodies may touch each other. The cells of vtu are the body's elements; if it has none, its faces,
/// else its springs, else its vertices. `stress` is Cauchy's (Pa: xx, yy, zz, xy, yz, xz), with `von_mises`
/// (Pa) and `energy_density` (J/m³), as means over the element and without muscles. `stress_is_defined` is 0
/// if an element is flat; these numbers are then 0, too. pc2, mdd and glb hold float32; every number of csv
/// reads back to the run's bits.
inline constexpr auto export_rows = std::to_array<ExportFormat>(
    {{"vtu",
      FilesOf::frame,
      "ParaView's grids, listed in BODY.pvd: displacement, velocity, charge, mass, reactions of pins, "
      "contact "
      "forces; for elements with materials also the Cauchy stress, von Mises' stress and the energy density",
      make_vtu_writer,
      {.materials = true}},
     {"vtp",
      FilesOf::frame,
      "ParaView's surfaces: faces as polygons, springs as lines, and the same values per vertex",
      make_vtp_writer,
      {}},
     {"obj",
      FilesOf::frame,
      "the surface; for a body filled from a surface, that surface, moved with the body",
      make_obj_writer,
      {.surface = true}},
     {"ply", FilesOf::frame, "the same, with velocity, charge and mass per vertex", make_ply_writer, {}},
     {"pc2",
      FilesOf::body,
      "a point cache, as for Blender's Mesh Cache; the points are those of obj's first frame, in that order, "
      "or the body's own vertices if it was not filled from a surface",
      make_pc2_writer,
      {.float32 = true}},
     {"mdd", FilesOf::body, "a point cache of the same points", make_mdd_writer, {.float32 = true}},
     {"glb",
      FilesOf::body,
      "an animated mesh for browsers: the first frame, and the others as morph targets",
      make_glb_writer,
      {.float32 = true, .check = check_glb}},
     {"csv",
      FilesOf::body,
      "a table: frame, time, vertex, position, velocity, charge, reactions of pins, contact forces",
      make_csv_writer,
      {}}});

}  // namespace electret
