#pragma once
/// \file
/// A PLY file's body as a stream of values, whatever its format.

#include <memory>
#include <optional>
#include <string>

#include <electret/geometry/ply_header.hpp>
#include <electret/geometry/repeated_elements.hpp>

namespace electret::ply {

/// Reads elements in the order of the header, and their values in the order of the properties.
class Body {
 public:
  virtual ~Body() = default;

  /// Starts element `number` (from 0) of its kind. If the file has ended, adds a finding and returns false.
  virtual bool begin(const Element& element, Count number) = 0;
  /// The next value. If it is malformed or missing, adds a finding and returns nothing; the rest of this
  /// element is then lost.
  virtual std::optional<double> value(Type type) = 0;
  /// The length of the next list. If it is malformed or more than the body can still hold, adds a finding and
  /// returns nothing.
  virtual std::optional<Count> length(const Property& list) = 0;
  /// Ends an element after all its values have been read.
  virtual void end() = 0;
  /// Where the element read last begins.
  [[nodiscard]] virtual PolygonPlace place() const = 0;
  /// True if the place in the body is lost, so that no further element can be read.
  [[nodiscard]] virtual bool lost() const = 0;
  /// Adds a finding about the value read last.
  virtual void fault(std::string message, std::string allowed) = 0;
  /// Looks for anything after the last element.
  virtual void finish() = 0;
};

/// The body that follows the header at `cursor`. The cursor and the findings must outlive it.
std::unique_ptr<Body> open_body(Format format, input::Cursor& cursor, input::Findings& findings);

/// Whether the rest of the file can hold what the header promises. If not, adds a finding at the element's
/// line in the header.
bool promises_fit(const Header& header, const input::Cursor& cursor, input::Findings& findings);

}  // namespace electret::ply
