#include <algorithm>
#include <array>
#include <limits>
#include <set>
#include <unordered_map>
#include <utility>

#include <electret/core/errors.hpp>
#include <electret/core/text.hpp>
#include <electret/geometry/cell_collector.hpp>
#include <electret/geometry/input_text.hpp>
#include <electret/geometry/msh.hpp>
#include <electret/geometry/msh_source.hpp>

namespace electret {
namespace {

using msh::Source;

/// A kind of element that is read.
struct ElementKind {
  int type, dimension, vertices;
};
constexpr ElementKind element_kinds[] = {{15, 0, 1}, {1, 1, 2}, {2, 2, 3}, {3, 2, 4}, {4, 3, 4}, {5, 3, 8}};

/// A physical group: its dimension and number.
using Group = std::pair<int, std::int64_t>;

/// Each element of an entity is in all its groups. Without a bound, a small file could take a lot of memory.
constexpr std::size_t most_groups = 64;

class MshReader {
 public:
  MshReader(std::string_view bytes, const std::string& file) : source_(bytes, file), findings_(file) {}

  Mesh read() {
    format();
    for (std::string_view section = source_.word(); !section.empty(); section = source_.word()) {
      if (section.size() < 2 || section[0] != '$')
        source_.fault(in_quotes(section) + " is no section", "allowed: $Nodes, $Elements, …");
      const std::string name(section.substr(1));
      if (name == "PhysicalNames")
        physical_names();
      else if (name == "Entities" && is_version_4_)
        entities();
      else if (name == "Nodes")
        is_version_4_ ? nodes_4() : nodes_2();
      else if (name == "Elements")
        is_version_4_ ? elements_4() : elements_2();
      source_.skip_to_end_of(name);
    }
    return finish();
  }

 private:
  void format() {
    if (source_.word() != "$MeshFormat")
      source_.fault("the file does not begin with $MeshFormat", "an MSH file");
    const std::string version(source_.word());
    if (version != "2.2" && version != "4.1")
      source_.fault("MSH version " + in_quotes(version) + " is not read",
                    "allowed: 2.2 and 4.1 (gmsh FILE -3 -format msh41)");
    is_version_4_ = version == "4.1";
    const std::int64_t type = source_.text_integer("the file type");
    if (type != 0 && type != 1)
      source_.fault("the file type is " + std::to_string(type), "allowed: 0 (ASCII), 1 (binary)");
    if (source_.text_integer("the data size") != 8) source_.fault("the data size is not 8", "allowed: 8");
    if (type == 1) {
      source_.next_line();
      source_.set_binary(false);
      const std::int32_t one = source_.raw_integer();
      if (one != 1 && one != 0x01000000) source_.fault("the order of bytes is unknown", "the number 1");
      source_.set_binary(one != 1);
    }
    source_.skip_to_end_of("MeshFormat");
  }

  void physical_names() {
    const std::int64_t count = source_.text_integer("the number of physical names");
    for (std::int64_t k = 0; k < count; ++k) {
      const auto dimension = static_cast<int>(source_.text_integer("a dimension"));
      const std::int64_t number = source_.text_integer("a physical group's number");
      names_[{dimension, number}] = source_.quoted();
    }
  }

  void entities() {
    begin_data();
    std::int64_t counts[4];
    for (std::int64_t& count : counts) count = source_.size("a number of entities");
    for (int dimension = 0; dimension < 4; ++dimension)
      for (std::int64_t k = 0; k < counts[dimension]; ++k) {
        const std::int64_t tag = source_.integer("an entity's tag");
        for (int c = 0; c < (dimension == 0 ? 3 : 6); ++c) source_.real("an entity's bound");
        auto& groups = groups_of_entity_[{dimension, tag}];
        const std::int64_t physical = source_.size("a number of physical groups");
        for (std::int64_t p = 0; p < physical; ++p)
          groups.insert({dimension, source_.integer("a physical group's number")});
        if (groups.size() > most_groups)
          source_.fault("an entity in " + std::to_string(groups.size()) + " physical groups",
                        "allowed: at most " + std::to_string(most_groups));
        if (dimension == 0) continue;
        const std::int64_t bounding = source_.size("a number of bounding entities");
        for (std::int64_t b = 0; b < bounding; ++b) source_.integer("a bounding entity's tag");
      }
  }

  void nodes_2() {
    const std::int64_t count = source_.text_integer("the number of nodes");
    begin_data();
    for (std::int64_t k = 0; k < count; ++k) {
      const std::int64_t tag = source_.integer("a node's tag");
      add_node(tag, position());
    }
  }

  void nodes_4() {
    begin_data();
    const std::int64_t blocks = source_.size("the number of blocks of nodes");
    for (int skipped = 0; skipped < 3; ++skipped) source_.size("a number of nodes");
    std::vector<std::int64_t> tags;
    for (std::int64_t b = 0; b < blocks; ++b) {
      const std::int64_t dimension = source_.integer("a dimension");
      source_.integer("an entity's tag");
      const bool is_parametric = source_.integer("whether nodes are parametric") != 0;
      const std::int64_t count = source_.size("a number of nodes");
      tags.clear();
      for (std::int64_t k = 0; k < count; ++k) tags.push_back(source_.size("a node's tag"));
      for (const std::int64_t tag : tags) {
        add_node(tag, position());
        for (std::int64_t p = 0; is_parametric && p < dimension; ++p) source_.real("a parameter");
      }
    }
  }

  Vec3 position() {
    const double x = source_.real("a coordinate"), y = source_.real("a coordinate");
    return {x, y, source_.real("a coordinate")};
  }

