/// \file
/// Sweeps: jobs, runs and parts, as `electret sweep` has them. Which process does what is decided in Python.

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <pybind11/stl.h>

#include <electret/core/arguments.hpp>
#include <electret/core/errors.hpp>
#include <electret/scene/read.hpp>
#include <electret/sweep/sweep_append.hpp>
#include <electret/sweep/sweep_limits.hpp>
#include <electret/sweep/sweep_merge.hpp>
#include <electret/sweep/sweep_part.hpp>
#include <electret/sweep/sweep_rows.hpp>
#include <electret/sweep/sweep_state.hpp>

#include "arrays.hpp"
#include "bindings.hpp"
#include "gil.hpp"
#include "guard.hpp"
#include "raised.hpp"
#include "text.hpp"

namespace py = pybind11;

namespace electret::python {
namespace {

using Runs = std::vector<Count>;

py::array_t<std::int64_t> whole_numbers(const Runs& values) {
  return py::array_t<std::int64_t>(static_cast<py::ssize_t>(values.size()), values.data());
}

/// A sweep's folder with what it began with. Meshes stay between the runs that this process does.
class PySweep {
 public:
  explicit PySweep(const FileName& directory) : folder_(directory.bytes) {
    const ReleasedGil release;
    plan_ = folder_.plan();
  }

  [[nodiscard]] const SweepPlan& plan() const { return plan_; }
  [[nodiscard]] const SweepFolder& folder() const { return folder_; }
  [[nodiscard]] const std::shared_ptr<MeshStore>& meshes() const { return meshes_; }

  /// Does those of the runs that no part of this very range of runs has, because an engine may repeat a task;
  /// all of them if they are done `again`. Gives how many it did, how many of these have no result, and their
  /// processor time, s.
  py::tuple work(const Runs& runs, Count first, Count last, bool again) {
    const DefaultFloats floats;
    Raised raised;
    Count done = 0, without_result = 0;
    double cpu = 0.0;
    {
      const ReleasedGil release;
      const Runs own = again ? runs : without_a_row(runs, first, last);
      std::optional<PartWriter> part;
      try {
        for (const Count run : own) {
          if (!part) part.emplace(folder_, plan_, first, last, meshes_);
          const SweepStatus status = part->run(run, raised.stop(), [&raised] { raised.look_for_signals(); });
          without_result += is_result(status) ? 0 : 1;
          ++done;
        }
      } catch (const Cancelled&) {
      }
      if (part) cpu = part->cpu();
    }
    raised.rethrow();
    return py::make_tuple(done, without_result, cpu);
  }

  [[nodiscard]] Runs without_a_row(const Runs& runs, Count first, Count last) const {
    const std::string start =
        folder_.parts() + "/" + std::to_string(first) + "-" + std::to_string(last) + ".";
    std::vector<bool> known(static_cast<std::size_t>(plan_.design.runs()), false);
    const PartReader reader(plan_, PartReader::Keep::times);
    for (const std::string& path : folder_.part_files()) {
      if (!path.starts_with(start)) continue;
      for (const Count run : reader.read(path).runs) known[static_cast<std::size_t>(run)] = true;
    }
    Runs left;
    for (const Count run : runs)
      if (!known.at(static_cast<std::size_t>(run))) left.push_back(run);
    return left;
  }

