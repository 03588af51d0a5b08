#pragma once
/// \file
/// Text and names of files between Python and the library, whose texts are UTF-8 and whose names are bytes.

#include <string>
#include <string_view>

#include <pybind11/pybind11.h>

namespace electret::python {

/// A file's name as the system has it. Python holds bytes that are not UTF-8 as lone surrogates
/// (`os.fsdecode`), which pybind11's own conversion of text refuses.
struct FileName {
  std::string bytes;
  bool operator<(const FileName& other) const { return bytes < other.bytes; }
};

/// `bytes` of UTF-8 as Python's text. What is not UTF-8 becomes an escape such as \xe9.
inline pybind11::str shown(std::string_view bytes) {
  PyObject* text =
      PyUnicode_DecodeUTF8(bytes.data(), static_cast<pybind11::ssize_t>(bytes.size()), "backslashreplace");
  if (text == nullptr) throw pybind11::error_already_set();
  return pybind11::reinterpret_steal<pybind11::str>(text);
}

}  // namespace electret::python

/// `str` (or `bytes`, or a path) to FileName, and back to `str`.
template <>
struct pybind11::detail::type_caster<electret::python::FileName> {
  PYBIND11_TYPE_CASTER(electret::python::FileName, const_name("str"));

  bool load(handle source, bool) {
    PyObject* bytes = nullptr;
    if (PyUnicode_FSConverter(source.ptr(), &bytes) == 0) {
      PyErr_Clear();
      return false;
    }
    const auto held = reinterpret_steal<object>(bytes);
    value.bytes.assign(PyBytes_AS_STRING(bytes), static_cast<std::size_t>(PyBytes_GET_SIZE(bytes)));
    return true;
  }
  static handle cast(const electret::python::FileName& file, return_value_policy, handle) {
    return PyUnicode_DecodeFSDefaultAndSize(file.bytes.data(), static_cast<ssize_t>(file.bytes.size()));
  }
};
