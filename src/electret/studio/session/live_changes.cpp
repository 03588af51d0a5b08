/// The changes that a session makes of its scene: what the simulator is told of them.

#include <algorithm>
#include <cmath>
#include <iterator>
#include <utility>

#include <electret/core/errors.hpp>
#include <electret/core/same_bits.hpp>
#include <electret/core/text.hpp>
#include <electret/scene/changes.hpp>
#include <electret/scene/toml_text.hpp>
#include <electret/studio/session/edit_effect.hpp>
#include <electret/studio/session/key_tables.hpp>
#include <electret/studio/session/live.hpp>
#include <electret/studio/session/scene_edits.hpp>

namespace electret::studio {
namespace {

/// Whether this key, or assignment, may set charges of `body`. A scene's own key may name its body.
bool is_charging(const std::string& key, const std::string& body) {
  const auto own = charged_body(key);
  return own && (*own == body || own->find_first_not_of("0123456789") != std::string::npos);
}

const Node* value_in(const Node& root, const char* table, const char* key) {
  const Node::Member* found = root.member(table);
  const Node::Member* value = found != nullptr ? found->node.member(key) : nullptr;
  return value != nullptr ? &value->node : nullptr;
}

void apply(const Change& change, Document& document, std::vector<Finding>& findings) {
  for (const std::string& key : change.unset) document.unset(key, Location{}, findings);
  for (const std::string& assignment : change.set) document.set(assignment, Location{}, findings);
}

}  // namespace

/// The scene's own changes and those that were made here, in the order in which they are made.
std::vector<Change> Live::all_changes(const std::vector<Change>& edits) const {
  std::vector<Change> all;
  std::merge(own_changes_.begin(), own_changes_.end(), edits.begin(), edits.end(), std::back_inserter(all),
             [](const Change& a, const Change& b) { return a.step < b.step; });
  return all;
}

/// The system goes on with these changes. Those that it has made stay.
Live::Planned Live::plan(const std::vector<Change>& edits) {
  Assembly& assembly = simulator_.system().assembly;
  Scene& scene = assembly.scene;
  Planned before{scene.changes, scene.overrides, assembly.changed, scene.time.legs};
  scene.changes = all_changes(edits);
  scene.overrides = source_.overrides;
  // `auto` would choose anew in a scene that is changed.
  if (!auto_method_.empty()) scene.overrides.push_back("integrator.method=" + auto_method_);
  if (!scene.changes.empty() || !own_changes_.empty())
    scene.overrides.push_back(changes_override(scene.changes));
  renew_changed();
  scene.time.legs = legs_of(scene.changes);
  return before;
}

/// Changed scenes have places for balls, as the present one; session.toml has what was in them.
void Live::renew_changed() {
  Assembly& assembly = simulator_.system().assembly;
  const Scene& scene = assembly.scene;
  std::vector<std::string> overrides = scene.overrides;
  if (ball_places_ > 0)
    for (std::string& each : ball_places(own_external_)) overrides.push_back(std::move(each));
  const auto changed = std::make_shared<ChangedScenes>(
      SceneOrigin{scene.text, std::nullopt, source_.file, scene.folder, std::move(overrides)}, source_.read);
  changed->meshes() = *source_.meshes;
  assembly.changed = changed;
}

void Live::take_back(Planned before) {
  Assembly& assembly = simulator_.system().assembly;
  assembly.scene.changes = std::move(before.changes);
  assembly.scene.overrides = std::move(before.overrides);
  assembly.changed = std::move(before.changed);
  assembly.scene.time.legs = std::move(before.legs);
}

/// The legs of time that changes make: those of a run of the scene with all of them.
std::vector<TimeLeg> Live::legs_of(const std::vector<Change>& changes) const {
  const auto is_of_time = [](const std::string& text) { return are_related(text, "time.step"); };
  const auto is_one = [&](const Change& each) {
    return std::any_of(each.set.begin(), each.set.end(), is_of_time) ||
           std::any_of(each.unset.begin(), each.unset.end(), is_of_time);
  };
  if (std::none_of(changes.begin(), changes.end(), is_one)) return {};
  std::vector<Finding> ignored;
  Document document(source_.text, source_.file, source_.overrides, ignored);
  const auto step_now = [&](double before) {
    const Node* step = value_in(document.root(), "time", "step");
    return step != nullptr ? step->number : before;
  };
  TimeOptions time;
  time.step = step_now(simulator_.system().assembly.scene.time.step);
  for (const Change& each : changes) {
    apply(each, document, ignored);
    if (const double step = step_now(time.step); !same_bits(step, time.step))
      time.change_step(each.step, step);
  }
  return time.legs;
}

/// The last step of a scene that says in seconds how long it is, as far as its time steps are known.
Count Live::last_step_of(const TimeOptions& time) const {
  std::vector<Finding> ignored;
  const Document document(source_.text, source_.file, source_.overrides, ignored);
  const Node* duration = value_in(document.root(), "time", "duration");
  if (duration == nullptr || time.legs.empty()) return time.steps;
  const TimeLeg last = time.legs.back();
  constexpr double most = 9e15;
  const double rest = std::min((duration->number - last.time) / last.time_step, most);
  return last.step + static_cast<Count>(std::ceil(std::max(rest, 0.0) - 1e-6));
}

/// Forgets the edits that were made after this state: the steps that they belong to are forgotten.
void Live::forget_edits_after_now() {
  const auto first =
      std::find_if(edits_.begin(), edits_.end(), [this](const Change& each) { return each.step >= step(); });
  if (first == edits_.end()) return;
  edits_.erase(first, edits_.end());
  ++edits_revision_;
  static_cast<void>(plan(edits_));
}

/// An edit is told from the text, which has the scene's own changes as a list: it could not be told what such
/// a change did to the same body from what the edit is to do.
std::string Live::why_own_change(const std::string& what,
                                 const std::function<bool(const std::string&)>& is_one) const {
  for (const Change& own : own_changes_)
    if (own.step <= step() && (std::any_of(own.set.begin(), own.set.end(), is_one) ||
                               std::any_of(own.unset.begin(), own.unset.end(), is_one)))
      return "the scene's own [[change]] at step " + std::to_string(own.step) + " has set " + what +
             ": edit that change, or go back before it";
  return "";
}

std::string Live::why_no_charges(const std::string& body) const {
  return why_own_change("charges of this body",
                        [&](const std::string& key) { return is_charging(key, body); });
}

std::string Live::why_no_external(const std::string& number) const {
  return why_own_change("this external charge", [&](const std::string& key) {
    const auto own = external_of_key(key);
    return own && (*own == number || own->empty());
  });
}

/// Of keys of pins, loads, muscles and obstacles.
std::string Live::why_no_other_keys(const std::string& key) const {
  const std::string table = table_of_keys(key);
  if (table.empty()) return "";
  return why_own_change("keys of [[" + table + "]]",
                        [&](const std::string& own) { return table_of_keys(own) == table; });
}

/// Of what the scene is compiled with.
std::string Live::why_no_live(const std::string& text) const {
  const std::string key = key_of_override(text);
  return why_own_change(in_quotes(key), [&](const std::string& own) { return are_related(own, key); });
}

/// Why the scene's own changes keep a change from being made; "" if they do not.
std::string Live::why_no_change(const Change& change) const {
  for (const std::vector<std::string>* keys : {&change.set, &change.unset})
    for (const std::string& key : *keys) {
      const auto body = charged_body(key), external = external_of_key(key);
      std::string why = body                                  ? why_no_charges(*body)
                        : external                            ? why_no_external(*external)
                        : effect_of(key) == EditEffect::input ? why_no_other_keys(key)
                                                              : why_no_live(key);
      if (!why.empty()) return why;
    }
  return "";
}

void Live::require_no_own_change(const Change& change) const {
  if (std::string why = why_no_change(change); !why.empty())
    throw InputError(Finding{{}, std::move(why), ""});
}

/// The scene's text with these edits, but without changes of its own.
Document Live::edited(const std::vector<Change>& edits) const {
  std::vector<Finding> findings;
  Document document = edited(edits, findings);
  require(findings.empty(), "the edits of a session fit its scene");
  return document;
}

/// The same; `findings` has which of the edits cannot be made.
Document Live::edited(const std::vector<Change>& edits, std::vector<Finding>& findings) const {
  Document document(source_.text, source_.file, source_.overrides, findings);
  if (!auto_method_.empty()) document.set("integrator.method=" + auto_method_, Location{}, findings);
  for (const Change& each : edits) apply(each, document, findings);
  return document;
}

/// A text's tree in which `auto` is the method that it stood for when the scene began.
Node Live::without_auto(Node root) const {
  const Node* method = value_in(root, "integrator", "method");
  if (auto_method_.empty() || method == nullptr || method->text != "auto") return root;
  for (Node::Member& member : root.members)
    if (member.key == "integrator") set_member(member.node, "method", text_node(auto_method_));
  return root;
}

}  // namespace electret::studio
