#include "node.hpp"

#include <cstdint>
#include <limits>
#include <stdexcept>

#include <pybind11/numpy.h>

#include <electret/core/errors.hpp>
#include <electret/scene/toml_text.hpp>

namespace py = pybind11;

namespace electret::python {
namespace {

constexpr int deepest = 16;
constexpr std::uint64_t largest_whole = std::numeric_limits<Count>::max();

Node whole_node(Count value) {
  Node node;
  node.kind = Node::Kind::whole, node.whole = value, node.number = static_cast<double>(value);
  return node;
}

py::value_error beyond_range(const std::string& key, const std::string& what) {
  return py::value_error(key + " must be " + what + " from -2^63 to 2^63 - 1");
}

Node whole_number(const py::handle& value, const std::string& key) {
  int overflow = 0;
  const long long number = PyLong_AsLongLongAndOverflow(value.ptr(), &overflow);
  if (overflow != 0) throw beyond_range(key, "a whole number");
  if (number == -1 && PyErr_Occurred() != nullptr) throw py::error_already_set();
  return whole_node(number);
}

/// Of one or two dimensions of numbers; `at` walks through the values.
template <class T, class MakeNode>
Node list_of(const py::array& array, MakeNode&& make) {
  const py::array_t<T, py::array::c_style | py::array::forcecast> plain(array);
  Node node;
  node.kind = Node::Kind::array;
  const T* at = plain.data();
  if (plain.ndim() == 1) {
    for (py::ssize_t i = 0; i < plain.shape(0); ++i) node.items.push_back(make(*at++));
    return node;
  }
  for (py::ssize_t i = 0; i < plain.shape(0); ++i) {
    Node row;
    row.kind = Node::Kind::array;
    for (py::ssize_t j = 0; j < plain.shape(1); ++j) row.items.push_back(make(*at++));
    node.items.push_back(std::move(row));
  }
  return node;
}

Node array_node(const py::array& array, const std::string& key) {
  const char kind = array.dtype().kind();
  if (array.ndim() == 0) return node_of(array.attr("item")(), key);
  if (array.ndim() > 2) throw py::value_error(key + " must be an array of at most 2 dimensions");
  if (kind == 'u' && array.size() > 0 && array.attr("max")().cast<std::uint64_t>() > largest_whole)
    throw beyond_range(key, "whole numbers");
  if (kind == 'i' || kind == 'u') return list_of<Count>(array, whole_node);
  if (kind == 'f') return list_of<double>(array, number_node);
  throw py::type_error(key + " must be an array of real numbers, not of dtype " +
                       std::string(py::str(array.dtype())));
}

std::string inside(const std::string& key, const std::string& part) {
  return key.empty() ? part : key + "." + part;
}

/// Of a `str`. Throws InputError for a lone surrogate.
std::string text_of(const py::handle& value, const std::string& key) {
  py::ssize_t size = 0;
  const char* bytes = PyUnicode_AsUTF8AndSize(value.ptr(), &size);
  if (bytes != nullptr) return {bytes, static_cast<std::size_t>(size)};
  PyErr_Clear();
  const py::str escaped = py::module_::import("builtins").attr("ascii")(value);
  throw InputError(Finding{{key, 0, 0},
                           std::string(escaped) + " is no Unicode text",
                           "a lone surrogate has no place in a scene, not even in a file's name"});
}

Node node_at(const py::handle& value, const std::string& key, int depth) {
  if (depth > deepest) throw py::value_error(key + ": tables are nested too deeply");
  Node node;
  if (py::isinstance<py::dict>(value)) {
    for (const auto& [name, member] : py::reinterpret_borrow<py::dict>(value)) {
      if (!py::isinstance<py::str>(name))
        throw py::type_error(inside(key, std::string(py::str(name))) + ": keys must be text");
      const std::string part = text_of(name, key.empty() ? "a key" : key);
      node.members.push_back({part, {}, node_at(member, inside(key, part), depth + 1)});
    }
    return node;
  }
  if (py::isinstance<py::str>(value)) return text_node(text_of(value, key));
  if (py::isinstance<py::bool_>(value)) {
    node.kind = Node::Kind::boolean, node.boolean = value.cast<bool>();
    return node;
  }
  if (py::isinstance<py::float_>(value)) return number_node(value.cast<double>());
  if (py::isinstance<py::int_>(value)) return whole_number(value, key);
  if (py::isinstance<py::array>(value)) return array_node(py::reinterpret_borrow<py::array>(value), key);
  if (py::hasattr(value, "dtype") && py::hasattr(value, "item")) {
    const py::object item = value.attr("item")();
    if (!item.get_type().is(value.get_type())) return node_at(item, key, depth + 1);
    // Python has no number for numpy's longest, which stay what they are.
    if (py::str("f").equal(py::getattr(value.attr("dtype"), "kind", py::none())))
      return number_node(py::float_(py::reinterpret_borrow<py::object>(value)));
  }
  if (py::isinstance<py::list>(value) || py::isinstance<py::tuple>(value)) {
    node.kind = Node::Kind::array;
    std::size_t i = 0;
    for (const auto& item : value)
      node.items.push_back(node_at(item, inside(key, std::to_string(i++)), depth + 1));
    return node;
  }
  throw py::type_error(
      key + ": a value of type " + std::string(py::str(py::type::of(value).attr("__name__"))) +
      " cannot stand in a scene; allowed: numbers, text, true and false, lists, arrays, dicts");
}

}  // namespace

Node node_of(const py::handle& value, const std::string& key) {
  return node_at(value, key, 0);
}

py::object value_of(const Node& node) {
  switch (node.kind) {
    case Node::Kind::table: {
      py::dict table;
      for (const Node::Member& member : node.members) table[py::str(member.key)] = value_of(member.node);
      return table;
    }
    case Node::Kind::array: {
      py::list list;
      for (const Node& item : node.items) list.append(value_of(item));
      return list;
    }
    case Node::Kind::text:
      return py::str(node.text);
    case Node::Kind::whole:
      return py::int_(node.whole);
    case Node::Kind::number:
      return py::float_(node.number);
    case Node::Kind::boolean:
      return py::bool_(node.boolean);
    case Node::Kind::date:
      break;
  }
  throw py::value_error("a date or time has no place in a scene");
}

}  // namespace electret::python
