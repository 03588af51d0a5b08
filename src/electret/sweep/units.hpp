#pragma once
/// \file
/// Units of what varies in a sweep and of what it keeps, for the axes of pictures.

#include <string>

#include <electret/sweep/quantities.hpp>

namespace electret {

/// "C" for "body.0.charge"; "" for a key without a unit, and for one that is of no table of a scene.
[[nodiscard]] std::string unit_of_key(const std::string& key);
/// The unit of a column of energy.csv or observables.csv, or s for the time of its largest value; "" if there
/// is no such column.
[[nodiscard]] std::string unit_of(const Quantity& quantity);
/// "charge (C)"; the name alone without a unit.
[[nodiscard]] std::string with_unit(const std::string& name, const std::string& unit);

}  // namespace electret