 private:
  SweepFolder folder_;
  SweepPlan plan_;
  std::shared_ptr<MeshStore> meshes_ = std::make_shared<MeshStore>();
};

py::dict state_of(const PySweep& sweep) {
  SweepState state;
  {
    const ReleasedGil release;
    state = sweep_state(sweep.folder(), sweep.plan());
  }
  py::dict all;
  py::array_t<signed char> statuses(static_cast<py::ssize_t>(state.statuses.size()), state.statuses.data());
  all["statuses"] = statuses;
  all["missing"] = whole_numbers(state.missing);
  Runs attempts;
  for (const Count run : state.missing) attempts.push_back(state.attempts(run));
  all["attempts"] = whole_numbers(attempts);
  all["wall"] = state.wall;
  all["cpu"] = state.cpu;
  all["ended"] = state.ended();
  all["timed"] = state.timed;
  py::list failures;
  for (const SweepRow& row : state.without_result)
    failures.append(py::make_tuple(row.run, name_of(row.status), shown(row.note)));
  all["failures"] = failures;
  return all;
}

void give_up(const PySweep& sweep, const Runs& runs) {
  const ReleasedGil release;
  if (runs.empty()) return;
  PartWriter part(sweep.folder(), sweep.plan(), runs.front(), runs.back());
  for (const Count run : runs)
    part.add(row_without_result(sweep.plan(), run, SweepStatus::lost, "its process died each time"));
}

/// Why the sweep begins no further run; empty if it does.
std::string over(const PySweep& sweep, Count ended, Count without_result, double cpu) {
  const std::string why = failures_text(sweep.plan(), without_result, ended);
  return why.empty() ? spent_text(sweep.plan(), cpu) : why;
}

/// What a merge has to say.
py::tuple merge(const PySweep& sweep) {
  SweepResults results;
  {
    const ReleasedGil release;
    results = merge_sweep(sweep.folder(), sweep.plan());
  }
  py::list faults;
  for (const Finding& finding : results.faults) faults.append(shown(to_string(finding)));
  if (results.sets.size() > 1)
    faults.append(
        py::str("the parts were computed with several instruction sets, whose results differ in the "
                "last digits"));
  return py::make_tuple(results.digest, faults);
}

/// Name, shape, and the place in the column of part files, -1 for the whole of it.
py::list columns_of(const SweepPlan& plan) {
  py::list all;
  for (const ResultColumn& column : plan.columns()) {
    if (column.name == "values" || column.name == "status") continue;
    if (column.name != "quantities") {
      all.append(py::make_tuple(column.name, py::tuple(py::cast(column.shape)), column.name, -1));
      continue;
    }
    for (std::size_t q = 0; q < plan.quantities.size(); ++q)
      all.append(py::make_tuple(plan.quantities[q].name, py::tuple(), column.name, q));
  }
  return all;
}

class PyRows {
 public:
  explicit PyRows(std::shared_ptr<PySweep> sweep) : sweep_(std::move(sweep)) {
    const ReleasedGil release;
    rows_ = std::make_unique<SweepRows>(sweep_->folder(), sweep_->plan());
  }
  [[nodiscard]] Runs runs() const { return rows_->runs(); }
  [[nodiscard]] Array numbers(const std::string& column, const Runs& runs) {
    std::vector<double> found;
    {
      const ReleasedGil release;
      for (const ResultColumn& each : sweep_->plan().columns())
        if (each.name == column) found = rows_->numbers(each, runs);
    }
    return copied(ScalarView(found));
  }

 private:
  std::shared_ptr<PySweep> sweep_;
  std::unique_ptr<SweepRows> rows_;
};

/// A part whose rows come from a function of the caller.
class PyPart {
 public:
  PyPart(std::shared_ptr<PySweep> sweep, Count first, Count last)
      : sweep_(std::move(sweep)), part_(sweep_->folder(), sweep_->plan(), first, last) {}

  void begin(Count run) { part_.begin(run); }
  void take_back(Count run) { part_.take_back(run); }
  void add(Count run, int status, const std::vector<std::vector<double>>& results, double wall, double cpu,
           const std::string& note) {
    const SweepPlan& plan = sweep_->plan();
    SweepRow row = row_without_result(plan, run, static_cast<SweepStatus>(status), note);
    const auto columns = plan.columns();
    column_of(row, columns, "wall") = {wall};
    column_of(row, columns, "cpu") = {cpu};
    std::size_t scalar = 0;
    for (std::size_t k = 0; k < results.size(); ++k) {
      const ResultColumn& column = plan.mapped.at(k);
      require_argument(results[k].size() == column.width(), "a result of another size");
      if (column.shape.empty())
        column_of(row, columns, "quantities").at(scalar++) = results[k][0];
      else
        column_of(row, columns, column.name) = results[k];
    }
    part_.add(row);
  }

