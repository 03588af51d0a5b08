#pragma once
/// \file
/// The inputs of a scene that a caller may drive by a name, its controls. The tables' files say which there
/// are (tables/table.hpp).

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include <electret/core/types.hpp>
#include <electret/scene/inputs.hpp>
#include <electret/scene/schema.hpp>

namespace electret {

struct Assembly;

/// One control: numbers of the rows `members` of a field of Inputs. They are `rows` × `columns` consecutive
/// numbers of an action, from the index `first`. Either each member has numbers of its own, or all share
/// them.
///
/// \code
///   DrivenInput(track.name + ".activations", "", input::activations, elements).each()
/// \endcode
struct DrivenInput {
  /// One row of numbers that all members share.
  DrivenInput(std::string called, std::string of_unit, const InputField& written,
              std::vector<std::size_t> rows_written)
      : name(std::move(called)),
        unit(std::move(of_unit)),
        field(&written),
        members(std::move(rows_written)),
        columns(written.columns) {}

  /// Each member has a row of its own.
  DrivenInput&& each() && { return is_each = true, rows = members.size(), std::move(*this); }
  /// Only the numbers `begin` … `begin + count - 1` of each row.
  DrivenInput&& part(std::size_t begin, std::size_t count) && {
    return column = begin, columns = count, std::move(*this);
  }
  /// The values are divided evenly among the members.
  DrivenInput&& split() && { return parts = static_cast<double>(members.size()), std::move(*this); }
  /// The values are added to these vectors, one for each member.
  DrivenInput&& from(VectorArray places) && { return origins = std::move(places), std::move(*this); }
  /// The values have the range of a key.
  DrivenInput&& within(const NumberRange& allowed) && { return range = allowed, std::move(*this); }
  /// The values take the place of those of a load.
  DrivenInput&& replacing(std::size_t number) && { return load = number, std::move(*this); }
  /// The same numbers in another shape.
  DrivenInput&& shaped(std::size_t of_rows, std::size_t of_columns) && {
    return rows = of_rows, columns = of_columns, std::move(*this);
  }

  std::string name, unit;
  const InputField* field = nullptr;
  std::vector<std::size_t> members;
  std::size_t column = 0;  ///< The first number of a row that is driven.
  bool is_each = false;    ///< Each member has numbers of its own.
  std::size_t rows = 1, columns = 1;
  double parts = 1.0;               ///< What values are divided by.
  VectorArray origins;              ///< Empty, or what is added to the members' values.
  NumberRange range;                ///< Of each value.
  std::optional<std::size_t> load;  ///< The number of the load whose forces it replaces.
  std::size_t first = 0;

  [[nodiscard]] std::size_t size() const { return rows * columns; }
  /// How many numbers of a row it drives.
  [[nodiscard]] std::size_t width() const {
    return is_each && !members.empty() ? size() / members.size() : size();
  }
};

/// Everything that can be driven, in the order of the tables.
std::vector<DrivenInput> driven_inputs(const Assembly& assembly);

/// The members first … first + count - 1.
std::vector<std::size_t> consecutive(std::size_t first, std::size_t count);

}  // namespace electret
