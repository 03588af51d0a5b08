/// \file
/// `electret run` from Python: the same files.

#include <exception>
#include <optional>
#include <stop_token>

#include <pybind11/functional.h>
#include <pybind11/stl.h>

#include <electret/dynamics/capped_steps.hpp>
#include <electret/dynamics/system.hpp>
#include <electret/record/run.hpp>
#include <electret/record/run_warnings.hpp>

#include "bindings.hpp"
#include "gil.hpp"
#include "guard.hpp"
#include "scene.hpp"
#include "text.hpp"

namespace py = pybind11;

namespace electret::python {
namespace {

/// What a callback or a signal's handler raised while a run was under way: the run ends in order first.
class Raised {
 public:
  explicit Raised(std::stop_source& stop) : stop_(stop) {}

  /// With the GIL: calls and keeps what it raises.
  template <class Call>
  void catching(Call&& call) {
    if (!error_) even_so(std::forward<Call>(call));
  }
  /// Calls even if something was raised before, which remains what is raised.
  template <class Call>
  void even_so(Call&& call) {
    const CallersFloats floats;
    try {
      call();
    } catch (py::error_already_set& error) {
      if (error_) return;
      error_ = std::make_unique<py::error_already_set>(std::move(error));
      stop_.request_stop();
    }
  }
  void rethrow() {
    if (!error_) return;
    const auto error = std::move(error_);
    throw py::error_already_set(*error);
  }

 private:
  std::stop_source& stop_;
  std::unique_ptr<py::error_already_set> error_;
};

struct Asked {
  bool resume = false, overwrite = false;
  int threads = 0;
};

std::string run(const std::shared_ptr<Assembly>& assembly, const FileName& directory, const Asked& asked,
                const py::object& progress, const py::object& notice) {
  const DefaultFloats floats;
  std::stop_source stop;
  Raised raised(stop);
  SignalLook look;
  RunOptions options;
  options.resume = asked.resume;
  options.overwrite = asked.overwrite;
  options.control.stop = stop.get_token();
  options.control.progress = [&](const Progress& now) {
    const bool is_told = !progress.is_none();
    if (!is_told && !look.is_due()) return;
    const HeldGil gil;
    raised.catching([&] {
      if (PyErr_CheckSignals() != 0) throw py::error_already_set();
      if (is_told) progress(now.done, now.total);
    });
  };
  options.control.notice = [&](std::string_view text) {
    const HeldGil gil;
    raised.even_so([&] { notice(shown(text)); });
  };
  std::unique_ptr<System> system;
  std::vector<Warning> warnings;
  {
    const ReleasedGil release;
    system = compile(*assembly, threads_here(asked.threads));
    warnings = prepare_run(*system, directory.bytes, options);
  }
  for (const Warning& warning : warnings) raised.catching([&] { notice(shown(to_string(warning))); });
  raised.rethrow();  // Where warnings are errors, no run begins.
  RunResult result;
  {
    const ReleasedGil release;
    result = run_to_directory(std::move(system), directory.bytes, options);
  }
  const int most = assembly->scene.integrator.max_iterations;
  if (result.capped_steps > 0)
    raised.even_so([&] { notice(capped_steps_notice(result.capped_steps, result.steps, most)); });
  raised.rethrow();
  return to_string(result.status);
}

}  // namespace

void bind_run(py::module_& module) {
  module.def("run", [](const std::shared_ptr<Assembly>& assembly, const FileName& directory, bool resume,
                       bool overwrite, int threads, const py::object& progress, const py::object& notice) {
    return run(assembly, directory, {resume, overwrite, threads}, progress, notice);
  });
}

}  // namespace electret::python
