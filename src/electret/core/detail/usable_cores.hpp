#pragma once
/// \file
/// How many cores there are for this process.

namespace electret {

/// The cores that the calling thread may run on (at least 1): on Linux by its affinity, which `taskset` and
/// batch systems set; elsewhere all that the machine has.
int usable_cores();

}  // namespace electret
