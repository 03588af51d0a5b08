#include <algorithm>
#include <memory>

#include <expat.h>

#include <electret/geometry/vtu_document.hpp>

namespace electret::vtu {
namespace {

// expat 2.9 has wider positions of its own and warns of the old ones.
#if XML_MAJOR_VERSION > 2 || (XML_MAJOR_VERSION == 2 && XML_MINOR_VERSION >= 9)
constexpr auto line_number = XML_GetCurrentLineNumber64;
constexpr auto column_number = XML_GetCurrentColumnNumber64;
constexpr auto byte_index = XML_GetCurrentByteIndex64;
constexpr auto byte_count = XML_GetCurrentByteCount64;
#else
constexpr auto line_number = XML_GetCurrentLineNumber;
constexpr auto column_number = XML_GetCurrentColumnNumber;
constexpr auto byte_index = XML_GetCurrentByteIndex;
constexpr auto byte_count = XML_GetCurrentByteCount;
#endif

/// Whether the text is nothing but white space.
bool is_blank(std::string_view text) {
  return text.find_first_not_of(" \t\r\n") == std::string_view::npos;
}

/// Builds the document from the elements that expat reports.
class Walker {
 public:
  Walker(std::string_view bytes, input::Findings& findings)
      : bytes_(bytes), findings_(findings), parser_(XML_ParserCreate(nullptr), XML_ParserFree) {
    if (!parser_) throw std::bad_alloc();
    XML_SetUserData(parser_.get(), this);
    XML_SetElementHandler(
        parser_.get(),
        [](void* self, const XML_Char* name, const XML_Char** attributes) {
          static_cast<Walker*>(self)->guarded([&](Walker& walker) { walker.begin(name, attributes); });
        },
        [](void* self, const XML_Char*) {
          static_cast<Walker*>(self)->guarded([](Walker& walker) { walker.end(); });
        });
    XML_SetStartDoctypeDeclHandler(
        parser_.get(), [](void* self, const XML_Char*, const XML_Char*, const XML_Char*, int) {
          static_cast<Walker*>(self)->guarded(
              [](Walker& walker) { walker.stop("a document type is declared", "no <!DOCTYPE …>"); });
        });
  }

  Document walk() {
    constexpr std::size_t most_at_once = std::size_t{1} << 28;
    for (std::size_t place = 0; !is_stopped_;) {
      const std::size_t count = std::min(most_at_once, bytes_.size() - place);
      const bool is_last = place + count == bytes_.size();
      const XML_Status status =
          XML_Parse(parser_.get(), bytes_.data() + place, static_cast<int>(count), is_last ? 1 : 0);
      if (error_) std::rethrow_exception(error_);
      if (is_stopped_) break;
      if (status == XML_STATUS_ERROR)
        stop(std::string("no well-formed XML: ") + XML_ErrorString(XML_GetErrorCode(parser_.get())), "");
      place += count;
      if (is_last) break;
    }
    findings_.throw_if_any();
    return std::move(document_);
  }

 private:
  /// No exception may pass through expat.
  template <class Work>
  void guarded(Work&& work) {
    if (is_stopped_) return;
    try {
      work(*this);
    } catch (...) {
      error_ = std::current_exception();
      halt();
    }
  }

  void halt() {
    is_stopped_ = true;
    XML_StopParser(parser_.get(), XML_FALSE);
  }

  void stop(const std::string& message, const std::string& allowed) {
    findings_.add(line(), column(), message, allowed);
    halt();
  }

  [[nodiscard]] Count line() const { return static_cast<Count>(line_number(parser_.get())); }
  [[nodiscard]] Count column() const { return static_cast<Count>(column_number(parser_.get())) + 1; }
  [[nodiscard]] std::size_t place() const { return static_cast<std::size_t>(byte_index(parser_.get())); }
  [[nodiscard]] std::size_t length() const { return static_cast<std::size_t>(byte_count(parser_.get())); }

