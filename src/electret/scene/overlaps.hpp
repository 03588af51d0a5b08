#pragma once
/// \file
/// Parameters that hold the same numbers, as a body's `mass` and `masses` do.

#include <cstddef>
#include <vector>

#include <electret/scene/parameters.hpp>

namespace electret {

/// The places in `list` of the parameters of `assembly` that set a number which one before them sets, too.
/// What such parameters leave behind depends on the order in which they are written, so that the derivatives
/// by each of them do not add up to that of writing all.
///
/// Rest positions set masses that come from a density: beside them, `mass` and `masses` of the body overlap;
/// its density does not, because the two commute.
std::vector<std::size_t> overlapping(const Assembly& assembly, const std::vector<Parameter>& list);

}  // namespace electret
