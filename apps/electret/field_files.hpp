#pragma once
/// \file
/// The tables that `electret field` reads and writes: NumPy arrays if the file ends in .npy, else CSV.

#include <string>
#include <vector>

#include <electret/core/errors.hpp>
#include <electret/core/types.hpp>

namespace electret::app {

/// Charges (n, C) at positions (n×3, m). `charges` is empty for points.
struct ChargeTable {
  VectorArray positions;
  std::vector<double> charges;
};

/// A CSV file with the header x,y,z,q, or a .npy array (n, 4); "-" is CSV on standard input. Throws
/// InputError with every finding, also if there are no charges.
ChargeTable read_charges(const std::string& path);

/// A CSV file with the header x,y,z, or a .npy array (n, 3); "-" is CSV on standard input. Throws InputError
/// with every finding.
ChargeTable read_points(const std::string& path);

/// A field (n×3, N/C) with its potential (n, V).
struct FieldTable {
  VectorArray field;
  std::vector<double> potential;
};

/// What `write_field` wrote: a CSV file with the header Ex,Ey,Ez,phi, or a .npy array (n, 4). Throws
/// InputError with every finding.
FieldTable read_field(const std::string& path);

/// Adds a finding if `write_field` could not write to `path`, or if it would overwrite one of `inputs`, under
/// whatever name, or, unless `overwrite`, a file that is neither empty nor a field. This is found out before
/// an hour of sums, not after it. Leaves nothing behind.
void check_output(const std::string& path, const std::vector<std::string>& inputs, bool overwrite,
                  std::vector<Finding>& findings);

/// Writes field (n×3, N/C) and potential (n, V) to `path`, or to stdout if `path` is empty. If `path` ends in
/// .npy, they are written as an array (n, 4), else as CSV with the header Ex,Ey,Ez,phi. A file is never seen
/// half-written or mixed with another program's. Devices and pipes are written to, not replaced. Returns 0,
/// or SIGINT or SIGTERM if that signal came before the file was complete; nothing of the file is then left.
/// Throws InputError if the file cannot be opened, and IoError if writing fails.
int write_field(const std::string& path, VectorView field, ScalarView potential);

}  // namespace electret::app
