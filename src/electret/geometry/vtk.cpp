#include <algorithm>

#include <electret/geometry/number_flow.hpp>
#include <electret/geometry/vtk.hpp>
#include <electret/geometry/vtk_grid.hpp>
#include <electret/geometry/vtk_numbers.hpp>

namespace electret {
namespace {

using input::Word;

/// Since version 3, files write "a%20b" for "a b".
std::string decoded(std::string_view name) {
  const auto digit = [](char c) {
    return c >= '0' && c <= '9' ? c - '0' : (c | 32) >= 'a' && (c | 32) <= 'f' ? (c | 32) - 'a' + 10 : -1;
  };
  std::string text;
  for (std::size_t k = 0; k < name.size(); ++k) {
    if (name[k] == '%' && k + 2 < name.size() && digit(name[k + 1]) >= 0 && digit(name[k + 2]) >= 0) {
      text += static_cast<char>(16 * digit(name[k + 1]) + digit(name[k + 2]));
      k += 2;
    } else {
      text += name[k];
    }
  }
  return text;
}

std::string capitals(std::string_view word) {
  std::string text(word);
  for (char& c : text)
    if (c >= 'a' && c <= 'z') c = static_cast<char>(c - 'a' + 'A');
  return text;
}

class VtkReader {
 public:
  VtkReader(std::string_view bytes, const std::string& file)
      : findings_(file), cursor_(bytes, {}), flow_(cursor_, findings_) {}

  Mesh read() {
    header();
    while (const auto word = flow_.word()) section(capitals(word->text), word->text);
    if (!has_dataset_) findings_.add(0, 0, "the file has no DATASET", "allowed: DATASET UNSTRUCTURED_GRID");
    return vtk::mesh_of(grid_, findings_);
  }

 private:
  void header() {
    cursor_.next_statement();
    const auto line = words();
    if (line.size() < 5 || line[0].text != "#" || line[1].text != "vtk" || line[2].text != "DataFile")
      flow_.fault("the file does not begin with \"# vtk DataFile Version\"", "a legacy VTK file");
    const input::Number version = input::number(line[4].text);
    if (!version.fault.empty() || version.value < 1.0 || version.value >= 6.0)
      flow_.fault("VTK's version " + in_quotes(line[4].text) + " is not read", "allowed: 1.0 to 5.1");
    is_version_5_ = version.value >= 5.0;
    cursor_.next_statement();  // The title.
    cursor_.next_statement();
    const auto form = words();
    const std::string name = form.empty() ? std::string() : capitals(form[0].text);
    if (name != "ASCII" && name != "BINARY")
      flow_.fault("the third line is neither ASCII nor BINARY", "allowed: ASCII, BINARY");
    is_binary_ = name == "BINARY";
  }

  void section(const std::string& keyword, std::string_view written) {
    if (keyword == "DATASET") {
      const auto line = words();
      if (line.empty() || capitals(line[0].text) != "UNSTRUCTURED_GRID")
        flow_.fault("the dataset is " + in_quotes(line.empty() ? std::string_view() : line[0].text),
                    "allowed: UNSTRUCTURED_GRID");
      has_dataset_ = true;
    } else if (keyword == "POINTS") {
      points();
    } else if (keyword == "CELLS") {
      cells();
    } else if (keyword == "CELL_TYPES") {
      const std::int64_t count = flow_.count("the number of cell types");
      grid_.types = integers(count, {vtk::NumberType::Kind::signed_integer, 4}, "a cell's type");
    } else if (keyword == "POINT_DATA" || keyword == "CELL_DATA") {
      const bool is_of_points = keyword == "POINT_DATA";
      arrays_ = is_of_points ? &grid_.point_arrays : &grid_.cell_arrays;
      tuples_ = flow_.count("a number of tuples");
      const std::size_t wanted = is_of_points ? grid_.points.size() : grid_.ends.size();
      if (tuples_ != static_cast<std::int64_t>(wanted))
        flow_.fault(keyword + " of " + std::to_string(tuples_), "allowed: " + std::to_string(wanted));
    } else if (keyword == "METADATA") {
      pass_metadata();
    } else if (keyword == "FIELD") {
      field();
    } else if (arrays_ == nullptr || !attribute(keyword)) {
      flow_.fault(in_quotes(written) + " stands where a section should begin",
                  "allowed: POINTS, CELLS, CELL_TYPES, POINT_DATA, CELL_DATA and the arrays in them");
    }
  }

