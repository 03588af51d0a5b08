#include <algorithm>
#include <array>
#include <cstdint>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include <electret/core/errors.hpp>
#include <electret/core/version.hpp>
#include <electret/record/detail/contact_frames.hpp>
#include <electret/record/detail/file_sum.hpp>
#include <electret/record/detail/hdf5.hpp>
#include <electret/record/detail/ordered_file.hpp>
#include <electret/record/detail/pair_frames.hpp>
#include <electret/record/run_arrays.hpp>
#include <electret/record/trajectory_writer.hpp>
#include <electret/record/unfinished.hpp>
#include <electret/scene/link_characters.hpp>

namespace electret {
namespace {

using hdf5::flat;

template <class T>
constexpr hdf5::Stored stored_as = std::is_same_v<T, double>         ? hdf5::Stored::float64
                                   : std::is_same_v<T, std::int32_t> ? hdf5::Stored::int32
                                                                     : hdf5::Stored::int64;

void write_array(hdf5::Id file, const RunArray& array, const TrajectoryHeader& header) {
  const auto write = [&]<class T>(const std::vector<T>& values) {
    if (array.may_be_absent && values.empty()) return;
    hdf5::Shape shape{values.size() / array.columns};
    if (array.columns > 1) shape.push_back(array.columns);
    hdf5::write_dataset<T>(file, array.name, shape, values, stored_as<T>);
  };
  std::visit(write, array.of(header));
}

void write_groups(hdf5::Id file, const TrajectoryHeader& header) {
  hdf5::write_texts(file, "body_names", header.body_names);
  const hdf5::Handle groups = hdf5::make_group(file, "groups");
  for (std::size_t b = 0; b < header.body_names.size(); ++b) {
    const hdf5::Handle body = hdf5::make_group(groups.get(), link_name(header.body_names[b]));
    for (const NamedGroup& group : header.groups)
      if (group.body == b)
        hdf5::write_dataset<std::int32_t>(body.get(), link_name(group.name), {group.vertices.size()},
                                          group.vertices, hdf5::Stored::int32);
  }
}

/// Elements are numbered with the tetrahedra first, as the rows of /tetrahedra and /hexahedra.
void write_element_groups(hdf5::Id file, const TrajectoryHeader& header) {
  if (header.element_groups.empty()) return;
  const hdf5::Handle groups = hdf5::make_group(file, "element_groups");
  for (std::size_t b = 0; b < header.body_names.size(); ++b) {
    const hdf5::Handle body = hdf5::make_group(groups.get(), link_name(header.body_names[b]));
    for (const NamedElementGroup& group : header.element_groups) {
      if (group.body != b) continue;
      std::vector<std::int32_t> members = group.elements.tetrahedra;
      for (const Index row : group.elements.hexahedra)
        members.push_back(static_cast<Index>(header.tetrahedra.size()) + row);
      hdf5::write_dataset<std::int32_t>(body.get(), link_name(group.name), {members.size()}, members,
                                        hdf5::Stored::int32);
    }
  }
}

void write_header(hdf5::Id file, const TrajectoryHeader& header) {
  hdf5::write_attribute(file, "format_version", std::int64_t{trajectory_format_version});
  hdf5::write_attribute(file, "scene", header.scene);
  hdf5::write_attribute(file, "overrides", header.overrides);
  hdf5::write_attribute(file, "version", std::string(version));
  hdf5::write_attribute(file, "step", header.time_step);
  const auto n = static_cast<std::uint64_t>(header.masses.size());
  if (!header.charges_change)
    hdf5::write_dataset<double>(file, "charges", {n}, header.charges, hdf5::Stored::float64);
  for (const RunArray& array : run_arrays()) write_array(file, array, header);
  write_groups(file, header);
  write_element_groups(file, header);
}

hdf5::Growing layout(const std::string& name, const hdf5::Shape& row_shape, const OutputOptions& options,
                     bool may_be_single) {
  hdf5::Growing growing{name, row_shape, hdf5::Stored::float64, 64, options.compression};
  if (may_be_single && options.precision == "single") growing.stored = hdf5::Stored::float32;
  Count bytes = growing.stored == hdf5::Stored::float32 ? 4 : 8;
  for (const auto dim : row_shape) bytes *= static_cast<Count>(dim);
  growing.chunk_rows = static_cast<std::uint64_t>(frames_per_chunk(bytes, options.compression));
  return growing;
}

std::string path_message(const std::string& path, const std::string& why) {
  const std::string what = "cannot write " + path;
  if (why.starts_with(what) || why.starts_with("cannot go on with " + path)) return why;
  return what + (why.empty() ? "" : ": " + why);
}

}  // namespace

std::string link_name(const std::string& name) {
  std::string link;
  for (const char c : name) link += c == '/' ? slash_of_links : std::string_view(&c, 1);
  return link == "." ? std::string(dot_of_links) : link;
}

std::string name_of_link(const std::string& link) {
  std::string name = link == dot_of_links ? "." : link;
  for (auto at = name.find(slash_of_links); at != std::string::npos; at = name.find(slash_of_links, at + 1))
    name.replace(at, slash_of_links.size(), "/");
  return name;
}

Count frames_per_chunk(Count row_bytes, int compression) {
  constexpr Count largest_chunk = Count{1} << 20;
  if (compression > 0) return 1;
  return std::clamp<Count>(largest_chunk / std::max<Count>(row_bytes, 1), 1, 64);
}

struct TrajectoryWriter::Impl {
  std::string path;
  Count frames = 0;
  std::size_t pins = 0;  ///< Whose reactions are written.
  TrajectorySums sums;
  FrameSum sum;
  bool single = false;  ///< How positions and velocities are stored.
  bool usable = true;
  // The file comes last, because HDF5 closes it after its datasets.
  std::unique_ptr<hdf5::OrderedFile> file;
  hdf5::Handle time, positions, velocities, charges, pin_reactions;
  FrameRowWriter contacts{contact_row_table}, pairs{pair_row_table};
  std::vector<double> rows;  ///< Of a frame.

