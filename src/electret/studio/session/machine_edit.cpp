#include <algorithm>
#include <cmath>
#include <set>
#include <utility>

#include <electret/core/errors.hpp>
#include <electret/core/text.hpp>
#include <electret/scene/words.hpp>
#include <electret/studio/session/fields.hpp>
#include <electret/studio/session/machine.hpp>
#include <electret/studio/session/scene_edits.hpp>

namespace electret::studio {
namespace {

/// Gestures of pages are told apart.
constexpr double gestures_of_a_page = 1e9;

/// The groups of these names, the first ones, for a sentence.
std::string named_groups(const std::vector<std::string>& names) {
  constexpr std::size_t most = 3;
  std::string all = names.size() == 1 ? "the group " : "the groups ";
  for (std::size_t k = 0; k < std::min(names.size(), most); ++k)
    all += (k > 0 ? ", " : "") + in_quotes(names[k]);
  return names.size() > most ? all + " …" : all;
}

}  // namespace

/// What findings say beside a field, without the place in a text.
std::string Machine::in_one(const std::vector<Finding>& findings) {
  std::string all;
  for (const Finding& each : findings)
    all += (all.empty() ? "" : "; ") + each.message + (each.allowed.empty() ? "" : " (" + each.allowed + ")");
  return all;
}

double Machine::gesture_of(int page, double gesture) {
  return gesture > 0.0 ? page * gestures_of_a_page + gesture : 0.0;
}

/// The same; without a gesture a value and the key that it becomes are a step of their own.
double Machine::step_of_undo(int page, double gesture, bool is_key) {
  return gesture == 0.0 && is_key ? --own_gesture_ : gesture_of(page, gesture);
}

/// The tree of a scene's text; `fault` says why there is none.
std::optional<Document> Machine::tree_of(const std::string& text, std::string& fault) {
  std::vector<Finding> findings;
  Document document(text, "", {}, findings);
  if (findings.empty()) return document;
  fault = in_one(findings);
  return std::nullopt;
}

std::string Machine::why_no_edits() const {
  // What was too much can be taken back where the simulation diverged.
  if (auto why = why_not_moving(); !why.empty() && phase_ != Phase::diverged) return why;
  return run_ ? "a recorded run is looked at as it is: continue it, or open its scene, to change it" : "";
}

/// Before an edit: "" if it may be made.
std::string Machine::ready_to_edit() {
  if (auto why = why_no_edits(); !why.empty()) return why;
  return settle() ? "" : "the session is going back first: change it when it is there";
}

/// The scene goes on as `text` says; the history is told by `keep`. Where the simulation diverged it can do
/// so, but for the divergence of a replay, in which nothing was edited (`goes_on`).
std::string Machine::go_on_with(const TextState& next, const std::function<void()>& keep, Live::Wait wait,
                                bool goes_on) {
  std::string fault;
  const auto wanted = tree_of(next.text, fault);
  if (!wanted) return fault;
  const Count shapes = live_->scenery().shapes_number();
  Live::Edited done;
  try {
    done = live_->edit(with_painted(wanted->root(), live_->source().folder, next.painted), wait);
  } catch (const InputError& error) {
    return in_one(error.findings());
  } catch (const IoError& error) {
    return error.what();
  }
  keep();
  document_.waiting = first_keys(std::move(done.waiting));
  tell_text();
  if (!done.is_other) return "";
  if (phase_ == Phase::diverged && goes_on) stand(Phase::paused);
  tell_system();
  if (live_->scenery().shapes_number() != shapes) tell_topology();
  tell_energies();
  tell_changes();
  show_now(phase_ != Phase::running);
  return "";
}

/// The same for a text as a whole, which may have other keys.
std::string Machine::go_on_with_keys(const TextState& next, const std::function<void()>& keep) {
  auto why = go_on_with(next, keep);
  if (why.empty()) find_stale(key_tables_of(history_.text()));
  tell_keys();
  return why;
}

std::string Machine::edit_text(const std::vector<TextEdit>& edits, double gesture, Live::Wait wait) {
  try {
    const TextState next{edited_text(history_.text(), document_.name, edits), history_.painted()};
    const auto keep = [&] {
      if (next != history_.now()) history_.put(next, gesture);
    };
    return go_on_with(next, keep, wait);
  } catch (const InputError& error) {
    return in_one(error.findings());
  }
}

void Machine::tell_text() {
  document_.text = history_.text();
  document_.unsaved = is_text_unsaved();
  document_.can_undo = history_.can_undo();
  document_.can_redo = history_.can_redo();
  tell_document();
  tell_fields();
}

std::string Machine::why_no_body(Count body) const {
  const auto count = static_cast<Count>(live_->scenery().info.bodies.size());
  return body < count
             ? ""
             : "there is no body " + std::to_string(body) + ": the last one is " + std::to_string(count - 1);
}

/// Fields name bodies of the scene that runs; the text may have others, which come at Reset.
std::string Machine::why_other_bodies(const Node& text) const {
  const auto& running = live_->scenery().info.bodies;
  const Node::Member* bodies = text.member("body");
  const std::size_t count = bodies != nullptr ? bodies->node.items.size() : 0;
  bool is_other = count != running.size();
  for (std::size_t k = 0; k < count && !is_other; ++k) {
    const Node::Member* name = bodies->node.items[k].member("name");
    is_other = name == nullptr || name->node.text != running[k].name;
  }
  return is_other ? "the text has other bodies, which come at reset: reset first" : "";
}

/// Why vertices and groups of a body cannot be named; "" if they may be.
std::string Machine::why_other_vertices(Count body) const {
  const std::string own = "body." + std::to_string(body) + ".";
  for (const std::string& key : document_.waiting)
    if (key.starts_with(own + "mesh") || key.starts_with(own + "generate") || key == own + "group" ||
        key.starts_with(own + "group."))
      return "the text has another mesh or other groups of this body, which come at reset: reset first";
  return "";
}

/// The tree of the text as it stands, for a field's edit; `why` says what keeps it from that.
std::optional<Document> Machine::tree_for_fields(std::string& why) const {
  auto tree = tree_of(history_.text(), why);
  if (tree) why = why_other_bodies(tree->root());
  if (!why.empty()) tree.reset();
  return tree;
}

std::string Machine::obey(int page, const SetCharge& charge) {
  if (auto why = ready_to_edit(); !why.empty()) return why;
  const std::string what = charge.group ? std::to_string(charge.body) + " " + *charge.group : std::string();
  const bool goes_on = is_writing(page, charge.gesture, what);
  if (!goes_on) end_gesture();
  if (auto why = why_no_body(charge.body); !why.empty()) return why;
  if (auto why = live_->why_no_charges(std::to_string(charge.body)); !why.empty()) return why;
  const auto& groups = live_->scenery().info.groups;
  const auto is_meant = [&](const GroupInfo& each) {
    return each.body == charge.body && each.name == *charge.group;
  };
  if (charge.group && std::none_of(groups.begin(), groups.end(), is_meant))
    return "the body has no group " + in_quotes(*charge.group);
  std::string fault;
  const auto tree = tree_for_fields(fault);
  if (!tree) return fault;
  if (auto why = charge.group ? why_other_vertices(charge.body) : std::string(); !why.empty()) return why;
  const double value = seven_digits(charge.value);
  const std::string before = history_.text();
  const auto shares = [&](const std::string& one, const std::string& other) {
    return live_->scenery().shown.share_vertices(charge.body, one, other);
  };
  const bool is_key = goes_on || (charge.is_key && charge.group);
  const double step = step_of_undo(page, charge.gesture, is_key);
  auto why = edit_text(
      set_charge(tree->root(), static_cast<std::size_t>(charge.body), charge.group, value, shares), step);
  if (!why.empty()) return why;
  keys_changed(before, false);
  if (is_key) {
    const auto now = tree_of(history_.text(), fault);
    why = note_sample(page, charge.gesture, step, before,
                      {what,
                       charge_table(now->root(), static_cast<std::size_t>(charge.body), *charge.group),
                       "values",
                       {value}});
  }
  tell_keys();
  return why;
}

/// Fields name external charges of the scene that runs; the text may have others, which come at Reset.
std::string Machine::why_other_external(const Node& text) const {
  const Node::Member* all = text.member("external_charge");
  const std::size_t count = all != nullptr ? all->node.items.size() : 0;
  return count == live_->scenery().info.external.size()
             ? ""
             : "the text has other external charges, which come at reset: reset first";
}

std::string Machine::obey(int page, const SetExternal& external) {
  if (auto why = ready_to_edit(); !why.empty()) return why;
  const bool is_one = external.charge.has_value() != external.position.has_value();
  const std::string what = "external " + std::to_string(external.number) + (external.charge ? "" : " place");
  const bool goes_on = is_one && is_writing(page, external.gesture, what);
  if (!goes_on) end_gesture();
  const auto count = static_cast<Count>(live_->scenery().info.external.size());
  if (external.number >= count) return "there is no external charge " + std::to_string(external.number);
  if (auto why = live_->why_no_external(std::to_string(external.number)); !why.empty()) return why;
  std::string fault;
  const auto tree = tree_for_fields(fault);
  if (!tree) return fault;
  if (auto why = why_other_external(tree->root()); !why.empty()) return why;
  std::optional<double> charge = external.charge;
  if (charge) charge = seven_digits(*charge);
  std::optional<Vec3> position = external.position;
  if (position) position = rounded_place(*position, live_->scenery().shown.size());
  const std::string before = history_.text();
  const bool is_key = goes_on || (external.is_key && is_one);
  const double step = step_of_undo(page, external.gesture, is_key);
  auto why = edit_text(
      set_external(tree->root(), static_cast<std::size_t>(external.number), charge, position), step);
  if (!why.empty()) return why;
  keys_changed(before, false);
  if (is_key) {
    const std::string table = "external_charge." + std::to_string(external.number);
    const Sampled sampled = charge
                                ? Sampled{what, table, "charges", {*charge}}
                                : Sampled{what, table, "positions", {position->x, position->y, position->z}};
    why = note_sample(page, external.gesture, step, before, sampled);
  }
  tell_keys();
  return why;
}

/// Fields are of the text, and so need no scene that is like it. What cannot be had live is refused there.
std::string Machine::obey(int page, const Tune& tune) {
  if (auto why = ready_to_edit(); !why.empty()) return why;
  if (tune.revision && *tune.revision != revision_)
    return "the text has been changed meanwhile: look at the field, then change it again";
  std::string fault;
  const auto tree = tree_of(history_.text(), fault);
  if (!tree) return fault;
  try {
    return edit_checked(edits_of_field(tree->root(), tune.key, tune.toml), gesture_of(page, tune.gesture),
                        true, Live::Wait::nothing);
  } catch (const InputError& error) {
    return in_one(error.findings());
  }
}

std::string Machine::obey(int, const Paint& paint) {
  if (auto why = ready_to_edit(); !why.empty()) return why;
  if (auto why = why_no_body(paint.body); !why.empty()) return why;
  if (auto why = live_->why_no_charges(std::to_string(paint.body)); !why.empty()) return why;
  if (auto why = why_other_vertices(paint.body); !why.empty()) return why;
  const BodyInfo& body = live_->scenery().info.bodies[static_cast<std::size_t>(paint.body)];
  const std::vector<double> all = live_->own_charges();
  std::vector<double> own(all.begin() + body.first, all.begin() + body.first + body.count);
  const std::set<Index> of_groups = live_->charged_by_groups();
  std::size_t painted = 0;
  std::set<Index> left_out;
  for (std::size_t k = 0; k < paint.vertices.size(); ++k) {
    const Count vertex = paint.vertices[k];
    if (vertex >= body.count)
      return "the body has no vertex " + std::to_string(vertex) + ": the last one is " +
             std::to_string(body.count - 1);
    if (const auto global = static_cast<Index>(body.first + vertex); of_groups.contains(global)) {
      left_out.insert(global);
      continue;
    }
    own[static_cast<std::size_t>(vertex)] = seven_digits(paint.charges[k]);
    ++painted;
  }
  const std::size_t left = paint.vertices.size() - painted;
  const std::string why_left = counted(left, "vertex has", "vertices have") + " the charge of " +
                               named_groups(live_->scenery().shown.charging_groups(paint.body, left_out)) +
                               ": give the group another one";
  if (painted == 0) return left > 0 ? why_left : "";
  auto why = this->paint(static_cast<std::size_t>(paint.body), body.name, own);
  if (why.empty() && left > 0) tell(NoticeInfo{why_left, "note"});
  return why;
}

std::string Machine::obey(int, const MakeGroup& group) {
  if (auto why = ready_to_edit(); !why.empty()) return why;
  if (auto why = why_no_body(group.body); !why.empty()) return why;
  if (auto why = why_other_vertices(group.body); !why.empty()) return why;
  std::string fault;
  if (!tree_for_fields(fault)) return fault;
  const BodyInfo& body = live_->scenery().info.bodies[static_cast<std::size_t>(group.body)];
  if (group.name.empty()) return "a group needs a name";
  if (group.vertices.empty()) return "a group needs vertices";
  for (const GroupInfo& each : live_->scenery().info.groups)
    if (each.body == group.body && each.name == group.name)
      return "the body has a group " + in_quotes(group.name) + " already";
  std::vector<Index> vertices;
  for (const Count vertex : group.vertices) {
    if (vertex >= body.count)
      return "the body has no vertex " + std::to_string(vertex) + ": the last one is " +
             std::to_string(body.count - 1);
    vertices.push_back(static_cast<Index>(vertex));
  }
  return edit_text(add_group(static_cast<std::size_t>(group.body), group.name, std::move(vertices)), 0.0);
}

/// A scene with findings is loaded anew.
std::string Machine::leave_broken(const std::function<void()>& step) {
  step();
  tell_text();
  return load_again(history_.text());
}

std::string Machine::obey(int, const Undo&) {
  return step_text(false);
}

std::string Machine::obey(int, const Redo&) {
  return step_text(true);
}

/// One step through the states of the text.
std::string Machine::step_text(bool is_redo) {
  const auto step = [this, is_redo] { is_redo ? history_.redo() : history_.undo(); };
  const bool can = is_redo ? history_.can_redo() : history_.can_undo();
  if (auto why = why_no_text(); phase_ == Phase::broken && !why.empty()) return why;
  if (phase_ == Phase::broken && can) return leave_broken(step);
  if (auto why = ready_to_edit(); !why.empty()) return why;
  if (!can) return is_redo ? "there is nothing to redo" : "there is nothing to undo";
  const TextState next = is_redo ? history_.redone() : history_.undone();
  // An undo may have led away from a text with findings.
  if (auto why = is_redo ? why_no_scene(next) : std::string(); !why.empty()) return why;
  return go_on_with_keys(next, step);
}

}  // namespace electret::studio