  void points() {
    const std::int64_t count = flow_.count("the number of points");
    const vtk::NumberType type = number_type();
    if (!grid_.points.empty()) flow_.fault("a second list of points", "allowed: one");
    if (count > 2147483647) flow_.fault("more points than can be numbered", "allowed: 2147483647");
    const Count line = flow_.line();
    const auto values = reals(count, 3, type, "a coordinate");
    for (std::size_t k = 0; k + 2 < values.size(); k += 3)
      grid_.points.push_back({values[k], values[k + 1], values[k + 2]});
    for (const Vec3& point : grid_.points)
      if (!is_finite(point)) {
        findings_.add(line, 0, "a coordinate is not finite", "allowed: finite numbers");
        break;
      }
  }

  void cells() {
    if (!grid_.ends.empty()) flow_.fault("a second list of cells", "allowed: one");
    const std::int64_t count = flow_.count("the number of cells"), size = flow_.count("the cells' size");
    grid_.line = is_binary_ ? 0 : flow_.line();
    if (is_version_5_) {
      const auto offsets = part("OFFSETS", count);
      grid_.connectivity = part("CONNECTIVITY", size);
      if (!offsets.empty() && offsets.front() != 0)
        flow_.add("the first of OFFSETS is " + std::to_string(offsets.front()), "allowed: 0");
      if (!offsets.empty()) grid_.ends.assign(offsets.begin() + 1, offsets.end());
      return;
    }
    const std::vector<std::int64_t> list =
        integers(size, {vtk::NumberType::Kind::signed_integer, 4}, "a cell");
    std::size_t place = 0;
    for (std::int64_t c = 0; c < count; ++c) {
      const std::size_t left = list.size() - place;
      if (left == 0 || list[place] < 0 || list[place] >= static_cast<std::int64_t>(left))
        flow_.fault(
            "cell " + std::to_string(c) + " ends behind the " + std::to_string(size) + " numbers of CELLS",
            "as many numbers as the cells have");
      const auto corners = static_cast<std::size_t>(list[place]);
      const auto first = list.begin() + static_cast<std::ptrdiff_t>(place) + 1;
      grid_.connectivity.insert(grid_.connectivity.end(), first,
                                first + static_cast<std::ptrdiff_t>(corners));
      grid_.ends.push_back(static_cast<std::int64_t>(grid_.connectivity.size()));
      place += corners + 1;
    }
    if (!is_binary_ && line_after_cells_ == grid_.line + count) ++grid_.line, grid_.is_line_a_cell = true;
  }

  std::vector<std::int64_t> part(const char* name, std::int64_t count) {
    const auto word = flow_.word();
    if (!word || capitals(word->text) != name) flow_.fault("no " + std::string(name) + " in CELLS", name);
    return integers(count, number_type(), name);
  }

  void field() {
    const auto line = words();
    const auto count = line.size() == 2 ? input::integer(line[1].text) : std::nullopt;
    if (!count) flow_.fault("FIELD has no name and number of arrays", "write FIELD NAME COUNT");
    for (std::int64_t k = 0; k < *count; ++k) {
      auto name = flow_.word();
      if (name && name->text == "METADATA") pass_metadata(), name = flow_.word();
      if (!name) flow_.fault("the file ends within FIELD", "");
      const std::int64_t components = flow_.count("a number of components");
      const std::int64_t tuples = flow_.count("a number of tuples");
      const vtk::NumberType type = number_type();
      vtk::Array array{decoded(name->text), static_cast<std::size_t>(components),
                       reals(tuples, components, type, "a field's number")};
      if (arrays_ != nullptr && tuples == tuples_) arrays_->push_back(std::move(array));
    }
  }

