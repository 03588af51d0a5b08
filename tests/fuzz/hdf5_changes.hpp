#pragma once
/// \file
/// Changes to a valid HDF5 file that leave it one: what random bytes would hardly ever lead to.

#include <string>
#include <vector>

#include "fuzz/input_bytes.hpp"

namespace electret::test {

/// What a file holds.
struct Hdf5Contents {
  std::vector<std::string> links;       ///< Paths of its datasets and groups.
  std::vector<std::string> attributes;  ///< Names of the root's attributes.
};

/// Also turns HDF5's messages off.
Hdf5Contents hdf5_contents(const std::string& path);

/// Changes the file as the input says, at most `most` times: a dataset or an attribute gets another type,
/// shape or values, is replaced by a link or a group, or goes. A change that HDF5 refuses is left out.
void change_hdf5(const std::string& path, const Hdf5Contents& contents, InputBytes& input, int most = 8);

/// Aborts unless every identifier of HDF5 was closed.
void check_hdf5_is_closed();

}  // namespace electret::test
