#pragma once
/// \file
/// The number of cores that this process may use.

namespace electret {

/// The number of cores that the calling thread may run on (at least 1). On Linux this is the size of its
/// affinity mask, which `taskset` and batch systems set; elsewhere it is the number of cores of the machine.
int usable_cores();

}  // namespace electret
