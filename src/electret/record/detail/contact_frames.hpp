#pragma once
/// \file
/// The folder /contact of trajectory.h5: of each frame the vertices that obstacles push. Frame f has the rows
/// from offsets[f] to below offsets[f + 1] of the other datasets.

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include <electret/contact/contact_set.hpp>
#include <electret/record/detail/hdf5.hpp>

namespace electret {

/// The numbers of one row: vertex, obstacle, state, and the normal and the tangential force.
inline constexpr std::size_t contact_row = 9;

/// Grows the folder by one frame at a time.
class ContactWriter {
 public:
  /// Makes the folder, with the names of the scene's obstacles. Frames follow.
  void create(hdf5::Id file, const std::vector<std::string>& obstacles, int compression);
  /// Opens the folder of a file that has one.
  void open(hdf5::Id file);
  void close();
  [[nodiscard]] bool is_open() const { return offsets_.open(); }

  /// Appends a frame. Its numbers are in `numbers()` then, as in `contact_numbers`.
  void append(std::span<const ContactForce> frame);
  [[nodiscard]] std::span<const double> numbers() const { return numbers_; }
  /// The frames that the file has in full.
  [[nodiscard]] Count frames() const { return static_cast<Count>(ends_.size()) - 1; }
  /// Cuts the file to its first `frames` frames.
  void cut(Count frames);
  /// Calls visit(dataset) for each open dataset.
  void for_datasets(const std::function<void(hdf5::Handle&)>& visit);

 private:
  hdf5::Handle offsets_, vertices_, obstacles_, states_, normal_, tangential_;
  std::vector<std::int64_t> ends_;  ///< The offsets that the file has.
  std::vector<double> numbers_, column_;
};

/// What a file says of its folder, checked.
struct ContactLayout {
  std::vector<std::string> obstacles;
  std::vector<std::int64_t> offsets;  ///< Of the frames whose rows are all there, and one more.
};
/// Throws IoError about datasets that are missing, of a wrong shape or type, or do not fit each other.
ContactLayout checked_contact_layout(hdf5::Id file);

/// The rows of a frame, `contact_row` numbers each, after their count. Throws IoError.
std::vector<double> contact_numbers(hdf5::Id file, const ContactLayout& layout, Count frame);
/// The same as forces. Throws IoError for a vertex, obstacle or state that does not exist.
std::vector<ContactForce> contact_forces(hdf5::Id file, const ContactLayout& layout, Count frame,
                                         Index vertices);

}  // namespace electret
