#pragma once
/// \file
/// A PLY file's body as a stream of values, whatever its format.

#include <memory>
#include <optional>
#include <string>

#include <electret/geometry/ply_header.hpp>

namespace electret::ply {

/// Reads elements in the header's order, their values in the properties' order.
class Body {
 public:
  virtual ~Body() = default;

  /// Starts element `number` (from 0) of its kind. False, with a finding, if the file has ended.
  virtual bool begin(const Element& element, Count number) = 0;
  /// The next value. None, with a finding, if it is malformed or missing; the rest of this element is then
  /// lost.
  virtual std::optional<double> value(Type type) = 0;
  /// The length of the next list, no more than the body can still hold. None, with a finding, otherwise.
  virtual std::optional<Count> length(const Property& list) = 0;
  /// Ends an element whose values have all been read.
  virtual void end() = 0;
  /// True if the body's place is lost, so that no further element can be read.
  [[nodiscard]] virtual bool lost() const = 0;
  /// Adds a finding about the value read last.
  virtual void fault(std::string message, std::string allowed) = 0;
  /// Looks for anything after the last element.
  virtual void finish() = 0;
};

/// The body that follows the header at `cursor`, which outlives it, as do the findings.
std::unique_ptr<Body> open_body(Format format, input::Cursor& cursor, input::Findings& findings);

/// Whether the rest of the file can hold what the header promises; a finding at the element's header line if
/// not.
bool promises_fit(const Header& header, const input::Cursor& cursor, input::Findings& findings);

}  // namespace electret::ply
