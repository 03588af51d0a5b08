#include <algorithm>
#include <iterator>
#include <utility>

#include <hdf5.h>

#include <electret/core/errors.hpp>
#include <electret/record/detail/hdf5.hpp>
#include <electret/record/detail/hdf5_driver.hpp>
#include <electret/record/detail/hdf5_parts.hpp>

namespace electret::hdf5 {

static_assert(sizeof(hid_t) == sizeof(Id));

template <>
Id memory_type<double>() {
  return H5T_NATIVE_DOUBLE;
}
template <>
Id memory_type<float>() {
  return H5T_NATIVE_FLOAT;
}
template <>
Id memory_type<std::int32_t>() {
  return H5T_NATIVE_INT32;
}
template <>
Id memory_type<std::int64_t>() {
  return H5T_NATIVE_INT64;
}

Handle text_type() {
  Handle type(H5Tcopy(H5T_C_S1));
  H5Tset_size(type.get(), H5T_VARIABLE);
  H5Tset_cset(type.get(), H5T_CSET_UTF8);
  return type;
}

Handle open_dataset(Id file, const std::string& name) {
  Handle dataset(H5Dopen2(file, name.c_str(), H5P_DEFAULT));
  check(dataset.get(), "it has no dataset " + name);
  return dataset;
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

std::size_t product(const Shape& shape) {
  std::size_t size = 1;
  for (const auto dim : shape) size *= static_cast<std::size_t>(dim);
  return size;
}

Handle space_of(const Shape& shape) {
  const std::vector<hsize_t> dims(shape.begin(), shape.end());
  return Handle(H5Screate_simple(static_cast<int>(dims.size()), dims.data(), nullptr));
}

std::pair<Handle, Shape> select_row(Id dataset, std::uint64_t row) {
  return select_rows(dataset, row, 1);
}

std::pair<Handle, Shape> select_rows(Id dataset, std::uint64_t first, std::uint64_t rows) {
  Shape shape = shape_of_dataset(dataset);
  shape.at(0) = rows;
  const std::vector<hsize_t> count(shape.begin(), shape.end());
  std::vector<hsize_t> start(count.size(), 0);
  start[0] = first;
  Handle space(H5Dget_space(dataset));
  check(H5Sselect_hyperslab(space.get(), H5S_SELECT_SET, start.data(), nullptr, count.data(), nullptr),
        "a frame could not be selected");
  return {std::move(space), std::move(shape)};
}

namespace {

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

template <class T>
void write_scalar(Id object, const std::string& name, hid_t stored, T value) {
  const Handle space(H5Screate(H5S_SCALAR));
  const Handle attribute(H5Acreate2(object, name.c_str(), stored, space.get(), H5P_DEFAULT, H5P_DEFAULT));
  check(attribute.get(), "attribute " + name + " could not be made");
  check(H5Awrite(attribute.get(), memory_type<T>(), &value), "attribute " + name + " could not be written");
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

template <class T>
void write_dataset(Id file, const std::string& name, const Shape& shape, std::span<const T> values,
                   Stored stored) {
  const Quiet quiet;
  require(product(shape) == values.size(), "a dataset's values do not fill its shape");
  const Handle space = space_of(shape);
  const Handle properties(H5Pcreate(H5P_DATASET_CREATE));
  H5Pset_obj_track_times(properties.get(), false);
  const Handle dataset(H5Dcreate2(file, name.c_str(), stored_type(stored), space.get(), H5P_DEFAULT,
                                  properties.get(), H5P_DEFAULT));
  check(dataset.get(), name + " could not be made");
  if (values.empty()) return;
  check(H5Dwrite(dataset.get(), memory_type<T>(), H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()),
        name + " could not be written");
}

template void write_dataset<double>(Id, const std::string&, const Shape&, std::span<const double>, Stored);
template void write_dataset<std::int32_t>(Id, const std::string&, const Shape&, std::span<const std::int32_t>,
                                          Stored);
template void write_dataset<std::int64_t>(Id, const std::string&, const Shape&, std::span<const std::int64_t>,
                                          Stored);
Handle create_texts(Id file, const std::string& name, std::uint64_t count) {
  const Quiet quiet;
  const Handle type = text_type();
  const hsize_t size = count;
  const Handle space(H5Screate_simple(1, &size, nullptr));
  const Handle properties(H5Pcreate(H5P_DATASET_CREATE));
  H5Pset_obj_track_times(properties.get(), false);
  Handle dataset(
      H5Dcreate2(file, name.c_str(), type.get(), space.get(), H5P_DEFAULT, properties.get(), H5P_DEFAULT));
  check(dataset.get(), name + " could not be made");
  return dataset;
}

void put_texts(Id dataset, std::uint64_t first, std::span<const char* const> texts) {
  const Quiet quiet;
  if (texts.empty()) return;
  const auto [space, shape] = select_rows(dataset, first, texts.size());
  const Handle memory = space_of(shape);
  check(H5Dwrite(dataset, text_type().get(), memory.get(), space.get(), H5P_DEFAULT, texts.data()),
        "a list of texts could not be written");
}

void write_texts(Id file, const std::string& name, const std::vector<std::string>& texts) {
  const Handle dataset = create_texts(file, name, texts.size());
  std::vector<const char*> pointers;
  for (const std::string& text : texts) pointers.push_back(text.c_str());
  put_texts(dataset.get(), 0, pointers);
}

Handle make_group(Id parent, const std::string& name) {
  const Quiet quiet;
  Handle group(H5Gcreate2(parent, name.c_str(), H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
  check(group.get(), "the group " + name + " could not be made");
  return group;
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
  const auto [space, shape] = select_row(dataset, row);
  require(product(shape) == values.size(), "a frame has another size than its dataset");
  const Handle memory = space_of(shape);
  check(H5Dwrite(dataset, H5T_NATIVE_DOUBLE, memory.get(), space.get(), H5P_DEFAULT, values.data()),
        "a frame could not be written");
}

void append_rows(Id dataset, std::uint64_t first, std::uint64_t count, std::span<const double> values) {
  const Quiet quiet;
  set_rows(dataset, first + count);
  const auto [space, shape] = select_rows(dataset, first, count);
  require(product(shape) == values.size(), "rows have another size than their dataset");
  const Handle memory = space_of(shape);
  check(H5Dwrite(dataset, H5T_NATIVE_DOUBLE, memory.get(), space.get(), H5P_DEFAULT, values.data()),
        "rows of a frame could not be written");
}

std::vector<std::pair<std::int64_t, std::int64_t>> chunks_of(Id dataset) {
  const Quiet quiet;
  const Handle space(H5Dget_space(dataset));
  hsize_t count = 0;
  check(H5Dget_num_chunks(dataset, space.get(), &count), "a dataset's chunks are unreadable");
  std::vector<hsize_t> first(shape_of_dataset(dataset).size());
  std::vector<std::pair<std::int64_t, std::int64_t>> chunks;
  for (hsize_t k = 0; k < count; ++k) {
    unsigned filters = 0;
    haddr_t address = 0;
    hsize_t size = 0;
    check(H5Dget_chunk_info(dataset, space.get(), k, first.data(), &filters, &address, &size),
          "a dataset's chunks are unreadable");
    chunks.emplace_back(static_cast<std::int64_t>(address), static_cast<std::int64_t>(size));
  }
  return chunks;
}

void cut_rows(Id dataset, std::uint64_t rows) {
  const Quiet quiet;
  if (shape_of_dataset(dataset).at(0) > rows) set_rows(dataset, rows);
}

void name_driver(H5FD_class_t& type, const char* name, [[maybe_unused]] int number) {
#if H5_VERSION_GE(1, 13, 2)
  type.version = H5FD_CLASS_VERSION;
  type.value = static_cast<H5FD_class_value_t>(number);
#endif
  type.name = name;
  type.maxaddr = (static_cast<haddr_t>(1) << 62) - 1;
  type.fc_degree = H5F_CLOSE_STRONG;
  constexpr H5FD_mem_t map[H5FD_MEM_NTYPES] = H5FD_FLMAP_DICHOTOMY;
  std::copy(std::begin(map), std::end(map), std::begin(type.fl_map));
}

}  // namespace electret::hdf5
