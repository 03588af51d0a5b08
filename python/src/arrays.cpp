#include "arrays.hpp"

#include <algorithm>
#include <cstdint>
#include <functional>
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
    throw std::invalid_argument(dimensions == 2 ? "an array of shape (n, 3) is required"
                                                : "an array of shape (n,) is required");
  return static_cast<std::size_t>(array.shape(0));
}

/// Exactly numpy's own class: masked arrays and matrices are others.
bool has_form(const py::handle& value, py::ssize_t rows, py::ssize_t columns) {
  const auto& numpy = py::detail::npy_api::get();
  if (reinterpret_cast<PyTypeObject*>(py::type::handle_of(value).ptr()) != numpy.PyArray_Type_) return false;
  const auto* array = py::detail::array_proxy(value.ptr());
  constexpr int wanted =
      py::detail::npy_api::NPY_ARRAY_C_CONTIGUOUS_ | py::detail::npy_api::NPY_ARRAY_ALIGNED_;
  if ((array->flags & wanted) != wanted || array->nd != (columns > 0 ? 2 : 1)) return false;
  if ((rows >= 0 && array->dimensions[0] != rows) || (columns > 0 && array->dimensions[1] != columns))
    return false;
  return numpy.PyArray_EquivTypes_(array->descr, py::dtype::of<double>().ptr());
}

std::size_t size_of(const py::detail::PyArray_Proxy& array) {
  return static_cast<std::size_t>(array.dimensions[0] * (array.nd > 1 ? array.dimensions[1] : 1));
}

}  // namespace

bool is_plain(const py::handle& value, py::ssize_t rows, py::ssize_t columns) {
  if (!has_form(value, rows, columns)) return false;
  const auto* array = py::detail::array_proxy(value.ptr());
  const auto* bits = reinterpret_cast<const std::uint64_t*>(array->data);
  constexpr std::uint64_t exponent = 0x7ff0000000000000U;
  std::uint64_t not_finite = 0;
  for (std::size_t i = 0, count = size_of(*array); i < count; ++i)
    not_finite |= static_cast<std::uint64_t>((bits[i] & exponent) == exponent);
  return not_finite == 0;
}

bool is_output(const py::handle& value, py::ssize_t rows, py::ssize_t columns,
               const std::vector<Array>& others) {
  if (!has_form(value, rows, columns)) return false;
  const auto* array = py::detail::array_proxy(value.ptr());
  if ((array->flags & py::detail::npy_api::NPY_ARRAY_WRITEABLE_) == 0) return false;
  const auto* begin = reinterpret_cast<const double*>(array->data);
  const double* end = begin + size_of(*array);
  return std::all_of(others.begin(), others.end(), [&](const Array& other) {
    return std::less_equal<>()(end, other.data()) || std::less_equal<>()(other.data() + other.size(), begin);
  });
}

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

pybind11::tuple contact_tuple(std::span<const ContactForce> forces) {
  std::vector<Index> vertices, obstacles, states;
  VectorArray normal, tangential;
  for (const ContactForce& c : forces) {
    vertices.push_back(c.vertex);
    obstacles.push_back(c.obstacle);
    states.push_back(static_cast<Index>(c.state));
    normal.push_back(c.normal * c.direction);
    tangential.push_back(c.tangential);
  }
  return pybind11::make_tuple(copied_indices(vertices), copied_indices(obstacles), copied_indices(states),
                              copied(VectorView(normal)), copied(VectorView(tangential)));
}

pybind11::tuple pair_tuple(std::span<const PairForce> forces) {
  std::vector<Index> kinds, slips;
  std::vector<std::array<Index, 4>> vertices;
  std::vector<double> gaps;
  VectorArray normal, tangential;
  for (const PairForce& force : forces) {
    kinds.push_back(static_cast<Index>(force.pair.kind));
    vertices.push_back(force.pair.vertices);
    gaps.push_back(force.gap);
    normal.push_back(force.normal * force.direction);
    tangential.push_back(force.friction);
    slips.push_back(force.slips ? 1 : 0);
  }
  return pybind11::make_tuple(copied_indices(kinds), copied_rows(vertices), copied(ScalarView(gaps)),
                              copied(VectorView(normal)), copied(VectorView(tangential)),
                              copied_indices(slips));
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