  /// Of as many rows per frame as the frame has.
  [[nodiscard]] std::array<FrameRowWriter*, 2> folders() { return {&contacts, &pairs}; }
  /// Of one row per frame.
  [[nodiscard]] std::array<hdf5::Handle*, 5> growing() {
    return {&time, &positions, &velocities, &charges, &pin_reactions};
  }

  ~Impl() {
    if (file != nullptr) file->abandon();
  }

  void create(const TrajectoryHeader& header, const OutputOptions& options) {
    single = options.precision == "single";
    write_header(file->id(), header);
    const auto n = static_cast<std::uint64_t>(header.masses.size());
    hdf5::Growing times{"time", {}, hdf5::Stored::float64, 64, 0};
    time = hdf5::create_growing(file->id(), times);
    positions = hdf5::create_growing(file->id(), layout("positions", {n, 3}, options, true));
    if (options.velocities)
      velocities = hdf5::create_growing(file->id(), layout("velocities", {n, 3}, options, true));
    if (header.charges_change)
      charges = hdf5::create_growing(file->id(), layout("charges", {n}, options, false));
    pins = header.pins.size();
    if (pins > 0)
      pin_reactions = hdf5::create_growing(file->id(), layout("pin_reactions", {pins, 3}, options, false));
    if (!header.obstacles.empty()) {
      contacts.create(file->id());
      write_contact_obstacles(file->id(), header.obstacles);
    }
    if (header.has_contact_pairs) pairs.create(file->id());
  }

  void append(const FrameView& frame) {
    const auto row = static_cast<std::uint64_t>(frames);
    hdf5::append_row(time.get(), row, std::span(&frame.time, 1));
    hdf5::append_row(positions.get(), row, flat(frame.positions));
    if (velocities.open()) hdf5::append_row(velocities.get(), row, flat(frame.velocities));
    if (charges.open()) hdf5::append_row(charges.get(), row, frame.charges);
    require(!pin_reactions.open() || frame.pin_reactions.size() == pins,
            "a frame lacks the reactions of pins");
    if (pin_reactions.open()) hdf5::append_row(pin_reactions.get(), row, flat(frame.pin_reactions));
    if (contacts.is_open()) {
      put_contacts(frame.contacts, rows);
      contacts.append(rows);
    }
    if (pairs.is_open()) {
      put_pairs(frame.pairs, rows);
      pairs.append(rows);
    }
    file->flush();
    ++frames;
    add_to_sum(frame);
  }

  void add_to_sum(const FrameView& frame) {
    sum.add(std::span(&frame.time, 1), false);
    sum.add(flat(frame.positions), single);
    if (velocities.open()) sum.add(flat(frame.velocities), single);
    if (charges.open()) sum.add(frame.charges, false);
    if (pin_reactions.open()) sum.add(flat(frame.pin_reactions), false);
    for (const FrameRowWriter* folder : folders())
      if (folder->is_open()) sum.add(folder->numbers(), false);
    sums.frames = sum.value();
  }

  /// Runs `action`. If it fails, the file stays as at its last flush, and the error names the file and the
  /// reason.
  template <class Action>
  void guarded(Action&& action) {
    try {
      action();
    } catch (const IoError& error) {
      usable = false;
      const std::string why = file == nullptr ? "" : file->failure();
      if (file != nullptr) file->abandon();
      throw IoError(path_message(path, why.empty() ? error.what() : why), path);
    }
  }

  void open_datasets(const OutputOptions& options) {
    single = options.precision == "single";
    time = hdf5::open_growing(file->id(), "time");
    positions = hdf5::open_growing(file->id(), "positions");
    if (options.velocities) velocities = hdf5::open_growing(file->id(), "velocities");
    if (hdf5::shape_of(file->id(), "charges").size() == 2)
      charges = hdf5::open_growing(file->id(), "charges");
    // Files of earlier versions have none.
    if (hdf5::has_dataset(file->id(), "pin_reactions"))
      pin_reactions = hdf5::open_growing(file->id(), "pin_reactions");
    if (pin_reactions.open()) pins = hdf5::shape_of(file->id(), "pin_reactions").at(1);
    for (FrameRowWriter* folder : folders())
      if (hdf5::has_dataset(file->id(), folder->table().folder)) folder->open(file->id());
  }

