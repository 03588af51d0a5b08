#pragma once
/// \file
/// The elements of a VTU file, and where their data are.

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include <electret/geometry/input_text.hpp>

namespace electret::vtu {

/// A <DataArray>: its attributes, its own text, and where that text begins (line and column from 1).
struct DataArray {
  std::map<std::string, std::string> attributes;
  std::string_view text;
  Count text_line = 1, text_column = 1;
  Count line = 1;  ///< Of the element.

  /// An attribute's value, or `otherwise`.
  [[nodiscard]] std::string attribute(const char* name, const char* otherwise = "") const;
};

/// A <Piece>.
struct Piece {
  std::map<std::string, std::string> attributes;
  Count line = 1;
  std::vector<DataArray> points, cells, point_data, cell_data;
};

struct Document {
  std::map<std::string, std::string> file;  ///< Attributes of <VTKFile>.
  std::vector<Piece> pieces;
  std::string_view appended;  ///< After the "_" of <AppendedData>, to the end of the file.
  bool is_appended_base64 = false;
};

/// Parses `bytes`. The document's views point into them, so they must outlive it. Text that is no XML,
/// another kind of file and a document type are added to `findings`, which is then thrown.
Document parse_document(std::string_view bytes, input::Findings& findings);

}  // namespace electret::vtu
