#include <algorithm>
#include <utility>
#include <vector>

#include <electret/core/errors.hpp>
#include <electret/core/version.hpp>
#include <electret/record/detail/hdf5.hpp>
#include <electret/record/detail/ordered_file.hpp>
#include <electret/record/trajectory_writer.hpp>
#include <electret/record/unfinished.hpp>

namespace electret {
namespace {

std::span<const double> flat(VectorView vectors) {
  return {vectors.empty() ? nullptr : &vectors.front().x, 3 * vectors.size()};
}

void write_springs(hdf5::Id file, std::span<const Spring> springs) {
  std::vector<std::int32_t> pairs;
  std::vector<double> stiffness, rest_length;
  for (const Spring& spring : springs) {
    pairs.insert(pairs.end(), {spring.i, spring.j});
    stiffness.push_back(spring.stiffness);
    rest_length.push_back(spring.rest_length);
  }
  const auto count = static_cast<std::uint64_t>(springs.size());
  hdf5::write_dataset<std::int32_t>(file, "springs", {count, 2}, pairs, hdf5::Stored::int32);
  hdf5::write_dataset<double>(file, "spring_stiffness", {count}, stiffness, hdf5::Stored::float64);
  hdf5::write_dataset<double>(file, "spring_rest_length", {count}, rest_length, hdf5::Stored::float64);
}

void write_header(hdf5::Id file, const TrajectoryHeader& header) {
  hdf5::write_attribute(file, "format_version", std::int64_t{trajectory_format_version});
  hdf5::write_attribute(file, "scene", header.scene);
  hdf5::write_attribute(file, "overrides", header.overrides);
  hdf5::write_attribute(file, "version", std::string(version));
  hdf5::write_attribute(file, "step", header.time_step);
  const auto n = static_cast<std::uint64_t>(header.masses.size());
  hdf5::write_dataset<double>(file, "masses", {n}, header.masses, hdf5::Stored::float64);
  hdf5::write_dataset<double>(file, "rest_positions", {n, 3}, flat(header.rest_positions),
                              hdf5::Stored::float64);
  hdf5::write_dataset<std::int64_t>(file, "body_offsets", {header.body_offsets.size()}, header.body_offsets,
                                    hdf5::Stored::int64);
  if (!header.charges_change)
    hdf5::write_dataset<double>(file, "charges", {n}, header.charges, hdf5::Stored::float64);
  write_springs(file, header.springs);
  if (header.faces.empty()) return;
  const std::span<const std::int32_t> indices{header.faces.front().data(), 3 * header.faces.size()};
  hdf5::write_dataset<std::int32_t>(file, "faces", {header.faces.size(), 3}, indices, hdf5::Stored::int32);
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
  if (why.starts_with(what)) return why;
  return what + (why.empty() ? "" : ": " + why);
}

}  // namespace

Count frames_per_chunk(Count row_bytes, int compression) {
  constexpr Count largest_chunk = Count{16} << 20;
  if (compression > 0) return 1;
  return std::clamp<Count>(largest_chunk / std::max<Count>(row_bytes, 1), 1, 64);
}

struct TrajectoryWriter::Impl {
  std::string path;
  Count frames = 0;
  bool usable = true;
  // The file goes last: HDF5 closes it after its datasets.
  std::unique_ptr<hdf5::OrderedFile> file;
  hdf5::Handle time, positions, velocities, charges;

  ~Impl() {
    if (file != nullptr) file->abandon();
  }

  void create(const TrajectoryHeader& header, const OutputOptions& options) {
    write_header(file->id(), header);
    const auto n = static_cast<std::uint64_t>(header.masses.size());
    hdf5::Growing times{"time", {}, hdf5::Stored::float64, 64, 0};
    time = hdf5::create_growing(file->id(), times);
    positions = hdf5::create_growing(file->id(), layout("positions", {n, 3}, options, true));
    if (options.velocities)
      velocities = hdf5::create_growing(file->id(), layout("velocities", {n, 3}, options, true));
    if (header.charges_change)
      charges = hdf5::create_growing(file->id(), layout("charges", {n}, options, false));
  }

  void append(const FrameView& frame) {
    const auto row = static_cast<std::uint64_t>(frames);
    hdf5::append_row(time.get(), row, std::span(&frame.time, 1));
    hdf5::append_row(positions.get(), row, flat(frame.positions));
    if (velocities.open()) hdf5::append_row(velocities.get(), row, flat(frame.velocities));
    if (charges.open()) hdf5::append_row(charges.get(), row, frame.charges);
    file->flush();
    ++frames;
  }

  /// Runs `action`; whatever fails leaves the file as at its last flush, and names the file and the reason.
  template <class Action>
  void guarded(Action&& action) {
    try {
      action();
    } catch (const IoError& error) {
      usable = false;
      const std::string why = file == nullptr ? "" : file->failure();
      if (file != nullptr) file->abandon();
      throw IoError(path_message(path, why.empty() ? error.what() : why));
    }
  }

  void open_datasets(const OutputOptions& options) {
    time = hdf5::open_growing(file->id(), "time");
    positions = hdf5::open_growing(file->id(), "positions");
    if (options.velocities) velocities = hdf5::open_growing(file->id(), "velocities");
    if (hdf5::shape_of(file->id(), "charges").size() == 2)
      charges = hdf5::open_growing(file->id(), "charges");
  }

  void cut(Count keep) {
    Count longest = keep;
    for (const auto* name : {"time", "positions", "velocities", "charges"}) {
      if (!hdf5::has_dataset(file->id(), name)) continue;
      const hdf5::Shape shape = hdf5::shape_of(file->id(), name);
      const bool grows = std::string_view(name) != "charges" || shape.size() == 2;
      if (grows && static_cast<Count>(shape[0]) < keep)
        throw IoError("it has " + std::to_string(shape[0]) + " frames where the checkpoint has " +
                      std::to_string(keep));
      if (grows) longest = std::max(longest, static_cast<Count>(shape[0]));
    }
    // Frame by frame: at every instant the datasets differ by one at most, as while they grow.
    file->begin_cut();
    for (Count rows = longest - 1; rows >= keep; --rows) {
      for (auto* dataset : {&time, &positions, &velocities, &charges})
        if (dataset->open()) hdf5::cut_rows(dataset->get(), static_cast<std::uint64_t>(rows));
      file->flush();
    }
    file->end_cut();
    frames = keep;
  }

  void close() {
    for (auto* dataset : {&time, &positions, &velocities, &charges}) dataset->close();
    file->close();
  }

  /// HDF5 forgets the space freed so far when it closes a file. Reused, it would break the order of writing,
  /// which takes every block before the end of the file for one in use.
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

TrajectoryWriter::TrajectoryWriter(const std::string& path, const OutputOptions& options, Count frames)
    : impl_(std::make_unique<Impl>()) {
  impl_->path = path;
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
  if (!impl_->usable) throw IoError(path_message(impl_->path, "writing to it has failed before"));
  impl_->guarded([&] { impl_->append(frame); });
}

Count TrajectoryWriter::frames() const {
  return impl_->frames;
}

void TrajectoryWriter::close() {
  if (impl_->file == nullptr) return;
  impl_->guarded([&] { impl_->close(); });
  impl_->file.reset();
  impl_->usable = false;
}

}  // namespace electret
