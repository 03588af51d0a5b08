#include <algorithm>
#include <array>
#include <limits>

#include <electret/geometry/ply.hpp>
#include <electret/geometry/ply_body.hpp>
#include <electret/geometry/ply_header.hpp>
#include <electret/geometry/repeated_elements.hpp>

namespace electret {
namespace {

class PlyReader {
 public:
  PlyReader(std::string_view bytes, const std::string& file_name)
      : cursor_(bytes, {.continuations = false, .comments = false}), findings_(file_name) {}

  Mesh read() {
    if (ply::read_header(cursor_, findings_, header_) && elements_make_sense() &&
        ply::promises_fit(header_, cursor_, findings_)) {
      body_ = ply::open_body(header_.format, cursor_, findings_);
      read_body();
    }
    report_repeated_polygons(mesh_.polygons, polygon_places_, findings_);
    findings_.throw_if_any();
    return std::move(mesh_);
  }

 private:
  void missing(const ply::Element& element, const std::string& message, const std::string& allowed) {
    findings_.add(element.line, 1, "element " + in_quotes(element.name) + " " + message, allowed);
  }

  void need_scalar(const ply::Element& element, std::string_view name, bool whole) {
    const int at = element.find(name);
    if (at < 0) return missing(element, "without property " + in_quotes(name), "it is required");
    const ply::Property& property = element.properties[static_cast<std::size_t>(at)];
    if (property.is_list || (whole && !ply::is_integer(property.type)))
      findings_.add(property.line, 1, "property " + in_quotes(name) + " of this type",
                    whole ? "it is one whole number" : "it is one number, not a list");
  }

  bool elements_make_sense() {
    const ply::Element* vertices = header_.find("vertex");
    if (vertices == nullptr || vertices->count == 0) {
      findings_.add(vertices == nullptr ? 0 : vertices->line, vertices == nullptr ? 0 : 1,
                    "the file has no vertex", "a mesh has at least one");
      return false;
    }
    if (vertices->count > std::numeric_limits<Index>::max())
      findings_.add(vertices->line, 1, "too many vertices", "a mesh has fewer than 2147483648");
    for (const std::string_view axis : {"x", "y", "z"}) need_scalar(*vertices, axis, false);
    vertex_count_ = vertices->count;
    if (const ply::Element* faces = header_.find("face"); faces != nullptr && faces->count > 0) {
      corners_property_ = std::max(faces->find("vertex_indices"), faces->find("vertex_index"));
      if (corners_property_ < 0) {
        missing(*faces, "without list \"vertex_indices\" (or \"vertex_index\")", "it is required");
      } else {
        const ply::Property& corners = faces->properties[static_cast<std::size_t>(corners_property_)];
        if (!corners.is_list || !ply::is_integer(corners.type))
          findings_.add(corners.line, 1, "property " + in_quotes(corners.name) + " of this type",
                        "it is a list of whole numbers");
      }
    }
    if (const ply::Element* joins = header_.find("edge"); joins != nullptr && joins->count > 0)
      for (const std::string_view end : {"vertex1", "vertex2"}) need_scalar(*joins, end, true);
    return findings_.empty();
  }

  void read_body() {
    for (const ply::Element& element : header_.elements) {
      prepare(element);
      for (Count number = 0; number < element.count; ++number) {
        if (!body_->begin(element, number)) return;
        if (read_properties(element)) {
          body_->end();
          keep(element);
        }
        if (body_->lost()) return;
      }
    }
    body_->finish();
  }

  // Finds where each property of `element` goes.
  void prepare(const ply::Element& element) {
    scalars_.assign(element.properties.size(), 0.0);
    columns_.assign(element.properties.size(), nullptr);
    if (element.name != "vertex") return;
    mesh_.vertices.reserve(static_cast<std::size_t>(element.count));
    for (std::size_t p = 0; p < element.properties.size(); ++p) {
      const ply::Property& property = element.properties[p];
      if (property.is_list || property.name == "x" || property.name == "y" || property.name == "z") continue;
      columns_[p] = &mesh_.attributes[property.name];
      columns_[p]->reserve(static_cast<std::size_t>(element.count));
    }
  }

