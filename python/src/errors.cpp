#include "errors.hpp"

#include <exception>

#include <electret/field/gpu/devices.hpp>
#include <electret/record/run.hpp>

#include "text.hpp"

namespace py = pybind11;

namespace electret::python {
namespace {

py::object class_named(const char* name) {
  return py::module_::import("electret._errors").attr(name);
}

void raise(const py::object& error) {
  PyErr_SetObject(reinterpret_cast<PyObject*>(Py_TYPE(error.ptr())), error.ptr());
}

void translate(std::exception_ptr thrown) {
  try {
    if (thrown) std::rethrow_exception(thrown);
  } catch (const InputError& error) {
    raise(class_named("InputError")(findings_list(error.findings())));
  } catch (const DivergenceError& error) {
    raise(class_named("DivergenceError")(shown(error.what()), error.step(), error.vertex(),
                                         shown(error.cause()), shown(error.advice())));
  } catch (const gpu::DeviceError& error) {
    raise(class_named("DeviceError")(shown(error.what())));
  } catch (const IoError& error) {
    const std::string& path = error.path();
    const py::object name = path.empty() ? py::none() : py::cast(FileName{path});
    raise(class_named("IoError")(shown(error.what()), name));
  } catch (const WarningError& error) {
    raise(class_named("ElectretWarning")(shown(error.what())));
  } catch (const InternalError& error) {
    raise(class_named("InternalError")(error.what()));
  }
}

}  // namespace

InputError refused(const Values& values, const DivergenceError& error) {
  std::string names;
  for (const auto& [name, numbers] : values) names += (names.empty() ? "" : ", ") + name;
  return InputError(Finding{{names, 0, 0}, error.cause(), error.advice()});
}

py::list findings_list(const std::vector<Finding>& findings) {
  const py::object make = class_named("Finding");
  py::list list;
  for (const Finding& finding : findings)
    list.append(make(FileName{finding.where.file}, finding.where.line, finding.where.column,
                     shown(finding.message), shown(finding.allowed)));
  return list;
}

void translate_errors() {
  py::register_exception_translator(translate);
}

}  // namespace electret::python