  /// Reads an array of points or cells; false if the word begins none.
  bool attribute(const std::string& keyword) {
    static constexpr vtk::NumberType byte{vtk::NumberType::Kind::unsigned_integer, 1}, real{};
    const std::vector<Word> line = words();
    const auto need = [&](std::size_t count) {
      if (line.size() < count) flow_.fault(keyword + " lacks its name or type", "see VTK's file formats");
    };
    const auto type = [&](std::size_t at) {
      const auto found = vtk::legacy_type(line[at].text);
      if (!found) flow_.fault("the type " + in_quotes(line[at].text) + " is not read", allowed_types);
      return *found;
    };
    const auto whole = [&](std::size_t at) {
      const auto value = input::integer(line[at].text);
      if (!value || *value < 0) flow_.fault(keyword + ": " + in_quotes(line[at].text), "a whole number");
      return *value;
    };
    std::int64_t components = 1;
    if (keyword == "SCALARS") {
      need(2);
      if (line.size() > 2) components = whole(2);
      const auto table = flow_.word();
      if (!table || capitals(table->text) != "LOOKUP_TABLE" || words().empty())
        flow_.fault("SCALARS without LOOKUP_TABLE", "write LOOKUP_TABLE default");
    } else if (keyword == "LOOKUP_TABLE") {
      need(2);
      reals(whole(1), 4, is_binary_ ? byte : real, "a colour");
      return true;
    } else if (keyword == "COLOR_SCALARS") {
      need(2);
      reals(tuples_, whole(1), is_binary_ ? byte : real, "a colour");
      return true;
    } else if (keyword == "TEXTURE_COORDINATES") {
      need(3);
      reals(tuples_, whole(1), type(2), "a texture coordinate");
      return true;
    } else if (keyword == "VECTORS" || keyword == "NORMALS") {
      components = 3;
    } else if (keyword == "TENSORS" || keyword == "TENSORS6") {
      components = keyword == "TENSORS" ? 9 : 6;
    } else if (keyword != "GLOBAL_IDS" && keyword != "PEDIGREE_IDS") {
      return false;
    }
    need(2);
    const vtk::NumberType kind = type(1);
    arrays_->push_back({decoded(line[0].text), static_cast<std::size_t>(components),
                        reals(tuples_, components, kind, "a number")});
    return true;
  }

  /// Skips to the empty line that ends it.
  void pass_metadata() {
    while (cursor_.next_statement())
      if (!cursor_.word()) return;
  }

  std::vector<Word> words() {
    std::vector<Word> line;
    cursor_.words(line);
    return line;
  }

  vtk::NumberType number_type() {
    const auto word = flow_.word();
    const auto type = word ? vtk::legacy_type(word->text) : std::nullopt;
    if (!type)
      flow_.fault("the type " + in_quotes(word ? word->text : std::string_view()) + " is not read",
                  allowed_types);
    return *type;
  }

  std::vector<double> reals(std::int64_t tuples, std::int64_t components, vtk::NumberType type,
                            const char* what) {
    std::vector<double> values;
    read_numbers(checked(tuples, components, type), type, values, [&] { return flow_.any_real(what); });
    return values;
  }

  std::vector<std::int64_t> integers(std::int64_t count, vtk::NumberType type, const char* what) {
    std::vector<std::int64_t> values;
    read_numbers(checked(count, 1, type), type, values, [&] { return flow_.integer(what); });
    return values;
  }

  /// Reads how many numbers there are; at most as many as the file can hold.
  std::size_t checked(std::int64_t tuples, std::int64_t components, vtk::NumberType type) {
    const auto most = static_cast<std::int64_t>(is_binary_ ? cursor_.rest().size() / type.size
                                                           : cursor_.rest().size() / 2 + 1);
    if (tuples > most || components > most || (components > 0 && tuples > most / components))
      flow_.fault("there are not " + std::to_string(tuples) + " times " + std::to_string(components) +
                      " numbers in the rest of the file",
                  "");
    return static_cast<std::size_t>(tuples * components);
  }

  template <class T, class Next>
  void read_numbers(std::size_t count, vtk::NumberType type, std::vector<T>& values, Next&& next) {
    if (is_binary_) {
      const auto bytes = cursor_.bytes_after_line(count * type.size);
      if (!bytes) flow_.fault("the file ends within an array", "");
      return vtk::decode(*bytes, type, true, values);
    }
    values.reserve(count);
    for (std::size_t k = 0; k < count; ++k) values.push_back(next());
    line_after_cells_ = flow_.line();
  }

  static constexpr const char* allowed_types =
      "allowed: char, unsigned_char, short, unsigned_short, int, unsigned_int, long, unsigned_long, "
      "vtktypeint64, float, double";

  input::Findings findings_;
  input::Cursor cursor_;
  input::NumberFlow flow_;
  vtk::Grid grid_;
  std::vector<vtk::Array>* arrays_ = nullptr;  ///< The arrays being read; the length of each.
  std::int64_t tuples_ = 0;
  Count line_after_cells_ = 0;
  bool is_binary_ = false, is_version_5_ = false, has_dataset_ = false;
};

}  // namespace

Mesh parse_vtk(std::string_view bytes, const std::string& file_name) {
  return VtkReader(bytes, file_name).read();
}

}  // namespace electret
