#include <algorithm>
#include <array>
#include <bit>
#include <cerrno>
#include <cstdint>
#include <filesystem>
#include <limits>
#include <new>
#include <optional>
#include <system_error>
#include <type_traits>
#include <utility>

#include <hdf5.h>
#include <unistd.h>

#include <electret/core/errors.hpp>
#include <electret/record/detail/growing_file.hpp>
#include <electret/record/detail/hdf5.hpp>
#include <electret/record/detail/hdf5_parts.hpp>

namespace electret::hdf5 {
namespace {

herr_t note_lack_of_memory(unsigned, const H5E_error2_t* error, void* lacks) {
  if (error->min_num == H5E_NOSPACE || error->min_num == H5E_CANTALLOC) *static_cast<bool*>(lacks) = true;
  return 0;
}

/// As `check`, but throws std::bad_alloc if HDF5 says that memory was lacking.
void check_read(std::int64_t status, const std::string& what, const std::string& path = {}) {
  if (status >= 0) return;
  bool lacks_memory = false;
  H5Ewalk2(H5E_DEFAULT, H5E_WALK_UPWARD, note_lack_of_memory, &lacks_memory);
  if (lacks_memory) throw std::bad_alloc();
  throw IoError(what, path);
}

/// How numbers of this type are stored, in either order of bytes; none for any other type. HDF5 1.10 may
/// crash when it converts a type that no program writes.
std::optional<Stored> stored_as(Id type) {
  struct Kind {
    Stored stored;
    hid_t little, big;
  };
  const std::array<Kind, 4> kinds{{{Stored::float64, H5T_IEEE_F64LE, H5T_IEEE_F64BE},
                                   {Stored::float32, H5T_IEEE_F32LE, H5T_IEEE_F32BE},
                                   {Stored::int32, H5T_STD_I32LE, H5T_STD_I32BE},
                                   {Stored::int64, H5T_STD_I64LE, H5T_STD_I64BE}}};
  for (const Kind& kind : kinds)
    if (H5Tequal(type, kind.little) > 0 || H5Tequal(type, kind.big) > 0) return kind.stored;
  return std::nullopt;
}

template <class T>
constexpr Stored stored_for = std::is_same_v<T, double>         ? Stored::float64
                              : std::is_same_v<T, std::int32_t> ? Stored::int32
                                                                : Stored::int64;

std::optional<Stored> stored_in(Id dataset) {
  const Handle type(H5Dget_type(dataset));
  return stored_as(type.get());
}

void check_dataset_held(Id dataset, const std::string& name) {
  constexpr double most_deflated = 1100.0;  // Deflate makes bytes up to 1032 times fewer.
  const Handle type(H5Dget_type(dataset)), properties(H5Dget_create_plist(dataset)),
      file(H5Iget_file_id(dataset));
  double declared = static_cast<double>(H5Tget_size(type.get()));
  for (const auto dim : shape_of_dataset(dataset)) declared *= static_cast<double>(dim);
  hsize_t file_size = 0;
  H5Fget_filesize(file.get(), &file_size);
  const bool is_filtered = H5Pget_nfilters(properties.get()) > 0;
  const auto held = static_cast<double>(std::min(H5Dget_storage_size(dataset), file_size));
  if (declared > held * (is_filtered ? most_deflated : 1.0))
    throw IoError("its dataset " + name + " declares more numbers than the file holds");
}

/// The bits of a NaN that no calculation makes. Where HDF5 leaves it, the index has no such chunk, for
/// example because a writer split the index between two reads of it.
constexpr std::uint64_t untouched = 0x7ffd'e1ec'78e7'5a57;

Handle open_attribute(Id object, const std::string& name) {
  Handle attribute(H5Aopen(object, name.c_str(), H5P_DEFAULT));
  check_read(attribute.get(), "it has no attribute " + name);
  return attribute;
}

bool is_scalar(Id attribute) {
  const Handle space(H5Aget_space(attribute));
  return H5Sget_simple_extent_npoints(space.get()) == 1;
}

bool is_text(Id type) {
  return H5Tget_class(type) == H5T_STRING && H5Tis_variable_str(type) > 0;
}

template <class T>
T read_scalar(Id object, const std::string& name) {
  const Quiet quiet;
  const Handle attribute = open_attribute(object, name);
  const Handle type(H5Aget_type(attribute.get()));
  if (!is_scalar(attribute.get()) || stored_as(type.get()) != stored_for<T>)
    throw IoError("its attribute " + name + " is not a single " +
                  (std::is_same_v<T, double> ? "float64" : "int64"));
  T value{};
  check_read(H5Aread(attribute.get(), memory_type<T>(), &value), "its attribute " + name + " is unreadable");
  return value;
}

Handle opened(const std::string& path, Id access) {
  return Handle(H5Fopen(path.c_str(), H5F_ACC_RDONLY, access));
}

/// The same without locks: a run in progress can be read, because readers and the writer do not lock each
/// other out.
Handle opened_without_locks(const std::string& path, Id access) {
#if H5_VERSION_GE(1, 10, 7)
  const Handle unlocked(access == H5P_DEFAULT ? H5Pcreate(H5P_FILE_ACCESS) : H5Pcopy(access));
  H5Pset_file_locking(unlocked.get(), false, true);
  return opened(path, unlocked.get());
#else
  return opened(path, access);
#endif
}

Handle open_with(const std::string& path, Id access) {
  std::error_code error;
  if (!std::filesystem::exists(path, error)) throw IoError("there is no file " + path, path);
  Handle file = opened(path, access);
  if (!file.open()) file = opened_without_locks(path, access);
  if (file.open()) return file;
  if (::access(path.c_str(), R_OK) != 0)
    throw IoError("cannot read " + path + ": " + std::generic_category().message(errno), path);
  check_read(-1, path + " is not a readable HDF5 file", path);
  return file;
}

/// The most rows that are read at once: HDF5 makes selections of 7 kB for each chunk that they are in.
std::uint64_t rows_at_once(Id dataset) {
  constexpr std::uint64_t most_chunks = 256;
  const Handle properties(H5Dget_create_plist(dataset));
  std::array<hsize_t, H5S_MAX_RANK> chunk{};
  if (H5Pget_layout(properties.get()) != H5D_CHUNKED ||
      H5Pget_chunk(properties.get(), H5S_MAX_RANK, chunk.data()) < 1)
    return std::numeric_limits<std::uint64_t>::max();
  return most_chunks * std::max<hsize_t>(chunk[0], 1);
}

/// HDF5 keeps an entry of 280 bytes for each chunk whose index it has read, and counts 32. Files that grow
/// row by row have hundreds of thousands of chunks, most of which are read once.
void keep_little_of_indices(Id access) {
  H5AC_cache_config_t config{};
  config.version = H5AC__CURR_CACHE_CONFIG_VERSION;
  if (H5Pget_mdc_config(access, &config) < 0) return;
  constexpr std::size_t most = 512 * 1024;
  config.set_initial_size = true;
  config.initial_size = config.max_size = most;
  config.min_size = std::min(config.min_size, most);
  (void)H5Pset_mdc_config(access, &config);  // Without it, reading takes more memory.
}

}  // namespace

Handle open_for_reading(const std::string& path) {
  const Quiet quiet;
  // As other readers in this process (such as h5py) open it, because a file can be open in one way only.
  return open_with(path, H5P_DEFAULT);
}

Handle open_afresh(const std::string& path) {
  const Quiet quiet;
  const Handle access = growing_file_access();
  keep_little_of_indices(access.get());
  return open_with(path, access.get());
}

bool has_dataset(Id file, const std::string& name) {
  const Quiet quiet;
  return H5Lexists(file, name.c_str(), H5P_DEFAULT) > 0;
}

DatasetForm form_of(Id file, const std::string& name) {
  const Quiet quiet;
  const Handle dataset = open_dataset(file, name);
  return {shape_of_dataset(dataset.get()), stored_in(dataset.get())};
}

void check_held(Id file, const std::string& name) {
  const Quiet quiet;
  check_dataset_held(open_dataset(file, name).get(), name);
}

Shape shape_of(Id file, const std::string& name) {
  return form_of(file, name).shape;
}

bool stored_as_single(Id file, const std::string& name) {
  return form_of(file, name).stored == Stored::float32;
}

template <class T>
std::vector<T> read_dataset(Id file, const std::string& name, std::size_t rank) {
  const Quiet quiet;
  const Handle dataset = open_dataset(file, name);
  const Shape shape = shape_of_dataset(dataset.get());
  if (shape.size() != rank) throw IoError("its dataset " + name + " has a wrong shape");
  if (stored_in(dataset.get()) != stored_for<T>) throw IoError("its dataset " + name + " has a wrong type");
  check_dataset_held(dataset.get(), name);
  std::vector<T> values(product(shape));
  if (values.empty()) return values;
  check_read(H5Dread(dataset.get(), memory_type<T>(), H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()),
             "its dataset " + name + " is unreadable");
  return values;
}

template std::vector<double> read_dataset<double>(Id, const std::string&, std::size_t);
template std::vector<std::int32_t> read_dataset<std::int32_t>(Id, const std::string&, std::size_t);
template std::vector<std::int64_t> read_dataset<std::int64_t>(Id, const std::string&, std::size_t);

std::vector<double> read_rows(Id file, const std::string& name, std::uint64_t first, std::uint64_t count) {
  const Quiet quiet;
  const Handle dataset = open_dataset(file, name);
  const Shape whole = shape_of_dataset(dataset.get());
  if (whole.empty() || whole[0] < first || whole[0] - first < count)
    throw IoError("its dataset " + name + " has too few rows");
  if (!stored_in(dataset.get())) throw IoError("its dataset " + name + " has a wrong type");
  if (count == 0) return {};
  check_dataset_held(dataset.get(), name);
  const std::size_t width = product(whole) / whole[0];
  std::vector<double> values(count * width, std::bit_cast<double>(untouched));
  const std::string fault = "rows of its dataset " + name + " are unreadable";
  const std::uint64_t piece = std::min(rows_at_once(dataset.get()), count);
  for (std::uint64_t done = 0; done < count; done += piece) {
    const auto [space, shape] = select_rows(dataset.get(), first + done, std::min(piece, count - done));
    const Handle memory = space_of(shape);
    check_read(H5Dread(dataset.get(), memory_type<double>(), memory.get(), space.get(), H5P_DEFAULT,
                       values.data() + done * width),
               fault);
  }
  if (std::any_of(values.begin(), values.end(),
                  [](double value) { return std::bit_cast<std::uint64_t>(value) == untouched; }))
    throw IoError(fault);
  return values;
}

RowReader::RowReader(Id file, const std::string& name) : name_(name) {
  const Quiet quiet;
  dataset_ = open_dataset(file, name);
  const auto stored = stored_in(dataset_.get());
  if (stored != Stored::float64 && stored != Stored::float32)
    throw IoError("its dataset " + name + " has a wrong type");
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
  const auto [space, shape] = select_row(dataset_.get(), row);
  require(product(shape) == out.size(), "a frame does not have the requested size");
  const Handle memory = space_of(shape);
  check_read(H5Dread(dataset_.get(), memory_type<T>(), memory.get(), space.get(), H5P_DEFAULT, out.data()),
             "frame " + std::to_string(row) + " of its dataset " + name_ + " is unreadable");
}

std::vector<std::string> read_texts(Id file, const std::string& name) {
  const Quiet quiet;
  const Handle dataset = open_dataset(file, name);
  const Shape shape = shape_of_dataset(dataset.get());
  const Handle stored(H5Dget_type(dataset.get()));
  if (shape.size() != 1 || !is_text(stored.get()))
    throw IoError("its dataset " + name + " is no list of texts");
  check_dataset_held(dataset.get(), name);
  const Handle type = text_type();
  const Handle space(H5Dget_space(dataset.get()));
  std::vector<char*> pointers(shape[0]);
  if (pointers.empty()) return {};
  check_read(H5Dread(dataset.get(), type.get(), H5S_ALL, H5S_ALL, H5P_DEFAULT, pointers.data()),
             "its dataset " + name + " is unreadable");
  std::vector<std::string> texts;
  for (const char* pointer : pointers) texts.emplace_back(pointer == nullptr ? "" : pointer);
  H5Dvlen_reclaim(type.get(), space.get(), H5P_DEFAULT, pointers.data());
  return texts;
}

std::vector<std::string> names_in(Id file, const std::string& path) {
  const Quiet quiet;
  const Handle group(H5Gopen2(file, path.c_str(), H5P_DEFAULT));
  check_read(group.get(), "it has no group " + path);
  H5G_info_t info;
  check_read(H5Gget_info(group.get(), &info), "its group " + path + " is unreadable");
  std::vector<std::string> names;
  for (hsize_t k = 0; k < info.nlinks; ++k) {
    const auto one = [&](char* text, std::size_t size) {
      return H5Lget_name_by_idx(group.get(), ".", H5_INDEX_NAME, H5_ITER_INC, k, text, size, H5P_DEFAULT);
    };
    const auto length = one(nullptr, 0);
    check_read(length, "its group " + path + " is unreadable");
    std::string name(static_cast<std::size_t>(length), '\0');
    one(name.data(), name.size() + 1);
    names.push_back(std::move(name));
  }
  return names;
}

std::string read_text_attribute(Id object, const std::string& name) {
  const Quiet quiet;
  const Handle attribute = open_attribute(object, name);
  const Handle stored(H5Aget_type(attribute.get()));
  if (!is_scalar(attribute.get()) || !is_text(stored.get()))
    throw IoError("its attribute " + name + " is not a text");
  const Handle type(H5Tcopy(H5T_C_S1));
  H5Tset_size(type.get(), H5T_VARIABLE);
  H5Tset_cset(type.get(), H5Tget_cset(stored.get()));
  char* pointer = nullptr;
  check_read(H5Aread(attribute.get(), type.get(), &pointer), "its attribute " + name + " is unreadable");
  std::string text = pointer == nullptr ? "" : pointer;
  H5free_memory(pointer);
  return text;
}

double read_number_attribute(Id object, const std::string& name) {
  return read_scalar<double>(object, name);
}

std::int64_t read_integer_attribute(Id object, const std::string& name) {
  return read_scalar<std::int64_t>(object, name);
}

bool has_attribute(Id object, const std::string& name) {
  const Quiet quiet;
  return H5Aexists(object, name.c_str()) > 0;
}

}  // namespace electret::hdf5
