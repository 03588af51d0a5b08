#pragma once
/// \file
/// Arrays between Python and the library: float64, C-contiguous, rows of 3 for vectors. Shapes and numbers
/// were checked in Python (electret/_arrays.py); what is checked here again is what memory safety needs.

#include <span>
#include <vector>

#include <pybind11/numpy.h>

#include <electret/contact/body_contacts.hpp>
#include <electret/contact/contact_set.hpp>
#include <electret/core/types.hpp>

namespace electret::python {

using Array = pybind11::array_t<double, pybind11::array::c_style>;
using IndexArray = pybind11::array_t<std::int64_t, pybind11::array::c_style>;

/// Views of an argument's own memory; the argument must outlive them. Throw std::invalid_argument for another
/// shape than (n, 3) and (n,).
VectorView vectors(const Array& array);
ScalarView scalars(const Array& array);
VectorSpan writable_vectors(Array& array);
ScalarSpan writable_scalars(Array& array);

/// A new array that the caller owns, (n, 3), (n,), (n, width); index arrays are int64.
Array copied(VectorView values);
Array copied(ScalarView values);
Array empty_vectors(std::size_t n);
Array empty_scalars(std::size_t n);
IndexArray copied_indices(const std::vector<Index>& values);
template <std::size_t width>
IndexArray copied_rows(const std::vector<std::array<Index, width>>& rows) {
  IndexArray result({static_cast<pybind11::ssize_t>(rows.size()), static_cast<pybind11::ssize_t>(width)});
  std::int64_t* out = result.mutable_data();
  for (const auto& row : rows)
    for (const Index i : row) *out++ = i;
  return result;
}

/// vertices, obstacles, states (k,) and normal and tangential forces (k, 3).
pybind11::tuple contact_tuple(std::span<const ContactForce> forces);
/// kinds (k,), vertices (k, 4), gaps (k,), normal and tangential forces (k, 3), slips (k,).
pybind11::tuple pair_tuple(std::span<const PairForce> forces);

/// Whether `value` needs no conversion and no complaint: a plain numpy array, float64, C-contiguous, aligned,
/// of finite numbers, (rows, columns) or, with columns 0, (rows,); rows -1: any number.
bool is_plain(const pybind11::handle& value, pybind11::ssize_t rows, pybind11::ssize_t columns);
/// Whether `value` may be written to as it is: as above but for its numbers, writable, and apart from
/// `others`.
bool is_output(const pybind11::handle& value, pybind11::ssize_t rows, pybind11::ssize_t columns,
               const std::vector<Array>& others);

/// The state's own memory, handed out as read-only arrays. Before the state changes `release` looks whether
/// an array, or anything made of it, is alive: if so it leaves it the storage. Destroy and use with the GIL
/// held.
class SharedStorage {
 public:
  /// What keeps an array's memory: the state as long as nothing has changed, itself afterwards.
  struct Keeper {
    VectorArray storage;
    SharedStorage* lender = nullptr;
    PyObject* capsule = nullptr;
  };

  SharedStorage() = default;
  ~SharedStorage();
  SharedStorage(const SharedStorage&) = delete;
  SharedStorage& operator=(const SharedStorage&) = delete;

  /// A read-only array on `values`, the state's storage.
  pybind11::array view(VectorView values);
  [[nodiscard]] bool is_lent() const { return keeper_ != nullptr; }
  /// Leaves what is lent the storage that it shows.
  void leave(VectorArray storage);

 private:
  Keeper* keeper_ = nullptr;
};

}  // namespace electret::python
