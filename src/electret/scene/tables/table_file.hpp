#pragma once
/// \file
/// What the tables' files use, and only they include: rows, kinds of numbers, and the usual ways to add
/// tracks to an assembly, to check them, and to add them to a scene's identity.

#include <optional>
#include <string>
#include <tuple>
#include <type_traits>

#include <electret/scene/body_parts.hpp>
#include <electret/scene/check_assembly.hpp>
#include <electret/scene/driven_inputs.hpp>
#include <electret/scene/identity.hpp>
#include <electret/scene/number_kinds.hpp>
#include <electret/scene/schema_rows.hpp>
#include <electret/scene/tables/checking.hpp>
#include <electret/scene/tables/reading.hpp>
#include <electret/scene/words.hpp>

namespace electret {

/// Adds track_of(assembling, item, its key) for each item of a body's or the scene's `list`, if there is such
/// a track. Items with findings are left out.
template <auto list, auto tracks, auto track_of>
void add_each(const SceneTable& table, Assembling& assembling) {
  const auto& items = [&]() -> const auto& {
    if constexpr (std::is_same_v<decltype(detail::object_of(list)), Body>)
      return assembling.body->body.*list;
    else
      return assembling.result.scene.*list;
  }
  ();
  const std::string own = key_of(table, assembling.body == nullptr ? "" : assembling.body->key) + ".";
  for (std::size_t i = 0; i < items.size(); ++i) {
    const std::string key = own + std::to_string(i);
    if (assembling.report.is_bad(key)) continue;
    if (auto track = track_of(assembling, items[i], key))
      (assembling.result.*tracks).push_back(std::move(*track));
  }
}

/// A table of settings, which are the member `settings` of the scene. Each of them determines a run.
template <auto settings>
SceneTable settings_table(SchemaTable schema) {
  SceneTable table{.schema = std::move(schema)};
  table.read = read_setting<settings>;
  table.check = check_setting<settings>;
  table.identify = [](const SceneTable& own, const Assembly& a, Identity& to) {
    auto values = a.scene.*settings;
    to.part(own.schema.title()).add_rows(own.schema, &values);
  };
  return table;
}

/// Calls check(assembly, track) for each track.
template <auto tracks, auto check>
void check_tracks(const Assembly& assembly) {
  for (const auto& track : assembly.*tracks) check(assembly, track);
}

/// Marks the vertices of the tracks' elements.
template <auto tracks>
void join_elements(const Assembly& a, std::vector<bool>& joined) {
  const auto mark = [&](const auto& all, const std::vector<Index>& rows) {
    for (const Index row : rows)
      for (const Index v : all[static_cast<std::size_t>(row)]) joined[static_cast<std::size_t>(v)] = true;
  };
  for (const auto& track : a.*tracks) {
    mark(a.tetrahedra, track.elements.tetrahedra);
    mark(a.hexahedra, track.elements.hexahedra);
  }
}

/// Adds what `members` gives of each track: a tuple of references.
template <auto tracks, auto members>
void identify_tracks(const SceneTable& table, const Assembly& assembly, Identity& to) {
  Hash& hash = to.part(table.part);
  for (const auto& track : assembly.*tracks) hash.add(members(track));
}

}  // namespace electret
