#include "fuzz/hdf5_changes.hpp"

#include <array>
#include <cstdlib>
#include <limits>
#include <utility>

#include <hdf5.h>

#include <electret/record/detail/hdf5.hpp>

namespace electret::test {
namespace {

using hdf5::Handle;

constexpr std::array<std::int64_t, 12> whole_numbers{0,
                                                     1,
                                                     -1,
                                                     2,
                                                     3,
                                                     7,
                                                     8,
                                                     1000,
                                                     std::numeric_limits<std::int32_t>::min(),
                                                     std::numeric_limits<std::int32_t>::max(),
                                                     std::numeric_limits<std::int64_t>::min(),
                                                     std::numeric_limits<std::int64_t>::max()};
constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr std::array<double, 12> real_numbers{
    0.0,  -0.0,  1.0,    -1.0,     0.5,       1e-300,
    1e30, 1e154, -1e300, infinity, -infinity, std::numeric_limits<double>::quiet_NaN()};
constexpr std::array<hsize_t, 16> lengths{0,  1,  2,  3,        4,        5,          7,          8,
                                          28, 29, 84, 1U << 20, 1U << 31, 1ULL << 33, 1ULL << 40, 1ULL << 62};

Handle of_length(hid_t type, std::size_t length) {
  Handle made(H5Tcopy(type));
  H5Tset_size(made.get(), length);
  return made;
}

Handle compound() {
  Handle made(H5Tcreate(H5T_COMPOUND, 12));
  H5Tinsert(made.get(), "a", 0, H5T_STD_I32LE);
  H5Tinsert(made.get(), "b", 4, H5T_IEEE_F64LE);
  return made;
}

Handle enumeration() {
  Handle made(H5Tenum_create(H5T_STD_I32LE));
  const std::int32_t one = 1;
  H5Tenum_insert(made.get(), "one", &one);
  return made;
}

/// A number with its parts at places where no processor has them.
Handle odd_float(InputBytes& input) {
  Handle made(H5Tcopy(H5T_IEEE_F64LE));
  if (input.byte() % 2 == 0) H5Tset_ebias(made.get(), input.word());
  if (input.byte() % 2 == 0) H5Tset_fields(made.get(), 63, 40, 10, 0, 40);
  if (input.byte() % 2 == 0) H5Tset_offset(made.get(), 1);
  return made;
}

Handle some_type(InputBytes& input) {
  const hsize_t three = 3;
  switch (input.below(20)) {
    case 0:
      return Handle(H5Tcopy(H5T_IEEE_F32LE));
    case 1:
      return Handle(H5Tcopy(H5T_STD_I32LE));
    case 2:
      return Handle(H5Tcopy(H5T_STD_I64LE));
    case 3:
      return Handle(H5Tcopy(H5T_IEEE_F64BE));
    case 4:
      return Handle(H5Tcopy(H5T_STD_I32BE));
    case 5:
      return Handle(H5Tcopy(H5T_STD_U8LE));
    case 6:
      return Handle(H5Tcopy(H5T_STD_U64LE));
    case 7:
      return Handle(H5Tcopy(H5T_STD_B32LE));
    case 8:
      return hdf5::Handle(of_length(H5T_C_S1, H5T_VARIABLE));
    case 9:
      return of_length(H5T_C_S1, 5);
    case 10:
      return compound();
    case 11:
      return Handle(H5Tarray_create2(H5T_IEEE_F64LE, 1, &three));
    case 12:
      return enumeration();
    case 13:
      return Handle(H5Tcreate(H5T_OPAQUE, 7));
    case 14:
      return Handle(H5Tcopy(H5T_STD_REF_OBJ));
    case 15:
      return Handle(H5Tvlen_create(H5T_STD_I32LE));
    case 16:
      return odd_float(input);
    default:
      return Handle(H5Tcopy(H5T_IEEE_F64LE));
  }
}

Handle some_space(InputBytes& input) {
  const std::size_t rank = input.below(6);
  if (rank == 0) return Handle(H5Screate(H5S_SCALAR));
  if (rank == 5) return Handle(H5Screate(H5S_NULL));
  std::array<hsize_t, 4> dims{};
  for (std::size_t k = 0; k < rank; ++k) dims[k] = lengths[input.below(lengths.size())];
  return Handle(H5Screate_simple(static_cast<int>(rank), dims.data(), nullptr));
}

Handle some_storage(InputBytes& input, hid_t space) {
  Handle made(H5Pcreate(H5P_DATASET_CREATE));
  const std::uint8_t how = input.byte();
  const int rank = H5Sget_simple_extent_ndims(space);
  if (how % 4 == 0 || rank < 1) return made;
  const std::array<hsize_t, 4> chunk{how % 8 < 4 ? 1U : 3U, 2, 1, 1};
  H5Pset_chunk(made.get(), rank, chunk.data());
  if (how % 4 == 2) H5Pset_deflate(made.get(), 1);
  if (how % 4 == 3) H5Pset_fletcher32(made.get());
  return made;
}

/// Bytes for `count` entries of that type, or none if the type holds pointers or they are too many.
std::vector<char> some_values(InputBytes& input, hid_t type, std::size_t count) {
  constexpr std::size_t most = 1U << 16;
  const std::size_t size = H5Tget_size(type);
  const H5T_class_t kind = H5Tget_class(type);
  if (kind == H5T_REFERENCE || kind == H5T_VLEN || H5Tis_variable_str(type) > 0 || count > most / size)
    return {};
  std::vector<char> values(count * size);
  const std::uint8_t how = input.byte();
  if (how % 3 == 0) return values;
  for (std::size_t k = 0; k < values.size(); ++k)
    values[k] =
        how % 3 == 1 ? (k % size == 0 ? static_cast<char>(k / size) : '\0') : static_cast<char>(input.byte());
  return values;
}

std::size_t entries(hid_t space) {
  const auto count = H5Sget_simple_extent_npoints(space);
  return count < 0 ? 0 : static_cast<std::size_t>(count);
}

/// Writes a text into all entries of a dataset or an attribute, which are few.
template <class Write>
void write_texts(const std::string& text, std::size_t count, Write&& write) {
  if (count == 0 || count > 100) return;
  const std::vector<const char*> pointers(count, text.c_str());
  write(pointers.data());
}

void new_dataset(hid_t file, const std::string& name, InputBytes& input) {
  const Handle type = some_type(input), space = some_space(input), storage = some_storage(input, space.get());
  const Handle made(
      H5Dcreate2(file, name.c_str(), type.get(), space.get(), H5P_DEFAULT, storage.get(), H5P_DEFAULT));
  if (!made.open()) return;
  if (H5Tis_variable_str(type.get()) > 0)
    return write_texts(input.text(), entries(space.get()), [&](const void* values) {
      H5Dwrite(made.get(), type.get(), H5S_ALL, H5S_ALL, H5P_DEFAULT, values);
    });
  const auto values = some_values(input, type.get(), entries(space.get()));
  if (!values.empty()) H5Dwrite(made.get(), type.get(), H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data());
}

void new_attribute(hid_t file, const std::string& name, InputBytes& input) {
  const Handle type = some_type(input), space = some_space(input);
  const Handle made(H5Acreate2(file, name.c_str(), type.get(), space.get(), H5P_DEFAULT, H5P_DEFAULT));
  if (!made.open()) return;
  if (H5Tis_variable_str(type.get()) > 0)
    return write_texts(input.text(), entries(space.get()),
                       [&](const void* values) { H5Awrite(made.get(), type.get(), values); });
  const auto values = some_values(input, type.get(), entries(space.get()));
  if (!values.empty()) H5Awrite(made.get(), type.get(), values.data());
}

/// Of the right type and shape, with another value.
void other_value(hid_t file, const std::string& name, InputBytes& input) {
  const Handle attribute(H5Aopen(file, name.c_str(), H5P_DEFAULT)), type(H5Aget_type(attribute.get()));
  const H5T_class_t kind = H5Tget_class(type.get());
  if (kind == H5T_FLOAT) {
    const auto value = input.number<double>(real_numbers);
    H5Awrite(attribute.get(), H5T_NATIVE_DOUBLE, &value);
  } else if (kind == H5T_INTEGER) {
    const auto value = input.number<std::int64_t>(whole_numbers);
    H5Awrite(attribute.get(), H5T_NATIVE_INT64, &value);
  } else {
    write_texts(input.text(), 1, [&](const void* values) { H5Awrite(attribute.get(), type.get(), values); });
  }
}

void other_entry(hid_t file, const std::string& name, InputBytes& input) {
  const Handle dataset(H5Dopen2(file, name.c_str(), H5P_DEFAULT));
  if (!dataset.open()) return;
  const Handle type(H5Dget_type(dataset.get())), space(H5Dget_space(dataset.get()));
  const int rank = H5Sget_simple_extent_ndims(space.get());
  std::array<hsize_t, 4> dims{}, place{};
  if (rank < 1 || rank > 4 || entries(space.get()) == 0) return;
  H5Sget_simple_extent_dims(space.get(), dims.data(), nullptr);
  for (std::size_t k = 0; k < static_cast<std::size_t>(rank); ++k) place[k] = input.byte() % dims[k];
  H5Sselect_elements(space.get(), H5S_SELECT_SET, 1, place.data());
  const hsize_t one = 1;
  const Handle memory(H5Screate_simple(1, &one, nullptr));
  if (H5Tget_class(type.get()) == H5T_FLOAT) {
    const auto value = input.number<double>(real_numbers);
    H5Dwrite(dataset.get(), H5T_NATIVE_DOUBLE, memory.get(), space.get(), H5P_DEFAULT, &value);
  } else if (H5Tget_class(type.get()) == H5T_INTEGER) {
    const auto value = input.number<std::int64_t>(whole_numbers);
    H5Dwrite(dataset.get(), H5T_NATIVE_INT64, memory.get(), space.get(), H5P_DEFAULT, &value);
  } else if (H5Tis_variable_str(type.get()) > 0) {
    write_texts(input.text(), 1, [&](const void* values) {
      H5Dwrite(dataset.get(), type.get(), memory.get(), space.get(), H5P_DEFAULT, values);
    });
  }
}

/// The same values in rows of another number or width; entries that are new repeat the old ones.
void other_rows(hid_t file, const std::string& name, InputBytes& input) {
  const Handle dataset(H5Dopen2(file, name.c_str(), H5P_DEFAULT));
  if (!dataset.open()) return;
  const Handle type(H5Dget_type(dataset.get())), space(H5Dget_space(dataset.get()));
  const int rank = H5Sget_simple_extent_ndims(space.get());
  const H5T_class_t kind = H5Tget_class(type.get());
  if (rank < 1 || rank > 4 || (kind != H5T_INTEGER && kind != H5T_FLOAT)) return;
  const std::size_t size = H5Tget_size(type.get()), before = entries(space.get());
  if (before == 0 || before > 10000) return;
  std::vector<char> values(size * before);
  H5Dread(dataset.get(), type.get(), H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data());
  std::array<hsize_t, 4> dims{};
  H5Sget_simple_extent_dims(space.get(), dims.data(), nullptr);
  dims[input.below(static_cast<std::size_t>(rank))] = input.byte() % 64;
  const Handle changed(H5Screate_simple(rank, dims.data(), nullptr));
  H5Ldelete(file, name.c_str(), H5P_DEFAULT);
  const Handle made(
      H5Dcreate2(file, name.c_str(), type.get(), changed.get(), H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
  std::vector<char> longer(size * entries(changed.get()));
  for (std::size_t k = 0; k < longer.size(); ++k) longer[k] = values[k % values.size()];
  if (!longer.empty()) H5Dwrite(made.get(), type.get(), H5S_ALL, H5S_ALL, H5P_DEFAULT, longer.data());
}

void put_link(hid_t file, const std::string& name, const std::string& other, InputBytes& input) {
  switch (input.below(4)) {
    case 0:
      H5Lcreate_hard(file, other.c_str(), file, name.c_str(), H5P_DEFAULT, H5P_DEFAULT);
      break;
    case 1:
      H5Lcreate_soft(other.c_str(), file, name.c_str(), H5P_DEFAULT, H5P_DEFAULT);
      break;
    case 2:
      H5Lcreate_external("none.h5", other.c_str(), file, name.c_str(), H5P_DEFAULT, H5P_DEFAULT);
      break;
    default:
      H5Lcreate_hard(file, "/", file, name.c_str(), H5P_DEFAULT, H5P_DEFAULT);
      break;
  }
}

void change_once(hid_t file, const Hdf5Contents& contents, InputBytes& input) {
  const std::uint8_t how = input.byte();
  const std::string name = contents.links[input.below(contents.links.size())];
  const std::string attribute = contents.attributes[input.below(contents.attributes.size())];
  const auto remove = [&] { H5Ldelete(file, name.c_str(), H5P_DEFAULT); };
  switch (how % 12) {
    case 0:
    case 1:
    case 2:
      other_entry(file, name, input);
      break;
    case 3:
      other_rows(file, name, input);
      break;
    case 4:
    case 5:
      remove(), new_dataset(file, name, input);
      break;
    case 6:
      remove();
      break;
    case 7:
      remove(), Handle(H5Gcreate2(file, name.c_str(), H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
      break;
    case 8: {
      const std::string other = contents.links[input.below(contents.links.size())];
      remove(), put_link(file, name, other, input);
      break;
    }
    case 9:
      H5Adelete(file, attribute.c_str()), new_attribute(file, attribute, input);
      break;
    case 10:
      H5Adelete(file, attribute.c_str());
      break;
    default:
      other_value(file, attribute, input);
      break;
  }
}

herr_t add_link(hid_t, const char* name, const H5L_info_t*, void* names) {
  static_cast<std::vector<std::string>*>(names)->emplace_back(name);
  return 0;
}

herr_t add_attribute(hid_t, const char* name, const H5A_info_t*, void* names) {
  static_cast<std::vector<std::string>*>(names)->emplace_back(name);
  return 0;
}

}  // namespace

Hdf5Contents hdf5_contents(const std::string& path) {
  H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
  Hdf5Contents contents;
  const Handle file(H5Fopen(path.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT));
  H5Lvisit(file.get(), H5_INDEX_NAME, H5_ITER_INC, add_link, &contents.links);
  H5Aiterate2(file.get(), H5_INDEX_NAME, H5_ITER_INC, nullptr, add_attribute, &contents.attributes);
  if (contents.links.empty() || contents.attributes.empty()) std::abort();
  return contents;
}

void change_hdf5(const std::string& path, const Hdf5Contents& contents, InputBytes& input, int most) {
  const Handle file(H5Fopen(path.c_str(), H5F_ACC_RDWR, H5P_DEFAULT));
  for (int k = 0; k < most && !input.empty(); ++k) change_once(file.get(), contents, input);
}

void check_hdf5_is_closed() {
  if (H5Fget_obj_count(static_cast<hid_t>(H5F_OBJ_ALL), H5F_OBJ_ALL) != 0) std::abort();
}

}  // namespace electret::test
