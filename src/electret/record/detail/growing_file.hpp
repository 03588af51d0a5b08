#pragma once
/// \file
/// Opens an HDF5 file that another process writes by `OrderedFile`, for reading.
///
/// HDF5 reads a file's end once, when it opens it, and takes every later address beyond that end for damage.
/// But a writer may add blocks and refer to them between two reads. This file driver asks the system for the
/// file's length each time. What was read once stays in HDF5's memory, so that a reader sees a dataset's
/// index of chunks as it was when it first went through it. Each open file has a memory of its own, even if
/// this process has the same file open elsewhere. There are no locks.

#include <string>

#include <electret/record/detail/hdf5.hpp>

namespace electret::hdf5 {

/// How to open such a file: a list of access properties. Throws IoError if HDF5 does not take the driver.
[[nodiscard]] Handle growing_file_access();

}  // namespace electret::hdf5
