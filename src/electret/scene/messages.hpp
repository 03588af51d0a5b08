#pragma once
/// \file
/// Sentences of findings that reading and checking share.

#include <string>

#include <electret/scene/expression_program.hpp>
#include <electret/scene/report.hpp>
#include <electret/scene/schema.hpp>
#include <electret/scene/words.hpp>

namespace electret {

/// `neither "steps" nor "duration" is written in [time]`.
inline std::string none_of(const SchemaTable& table, const Alternatives& choice) {
  std::string text;
  for (const auto& key : choice.keys) text += (text.empty() ? "neither " : " nor ") + in_quotes(key);
  return text + " is written in " + table.title();
}

/// `"steps" contradicts "duration" in [time]`.
inline std::string both_of(const SchemaTable& table, const std::string& first, const std::string& second) {
  return in_quotes(second) + " contradicts " + in_quotes(first) + " in " + table.title();
}

inline std::string only_one_of(const Alternatives& choice) {
  return (choice.one_is_required || choice.mesh_may_provide_one ? "exactly one of " : "at most one of ") +
         joined(choice.keys) + " is allowed";
}

/// Whether a named constant of an electric field may be called `name`. The derivatives by a field's constants
/// carry their names, and stand beside the derivative by "charges".
inline bool is_constant_name(const std::string& name) {
  return expression::is_identifier(name) && !expression::is_reserved(name) && name != "charges";
}

inline std::string allowed_constant_names() {
  return "allowed: letters, digits and _, but not x, y, z, t, pi, charges or a function's name";
}

}  // namespace electret