  // Returns false if the element could not be read completely.
  bool read_properties(const ply::Element& element) {
    for (std::size_t p = 0; p < element.properties.size(); ++p) {
      const ply::Property& property = element.properties[p];
      if (property.is_list) {
        const bool wanted = element.name == "face" && static_cast<int>(p) == corners_property_;
        if (!read_list(property, wanted)) return false;
      } else {
        const auto value = body_->value(property.type);
        if (!value) return false;
        scalars_[p] = *value;
      }
    }
    return true;
  }

  bool read_list(const ply::Property& property, bool wanted) {
    const auto length = body_->length(property);
    if (!length) return false;
    if (wanted) corners_.clear();
    bool good = true;
    for (Count k = 0; k < *length; ++k) {
      const auto value = body_->value(property.type);
      if (!value) return false;
      if (wanted) {
        good = in_range(*value) && good;
        corners_.push_back(good ? static_cast<Index>(*value) : 0);
      }
    }
    if (wanted) corners_are_good_ = good;
    return true;
  }

  bool in_range(double index) {
    if (index >= 0.0 && index < static_cast<double>(vertex_count_)) return true;
    body_->fault("vertex index " + std::to_string(static_cast<Count>(index)) + " is out of range",
                 "indices are 0 to " + std::to_string(vertex_count_ - 1));
    return false;
  }

  void keep(const ply::Element& element) {
    if (element.name == "vertex") keep_vertex(element);
    if (element.name == "face") keep_face();
    if (element.name == "edge") keep_edge(element);
  }

  [[nodiscard]] double scalar(const ply::Element& element, std::string_view name) const {
    return scalars_[static_cast<std::size_t>(element.find(name))];
  }

  void keep_vertex(const ply::Element& element) {
    mesh_.vertices.push_back({scalar(element, "x"), scalar(element, "y"), scalar(element, "z")});
    for (std::size_t p = 0; p < columns_.size(); ++p)
      if (columns_[p] != nullptr) columns_[p]->push_back(scalars_[p]);
  }

  void keep_face() {
    if (!corners_are_good_) return;
    if (corners_.size() < 3)
      body_->fault(
          "a face with " + std::to_string(corners_.size()) + (corners_.size() == 1 ? " corner" : " corners"),
          "a face has at least 3");
    sorted_ = corners_;
    std::sort(sorted_.begin(), sorted_.end());
    const auto twin = std::adjacent_find(sorted_.begin(), sorted_.end());
    if (twin != sorted_.end())
      body_->fault("a face with vertex " + std::to_string(*twin) + " twice",
                   "a face's corners are different vertices");
    mesh_.polygons.add(corners_);
    polygon_places_.push_back(body_->place());
  }

  void keep_edge(const ply::Element& element) {
    const double first = scalar(element, "vertex1");
    const double second = scalar(element, "vertex2");
    if (!in_range(first) || !in_range(second)) return;
    if (first == second) body_->fault("an edge from a vertex to itself", "an edge joins two vertices");
    mesh_.lines.push_back({static_cast<Index>(first), static_cast<Index>(second)});
  }

  input::Cursor cursor_;
  input::Findings findings_;
  ply::Header header_;
  std::unique_ptr<ply::Body> body_;
  Mesh mesh_;
  std::vector<PolygonPlace> polygon_places_;
  Count vertex_count_ = 0;
  int corners_property_ = -1;
  std::vector<double> scalars_;                ///< Of the element being read, by property.
  std::vector<std::vector<double>*> columns_;  ///< By property: the attribute it fills, or null.
  std::vector<Index> corners_, sorted_;        ///< Of the face being read.
  bool corners_are_good_ = false;
};

}  // namespace

Mesh parse_ply(std::string_view bytes, const std::string& file_name) {
  return PlyReader(bytes, file_name).read();
}

}  // namespace electret
