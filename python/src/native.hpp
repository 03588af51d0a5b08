#pragma once
/// \file
/// Native loops that calls from Python are measured against.

#include <electret/core/stopwatch.hpp>
#include <electret/core/types.hpp>

#include "gil.hpp"

namespace electret::python {

/// Wall time of `count` calls without the GIL, s.
template <class Call>
double seconds_of(Count count, Call&& call) {
  const ReleasedGil release;
  double seconds = 0.0;
  {
    const Stopwatch watch(seconds);
    for (Count k = 0; k < count; ++k) call();
  }
  return seconds;
}

}  // namespace electret::python
