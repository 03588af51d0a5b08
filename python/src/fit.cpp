/// \file
/// `electret fit` from Python: the same files.

#include <vector>

#include <pybind11/functional.h>

#include <electret/dynamics/capped_steps.hpp>
#include <electret/fit/run_job.hpp>

#include "arrays.hpp"
#include "bindings.hpp"
#include "gil.hpp"
#include "guard.hpp"
#include "raised.hpp"
#include "text.hpp"

namespace py = pybind11;

namespace electret::python {
namespace {

/// Runs the job. However it ends, what is raised meanwhile is raised after the fit has ended in order.
FitJobResult run_job(const PlannedFit& planned, const std::string& directory, FitJobOptions options,
                     const py::object& callback, Raised& raised) {
  options.stop = raised.stop();
  options.steps = [&](const Progress&) { raised.look_for_signals(); };
  options.after = [&](std::string_view, const Progress&) { raised.look_for_signals(); };
  if (!callback.is_none())
    options.observe = [&](const FitEvaluation& e) {
      const HeldGil gil;
      raised.catching([&] {
        callback(e.start, e.evaluation, e.steps, e.loss, e.gradient_norm, copied(ScalarView(e.values)));
      });
    };
  try {
    const ReleasedGil release;
    return run_fit_job(planned, directory, options);
  } catch (const Cancelled&) {
  }
  raised.rethrow();
  throw InternalError("a fit was stopped by nobody");
}

void fit(const FileName& job, const FileName& directory, FitJobOptions options, const py::object& callback,
         const py::object& notice) {
  const DefaultFloats floats;
  Raised raised;
  PlannedFit planned;
  std::vector<Warning> warnings;
  {
    const ReleasedGil release;
    planned = plan_fit_job(job.bytes);
    warnings = fit_warnings(planned, options.threads);
  }
  for (const Warning& warning : warnings) raised.catching([&] { notice(shown(to_string(warning))); });
  raised.rethrow();  // Where warnings are errors, no fit begins.
  const FitJobResult found = run_job(planned, directory.bytes, std::move(options), callback, raised);
  raised.rethrow();
  if (found.ended) return;
  const Scene& scene = planned.plan.assembly.scene;
  for (const std::string& text : {capped_steps_notice(found.capped_steps, found.steps, scene),
                                  convergence_notice(found.result.outcomes[found.result.best])})
    if (!text.empty()) raised.even_so([&] { notice(shown(text)); });
  raised.rethrow();
}

}  // namespace

void bind_fit(py::module_& module) {
  module.def("fit", [](const FileName& job, const FileName& directory, bool resume, bool overwrite,
                       int threads, double memory, const py::object& callback, const py::object& notice) {
    FitJobOptions options;
    options.mode = resume ? FitMode::resume : overwrite ? FitMode::overwrite : FitMode::fresh;
    options.threads = threads_here(threads);
    options.memory = memory;
    fit(job, directory, std::move(options), callback, notice);
  });
}

}  // namespace electret::python
