#pragma once
/// \file
/// What the benchmarks of devices share: a row of their tables, and its solver.

#include <algorithm>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <electret/field/gpu/ddef/solver.hpp>
#include <electret/field/gpu/direct/direct.hpp>
#include <electret/field/gpu/fmm/fmm.hpp>

namespace electret::bench {

/// A solver and its charges.
struct Row {
  std::string solver, cloud;
  Count charges = 0;
  double accuracy = 1e-3;
  double softening = 0.0;  ///< By the size of the cloud, 1 m.
};

inline FieldOptions options_of(const Row& row) {
  FieldOptions options;
  options.solver = row.solver;
  options.accuracy = row.accuracy;
  options.softening = row.softening;
  return options;
}

inline std::unique_ptr<FieldSolver> solver_on(std::unique_ptr<gpu::Device> device, const Row& row,
                                              Threads& threads) {
  const FieldOptions options = options_of(row);
  if (row.solver == "direct") return gpu::make_direct_field_solver(options, threads, std::move(device));
  if (row.solver == "ddef") return gpu::make_device_ddef_field_solver(options, threads, std::move(device));
  return gpu::make_device_fmm_field_solver(options, threads, std::move(device));
}

inline double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

}  // namespace electret::bench