  void cut(Count keep) {
    Count longest = keep;
    for (const auto* name : {"time", "positions", "velocities", "charges", "pin_reactions"}) {
      if (!hdf5::has_dataset(file->id(), name)) continue;
      const hdf5::Shape shape = hdf5::shape_of(file->id(), name);
      const bool grows = std::string_view(name) != "charges" || shape.size() == 2;
      if (grows && static_cast<Count>(shape[0]) < keep)
        throw IoError("it has " + std::to_string(shape[0]) + " frames where the checkpoint has " +
                      std::to_string(keep));
      if (grows) longest = std::max(longest, static_cast<Count>(shape[0]));
    }
    for (const FrameRowWriter* folder : folders()) {
      if (!folder->is_open()) continue;
      if (folder->frames() < keep)
        throw IoError(std::string("its folder ") + folder->table().folder +
                      " has fewer frames than the checkpoint");
      longest = std::max(longest, folder->frames());
    }
    // Cuts frame by frame, so that the datasets' lengths differ by one at most at every instant, as while
    // they grow.
    file->begin_cut();
    for (Count last = longest - 1; last >= keep; --last) {
      for (auto* dataset : growing())
        if (dataset->open()) hdf5::cut_rows(dataset->get(), static_cast<std::uint64_t>(last));
      for (FrameRowWriter* folder : folders())
        if (folder->is_open()) folder->cut(last);
      file->flush();
    }
    file->end_cut();
    frames = keep;
  }

  void close() {
    for (auto* dataset : growing()) dataset->close();
    for (FrameRowWriter* folder : folders()) folder->close();
    file->close();
  }

  /// Closes the file for good and sums up what is not frames.
  void finish() {
    std::vector<std::pair<std::int64_t, std::int64_t>> chunks;
    const auto add_chunks = [&](const hdf5::Handle& dataset) {
      for (const auto& [address, size] : hdf5::chunks_of(dataset.get()))
        chunks.emplace_back(address, address + size);
    };
    for (auto* dataset : growing())
      if (dataset->open()) add_chunks(*dataset);
    for (FrameRowWriter* folder : folders()) folder->for_datasets(add_chunks);
    close();
    std::sort(chunks.begin(), chunks.end());
    for (const auto& [begin, end] : chunks) {
      if (!sums.chunks.empty() && sums.chunks.back() == begin)
        sums.chunks.back() = end;
      else
        sums.chunks.insert(sums.chunks.end(), {begin, end});
    }
    sums.rest = sum_of_file(path, sums.chunks);
    sums.is_closed = true;
  }

  /// HDF5 forgets the space freed so far when it closes a file. If it reused that space, the order of writing
  /// would be wrong, because every block before the end of the file is taken for one in use.
  void reopen(const std::string& where, const OutputOptions& options) {
    close();
    file = std::make_unique<hdf5::OrderedFile>(where, hdf5::OrderedFile::Mode::modify);
    open_datasets(options);
  }
};

TrajectoryWriter::TrajectoryWriter(const std::string& path, const TrajectoryHeader& header,
                                   const OutputOptions& options, const FrameView& first)
    : impl_(std::make_unique<Impl>()) {
  impl_->path = path;
  impl_->guarded([&] {
    Unfinished beside(path);
    impl_->file = std::make_unique<hdf5::OrderedFile>(beside.name(), hdf5::OrderedFile::Mode::create);
    impl_->create(header, options);
    impl_->reopen(beside.name(), options);
    impl_->append(first);
    beside.put_in_place();
  });
}

TrajectoryWriter::TrajectoryWriter(const std::string& path, const OutputOptions& options, Count frames,
                                   const TrajectorySums& sums)
    : impl_(std::make_unique<Impl>()) {
  impl_->path = path;
  impl_->sums.frames = sums.frames;
  impl_->sum = FrameSum(sums.frames);
  impl_->guarded([&] {
    impl_->file = std::make_unique<hdf5::OrderedFile>(path, hdf5::OrderedFile::Mode::modify);
    impl_->open_datasets(options);
    impl_->cut(frames);
    impl_->reopen(path, options);
  });
}

TrajectoryWriter::~TrajectoryWriter() = default;
TrajectoryWriter::TrajectoryWriter(TrajectoryWriter&&) noexcept = default;
TrajectoryWriter& TrajectoryWriter::operator=(TrajectoryWriter&&) noexcept = default;

void TrajectoryWriter::write(const FrameView& frame) {
  if (!impl_->usable)
    throw IoError(path_message(impl_->path, "writing to it has failed before"), impl_->path);
  impl_->guarded([&] { impl_->append(frame); });
}

Count TrajectoryWriter::frames() const {
  return impl_->frames;
}

const TrajectorySums& TrajectoryWriter::sums() const {
  return impl_->sums;
}

void TrajectoryWriter::close() {
  if (impl_->file == nullptr) return;
  impl_->guarded([&] { impl_->finish(); });
  impl_->file.reset();
  impl_->usable = false;
}

}  // namespace electret