  void add_node(std::int64_t tag, const Vec3& place) {
    if (mesh_.vertices.size() >= static_cast<std::size_t>(std::numeric_limits<Index>::max()))
      source_.fault("the file has more nodes than can be numbered", "allowed: 2147483647");
    if (!index_of_.emplace(tag, static_cast<Index>(mesh_.vertices.size())).second)
      source_.fault("two nodes have the tag " + std::to_string(tag), "tags are unique");
    mesh_.vertices.push_back(place);
  }

  void elements_2() {
    const std::int64_t count = source_.text_integer("the number of elements");
    begin_data();
    std::vector<std::size_t> sets;
    for (std::int64_t read = 0; read < count;) {
      std::int64_t type = 0, in_block = 1, tags = 0;
      Count line = 0;
      if (source_.is_binary()) {
        type = source_.integer("an element's type");
        in_block = source_.integer("a number of elements");
        tags = source_.integer("a number of tags");
        if (in_block < 1) source_.fault("a block holds no elements", "allowed: 1 or more");
      }
      for (std::int64_t k = 0; k < in_block; ++k, ++read) {
        const std::int64_t tag = source_.integer("an element's tag");
        line = source_.line();
        if (!source_.is_binary()) {
          type = source_.integer("an element's type");
          kind_of(type);
          tags = source_.integer("a number of tags");
        }
        const ElementKind kind = kind_of(type);
        sets.clear();
        for (std::int64_t t = 0; t < tags; ++t) {
          const std::int64_t number = source_.integer("a tag");
          if (t == 0 && number != 0) sets.push_back(set_of({kind.dimension, number}));
        }
        add_element(tag, kind, sets, line);
      }
    }
  }

  void elements_4() {
    begin_data();
    const std::int64_t blocks = source_.size("the number of blocks of elements");
    for (int skipped = 0; skipped < 3; ++skipped) source_.size("a number of elements");
    for (std::int64_t b = 0; b < blocks; ++b) {
      const auto dimension = static_cast<int>(source_.integer("a dimension"));
      const std::int64_t entity = source_.integer("an entity's tag");
      const ElementKind kind = kind_of(source_.integer("an element's type"));
      std::vector<std::size_t> sets;
      for (const Group& group : groups_of_entity_[{dimension, entity}]) sets.push_back(set_of(group));
      const std::int64_t count = source_.size("a number of elements");
      for (std::int64_t k = 0; k < count; ++k) {
        const std::int64_t tag = source_.size("an element's tag");
        add_element(tag, kind, sets, source_.line());
      }
    }
  }

  ElementKind kind_of(std::int64_t type) {
    for (const ElementKind& kind : element_kinds)
      if (kind.type == type) return kind;
    source_.fault("elements of Gmsh's type " + std::to_string(type) + " are not read",
                  "allowed: points, lines, triangles, quadrangles, tetrahedra and hexahedra of first order "
                  "(15, 1, 2, 3, 4, 5)");
  }

  void add_element(std::int64_t own_tag, const ElementKind& kind, const std::vector<std::size_t>& sets,
                   Count line) {
    Hexahedron all{};
    std::array<std::int64_t, 8> tags{};
    for (std::size_t a = 0; a < static_cast<std::size_t>(kind.vertices); ++a) {
      const std::int64_t tag = source_.is_binary() && !is_version_4_ ? source_.integer("a node's tag")
                                                                     : source_.size("a node's tag");
      const auto found = index_of_.find(tag);
      if (found == index_of_.end())
        source_.fault("an element names the node " + std::to_string(tag) + ", which is not there",
                      "allowed: tags of $Nodes, which come first");
      all[a] = found->second, tags[a] = tag;
    }
    const auto corners = std::span<const Index>(all).first(static_cast<std::size_t>(kind.vertices));
    if (const auto twice = repeated_corner(kind.dimension, corners)) {
      const auto place = std::find(corners.begin(), corners.end(), *twice) - corners.begin();
      return findings_.add(line, 0,
                           "element " + std::to_string(own_tag) + ": node " +
                               std::to_string(tags[static_cast<std::size_t>(place)]) +
                               " is two of its corners",
                           different_corners);
    }
    cells_.add(kind.dimension, corners, sets, line);
  }

  /// In binary files, numbers begin after the end of the line.
  void begin_data() {
    if (source_.is_binary()) source_.next_line();
  }

  std::size_t set_of(const Group& group) {
    const auto [found, is_new] = set_of_.try_emplace(group, 0);
    if (is_new) found->second = cells_.add_set();
    return found->second;
  }

  std::string name_of(const Group& group) const {
    const auto found = names_.find(group);
    return found == names_.end() ? std::to_string(group.second) : found->second;
  }

  Mesh finish() {
    if (mesh_.vertices.empty()) source_.fault("the file has no nodes", "at least one is required");
    findings_.throw_if_any();
    std::vector<std::string> names(set_of_.size());
    for (const auto& [group, set] : set_of_) names[set] = name_of(group);
    cells_.unite_sets();  // Gmsh writes an element of 2.2 once for each of its physical groups.
    cells_.finish(mesh_, names, findings_);
    return std::move(mesh_);
  }

  Source source_;
  input::Findings findings_;
  Mesh mesh_;
  bool is_version_4_ = false;
  std::unordered_map<std::int64_t, Index> index_of_;
  std::map<Group, std::string> names_;
  std::map<std::pair<int, std::int64_t>, std::set<Group>> groups_of_entity_;
  std::map<Group, std::size_t> set_of_;
  CellCollector cells_;
};

}  // namespace

Mesh parse_msh(std::string_view bytes, const std::string& file_name) {
  return MshReader(bytes, file_name).read();
}

}  // namespace electret
