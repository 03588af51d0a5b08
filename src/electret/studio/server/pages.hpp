#pragma once
/// \file
/// The page's files, which the build puts into the program: none is read at run time.

#include <span>
#include <string_view>

namespace electret::studio {

struct EmbeddedPage {
  std::string_view path;  ///< "/app.js".
  std::string_view file;  ///< The name of the file that it was; its ending says the type.
  std::string_view bytes;
};

[[nodiscard]] std::span<const EmbeddedPage> embedded_pages();

/// "text/html; charset=utf-8" for "index.html"; "application/octet-stream" for an ending that is unknown.
[[nodiscard]] std::string_view content_type(std::string_view file);

}  // namespace electret::studio
