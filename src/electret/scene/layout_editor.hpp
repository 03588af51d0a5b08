#pragma once
/// \file
/// Changes values, tables and lists of a TOML text, wherever and however they are written.

#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include <electret/scene/text_changes.hpp>

namespace electret {

/// What stands in the way of a change.
class Unwritable : public std::runtime_error {
 public:
  Unwritable(const std::string& why, std::string allowed)
      : std::runtime_error(why), allowed_(std::move(allowed)) {}
  [[nodiscard]] const std::string& allowed() const { return allowed_; }

 private:
  std::string allowed_;
};

class LayoutEditor {
 public:
  /// The parts of a dotted key; items of lists by number.
  using Path = std::vector<std::string>;

  /// `text` is TOML. Lines that are added end as `line_end` says.
  LayoutEditor(std::string text, std::string_view line_end)
      : text_(std::move(text)), line_end_(line_end), layout_(text_) {}

  [[nodiscard]] const std::string& text() const { return text_; }
  [[nodiscard]] const TomlLayout& layout() const { return layout_; }
  /// What the path leads to, or null.
  [[nodiscard]] const Written* find(const Path& path) const;

  /// Sets what the path leads to, or adds it. `value` is a part of `source`. Throws Unwritable.
  void set(const Path& path, std::string_view source, const Written& value);
  /// Adds an item of these lines, `KEY = VALUE` each, to the list, which may be missing. Throws Unwritable.
  void append(const Path& path, const std::vector<std::string>& lines, const std::string& in_braces);
  /// Removes what the path leads to, and what that leaves empty and only wrote. Returns what was removed: the
  /// path or the beginning of it.
  Path remove(Path path);
  /// Gives the last part of the path another name.
  void rename(const Path& path, const std::string& name);

 private:
  /// The nodes that the beginning of a path leads to, from the root.
  using Chain = std::vector<const Written*>;

  [[nodiscard]] LaidOutText laid_out() const { return {text_, layout_, line_end_}; }
  [[nodiscard]] Chain reached(const Path& path) const;
  void apply(TextChanges changes);
  void remove_written(const Path& path);
  void assign(const Path& path, const Chain& chain, std::string_view source, const Written& value);
  void set_pairs(const Path& path, std::string_view source, const Written& value);
  void set_items(const Path& path, std::size_t count, std::string_view source, const Written& value);
  void remove_all_but(const Path& path, const Written& wanted);
  void create(const Path& path, const Chain& chain, std::string_view source, const Written& value);
  void create_in_dotted(const Path& path, const Chain& chain, const std::string& value);
  void create_item(const Path& path, const Chain& chain, std::string_view source, const Written& value);
  void create_member(const Path& path, const Chain& chain, std::string_view source, const Written& value);
  void add_list_item(const Written& list, std::vector<std::string> lines);
  void add_section(const Path& path, const Chain& chain, bool is_item, std::vector<std::string> lines);
  void add_key(const Path& path, const Chain& chain, const std::string& line);
  /// The key of a table as a header above or within it has it: "body.springs".
  [[nodiscard]] std::string written_key(const Path& path, const Chain& chain) const;

  std::string text_, line_end_;
  TomlLayout layout_;
};

}  // namespace electret
