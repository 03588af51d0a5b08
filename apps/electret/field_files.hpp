#pragma once
/// \file
/// The tables `electret field` reads and writes: CSV, or NumPy's .npy by the file's ending.

#include <string>
#include <vector>

#include <electret/core/errors.hpp>
#include <electret/core/types.hpp>

namespace electret::app {

/// Charges (n, C) at positions (n×3, m); points have no charges.
struct ChargeTable {
  VectorArray positions;
  std::vector<double> charges;
};

/// A CSV file with the header x,y,z,q, or a .npy array (n, 4); "-" is CSV on standard input. Throws
/// InputError with every finding.
ChargeTable read_charges(const std::string& path);

/// A CSV file with the header x,y,z, or a .npy array (n, 3); "-" is CSV on standard input. Throws InputError
/// with every finding.
ChargeTable read_points(const std::string& path);

/// Adds a finding where `write_field` could not write to `path`, or where it would write over one of
/// `inputs`, under whatever name: known before an hour of sums, not after it. Leaves nothing behind.
void check_output(const std::string& path, const std::vector<std::string>& inputs,
                  std::vector<Finding>& findings);

/// Writes field (n×3, N/C) and potential (n, V) to `path`: an array (n, 4) where it ends in .npy, otherwise
/// CSV with the header Ex,Ey,Ez,phi; to stdout where it is empty. A file is never seen half-written, nor
/// mixed with another program's; devices and pipes stay what they are. Returns 0, or SIGINT or SIGTERM where
/// that came before the file was whole: then nothing of it is left. Throws InputError where the file cannot
/// be opened, IoError where writing fails.
int write_field(const std::string& path, VectorView field, ScalarView potential);

}  // namespace electret::app
