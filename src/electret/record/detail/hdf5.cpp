#include <cerrno>
#include <filesystem>
#include <system_error>
#include <utility>

#include <hdf5.h>
#include <unistd.h>

#include <electret/core/errors.hpp>
#include <electret/record/detail/hdf5.hpp>

namespace electret::hdf5 {
namespace {

static_assert(sizeof(hid_t) == sizeof(Id));

template <class T>
hid_t memory_type();
template <>
hid_t memory_type<double>() {
  return H5T_NATIVE_DOUBLE;
}
template <>
hid_t memory_type<float>() {
  return H5T_NATIVE_FLOAT;
}
template <>
hid_t memory_type<std::int32_t>() {
  return H5T_NATIVE_INT32;
}
template <>
hid_t memory_type<std::int64_t>() {
  return H5T_NATIVE_INT64;
}

hid_t stored_type(Stored stored) {
  switch (stored) {
    case Stored::float32:
      return H5T_IEEE_F32LE;
    case Stored::int32:
      return H5T_STD_I32LE;
    case Stored::int64:
      return H5T_STD_I64LE;
    case Stored::float64:
      break;
  }
  return H5T_IEEE_F64LE;
}

Handle open_dataset(Id file, const std::string& name) {
  Handle dataset(H5Dopen2(file, name.c_str(), H5P_DEFAULT));
  check(dataset.get(), "it has no dataset " + name);
  return dataset;
}

Handle open_attribute(Id object, const std::string& name) {
  Handle attribute(H5Aopen(object, name.c_str(), H5P_DEFAULT));
  check(attribute.get(), "it has no attribute " + name);
  return attribute;
}

Shape shape_of_dataset(Id dataset) {
  const Handle space(H5Dget_space(dataset));
  check(space.get(), "a dataset's shape is unreadable");
  const int rank = H5Sget_simple_extent_ndims(space.get());
  check(rank, "a dataset's shape is unreadable");
  std::vector<hsize_t> dims(static_cast<std::size_t>(rank));
  check(H5Sget_simple_extent_dims(space.get(), dims.data(), nullptr), "a dataset's shape is unreadable");
  return Shape(dims.begin(), dims.end());
}

/// The file's space with row `row` selected, and its shape.
std::pair<Handle, std::vector<hsize_t>> select_row(Id dataset, std::uint64_t row) {
  Handle space(H5Dget_space(dataset));
  const int rank = H5Sget_simple_extent_ndims(space.get());
  check(rank, "a dataset's shape is unreadable");
  std::vector<hsize_t> count(static_cast<std::size_t>(rank)), start(count.size(), 0);
  check(H5Sget_simple_extent_dims(space.get(), count.data(), nullptr), "a dataset's shape is unreadable");
  start[0] = row;
  count[0] = 1;
  check(H5Sselect_hyperslab(space.get(), H5S_SELECT_SET, start.data(), nullptr, count.data(), nullptr),
        "a frame could not be selected");
  return {std::move(space), std::move(count)};
}

std::size_t product(std::span<const hsize_t> dims) {
  std::size_t size = 1;
  for (const hsize_t dim : dims) size *= static_cast<std::size_t>(dim);
  return size;
}

template <class T>
void write_scalar(Id object, const std::string& name, hid_t stored, T value) {
  const Handle space(H5Screate(H5S_SCALAR));
  const Handle attribute(H5Acreate2(object, name.c_str(), stored, space.get(), H5P_DEFAULT, H5P_DEFAULT));
  check(attribute.get(), "attribute " + name + " could not be made");
  check(H5Awrite(attribute.get(), memory_type<T>(), &value), "attribute " + name + " could not be written");
}

template <class T>
T read_scalar(Id object, const std::string& name) {
  const Handle attribute = open_attribute(object, name);
  T value{};
  check(H5Aread(attribute.get(), memory_type<T>(), &value), "its attribute " + name + " is unreadable");
  return value;
}

/// Text of variable length, which is kept in a heap, so that a scene of any length fits.
Handle text_type() {
  Handle type(H5Tcopy(H5T_C_S1));
  H5Tset_size(type.get(), H5T_VARIABLE);
  H5Tset_cset(type.get(), H5T_CSET_UTF8);
  return type;
}

/// Cuts or grows the first dimension.
void set_rows(Id dataset, std::uint64_t rows) {
  const Shape shape = shape_of_dataset(dataset);
  std::vector<hsize_t> dims(shape.begin(), shape.end());
  dims.at(0) = rows;
  check(H5Dset_extent(dataset, dims.data()), "the number of frames could not be changed");
}

}  // namespace

Handle& Handle::operator=(Handle&& other) noexcept {
  if (this != &other) {
    close();
    id_ = other.release();
  }
  return *this;
}

bool Handle::close() noexcept {
  if (id_ < 0) return true;
  const Quiet quiet;
  return H5Idec_ref(release()) >= 0;
}

Id Handle::release() noexcept {
  return std::exchange(id_, Id{-1});
}

Quiet::Quiet() {
  H5E_auto2_t function = nullptr;
  H5Eget_auto2(H5E_DEFAULT, &function, &data_);
  function_ = reinterpret_cast<void*>(function);
  H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
}

Quiet::~Quiet() {
  H5Eset_auto2(H5E_DEFAULT, reinterpret_cast<H5E_auto2_t>(function_), data_);
}

void check(std::int64_t status, const std::string& what) {
  if (status < 0) throw IoError(what);
}

Handle open_for_reading(const std::string& path) {
  const Quiet quiet;
  std::error_code error;
  if (!std::filesystem::exists(path, error)) throw IoError("there is no file " + path, path);
  // As other readers in this process (such as h5py) open it, because a file can be open in one way only.
  Handle file(H5Fopen(path.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT));
#if H5_VERSION_GE(1, 10, 7)
  if (!file.open()) {
    // A run in progress can be read, because readers and the writer do not lock each other out.
    const Handle access(H5Pcreate(H5P_FILE_ACCESS));
    H5Pset_file_locking(access.get(), false, true);
    file = Handle(H5Fopen(path.c_str(), H5F_ACC_RDONLY, access.get()));
  }
#endif
  if (!file.open()) {
    if (::access(path.c_str(), R_OK) != 0)
      throw IoError("cannot read " + path + ": " + std::generic_category().message(errno), path);
    throw IoError(path + " is not a readable HDF5 file", path);
  }
  return file;
}

bool has_dataset(Id file, const std::string& name) {
  const Quiet quiet;
  return H5Lexists(file, name.c_str(), H5P_DEFAULT) > 0;
}

Shape shape_of(Id file, const std::string& name) {
  const Quiet quiet;
  return shape_of_dataset(open_dataset(file, name).get());
}

bool stored_as_single(Id file, const std::string& name) {
  const Quiet quiet;
  const Handle dataset = open_dataset(file, name);
  const Handle type(H5Dget_type(dataset.get()));
  return H5Tget_size(type.get()) == 4;
}

template <class T>
void write_dataset(Id file, const std::string& name, const Shape& shape, std::span<const T> values,
                   Stored stored) {
  const Quiet quiet;
  const std::vector<hsize_t> dims(shape.begin(), shape.end());
  require(product(dims) == values.size(), "a dataset's values do not fill its shape");
  const Handle space(H5Screate_simple(static_cast<int>(dims.size()), dims.data(), nullptr));
  const Handle properties(H5Pcreate(H5P_DATASET_CREATE));
  H5Pset_obj_track_times(properties.get(), false);
  const Handle dataset(H5Dcreate2(file, name.c_str(), stored_type(stored), space.get(), H5P_DEFAULT,
                                  properties.get(), H5P_DEFAULT));
  check(dataset.get(), name + " could not be made");
  if (values.empty()) return;
  check(H5Dwrite(dataset.get(), memory_type<T>(), H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()),
        name + " could not be written");
}

template <class T>
std::vector<T> read_dataset(Id file, const std::string& name, std::size_t rank) {
  const Quiet quiet;
  const Handle dataset = open_dataset(file, name);
  const Shape shape = shape_of_dataset(dataset.get());
  if (shape.size() != rank) throw IoError("its dataset " + name + " has a wrong shape");
  const std::vector<hsize_t> dims(shape.begin(), shape.end());
  std::vector<T> values(product(dims));
  if (values.empty()) return values;
  check(H5Dread(dataset.get(), memory_type<T>(), H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()),
        "its dataset " + name + " is unreadable");
  return values;
}

template void write_dataset<double>(Id, const std::string&, const Shape&, std::span<const double>, Stored);
template void write_dataset<std::int32_t>(Id, const std::string&, const Shape&, std::span<const std::int32_t>,
                                          Stored);
template void write_dataset<std::int64_t>(Id, const std::string&, const Shape&, std::span<const std::int64_t>,
                                          Stored);
template std::vector<double> read_dataset<double>(Id, const std::string&, std::size_t);
template std::vector<std::int32_t> read_dataset<std::int32_t>(Id, const std::string&, std::size_t);
template std::vector<std::int64_t> read_dataset<std::int64_t>(Id, const std::string&, std::size_t);

RowReader::RowReader(Id file, const std::string& name) : name_(name) {
  const Quiet quiet;
  dataset_ = open_dataset(file, name);
}

void RowReader::read(std::uint64_t row, std::span<double> out) const {
  read_as(row, out);
}

void RowReader::read(std::uint64_t row, std::span<float> out) const {
  read_as(row, out);
}

template <class T>
void RowReader::read_as(std::uint64_t row, std::span<T> out) const {
  const Quiet quiet;
  const auto [space, count] = select_row(dataset_.get(), row);
  require(product(count) == out.size(), "a frame does not have the requested size");
  const Handle memory(H5Screate_simple(static_cast<int>(count.size()), count.data(), nullptr));
  check(H5Dread(dataset_.get(), memory_type<T>(), memory.get(), space.get(), H5P_DEFAULT, out.data()),
        "frame " + std::to_string(row) + " of its dataset " + name_ + " is unreadable");
}

void write_texts(Id file, const std::string& name, const std::vector<std::string>& texts) {
  const Quiet quiet;
  const Handle type = text_type();
  const hsize_t count = texts.size();
  const Handle space(H5Screate_simple(1, &count, nullptr));
  const Handle dataset(
      H5Dcreate2(file, name.c_str(), type.get(), space.get(), H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
  check(dataset.get(), name + " could not be made");
  std::vector<const char*> pointers;
  for (const std::string& text : texts) pointers.push_back(text.c_str());
  if (pointers.empty()) return;
  check(H5Dwrite(dataset.get(), type.get(), H5S_ALL, H5S_ALL, H5P_DEFAULT, pointers.data()),
        name + " could not be written");
}

std::vector<std::string> read_texts(Id file, const std::string& name) {
  const Quiet quiet;
  const Handle dataset = open_dataset(file, name);
  const Shape shape = shape_of_dataset(dataset.get());
  const Handle stored(H5Dget_type(dataset.get()));
  if (shape.size() != 1 || H5Tis_variable_str(stored.get()) <= 0)
    throw IoError("its dataset " + name + " is no list of texts");
  const Handle type = text_type();
  const Handle space(H5Dget_space(dataset.get()));
  std::vector<char*> pointers(shape[0]);
  if (pointers.empty()) return {};
  check(H5Dread(dataset.get(), type.get(), H5S_ALL, H5S_ALL, H5P_DEFAULT, pointers.data()),
        "its dataset " + name + " is unreadable");
  std::vector<std::string> texts;
  for (const char* pointer : pointers) texts.emplace_back(pointer == nullptr ? "" : pointer);
  H5Dvlen_reclaim(type.get(), space.get(), H5P_DEFAULT, pointers.data());
  return texts;
}

Handle make_group(Id parent, const std::string& name) {
  const Quiet quiet;
  Handle group(H5Gcreate2(parent, name.c_str(), H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
  check(group.get(), "the group " + name + " could not be made");
  return group;
}

std::vector<std::string> names_in(Id file, const std::string& path) {
  const Quiet quiet;
  const Handle group(H5Gopen2(file, path.c_str(), H5P_DEFAULT));
  check(group.get(), "it has no group " + path);
  H5G_info_t info;
  check(H5Gget_info(group.get(), &info), "its group " + path + " is unreadable");
  std::vector<std::string> names;
  for (hsize_t k = 0; k < info.nlinks; ++k) {
    const auto one = [&](char* text, std::size_t size) {
      return H5Lget_name_by_idx(group.get(), ".", H5_INDEX_NAME, H5_ITER_INC, k, text, size, H5P_DEFAULT);
    };
    const auto length = one(nullptr, 0);
    check(length, "its group " + path + " is unreadable");
    std::string name(static_cast<std::size_t>(length), '\0');
    one(name.data(), name.size() + 1);
    names.push_back(std::move(name));
  }
  return names;
}

void write_attribute(Id object, const std::string& name, std::string_view text) {
  const Quiet quiet;
  const Handle type = text_type();
  const Handle space(H5Screate(H5S_SCALAR));
  const Handle attribute(H5Acreate2(object, name.c_str(), type.get(), space.get(), H5P_DEFAULT, H5P_DEFAULT));
  check(attribute.get(), "attribute " + name + " could not be made");
  const std::string copy(text);
  const char* pointer = copy.c_str();
  check(H5Awrite(attribute.get(), type.get(), &pointer), "attribute " + name + " could not be written");
}

void write_attribute(Id object, const std::string& name, double value) {
  const Quiet quiet;
  write_scalar(object, name, H5T_IEEE_F64LE, value);
}

void write_attribute(Id object, const std::string& name, std::int64_t value) {
  const Quiet quiet;
  write_scalar(object, name, H5T_STD_I64LE, value);
}

std::string read_text_attribute(Id object, const std::string& name) {
  const Quiet quiet;
  const Handle attribute = open_attribute(object, name);
  const Handle stored(H5Aget_type(attribute.get()));
  if (H5Tis_variable_str(stored.get()) <= 0) throw IoError("its attribute " + name + " is not a text");
  const Handle type(H5Tcopy(H5T_C_S1));
  H5Tset_size(type.get(), H5T_VARIABLE);
  H5Tset_cset(type.get(), H5Tget_cset(stored.get()));
  char* pointer = nullptr;
  check(H5Aread(attribute.get(), type.get(), &pointer), "its attribute " + name + " is unreadable");
  std::string text = pointer == nullptr ? "" : pointer;
  H5free_memory(pointer);
  return text;
}

double read_number_attribute(Id object, const std::string& name) {
  const Quiet quiet;
  return read_scalar<double>(object, name);
}

std::int64_t read_integer_attribute(Id object, const std::string& name) {
  const Quiet quiet;
  return read_scalar<std::int64_t>(object, name);
}

bool has_attribute(Id object, const std::string& name) {
  const Quiet quiet;
  return H5Aexists(object, name.c_str()) > 0;
}

Handle create_growing(Id file, const Growing& layout) {
  const Quiet quiet;
  std::vector<hsize_t> dims{0}, limits{H5S_UNLIMITED}, chunk{layout.chunk_rows};
  for (const auto dim : layout.row_shape) {
    dims.push_back(dim);
    limits.push_back(dim);
    chunk.push_back(dim);
  }
  const Handle space(H5Screate_simple(static_cast<int>(dims.size()), dims.data(), limits.data()));
  const Handle properties(H5Pcreate(H5P_DATASET_CREATE));
  H5Pset_obj_track_times(properties.get(), false);
  H5Pset_chunk(properties.get(), static_cast<int>(chunk.size()), chunk.data());
  // Rows are written whole, so that filling a new chunk first would only double the writing.
  H5Pset_fill_time(properties.get(), H5D_FILL_TIME_NEVER);
  if (layout.compression > 0) {
    H5Pset_shuffle(properties.get());
    H5Pset_deflate(properties.get(), static_cast<unsigned>(layout.compression));
  }
  Handle dataset(H5Dcreate2(file, layout.name.c_str(), stored_type(layout.stored), space.get(), H5P_DEFAULT,
                            properties.get(), H5P_DEFAULT));
  check(dataset.get(), layout.name + " could not be made");
  return dataset;
}

Handle open_growing(Id file, const std::string& name) {
  const Quiet quiet;
  return open_dataset(file, name);
}

void append_row(Id dataset, std::uint64_t row, std::span<const double> values) {
  const Quiet quiet;
  set_rows(dataset, row + 1);
  const auto [space, count] = select_row(dataset, row);
  require(product(count) == values.size(), "a frame has another size than its dataset");
  const Handle memory(H5Screate_simple(static_cast<int>(count.size()), count.data(), nullptr));
  check(H5Dwrite(dataset, H5T_NATIVE_DOUBLE, memory.get(), space.get(), H5P_DEFAULT, values.data()),
        "a frame could not be written");
}

void cut_rows(Id dataset, std::uint64_t rows) {
  const Quiet quiet;
  if (shape_of_dataset(dataset).at(0) > rows) set_rows(dataset, rows);
}

}  // namespace electret::hdf5
