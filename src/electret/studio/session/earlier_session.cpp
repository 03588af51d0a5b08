#include <algorithm>
#include <charconv>
#include <cstdint>
#include <filesystem>
#include <utility>
#include <variant>

#include <fmt/format.h>

#include <electret/core/errors.hpp>
#include <electret/core/text.hpp>
#include <electret/record/run_arrays.hpp>
#include <electret/record/run_directory.hpp>
#include <electret/record/session_files.hpp>
#include <electret/scene/document.hpp>
#include <electret/scene/identity.hpp>
#include <electret/scene/read.hpp>
#include <electret/scene/toml_text.hpp>
#include <electret/scene/write.hpp>
#include <electret/studio/session/balls.hpp>
#include <electret/studio/session/earlier_session.hpp>
#include <electret/studio/session/pulls.hpp>

namespace electret::studio {
namespace {

constexpr std::string_view forgotten_words = "# Edits of its text were forgotten",
                           keys_words = "# Keys before its last step were edited: ";
constexpr std::string_view painted_words = "# Its painted charges are in: ",
                           start_painted_words = "# At its start were: ",
                           now_painted_words = "# At last were: ";
constexpr std::string_view began_words = "# What was read for its start: ";
constexpr std::string_view start_words = "# It began with session.start.toml, ", table_head = "[[grab]]",
                           tack_words = "# a tack from step ";

/// The rest of the first line that begins with `words`; empty if there is none.
std::string_view rest_of_line(std::string_view text, std::string_view words) {
  while (!text.empty()) {
    const std::string_view line = text.substr(0, text.find('\n'));
    if (line.starts_with(words)) return line.substr(words.size());
    text.remove_prefix(std::min(text.size(), line.size() + 1));
  }
  return {};
}

/// The studio makes no links: what one leads to is no text of a session.
std::string read_beside(const std::string& folder, const std::string& name) {
  const std::string path = (std::filesystem::path(folder) / name).string();
  std::error_code error;
  if (std::filesystem::is_symlink(std::filesystem::symlink_status(path, error)))
    throw InputError(Finding{{path, 0, 0}, "it is a link", "allowed: the file that the studio wrote"});
  return read_regular_file(path);
}

std::vector<std::string> words_of(std::string_view line) {
  std::vector<std::string> words;
  while (!line.empty()) {
    const std::string_view word = line.substr(0, line.find(' '));
    if (!word.empty()) words.emplace_back(word);
    line.remove_prefix(std::min(line.size(), word.size() + 1));
  }
  return words;
}

/// "torus.charges.csv=torus.charges.3.csv" and others.
PaintedFiles painted_of(const std::vector<std::string>& words, const std::vector<PaintedFile>& files) {
  PaintedFiles painted;
  for (const std::string& word : words) {
    const std::size_t at = word.find('=');
    for (const PaintedFile& file : files)
      if (at != std::string::npos && file.name() == word.substr(at + 1)) painted[word.substr(0, at)] = file;
  }
  return painted;
}

void read_painted(const std::string& folder, std::string_view text, SessionPainted& painted) {
  std::error_code error;
  const auto place = std::filesystem::weakly_canonical(std::filesystem::absolute(folder), error);
  for (const std::string& name : painted_names(text))
    painted.used.push_back(
        {(place / name).string(), std::make_shared<const std::string>(read_beside(folder, name))});
  painted.start = painted_of(words_of(rest_of_line(text, start_painted_words)), painted.used);
  painted.now = painted_of(words_of(rest_of_line(text, now_painted_words)), painted.used);
}

/// Fills what its files say; `damage` has what is wrong with them.
void read_files(const std::string& folder, EarlierSession& session) {
  const std::string text = read_regular_file(session.path);
  std::vector<Finding> findings;
  const Document document(text, session.path, {}, findings);
  if (!findings.empty()) throw InputError(findings);
  const Node::Member* time = document.root().member("time");
  const Node::Member* steps = time != nullptr ? time->node.member("steps") : nullptr;
  if (steps == nullptr || steps->node.kind != Node::Kind::whole || steps->node.whole < 0)
    throw InputError(Finding{{session.path, 0, 0}, "it has no number of steps", ""});
  session.steps = steps->node.whole;
  const std::string_view name = rest_of_line(text, start_words);
  if (name.empty())
    throw InputError(Finding{{session.path, 0, 0}, "it does not say with which text it began", ""});
  session.notes.has_forgotten_edits = !rest_of_line(text, forgotten_words).empty();
  for (std::string_view rest = rest_of_line(text, keys_words); !rest.empty();) {
    session.notes.edited_keys.emplace_back(rest.substr(0, rest.find(' ')));
    rest.remove_prefix(std::min(rest.size(), session.notes.edited_keys.back().size() + 1));
  }
  session.start = read_beside(folder, "session.start.toml");
  if (name != name_of_text(session.start))
    throw InputError(Finding{
        {folder + "/session.start.toml", 0, 0}, "it is not the text that the session began with", ""});
  session.text = read_beside(folder, "session.text.toml");
  read_painted(folder, text, session.painted);
  const Document latest(session.text, folder + "/session.text.toml", {}, findings);
  if (!findings.empty()) throw InputError(findings);
}

/// The painted charges of sessions that were moved aside.
std::vector<std::string> painted_aside(const std::string& folder) {
  std::vector<std::string> names;
  for (const std::string& session : sessions_aside(folder))
    for (std::string& name : painted_names(read_beside(folder, session))) names.push_back(std::move(name));
  return names;
}

/// No session.toml says which strokes the texts name: the last one is that of the text, and the start has the
/// first one if it had a file.
void find_painted(const std::string& folder, EarlierSession& session) {
  std::vector<Finding> findings;
  const Document start(session.start, folder + "/session.start.toml", {}, findings);
  const Document latest(session.text, folder + "/session.text.toml", {}, findings);
  if (!findings.empty()) throw InputError(findings);
  std::error_code error;
  const auto place = std::filesystem::weakly_canonical(std::filesystem::absolute(folder), error);
  const std::vector<std::string> aside = painted_aside(folder);
  const auto is_aside = [&](const std::string& name) {
    return std::find(aside.begin(), aside.end(), name) != aside.end();
  };
  const auto find = [&](const Node& root, const std::string& text, bool is_first, PaintedFiles& painted) {
    for (const ChargedBody& each : bodies_with_own_files(root, text)) {
      std::vector<std::string> strokes = strokes_of(folder, each.file);
      std::erase_if(strokes, is_aside);
      if (strokes.empty()) continue;
      const std::string& name = is_first ? strokes.front() : strokes.back();
      const PaintedFile file{(place / name).string(),
                             std::make_shared<const std::string>(read_beside(folder, name))};
      painted[each.file] = file;
      std::erase_if(session.painted.used, [&](const PaintedFile& other) { return other.path == file.path; });
      session.painted.used.push_back(file);
    }
  };
  find(start.root(), session.start, true, session.painted.start);
  find(latest.root(), session.text, false, session.painted.now);
}

/// Of a session without a session.toml; nothing if it has nothing but the scene that it began with.
std::optional<EarlierSession> begun_session(const RunDirectory& directory) {
  std::error_code error;
  const std::string& folder = directory.path();
  if (!std::filesystem::exists(directory.session_text(), error) || !holds_begun_session(folder))
    return std::nullopt;
  EarlierSession session;
  session.path = directory.session_text();
  session.is_cut = session.is_begun = true;
  try {
    session.start = read_beside(folder, "session.start.toml");
    session.text = read_beside(folder, "session.text.toml");
    find_painted(folder, session);
    if (session.text == session.start && session.painted.now == session.painted.start) return std::nullopt;
  } catch (const InputError& wrong) {
    session.damage = printable(to_string(wrong.findings().front()));
  }
  return session;
}

/// session.toml names files from its own folder, edits name them from the scene's. An earlier version named
/// painted charges by their whole path.
void lead_from_scene(const EarlierSession& session, const std::string& folder, const std::string& scene,
                     std::vector<Change>& edits) {
  for (Change& edit : edits) {
    edit.set = with_moved_paths(std::move(edit.set), folder, scene);
    for (std::string& each : edit.set)
      for (const PaintedFile& file : session.painted.used)
        if (const std::string key = key_of_override(each) + "="; each == key + toml_string(file.path))
          each = key + toml_string(path_from(scene, file));
  }
}

/// From which states the last `count` grabs of the text are tacks.
std::vector<Count> tacks_in(std::string_view text, std::size_t count) {
  std::vector<Count> tacks;
  for (const std::string& line : lines_of(text)) {
    if (!line.starts_with(table_head)) continue;
    Count step = Pull::never;
    if (const auto at = line.find(tack_words); at != std::string::npos)
      std::from_chars(line.data() + at + tack_words.size(), line.data() + line.size(), step);
    tacks.push_back(step);
  }
  if (tacks.size() > count) tacks.erase(tacks.begin(), tacks.end() - static_cast<std::ptrdiff_t>(count));
  tacks.resize(count, Pull::never);
  return tacks;
}

/// Those that were made by the session: the scene's own come first where both are made at one step.
std::vector<Change> without_own(std::vector<Change> all, const std::vector<Change>& own) {
  for (const Change& each : own) {
    const auto found =
        std::find_if(all.begin(), all.end(), [&](const Change& other) { return other.step == each.step; });
    if (found != all.end()) all.erase(found);
  }
  return all;
}

/// The most charges that are in hands at one time.
std::size_t most_at_once(const std::vector<ExternalChargeTrack>& tracks) {
  std::vector<std::pair<double, int>> turns;  // When one is taken and let go; those first that are let go.
  for (const ExternalChargeTrack& track : tracks) {
    const std::vector<double>&times = track.charge.times, &values = track.charge.values;
    const auto taken = std::find_if(values.begin(), values.end(), [](double value) { return value != 0.0; });
    if (taken == values.end()) continue;
    turns.emplace_back(times[static_cast<std::size_t>(taken - values.begin())], 1);
    if (values.back() == 0.0) turns.emplace_back(times.back(), -1);
  }
  std::sort(turns.begin(), turns.end());
  int now = 0, most = 0;
  for (const auto& [time, more] : turns) most = std::max(most, now += more);
  return static_cast<std::size_t>(most);
}

}  // namespace

std::optional<EarlierSession> earlier_session(const std::string& folder) {
  const RunDirectory directory(folder);
  if (!directory.session_scene()) return begun_session(directory);
  EarlierSession session;
  session.path = directory.session();
  std::error_code error;
  session.is_cut = !std::filesystem::exists(directory.checkpoint(), error);
  try {
    read_files(folder, session);
  } catch (const InputError& wrong) {
    session.damage = printable(to_string(wrong.findings().front()));
  }
  return session;
}

std::string name_of_start(const Assembly& assembly) {
  Hash hash;
  for (const VectorArray* each :
       {&assembly.rest_positions, &assembly.initial_positions, &assembly.initial_velocities})
    hash.add(*each);
  const TrajectoryHeader header = trajectory_header(assembly);
  for (const RunArray& array : run_arrays())
    std::visit([&](const auto& values) { hash.add(values); }, array.of(header));
  hash.add(assembly.charges);
  for (const LoadTrack& track : assembly.load_tracks) hash.add(track.forces);
  for (const MuscleTrack& track : assembly.muscles) hash.add(track.fibres).add(track.activations);
  for (const ExternalChargeTrack& track : assembly.external_charges) hash.add(track.points);
  for (std::size_t k = 0; k < assembly.obstacles.size(); ++k)
    if (!assembly.scene.obstacles[k].mesh.empty())
      hash.add(assembly.obstacles[k].surface.shape->drawing(0.0).vertices);
  return hash.text();
}

std::string began_line(std::string_view began) {
  return std::string(began_words) + std::string(began) + "\n";
}

/// FNV-1a of 64 bits.
std::string name_of_text(std::string_view text) {
  std::uint64_t hash = 0xcbf29ce484222325;
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3;
  return fmt::format("{:016x}", hash);
}

std::string note_lines(const TextNotes& notes) {
  std::string lines;
  if (notes.has_forgotten_edits)
    lines += std::string(forgotten_words) + " by a hand in the past: the next edit brings them in.\n";
  for (std::size_t k = 0; k < notes.edited_keys.size(); ++k)
    lines += (k == 0 ? std::string(keys_words) : " ") + notes.edited_keys[k];
  return notes.edited_keys.empty() ? lines : lines + "\n";
}

std::string painted_lines(const SessionPainted& painted) {
  if (painted.used.empty()) return "";
  std::string lines(painted_words);
  for (std::size_t k = 0; k < painted.used.size(); ++k) lines += (k > 0 ? " " : "") + painted.used[k].name();
  for (const auto& [words, files] :
       {std::pair{start_painted_words, &painted.start}, std::pair{now_painted_words, &painted.now}}) {
    if (files->empty()) continue;
    lines += "\n" + std::string(words);
    for (const auto& [name, file] : *files)
      lines += (name == files->begin()->first ? "" : " ") + name + "=" + file.name();
  }
  return lines + "\n";
}

/// Names without a folder: nothing else is read or removed.
std::vector<std::string> painted_names(std::string_view session_text) {
  std::vector<std::string> names = words_of(rest_of_line(session_text, painted_words));
  std::erase_if(names, [](const std::string& name) {
    return name.find('/') != std::string::npos || name.find(".charges") == std::string::npos ||
           !name.ends_with(".csv");
  });
  return names;
}

std::string start_line(std::string_view start) {
  return std::string(start_words) + name_of_text(start) + "\n";
}

/// A file of two names would be watched twice.
FileReader read_from_scene(const std::string& folder, const std::string& scene, const FileReader& read) {
  return [head = place_in(folder, ""), folder, scene, read](const std::string& path) {
    if (!path.starts_with(head)) return read(path);
    return read(place_in(scene, moved_path(path.substr(head.size()), folder, scene)));
  };
}

SessionPast past_of(const EarlierSession& session, const Assembly& start, const FileReader& read,
                    MeshStore& meshes) {
  if (session.is_begun) return {};
  const std::string text = read_regular_file(session.path);
  std::string folder = std::filesystem::path(session.path).parent_path().string();
  if (folder.empty()) folder = ".";
  const Assembly played = load_scene_text(text, session.path, folder, {},
                                          read_from_scene(folder, start.scene.folder, read), meshes);
  if (played.masses.size() != start.masses.size() || played.grabs.size() < start.grabs.size() ||
      played.external_charges.size() < start.external_charges.size())
    throw InputError(Finding{{session.path, 0, 0}, "it does not go with the text that it began with", ""});
  const std::string_view began = rest_of_line(text, began_words);
  if (!began.empty() && began != name_of_start(start))
    throw InputError(
        Finding{{session.path, 0, 0},
                "it began with other numbers: a mesh or table that the scene names is another file since",
                "put back the file that was there, or begin without the session"});
  SessionPast past;
  past.steps = session.steps;
  past.edits = without_own(played.scene.changes, start.scene.changes);
  lead_from_scene(session, folder, start.scene.folder, past.edits);
  past.tracks.assign(played.grabs.begin() + static_cast<std::ptrdiff_t>(start.grabs.size()),
                     played.grabs.end());
  past.tacks = tacks_in(text, past.tracks.size());
  past.balls.assign(
      played.external_charges.begin() + static_cast<std::ptrdiff_t>(start.external_charges.size()),
      played.external_charges.end());
  for (const ExternalChargeTrack& ball : past.balls)
    if (ball.charge.values.size() < 2 || ball.charge.times != ball.position.times)
      throw InputError(Finding{{session.path, 0, 0}, "its last external charges are none of hands", ""});
  if (most_at_once(past.balls) > ball_place_count(start.scene))
    throw InputError(Finding{{session.path, 0, 0},
                             "more charges are in hands at one time than there may be",
                             "allowed: " + std::to_string(ball_place_count(start.scene))});
  return past;
}

}  // namespace electret::studio
