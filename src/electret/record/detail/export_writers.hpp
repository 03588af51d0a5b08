#pragma once
/// \file
/// One format of exports: files of one frame after the other, and what is written at the end.

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <electret/record/trajectory_reader.hpp>

namespace electret {

class ExportWriter {
 public:
  ExportWriter() = default;
  virtual ~ExportWriter() = default;
  ExportWriter(const ExportWriter&) = delete;
  ExportWriter& operator=(const ExportWriter&) = delete;

  /// Writes the frame's files, `number` at the end of their names; how many they are. Throws IoError.
  virtual Count write_frame(const std::string& folder, Count frame, const std::string& number) = 0;
  /// The same of what belongs to all frames, at `times`, s.
  virtual Count finish(const std::string& folder, const std::vector<double>& times) = 0;
};

/// `run` must outlive the writer.
std::unique_ptr<ExportWriter> make_vtu_writer(const TrajectoryReader& run);
std::unique_ptr<ExportWriter> make_obj_writer(const TrajectoryReader& run);
std::unique_ptr<ExportWriter> make_pc2_writer(const TrajectoryReader& run);
std::unique_ptr<ExportWriter> make_mdd_writer(const TrajectoryReader& run);

/// A new file of these parts, one after the other. Throws IoError.
void write_parts(const std::string& path, const std::vector<std::string_view>& parts);

}  // namespace electret