  void begin(const std::string& name, const XML_Char** given) {
    std::map<std::string, std::string> attributes;
    for (; *given != nullptr; given += 2) attributes[given[0]] = given[1];
    if (path_.empty()) return root(name, std::move(attributes));
    if (array_ != nullptr) close_text();
    const std::string parent = path_.back();  // A copy: the path grows next.
    path_.push_back(name);
    if (name == "Piece" && parent == "UnstructuredGrid")
      document_.pieces.push_back({std::move(attributes), line(), {}, {}, {}, {}});
    else if (name == "DataArray" && !document_.pieces.empty())
      data_array(parent, std::move(attributes));
    else if (name == "AppendedData")
      appended(attributes);
  }

  void root(const std::string& name, std::map<std::string, std::string> attributes) {
    if (name != "VTKFile" || attributes["type"] != "UnstructuredGrid")
      stop(name == "VTKFile" ? "a VTK file of type " + in_quotes(attributes["type"])
                             : "the file is " + in_quotes(name),
           "allowed: <VTKFile type=\"UnstructuredGrid\" …>");
    path_.push_back(name);
    document_.file = std::move(attributes);
  }

  void data_array(const std::string& parent, std::map<std::string, std::string> attributes) {
    Piece& piece = document_.pieces.back();
    std::vector<DataArray>* list = parent == "Points"      ? &piece.points
                                   : parent == "Cells"     ? &piece.cells
                                   : parent == "PointData" ? &piece.point_data
                                   : parent == "CellData"  ? &piece.cell_data
                                                           : nullptr;
    if (list == nullptr) return;
    array_ = &list->emplace_back();
    array_->attributes = std::move(attributes);
    array_->line = line();
    array_depth_ = path_.size();
    open_text();
  }

  /// Text begins after the tag that expat is reporting.
  void open_text() {
    text_begin_ = place() + length();
    text_line_ = line(), text_column_ = column();
    for (const char c : bytes_.substr(place(), length()))
      if (c == '\n')
        ++text_line_, text_column_ = 1;
      else
        ++text_column_;
  }

  /// The array's text is its first text that is not blank. Other elements in it are notes on its range.
  void close_text() {
    const std::size_t end = std::max(place(), text_begin_);
    const std::string_view text = bytes_.substr(text_begin_, end - text_begin_);
    if (path_.size() != array_depth_ || is_blank(text) || !array_->text.empty()) return;
    array_->text = text;
    array_->text_line = text_line_, array_->text_column = text_column_;
  }

  void end() {
    if (array_ != nullptr) {
      close_text();
      if (path_.size() == array_depth_) array_ = nullptr;
    }
    path_.pop_back();
    if (array_ != nullptr && path_.size() == array_depth_) open_text();
  }

  /// The bytes that follow may be no XML, so the parser stops.
  void appended(const std::map<std::string, std::string>& attributes) {
    const auto encoding = attributes.find("encoding");
    if (encoding == attributes.end() || (encoding->second != "raw" && encoding->second != "base64"))
      return stop("<AppendedData> without a known encoding", "allowed: encoding=\"raw\", \"base64\"");
    document_.is_appended_base64 = encoding->second == "base64";
    const std::size_t mark = bytes_.find('_', place() + length());
    if (mark == std::string_view::npos ||
        !is_blank(bytes_.substr(place() + length(), mark - place() - length())))
      return stop("<AppendedData> does not begin with \"_\"", "");
    document_.appended = bytes_.substr(mark + 1);
    halt();
  }

  std::string_view bytes_;
  input::Findings& findings_;
  std::unique_ptr<XML_ParserStruct, decltype(&XML_ParserFree)> parser_;
  Document document_;
  std::vector<std::string> path_;
  DataArray* array_ = nullptr;
  std::size_t array_depth_ = 0, text_begin_ = 0;
  Count text_line_ = 1, text_column_ = 1;
  bool is_stopped_ = false;
  std::exception_ptr error_;
};

}  // namespace

std::string DataArray::attribute(const char* name, const char* otherwise) const {
  const auto found = attributes.find(name);
  return found == attributes.end() ? otherwise : found->second;
}

Document parse_document(std::string_view bytes, input::Findings& findings) {
  return Walker(bytes, findings).walk();
}

}  // namespace electret::vtu
