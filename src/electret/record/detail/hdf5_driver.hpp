#pragma once
/// \file
/// What the file drivers of this program have alike.

struct H5FD_class_t;

namespace electret::hdf5 {

/// Fills in the version of the interface, the driver's name and number, the largest file, and that data and
/// metadata are allocated apart. Each driver has a number of its own from 600 on.
void name_driver(H5FD_class_t& type, const char* name, int number);

}  // namespace electret::hdf5
