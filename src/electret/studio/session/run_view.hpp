#pragma once
/// \file
/// A recorded run, finished or still growing.

#include <array>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <electret/record/trajectory_reader.hpp>
#include <electret/studio/session/frame_maker.hpp>
#include <electret/studio/session/system_info.hpp>

namespace electret::studio {

class RunView {
 public:
  /// The meshes of its scene's surroundings are read by `reader`. Throws InputError if `directory` holds no
  /// run that can be read, and IoError.
  RunView(const std::string& directory, std::uint32_t generation, int threads, const FileReader& reader);

  [[nodiscard]] const Scenery& scenery() const { return scenery_; }
  [[nodiscard]] Scenery& scenery() { return scenery_; }
  [[nodiscard]] const std::string& directory() const { return directory_; }
  [[nodiscard]] const std::string& scene_text() const { return scene_text_; }
  /// Of the scene, as those of load_scene.
  [[nodiscard]] const std::vector<std::string>& overrides() const { return overrides_; }
  /// The version of the program that wrote it.
  [[nodiscard]] const std::string& version() const { return version_; }
  /// As in RunResult; empty where the summary cannot be read.
  [[nodiscard]] std::string scene_file() const;
  [[nodiscard]] Count frames() const { return static_cast<Count>(times_.size()); }
  [[nodiscard]] double time_of(Count frame) const { return times_.at(static_cast<std::size_t>(frame)); }
  [[nodiscard]] Count at() const { return at_; }
  /// Whether it is being written: not if it was killed.
  [[nodiscard]] bool is_growing() const { return growing_; }
  /// The same as of now, not as of the last look.
  [[nodiscard]] bool is_written_now() const;
  /// Whether there is a checkpoint now, whatever is in it.
  [[nodiscard]] bool has_checkpoint() const;
  [[nodiscard]] FrameMaker& frame_maker() { return *maker_; }

  /// Shows another frame. Throws UnreadableError and stays at the old one if it cannot be read.
  void go_to(Count frame);
  [[nodiscard]] std::shared_ptr<Frame> frame();
  /// Another frame than that which is shown, which stays. Throws as `go_to`.
  [[nodiscard]] std::shared_ptr<Frame> frame_of(Count frame);
  [[nodiscard]] const VectorArray& positions() const { return positions_; }
  [[nodiscard]] const std::vector<double>& charges() const { return charges_; }
  /// Throws UnreadableError if they cannot be read now.
  [[nodiscard]] VectorArray rest_positions() const;

  /// Opens a growing run again, to see later frames. Returns whether there are any. Throws IoError if it
  /// cannot be read now; what was read before stays.
  bool look_again();

  using Row = std::array<double, 9>;
  /// Of energy.csv, as far as it can be read.
  [[nodiscard]] const std::vector<Row>& rows() const { return rows_; }

 private:
  void read_rows();

  std::string directory_, scene_text_, version_;
  std::vector<std::string> overrides_;
  std::optional<TrajectoryReader> reader_;
  Scenery scenery_;
  std::unique_ptr<FrameMaker> maker_;
  std::vector<double> times_;
  bool growing_ = false;
  Count at_ = 0;
  VectorArray positions_;
  std::optional<VectorArray> velocities_;
  std::vector<double> charges_;
  std::vector<Row> rows_;
};

/// Opens the run in `directory` (RunView). A writer's flush is several writes, and whoever reads between them
/// finds a file that seems damaged: so a run that is being written is tried up to twenty times, after a
/// `pause` each.
std::unique_ptr<RunView> open_run(const std::string& directory, std::uint32_t generation, int threads,
                                  const FileReader& reader, const std::function<void()>& pause);

}  // namespace electret::studio