 private:
  std::shared_ptr<PySweep> sweep_;
  PartWriter part_;
};

std::vector<py::object> written(const std::vector<std::string>& texts) {
  std::vector<py::object> all;
  for (const std::string& text : texts) all.push_back(shown(text));
  return all;
}

void bind_folder(py::class_<PySweep, std::shared_ptr<PySweep>>& sweep) {
  sweep.def(py::init<const FileName&>())
      .def_property_readonly("runs", [](const PySweep& s) { return s.plan().design.runs(); })
      .def_property_readonly("keys", [](const PySweep& s) { return written(s.plan().design.keys()); })
      .def_property_readonly("attempts", [](const PySweep& s) { return s.plan().job.limits.attempts; })
      .def_property_readonly("wall", [](const PySweep& s) { return duration_of(s.plan().job.limits.wall); })
      .def_property_readonly("wall_text", [](const PySweep& s) { return s.plan().job.limits.wall; })
      .def("over", &over)
      .def_property_readonly("values_fitted",
                             [](const PySweep& s) {
                               return s.plan().fit ? written(s.plan().fit->values)
                                                   : std::vector<py::object>();
                             })
      .def_property_readonly("mapped",
                             [](const PySweep& s) {
                               py::list all;
                               for (const ResultColumn& column : s.plan().mapped)
                                 all.append(py::make_tuple(column.name, py::tuple(py::cast(column.shape))));
                               return all;
                             })
      .def(
          "set_mapped",
          [](const PySweep& s, const std::vector<std::pair<std::string, std::vector<std::uint64_t>>>& given) {
            std::vector<ResultColumn> columns;
            for (const auto& [name, shape] : given) {
              if (!is_result_name(name, s.plan().design.keys()))
                throw InputError(Finding{
                    {name, 0, 0}, "a result cannot be called so", "allowed: " + allowed_result_names()});
              columns.push_back({name, shape});
            }
            s.folder().set_mapped(columns);
          })
      .def("value", [](const PySweep& s, Count run,
                       std::size_t key) { return shown(s.plan().design.value(run, key)); })
      .def("number",
           [](const PySweep& s, Count run, std::size_t key) { return s.plan().design.number(run, key); })
      .def("command",
           [](const PySweep& s, Count run) {
             return written(run_arguments(s.plan(), s.plan().design.overrides(run)));
           })
      .def("scene",
           [](const PySweep& s, Count run) {
             return py::make_tuple(py::bytes(s.plan().scene_text), shown(s.plan().scene_file),
                                   shown(s.plan().scene_folder),
                                   written(s.plan().scene_overrides(s.plan().design.overrides(run))));
           })
      .def("changed_files", [](const PySweep& s) { return written(changed_files(s.plan())); })
      .def("columns", [](const PySweep& s) { return columns_of(s.plan()); })
      .def("state", &state_of)
      .def("work", &PySweep::work)
      .def("without_a_row", &PySweep::without_a_row, py::call_guard<ReleasedGil>())
      .def("give_up", &give_up)
      .def("merge", &merge)
      .def("append", [](const PySweep& s, const std::vector<std::string>& keys,
                        const std::vector<std::vector<std::string>>& rows) {
        const ReleasedGil release;
        return append_runs(s.folder(), keys, rows);
      });
}

}  // namespace

void bind_sweep(py::module_& module) {
  py::class_<PySweep, std::shared_ptr<PySweep>> sweep(module, "Sweep");
  bind_folder(sweep);
  py::class_<PyRows>(module, "SweepRows")
      .def(py::init<std::shared_ptr<PySweep>>())
      .def("runs", [](const PyRows& rows) { return whole_numbers(rows.runs()); })
      .def("numbers", &PyRows::numbers);
  py::class_<PyPart>(module, "SweepPart")
      .def(py::init<std::shared_ptr<PySweep>, Count, Count>())
      .def("begin", &PyPart::begin)
      .def("take_back", &PyPart::take_back)
      .def("add", &PyPart::add);
  module.def("begin_sweep", [](const FileName& job, const FileName& directory, bool overwrite) {
    const ReleasedGil release;
    SweepFolder(directory.bytes).begin(plan_sweep(job.bytes, true), overwrite);
  });
}

}  // namespace electret::python
