/// \file
/// `electret run` from Python: the same files.

#include <memory>
#include <string>
#include <vector>

#include <pybind11/functional.h>
#include <pybind11/stl.h>

#include <electret/dynamics/capped_steps.hpp>
#include <electret/dynamics/system.hpp>
#include <electret/record/run.hpp>
#include <electret/record/run_warnings.hpp>

#include "bindings.hpp"
#include "gil.hpp"
#include "guard.hpp"
#include "raised.hpp"
#include "scene.hpp"
#include "text.hpp"

namespace py = pybind11;

namespace electret::python {
namespace {

struct Asked {
  bool resume = false, overwrite = false;
  int threads = 0;
};

std::string run(const std::shared_ptr<Assembly>& assembly, const FileName& directory, const Asked& asked,
                const py::object& progress, const py::object& notice) {
  const DefaultFloats floats;
  Raised raised;
  RunOptions options;
  options.resume = asked.resume;
  options.overwrite = asked.overwrite;
  options.control.stop = raised.stop();
  options.control.progress = [&](const Progress& now) {
    const bool is_told = !progress.is_none();
    if (!is_told) return raised.look_for_signals();
    const HeldGil gil;
    raised.catching([&] {
      Raised::check_signals();
      progress(now.done, now.total);
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
  if (result.capped_steps > 0)
    raised.even_so([&] { notice(capped_steps_notice(result.capped_steps, result.steps, assembly->scene)); });
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
