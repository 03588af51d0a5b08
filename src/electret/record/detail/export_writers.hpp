#pragma once
/// \file
/// One format of exports: files of one frame after the other, and what is written at the end.

#include <memory>
#include <string>
#include <vector>

#include <electret/record/detail/export_folder.hpp>
#include <electret/record/run_bodies.hpp>
#include <electret/record/trajectory_reader.hpp>

namespace electret {

/// What of a run is exported.
struct ExportPlan {
  const TrajectoryReader& run;
  std::string format;
  std::vector<Count> frames;  ///< Of the run.
  std::vector<double> times;  ///< Of these, s.
  std::vector<RunBody> bodies;

  /// "cloth_0010.ply": the name of a body's file of the k-th exported frame, `ending` with its dot; as many
  /// digits as the run's last frame has, at least 4.
  [[nodiscard]] std::string file_name(const RunBody& body, std::size_t k, const std::string& ending) const;
};

/// The numbers of one frame of a run; each array is read when it is first asked for.
class FrameNumbers {
 public:
  explicit FrameNumbers(const TrajectoryReader& run) : run_(run) {}
  void go_to(Count frame);
  const VectorArray& positions();
  const VectorArray& velocities();  ///< Empty where the run stores none.
  const std::vector<double>& charges();

 private:
  const TrajectoryReader& run_;
  Count frame_ = -1;
  bool has_positions_ = false, has_velocities_ = false, has_charges_ = false;
  VectorArray positions_, velocities_;
  std::vector<double> charges_;
};

class ExportWriter {
 public:
  ExportWriter() = default;
  virtual ~ExportWriter() = default;
  ExportWriter(const ExportWriter&) = delete;
  ExportWriter& operator=(const ExportWriter&) = delete;

  /// Writes the k-th exported frame. Throws IoError.
  virtual void write_frame(std::size_t k, FrameNumbers& numbers) = 0;
  /// The k-th frame was written before the export was interrupted: takes note of what is needed of it.
  virtual void pass_frame(std::size_t, FrameNumbers&) {}
  /// Writes what belongs to all frames.
  virtual void finish() {}
};

/// Plan and folder must outlive the writer. Files that grow by frames are at their head, or where an
/// interrupted export left them.
using MakeWriter = std::unique_ptr<ExportWriter>(const ExportPlan& plan, ExportFolder& folder);
MakeWriter make_vtu_writer, make_vtp_writer, make_obj_writer, make_ply_writer, make_pc2_writer,
    make_mdd_writer, make_glb_writer, make_csv_writer;
/// BODY.json beside each body's files, whatever the format.
MakeWriter make_sidecar_writer;

}  // namespace electret
