#include "arrays.hpp"

#include <algorithm>
#include <stdexcept>

namespace py = pybind11;

namespace electret::python {
namespace {

void drop(PyObject* capsule) {
  auto* keeper = static_cast<SharedStorage::Keeper*>(PyCapsule_GetPointer(capsule, nullptr));
  if (keeper->lender != nullptr) keeper->lender->leave({});
  delete keeper;
}

std::size_t rows_of(const Array& array, int dimensions) {
  if (array.ndim() != dimensions || (dimensions == 2 && array.shape(1) != 3))
    throw std::invalid_argument(dimensions == 2 ? "an array (n, 3) is wanted" : "an array (n,) is wanted");
  return static_cast<std::size_t>(array.shape(0));
}

}  // namespace

VectorView vectors(const Array& array) {
  return {reinterpret_cast<const Vec3*>(array.data()), rows_of(array, 2)};
}

ScalarView scalars(const Array& array) {
  return {array.data(), rows_of(array, 1)};
}

VectorSpan writable_vectors(Array& array) {
  return {reinterpret_cast<Vec3*>(array.mutable_data()), rows_of(array, 2)};
}

ScalarSpan writable_scalars(Array& array) {
  return {array.mutable_data(), rows_of(array, 1)};
}

Array empty_vectors(std::size_t n) {
  return Array({static_cast<py::ssize_t>(n), py::ssize_t{3}});
}

Array empty_scalars(std::size_t n) {
  return Array(static_cast<py::ssize_t>(n));
}

Array copied(VectorView values) {
  Array result = empty_vectors(values.size());
  std::copy(values.begin(), values.end(), writable_vectors(result).begin());
  return result;
}

Array copied(ScalarView values) {
  Array result = empty_scalars(values.size());
  std::copy(values.begin(), values.end(), result.mutable_data());
  return result;
}

IndexArray copied_indices(const std::vector<Index>& values) {
  IndexArray result(static_cast<py::ssize_t>(values.size()));
  std::copy(values.begin(), values.end(), result.mutable_data());
  return result;
}

SharedStorage::~SharedStorage() {
  if (keeper_ != nullptr) keeper_->lender = nullptr;
}

py::array SharedStorage::view(VectorView values) {
  py::object base;
  if (keeper_ != nullptr) {
    base = py::reinterpret_borrow<py::object>(keeper_->capsule);
  } else {
    auto keeper = std::make_unique<Keeper>();
    keeper->lender = this;
    keeper->capsule = PyCapsule_New(keeper.get(), nullptr, drop);
    if (keeper->capsule == nullptr) throw py::error_already_set();
    keeper_ = keeper.release();
    base = py::reinterpret_steal<py::object>(keeper_->capsule);
  }
  // A base that is no array and no buffer: numpy refuses to make the array writable.
  py::array result(py::dtype::of<double>(), {static_cast<py::ssize_t>(values.size()), py::ssize_t{3}},
                   reinterpret_cast<const double*>(values.data()), base);
  py::detail::array_proxy(result.ptr())->flags &= ~py::detail::npy_api::NPY_ARRAY_WRITEABLE_;
  return result;
}

void SharedStorage::leave(VectorArray storage) {
  if (keeper_ == nullptr) return;
  keeper_->storage = std::move(storage);
  keeper_->lender = nullptr;
  keeper_ = nullptr;
}

}  // namespace electret::python
