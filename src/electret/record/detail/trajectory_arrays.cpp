#include <algorithm>
#include <utility>
#include <variant>

#include <electret/core/errors.hpp>
#include <electret/record/detail/trajectory_layout.hpp>
#include <electret/record/trajectory_writer.hpp>

namespace electret {
namespace {

[[noreturn]] void fail(const std::string& name, const std::string& why) {
  throw IoError("its dataset " + name + " " + why);
}

/// The indices of each body: body b has those from offsets[b] to below offsets[b + 1].
class Spans {
 public:
  /// From the array called `name`, which must end at `end`. Throws IoError.
  Spans(const std::string& name, std::vector<Count> offsets, Count end) : offsets_(std::move(offsets)) {
    if (offsets_.empty() || offsets_.front() != 0 || offsets_.back() != end ||
        !std::is_sorted(offsets_.begin(), offsets_.end()))
      fail(name, "does not ascend from 0 to " + std::to_string(end));
  }

  [[nodiscard]] std::size_t bodies() const { return offsets_.size() - 1; }
  [[nodiscard]] bool contains(Count index) const { return index >= 0 && index < offsets_.back(); }
  /// Of an index that they contain.
  [[nodiscard]] std::size_t body_of(Count index) const {
    const auto above = std::upper_bound(offsets_.begin(), offsets_.end(), index);
    return static_cast<std::size_t>(above - offsets_.begin()) - 1;
  }
  /// Throws IoError about the dataset called `name` unless the index is one of body `b`.
  void check(const std::string& name, Count index, std::size_t b) const {
    if (!contains(index))
      fail(name, "names number " + std::to_string(index) + " of " + std::to_string(offsets_.back()));
    if (body_of(index) != b) fail(name, "joins two bodies");
  }

 private:
  std::vector<Count> offsets_;
};

class ArrayCheck {
 public:
  ArrayCheck(hdf5::Id file, Index vertices)
      : file_(file),
        bodies_("body_offsets", read<Count>("body_offsets"), vertices),
        surfaces_("surface_offsets", surface_offsets(), rows_of(run_array("surface_corners"))) {}

  void run() const {
    for (const RunArray& array : run_arrays()) {
      check_length(array);
      if (array.contents == ArrayContents::vertices) check_rows(array, bodies_, false);
      if (array.contents == ArrayContents::corners) check_corners(array);
      if (array.contents == ArrayContents::surface_vertices) check_rows(array, surfaces_, false);
    }
    check_names();
    check_groups();
    check_element_groups();
  }

 private:
  /// 0 for an array that is absent.
  [[nodiscard]] Count rows_of(const RunArray& array) const {
    if (array.may_be_absent && !hdf5::has_dataset(file_, array.name)) return 0;
    const hdf5::Shape shape = hdf5::form_of(file_, array.name).shape;
    const bool fits = array.columns == 1 ? shape.size() == 1 : shape.size() == 2 && shape[1] == array.columns;
    if (!fits) fail(array.name, "has a wrong shape");
    hdf5::check_held(file_, array.name);
    return static_cast<Count>(shape[0]);
  }

  template <class T>
  [[nodiscard]] std::vector<T> read(const char* name) const {
    const RunArray& array = run_array(name);
    static_cast<void>(rows_of(array));  // Its shape.
    return std::get<std::vector<T>>(read_array(file_, array));
  }

  /// Without surfaces there are none, as if no body had one.
  [[nodiscard]] std::vector<Count> surface_offsets() const {
    std::vector<Count> offsets = read<Count>("surface_offsets");
    if (offsets.empty()) offsets.assign(bodies_.bodies() + 1, 0);
    if (offsets.size() != bodies_.bodies() + 1) fail("surface_offsets", "has a wrong shape");
    return offsets;
  }

  void check_length(const RunArray& array) const {
    const Count rows = rows_of(array);
    if (array.as_long_as != nullptr && rows != rows_of(run_array(array.as_long_as)))
      fail(array.name, "is not as long as " + std::string(array.as_long_as));
    read_array(file_, array);  // Its type.
  }

  /// Each row is of one body.
  void check_rows(const RunArray& array, const Spans& spans, bool may_be_missing) const {
    const auto values = std::get<std::vector<std::int32_t>>(read_array(file_, array));
    for (std::size_t k = 0; k < values.size(); ++k) {
      const std::int32_t first = values[k - k % array.columns];
      const bool is_missing = may_be_missing && values[k] == -1 && k % array.columns != 0;
      if (!is_missing) spans.check(array.name, values[k], spans.contains(first) ? spans.body_of(first) : 0);
    }
  }

  /// The corners of a body's surface are of that body.
  void check_corners(const RunArray& array) const {
    check_rows(array, bodies_, true);
    const auto values = std::get<std::vector<std::int32_t>>(read_array(file_, array));
    for (std::size_t p = 0; p * array.columns < values.size(); ++p)
      bodies_.check(array.name, values[p * array.columns], surfaces_.body_of(static_cast<Count>(p)));
  }

  void check_names() const {
    if (!hdf5::has_dataset(file_, "body_names")) return;  // Runs of the first versions have none.
    const auto shape = hdf5::form_of(file_, "body_names").shape;
    if (shape.size() != 1 || shape[0] != bodies_.bodies()) fail("body_names", "has a wrong shape");
    static_cast<void>(hdf5::read_texts(file_, "body_names"));
  }

  [[nodiscard]] std::vector<std::string> links() const {
    std::vector<std::string> names;
    if (!hdf5::has_dataset(file_, "body_names")) return names;
    for (const std::string& name : hdf5::read_texts(file_, "body_names")) names.push_back(link_name(name));
    return names;
  }

  /// Calls check(dataset's name, member, body) for each member of each group.
  template <class Check>
  void check_members(const std::string& folder, Check&& check) const {
    const std::vector<std::string> names = links();
    for (const auto& [body, groups] : read_groups(file_, folder)) {
      const auto found = std::find(names.begin(), names.end(), body);
      if (found == names.end()) throw IoError("its group " + folder + " names a body that it does not have");
      for (const auto& [group, members] : groups)
        for (const Index member : members)
          check(folder + "/" + body + "/" + group, member, static_cast<std::size_t>(found - names.begin()));
    }
  }

  void check_groups() const {
    check_members("groups", [&](const std::string& name, Index member, std::size_t body) {
      bodies_.check(name, member, body);
    });
  }

  /// The first vertex of each element, in the order of their numbers.
  [[nodiscard]] std::vector<Index> first_vertices() const {
    std::vector<Index> firsts;
    for (const auto* name : {"tetrahedra", "hexahedra"}) {
      const auto values = read<std::int32_t>(name);
      for (std::size_t k = 0; k < values.size(); k += run_array(name).columns) firsts.push_back(values[k]);
    }
    return firsts;
  }

  void check_element_groups() const {
    if (!hdf5::has_dataset(file_, "element_groups")) return;
    const std::vector<Index> firsts = first_vertices();
    check_members("element_groups", [&](const std::string& name, Index member, std::size_t body) {
      const auto k = static_cast<std::size_t>(member);
      if (member < 0 || k >= firsts.size())
        fail(name, "names number " + std::to_string(member) + " of " + std::to_string(firsts.size()));
      bodies_.check(name, firsts[k], body);
    });
  }

  hdf5::Id file_;
  Spans bodies_;
  Spans surfaces_;
};

}  // namespace

void check_arrays(hdf5::Id file, Index vertices) {
  ArrayCheck(file, vertices).run();
}

}  // namespace electret
